"""Gap, stages, labels and distribution: what is left of credit, and where it goes, on rows worked out by hand."""

import numpy as np
import polars as pl
import pytest

import analytics.gap
from analytics.errors import EmptySlice, Undefined, UnknownName, UnknownValue
from analytics.numeric.bootstrap import gap_intervals
from tests.asking import asked, one, rows
from tests.stores import toy_store

LABELLED = {"verified_means": "verified", "rubric": "rationale", "title": "t", "raw_means": "r", "slice_name": "c",
            "headline": "macro"}  # fmt: skip
ITEMS = [{"item_id": f"i{k}", "capability": c} for k, c in enumerate("aaaab")]


def response(run, item, credit, coverage=None, evidence=None, logic=None, **more):
    labels = {"coverage": coverage, "evidence": evidence, "logic": logic}
    return {"run_id": run, "item_id": f"i{item}", "credit": credit} | labels | more


PERFECT = ("present", "supported", "sound")
RESPONSES = [
    response("r", 0, 1.0, *PERFECT),
    response("r", 1, 1.0, "present", "weak", "gap"),  # 1 / 1.44
    response("r", 2, 0.0),
    response("r", 3, 1.0),  # no labels: no verified credit, and no loss
    response("r", 4, 0.5, "absent", "supported", "sound"),  # 0.25
    response("bare", 0, 1.0),
    response("bare", 1, 0.0),
    response("zero", 0, 0.0, *PERFECT),
    response("zero", 4, 0.0, *PERFECT),
]
RUNS = [{"run_id": "r"}, {"run_id": "bare"}, {"run_id": "zero"}]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    declared = [{"benchmark": "toy", "missing_policy": "exclude"} | LABELLED]
    folder = tmp_path_factory.mktemp("gap")
    return toy_store(folder, benchmarks=declared, items=ITEMS, runs=RUNS, responses=RESPONSES)


def test_gap_and_retention_are_over_items_that_have_both(store):
    found = one(rows(store, "gap", average="micro"), run="r")
    raw, verified = np.array([1, 1, 0, 0.5]), np.array([1, 1 / 1.44, 0, 0.25])
    assert (found["n"], found["n_verified"], found["unlabelled"]) == (5, 4, 1)
    assert found["raw"] == pytest.approx(3.5 / 5)
    assert found["gap"] == pytest.approx((raw - verified).mean())
    assert found["retention"] == pytest.approx(verified.sum() / raw.sum())
    gap, retention = gap_intervals(raw[None], verified[None], mean="micro", level=0.95, resamples=2000, seed=20260)
    assert found["gap_low"] <= gap.estimate[0] <= found["gap_high"]
    assert found["retention_low"] <= retention.estimate[0] <= found["retention_high"]


def test_macro_is_the_mean_of_capabilities_and_the_headline_is_declared(store):
    by = {row["capability"]: row for row in rows(store, "gap", {"run": "r"}, per="run_capability")}
    whole = one(rows(store, "gap"), run="r")
    assert whole["average"] == "macro"
    assert whole["raw"] == pytest.approx((by["a"]["raw"] + by["b"]["raw"]) / 2)
    assert whole["gap"] == pytest.approx((by["a"]["gap"] + by["b"]["gap"]) / 2)
    assert {row["average"] for row in by.values()} == {"micro"}


def test_an_unlabelled_run_has_no_gap_and_a_run_without_credit_no_retention(store):
    found = rows(store, "gap")
    assert {row["run"] for row in found} == {"r", "zero"}
    nothing = one(found, run="zero")
    assert (nothing["gap"], nothing["retention"], nothing["retention_low"]) == (0.0, None, None)
    with pytest.raises(EmptySlice, match="verified credit"):
        asked(store, "gap", {"run": "bare"})
    profile = rows(store, "profiles", {"run": "bare"})
    assert {row["verified"] for row in profile} == {None}


def test_moments_give_the_same_gap(store, monkeypatch):
    small = rows(store, "gap") + rows(store, "gap", per="run_capability")
    monkeypatch.setattr(analytics.gap, "MOMENTS_ABOVE", 1)
    large = rows(store, "gap") + rows(store, "gap", per="run_capability")
    for name in ("raw", "verified", "gap", "retention", "n", "n_verified"):
        assert [row[name] for row in small] == pytest.approx([row[name] for row in large], nan_ok=True)
    assert {row["interval"] for row in large} == {"delta method from stored moments"}


def test_losses_add_up_to_the_gap_in_order_and_in_any_order(store):
    for given in ({"average": "micro"}, {"average": "macro"}, {"per": "run_capability"}):
        for row in rows(store, "stages", **given):
            assert row["lost_coverage"] + row["lost_evidence"] + row["lost_logic"] == pytest.approx(
                row["gap"], abs=1e-15
            )
            assert row["due_to_coverage"] + row["due_to_evidence"] + row["due_to_logic"] == pytest.approx(
                row["gap"], abs=1e-15
            )


