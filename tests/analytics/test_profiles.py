"""Profiles and cells: means, intervals, ranks and accounts of every cell, on stores that can be worked out by hand."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

import analytics.profiles
from analytics.errors import EmptySlice
from analytics.numeric.bootstrap import mean_interval
from tests.asking import asked, one, rows
from tests.stores import toy_store

ITEMS = [
    {"item_id": f"i{k}", "capability": c, "media_type": m, "chance": ch}
    for k, (c, m, ch) in enumerate(
        [("a", "image", 0.25)] * 6
        + [("b", "video", 0.25), ("b", "video", None), ("b", "video", 0.5), ("z", "image", 0.5)]
    )
]
RUNS = [{"run_id": "m1"}, {"run_id": "m2"}, {"run_id": "m3"}, {"run_id": "h", "kind": "human"},
        {"run_id": "blind", "kind": "control"}]  # fmt: skip
CREDIT = {
    "m1": [1, 1, 1, 1, 0, 0, 1, 1, 1, None],
    "m2": [1, 1, 1, 1, 1, 1, 0, 0, None, None],
    "m3": [0, 1, 1, 1, 1, 0, 1, 1, 1, None],
    "h": [1, 1, 1, 1, 1, 0, 1, 1, 1, 1],
    "blind": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
}
TAGS = [
    {"item_id": item, "kind": kind, "tag": tag}
    for item, kind, tag in [
        ("i0", "skill", "count"), ("i0", "skill", "read"), ("i1", "skill", "read"), ("i1", "scope", "half"),
    ]
]  # fmt: skip


def responses(credit):
    return [
        {"run_id": run, "item_id": f"i{k}", "credit": float(value)}
        for run, values in credit.items()
        for k, value in enumerate(values)
        if value is not None
    ]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("profiles")
    return toy_store(folder, items=ITEMS, runs=RUNS, responses=responses(CREDIT), item_tags=TAGS)


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Graded credit, several attempts, shared clusters and an unjudged cell, each in a capability of its own."""
    items = [{"item_id": f"i{k}", "capability": c, "cluster": v} for k, (c, v) in enumerate(
        [("graded", None)] * 3 + [("twice", None)] * 3 + [("video", "v")] * 3 + [("nobody", None)] * 2)]  # fmt: skip
    credit = [1.0, 0.5, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, None, None]
    answers = [{"run_id": "r", "item_id": f"i{k}", "credit": c} for k, c in enumerate(credit)]
    again = [{"run_id": "r", "item_id": f"i{k}", "credit": 1.0, "attempt": 2} for k in (3, 4, 5)]
    return toy_store(tmp_path_factory.mktemp("odd"), items=items, runs=[{"run_id": "r"}], responses=answers + again)


def test_means_and_accounts_of_a_cell(store):
    found = one(rows(store, "profiles"), run="m1", value="a")
    assert (found["raw"], found["n"], found["declared"], found["failed"]) == (pytest.approx(4 / 6), 6, 6, 0)
    low, high = proportion_confint(4, 6, method="wilson")
    assert (found["raw_low"], found["raw_high"]) == (pytest.approx(low), pytest.approx(high))
    assert (found["interval"], found["small_n"], found["verified"], found["gap"]) == ("Wilson score", True, None, None)


def test_a_cell_without_credit_is_null_and_counted_not_zero(store):
    found = one(rows(store, "profiles"), run="m1", value="z")
    assert (found["raw"], found["raw_low"], found["rank"], found["best"]) == (None, None, None, None)
    assert (found["n"], found["declared"], found["failed"]) == (0, 1, 1)
    assert asked(store, "profiles").left_out["items without a usable attempt"] == 4


