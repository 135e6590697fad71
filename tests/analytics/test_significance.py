"""Contrasts within a run: Fisher, Holm over a stated family, and what leaves it and why."""

import pytest
from scipy.stats import fisher_exact
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep

import analytics.significance
from analytics.errors import EmptySlice, UnknownName, UnknownValue
from tests.asking import asked, one, rows
from tests.stores import toy_store

A, B = 20, 15
ITEMS = [{"item_id": f"a{k}", "capability": "a"} for k in range(A)] + [
    {"item_id": f"b{k}", "capability": "b", "tier": "hard" if k < 5 else "easy"} for k in range(B)
]
RIGHT = {"m1": (18, 5), "m2": (15, 9), "m3": (20, 15), "m4": (0, 0), "h": (19, 11)}
GROUPS = {"first": "capability=a", "second": "capability=b"}


def answers(run, right_a, right_b):
    return [{"run_id": run, "item_id": f"a{k}", "credit": float(k < right_a)} for k in range(A)] + [
        {"run_id": run, "item_id": f"b{k}", "credit": float(k < right_b)} for k in range(B)
    ]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    runs = [{"run_id": run, "kind": "human" if run == "h" else "model"} for run in RIGHT]
    runs += [
        {"run_id": "graded"},
        {"run_id": "twice"},
        {"run_id": "half"},
        {"run_id": "muted", "condition": "audio=off"},
    ]
    responses = [row for run, right in RIGHT.items() for row in answers(run, *right)]
    responses += [row | {"credit": 0.5} if row["item_id"] == "a0" else row for row in answers("graded", 12, 6)]
    responses += [*answers("twice", 12, 6), {"run_id": "twice", "item_id": "a0", "credit": 1.0, "attempt": 2}]
    responses += [row for row in answers("half", 12, 6) if row["item_id"].startswith("a")]
    responses += answers("muted", 10, 10)
    return toy_store(tmp_path_factory.mktemp("contrast"), items=ITEMS, runs=runs, responses=responses)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_fisher_and_holm_are_those_of_scipy_and_statsmodels(store, alternative):
    found = rows(store, "significance", alternative=alternative, **GROUPS)
    family = [one(found, run=run) for run in ("m1", "m2", "m3", "m4")]
    want = [
        fisher_exact([[a, A - a], [b, B - b]], alternative=alternative).pvalue
        for a, b in (RIGHT[row["run"]] for row in family)
    ]
    assert [row["p"] for row in family] == pytest.approx(want, rel=1e-9)
    assert [row["p_holm"] for row in family] == pytest.approx(multipletests(want, method="holm")[1].tolist(), rel=1e-9)
    assert {row["m"] for row in family} == {4}
    assert [row["significant"] for row in family] == [row["p_holm"] <= 0.05 for row in family]


def test_undefined_tests_leave_the_family_and_say_why(store):
    found = {row["run"]: row for row in rows(store, "significance", **GROUPS)}
    assert {run: found[run]["reason"] for run in ("graded", "twice", "half")} == {
        "graded": "credit is not 0 or 1",
        "twice": "several attempts per item",
        "half": "no item with a credit in one of the groups",
    }
    for run in ("graded", "twice", "half"):
        assert (found[run]["p"], found[run]["p_holm"], found[run]["m"], found[run]["k_first"]) == (None,) * 4
    assert found["half"]["difference"] is None
    assert found["graded"]["low"] < found["graded"]["difference"] < found["graded"]["high"]
    assert "bootstrap" in found["graded"]["method"]
    assert found["m1"]["family"] == "4 model runs of toy in the slice"


def test_people_stand_outside_unadjusted_and_sweeps_wait_to_be_named(store):
    found = {row["run"]: row for row in rows(store, "significance", **GROUPS)}
    assert "muted" not in found
    assert found["h"]["p"] == pytest.approx(fisher_exact([[19, 1], [11, 4]]).pvalue)
    assert (found["h"]["p_holm"], found["h"]["family"], found["h"]["significant"]) == (None, None, None)
    named = rows(store, "significance", {"condition": "audio=off"}, **GROUPS)
    assert [(row["run"], row["m"]) for row in named] == [("muted", 1)]
    assert named[0]["p_holm"] == named[0]["p"]


def test_runs_can_be_left_out_of_the_family(store):
    found = {row["run"]: row for row in rows(store, "significance", without="m3|m4", **GROUPS)}
    assert {found[run]["m"] for run in ("m1", "m2")} == {2}
    assert (found["m3"]["p_holm"], found["m3"]["p"] is None) == (None, False)
    with pytest.raises(UnknownValue, match="Did you mean 'm3'"):
        asked(store, "significance", without="m33", **GROUPS)


def test_effect_sizes_have_intervals(store):
    row = one(rows(store, "significance", **GROUPS), run="m1")
    low, high = confint_proportions_2indep(18, A, 5, B, method="newcomb")
    assert row["difference"] == pytest.approx(18 / A - 5 / B)
    assert (row["low"], row["high"]) == pytest.approx((low, high), abs=1e-6)
    assert row["odds_ratio"] == pytest.approx((18 * 10) / (2 * 5))
    everything = one(rows(store, "significance", **GROUPS), run="m3")
    assert (everything["p"], everything["difference"], everything["odds_ratio"]) == (1.0, 0.0, None)


def test_groups_are_any_slice_keys_and_must_not_overlap(store):
    row = one(rows(store, "significance", first="capability=b;tier=hard", second="tier=easy"), run="m1")
    assert (row["n_first"], row["k_first"], row["n_second"], row["k_second"]) == (5, 5, 10, 0)
    assert row["keys"] == "capability, tier"
    with pytest.raises(UnknownValue, match="share 5 items"):
        asked(store, "significance", first="capability=b", second="tier=hard")
    with pytest.raises(UnknownValue, match="first is empty"):
        asked(store, "significance", second="capability=b")
    with pytest.raises(UnknownName, match="model"):
        asked(store, "significance", first="model=m1", second="capability=b")
    with pytest.raises(EmptySlice):
        asked(store, "significance", {"kind": "human", "run": "m1"}, **GROUPS)


def test_items_that_share_a_cluster_are_no_independent_trials(tmp_path):
    items = [dict(item, cluster=f"v{k // 2}") for k, item in enumerate(ITEMS)]
    store = toy_store(tmp_path, items=items, runs=[{"run_id": "m1"}], responses=answers("m1", 18, 5))
    row = rows(store, "significance", **GROUPS)[0]
    assert (row["reason"], row["p"]) == ("items share clusters", None)
    assert "clusters" in row["method"]
    assert row["low"] < row["difference"] < row["high"]


def test_large_logs_take_moments_where_fisher_is_undefined(store, monkeypatch):
    monkeypatch.setattr(analytics.significance, "MOMENTS_ABOVE", 1)
    row = one(rows(store, "significance", **GROUPS), run="graded")
    assert row["method"].startswith("delta method")
    assert row["low"] < row["difference"] < row["high"]