def test_stages_by_hand(store):
    row = one(rows(store, "stages", average="micro"), run="r")
    assert (row["n"], row["unlabelled"]) == (4, 1)
    assert row["raw"] == pytest.approx(2.5 / 4)
    assert row["covered"] == pytest.approx((1 + 1 + 0.25) / 4)
    assert row["evidenced"] == pytest.approx((1 + 1 / 1.2 + 0.25) / 4)
    assert row["verified"] == pytest.approx((1 + 1 / 1.44 + 0.25) / 4)
    # evidence and logic of one response lose alike, so order-free they share its loss
    assert row["due_to_evidence"] == pytest.approx((1 - 1 / 1.44) / 8)
    assert row["due_to_logic"] == pytest.approx(row["due_to_evidence"])
    assert row["lost_evidence"] > row["lost_logic"]


def test_assumed_weights_are_named_where_they_count(store):
    notes = asked(store, "stages").notes
    assert any("coverage.absent = 0.5" in note and "evidence" not in note for note in notes)
    assert not any("Assumed" in note for note in asked(store, "stages", {"capability": "a"}).notes)


def test_attempts_and_missing_ones_share_an_item(tmp_path):
    tried = [response("r", 0, 1.0, *PERFECT), response("r", 0, 1.0, "absent", "supported", "sound", attempt=2),
             response("r", 0, None, attempt=3, status="error")]  # fmt: skip
    declared = [{"benchmark": "toy", "missing_policy": "zero"} | LABELLED]
    store = toy_store(tmp_path, benchmarks=declared, items=ITEMS[:1], runs=[{"run_id": "r"}], responses=tried)
    row = rows(store, "stages", average="micro")[0]
    assert (row["raw"], row["verified"]) == (pytest.approx(2 / 3), pytest.approx(1.5 / 3))
    assert row["due_to_coverage"] == pytest.approx(0.5 / 3)
    left_out = rows(store, "stages", average="micro", missing="exclude")[0]
    assert left_out["due_to_coverage"] == pytest.approx(0.25)
    first = rows(store, "stages", average="micro", attempts="first")[0]
    assert (first["raw"], first["gap"], first["due_to_coverage"]) == (1.0, 0.0, 0.0)


def test_factors_beyond_their_rubric_are_refused(tmp_path):
    beyond = [response("r", 0, 1.0, coverage_factor=1.0, evidence_factor=3.0, logic_factor=1.2)]
    declared = [{"benchmark": "toy", "missing_policy": "zero"} | LABELLED]
    store = toy_store(tmp_path, benchmarks=declared, items=ITEMS[:1], runs=[{"run_id": "r"}], responses=beyond)
    with pytest.raises(Undefined, match="evidence 3"):
        asked(store, "stages")


def test_label_shares_of_a_group_and_the_rest(store):
    found = rows(store, "labels", {"run": "r"}, against="capability=b", credit="any")
    assert [(row["group"], row["n"], row["unlabelled"]) for row in found] == [
        ("capability=b", 1, 0),
        ("the rest", 2, 2),
    ]
    assert [row["weak_or_contradicted"] for row in found] == [0.0, 0.5]
    whole = one(rows(store, "labels", {"run": "r"}))  # full credit alone: items 0, 1 and 3
    assert (whole["n"], whole["unlabelled"], whole["k_weak_or_contradicted"]) == (2, 1, 1)
    assert (whole["weak_or_contradicted"], whole["logic_gap"], whole["absent"]) == (0.5, 0.5, 0.0)
    by_run = rows(store, "labels", per="run", credit="any")
    assert [row["run"] for row in by_run] == ["bare", "r", "zero"]
    assert one(by_run, run="bare")["weak_or_contradicted"] is None


def test_a_group_that_cannot_be_read_says_how(store):
    for spelled, error in (("b", UnknownName), ("capability=", UnknownValue), ("capability=c", UnknownValue),
                           ("run=r", UnknownName), ("capablity=b", UnknownName)):  # fmt: skip
        with pytest.raises(error):
            asked(store, "labels", against=spelled)
    with pytest.raises(UnknownName, match="Did you mean 'capability'"):
        asked(store, "labels", against="capablity=b")
    with pytest.raises(EmptySlice):
        asked(store, "labels", {"run": "bare"})


def test_distribution_counts_items_by_credit(store):
    row = one(rows(store, "distribution"), run="r")
    assert (row["k_none"], row["k_half"], row["k_other"], row["k_full"], row["n"]) == (1, 1, 0, 3, 5)
    assert row["no_credit"] + row["half_credit"] + row["partial_credit"] + row["full_credit"] == pytest.approx(1)
    verified = asked(store, "distribution", by="verified").table
    assert verified["run"].to_list() == ["r", "zero"]
    row = verified.filter(pl.col("run") == "r").row(0, named=True)
    assert (row["n"], row["k_none"], row["k_other"], row["k_full"], row["without"]) == (4, 1, 2, 1, 1)


def test_credit_that_is_lost_altogether_is_counted(store):
    weights = "present:1,absent:0,supported:1.2,weak:1,contradicted:0.5,sound:1.2,gap:1,broken:0.5"
    assert one(rows(store, "distribution", rubric=weights), run="r")["lost_all"] == 1
    assert one(rows(store, "distribution"), run="r")["lost_all"] == 0