def test_rank_best_and_people_within_a_cell(store):
    found = rows(store, "profiles")
    ranks = {(row["run"], row["value"]): row["rank"] for row in found}
    assert [ranks[run, "a"] for run in ("m1", "m2", "m3", "h", "blind")] == [2, 1, 2, None, None]
    assert [ranks[run, "b"] for run in ("m1", "m2", "m3")] == [1, 3, 1]
    third = one(found, run="m3", value="a")
    assert (third["best"], third["to_best"]) == ("m2", pytest.approx(4 / 6 - 1))
    assert third["to_human"] == pytest.approx(4 / 6 - 5 / 6)
    assert one(found, run="h", value="a")["to_human"] is None
    assert one(found, run="m2", value="b")["to_human"] == pytest.approx(-1)
    alone = rows(store, "profiles", {"kind": "model"})
    assert all(row["to_human"] is None for row in alone)


def test_chance_is_known_only_where_every_item_tells_it(store):
    found = rows(store, "profiles")
    assert one(found, run="m1", value="a")["chance"] == 0.25
    assert one(found, run="m1", value="b")["chance"] is None


def test_tags_are_multi_valued_and_scope_is_no_label(store):
    answer = asked(store, "profiles", {"run": "m1"}, level_of="tag")
    assert answer.table.select("value", "n").rows() == [("count", 1), ("read", 2)]
    assert any("totals over tags may exceed n" in note for note in answer.notes)


def test_other_levels_split_the_same_items(store):
    found = rows(store, "profiles", {"run": "m1"}, level_of="media_type")
    assert [(row["value"], row["n"]) for row in found] == [("image", 6), ("video", 3)]


def test_graded_repeated_and_clustered_cells_take_a_bootstrap(odd):
    found = {row["value"]: row for row in rows(odd, "profiles", resamples=500)}
    assert "bootstrap over items" in found["graded"]["interval"]
    assert "bootstrap over items" in found["twice"]["interval"]
    assert "bootstrap over clusters" in found["video"]["interval"]
    assert found["nobody"]["interval"] is None
    assert found["nobody"]["unjudged"] == 2
    span = mean_interval(np.array([[1.0, 0.5, 0.0]]), mean="micro", level=0.95, resamples=500, seed=20260)
    assert (found["graded"]["raw_low"], found["graded"]["raw_high"]) == (span.low[0], span.high[0])


def test_an_all_right_cell_reaches_one_and_no_further(store):
    found = one(rows(store, "profiles"), run="m2", value="a")
    assert (found["raw"], found["raw_high"]) == (1.0, 1.0)
    assert 0 < found["raw_low"] < 1


def test_large_logs_take_moments_that_agree_with_the_items(store, monkeypatch):
    small = rows(store, "profiles")
    monkeypatch.setattr(analytics.profiles, "MOMENTS_ABOVE", 1)
    large = rows(store, "profiles")
    for a, b in zip(small, large, strict=True):
        assert (a["run"], a["value"], a["n"], a["rank"]) == (b["run"], b["value"], b["n"], b["rank"])
        assert a["raw"] == pytest.approx(b["raw"])
    assert {row["interval"] for row in large} == {"delta method from stored moments", None}


def test_cells_are_wilson_or_exact_and_say_why_not(store, odd):
    found = one(rows(store, "cells"), run="m1", value="a")
    assert (found["k"], found["n"], found["reason"]) == (4, 6, None)
    assert (found["low"], found["high"]) == pytest.approx(proportion_confint(4, 6, method="wilson"))
    exact = one(rows(store, "cells", method="exact"), run="m1", value="a")
    assert (exact["low"], exact["high"]) == pytest.approx(proportion_confint(4, 6, method="beta"))
    said = {row["value"]: (row["reason"], row["k"], row["low"]) for row in rows(odd, "cells")}
    assert said == {
        "graded": ("credit is not 0 or 1", None, None),
        "twice": ("several attempts per item", None, None),
        "video": ("items share clusters", None, None),
        "nobody": ("no item with a credit", None, None),
    }
    assert {row["value"]: row["rate"] for row in rows(odd, "cells")}["graded"] == 0.5


def test_an_empty_slice_says_so(store):
    with pytest.raises(EmptySlice, match="tag"):
        asked(store, "profiles", {"capability": "z"}, level_of="tag")
    with pytest.raises(EmptySlice):
        asked(store, "cells", {"capability": "z"}, level_of="tag")
