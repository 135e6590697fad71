"""Conditions: paired differences to a base run, ordered settings, and systems that lack one."""

import pytest
from polars.testing import assert_frame_equal

import analytics.conditions
from analytics.errors import EmptySlice
from tests.asking import asked, one, rows
from tests.stores import toy_store

ITEMS = [{"item_id": f"i{k}", "capability": "a" if k < 6 else "b"} for k in range(10)]
SCOPE = [{"item_id": f"i{k}", "kind": "scope", "tag": "six"} for k in range(6)]


def run(name, model, condition=None, scope=None):
    return {"run_id": name, "model": model, "condition": condition, "scope": scope}


def credit(name, right, of=range(10)):
    return [{"run_id": name, "item_id": f"i{k}", "credit": float(k < right)} for k in of]


RUNS = [
    run("m", "M"), run("m/low", "M", "effort=low"), run("m/high", "M", "effort=high"), run("m/max", "M", "effort=max"),
    run("m/10", "M", "frames=10"), run("m/100", "M", "frames=100"), run("m/blind", "M", "input=question_only"),
    run("m/no", "M", "history=no", scope="six"), run("n/blind", "N", "input=question_only"), run("plain", "P"),
]  # fmt: skip
RESPONSES = [
    row
    for name, right in (("m", 7), ("m/low", 4), ("m/high", 8), ("m/max", 6), ("m/10", 5), ("m/100", 9), ("m/blind", 3),
                        ("n/blind", 2), ("plain", 10))
    for row in credit(name, right)
] + credit("m/no", 2, range(6))  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conditions")
    return toy_store(folder, items=ITEMS, runs=RUNS, responses=RESPONSES, item_tags=SCOPE)


def test_varied_runs_are_compared_with_the_main_run(store):
    found = rows(store, "conditions")
    assert "plain" not in {row["run"] for row in found}
    row = one(found, run="m/blind")
    assert (row["base"], row["n"], row["difference"]) == ("m", 10, pytest.approx(-0.4))
    assert row["low"] <= row["difference"] <= row["high"] < 0
    assert (row["dimension"], row["setting"], row["place"]) == ("input", "question_only", None)
    base = one(found, run="m", dimension="input")
    assert (base["is_base"], base["setting"], base["difference"], base["best"]) == (True, "main", None, True)


def test_a_system_without_the_base_run_says_so(store):
    answer = asked(store, "conditions")
    row = one(answer.table.to_dicts(), run="n/blind")
    assert (row["difference"], row["base"], row["reason"]) == (None, None, "no base run")
    assert row["raw"] == pytest.approx(0.2)
    assert answer.left_out["rows without a base run or a common item"] == 1


def test_ordered_settings_make_curves_with_their_lowest_as_base(store):
    found = rows(store, "conditions", base="lowest")
    effort = {row["setting"]: row for row in found if row["dimension"] == "effort"}
    assert {name: row["place"] for name, row in effort.items()} == {"low": 1, "high": 2, "max": 3}
    assert {name: row["best"] for name, row in effort.items()} == {"low": False, "high": True, "max": False}
    assert {row["best_is_highest"] for row in effort.values()} == {False}
    assert effort["max"]["difference"] == pytest.approx(0.2)
    frames = {row["setting"]: row for row in found if row["dimension"] == "frames"}
    assert [frames[name]["place"] for name in ("10", "100")] == [1, 2]
    assert {row["best_is_highest"] for row in frames.values()} == {True}
    assert {row["reason"] for row in found if row["dimension"] == "input"} == {"no base run"}


def test_a_value_of_the_setting_can_be_the_base(store):
    found = [row for row in rows(store, "conditions", base="high") if row["dimension"] == "effort"]
    assert {row["setting"]: row["difference"] for row in found} == {
        "low": pytest.approx(-0.4), "high": None, "max": pytest.approx(-0.2),
    }  # fmt: skip


def test_a_partial_run_is_compared_on_its_own_items(store):
    for average in ("micro", "macro"):
        found = [row for row in rows(store, "conditions", average=average) if row["dimension"] == "history"]
        varied, base = one(found, run="m/no"), one(found, run="m")
        assert (varied["n"], base["n_run"], base["raw"]) == (6, 6, 1.0)
        assert varied["difference"] == pytest.approx(2 / 6 - 1)


def test_curves_split_by_capability(store):
    found = rows(store, "conditions", {"condition": ["effort=low", "effort=max"]}, base="lowest", level_of="capability")
    assert {(row["value"], row["setting"]): row["raw"] for row in found} == {
        ("a", "low"): pytest.approx(4 / 6), ("a", "max"): 1.0, ("b", "low"): 0.0, ("b", "max"): 0.0,
    }  # fmt: skip
    assert one(found, value="b", setting="max")["difference"] == 0.0


def test_large_logs_take_moments_that_agree_with_the_items(store, monkeypatch):
    def tables():
        found = [asked(store, "conditions", average=average).table for average in ("micro", "macro")]
        return [*found, asked(store, "conditions", level_of="capability").table]

    small = tables()
    monkeypatch.setattr(analytics.conditions, "MOMENTS_ABOVE", 1)
    for a, b in zip(small, tables(), strict=True):
        assert_frame_equal(a.drop("low", "high"), b.drop("low", "high"))
        assert b["low"].null_count() == a["low"].null_count() == a["difference"].null_count()


def test_the_slice_chooses_varied_runs_and_bases_stand_beside_it(store):
    found = rows(store, "conditions", {"condition": "input=question_only", "model": "M"})
    assert {row["run"] for row in found} == {"m", "m/blind"}
    with pytest.raises(EmptySlice, match="varied setting"):
        asked(store, "conditions", {"model": "P"})
