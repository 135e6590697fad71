"""Leaderboard: means, accounts, intervals and places on stores whose answers can be worked out by hand."""

from itertools import product

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from statsmodels.stats.proportion import proportion_confint

from analytics import distribution
from analytics.errors import EmptySlice, UnknownValue
from analytics.policy import Policy
from analytics.questions import ask, options_of, question
from analytics.scores import settled
from analytics.slices import Slice
from analytics.sums import FROM_CUBE, FROM_SCORES, sums
from tests.stores import toy_store


def board(store, where=None, **given):
    policy, options = options_of(question("leaderboard"), {name: str(value) for name, value in given.items()})
    return ask(store, "leaderboard", Slice.of(**(where or {})), policy, options)


def items(*capabilities):
    return [{"item_id": f"i{k}", "capability": c} for k, c in enumerate(capabilities)]


def credit(run, *values, **more):
    return [{"run_id": run, "item_id": f"i{k}", "credit": v} | more for k, v in enumerate(values) if v is not None]


def test_micro_and_macro_are_different_means(tmp_path):
    store = toy_store(
        tmp_path,
        items=items("a", "a", "a", "b"),
        runs=[{"run_id": "r"}],
        responses=credit("r", 1.0, 1.0, 0.0, 0.0),
    )
    row = board(store).table.row(0, named=True)
    assert row["raw_micro"] == pytest.approx(0.5)
    assert row["raw_macro"] == pytest.approx((2 / 3 + 0) / 2)
    assert (row["average"], row["raw"]) == ("micro", row["raw_micro"])
    macro = board(store, average="macro").table.row(0, named=True)
    assert macro["raw"] == pytest.approx(1 / 3)


def test_a_macro_interval_needs_two_items_in_every_capability(tmp_path):
    """One item resampled within its capability gives an interval of no width: that would claim certainty."""
    store = toy_store(
        tmp_path, items=items("a", "a", "a", "b"), runs=[{"run_id": "r"}, {"run_id": "s"}],
        responses=credit("r", 1.0, 1.0, 0.0, 0.0) + credit("s", 1.0, 0.0, 0.0, 0.0),
    )  # fmt: skip
    row = board(store, average="macro").table.row(0, named=True)
    assert (row["rank"], row["raw_low"], row["raw_high"], row["rank_low"], row["tie_group"]) == (
        1,
        None,
        None,
        None,
        None,
    )
    assert row["interval"].startswith("undefined: a capability has a single item")
    (tmp_path / "two").mkdir()
    store = toy_store(
        tmp_path / "two",
        items=items("a", "a", "b", "b"),
        runs=[{"run_id": "r"}],
        responses=credit("r", 1.0, 0.0, 0.0, 1.0),
    )
    assert "within capability" in board(store, average="macro").table["interval"].item()


def test_coverage_is_flagged_and_the_missing_policy_decides_who_leads(tmp_path):
    """Pitfall 3: A answers 8 of 10, all right; B answers 10 of 10, nine right."""
    log = {
        "items": items(*["c"] * 10),
        "runs": [{"run_id": "A"}, {"run_id": "B"}],
        "responses": credit("A", *[1.0] * 8) + credit("B", *[1.0] * 9, 0.0),
    }
    store = toy_store(tmp_path, **log)
    excluded = board(store).table
    assert excluded["run"].to_list() == ["A", "B"]
    first = excluded.row(0, named=True)
    assert (first["n"], first["declared"], first["failed"], first["partial"]) == (8, 10, 2, True)
    zero = board(store, missing="zero").table
    assert zero["run"].to_list() == ["B", "A"]
    assert zero["raw"].to_list() == pytest.approx([0.9, 0.8])
    assert zero["n"].to_list() == [10, 10]
    assert board(store).left_out["items without a usable attempt"] == 2


def test_unjudged_is_not_wrong_and_hidden_is_counted(tmp_path):
    store = toy_store(
        tmp_path,
        items=[*items("c", "c", "c"), {"item_id": "h", "capability": "c", "reference_known": False}],
        runs=[{"run_id": "r"}],
        responses=[
            {"run_id": "r", "item_id": "i0", "credit": 1.0},
            {"run_id": "r", "item_id": "i1", "credit": None, "status": "judge_failed"},
            {"run_id": "r", "item_id": "i2", "credit": None},
            {"run_id": "r", "item_id": "h", "credit": None},
        ],
    )
    for missing in ("exclude", "zero"):
        row = board(store, missing=missing).table.row(0, named=True)
        assert (row["raw"], row["n"], row["unjudged"], row["hidden"], row["failed"]) == (1.0, 1, 2, 1, 0)


def test_single_binary_attempts_take_wilson_as_statsmodels_has_it(tmp_path):
    store = toy_store(
        tmp_path,
        items=items(*["c"] * 40),
        runs=[{"run_id": "r"}],
        responses=credit("r", *[1.0] * 28, *[0.0] * 12),
    )
    row = board(store).table.row(0, named=True)
    low, high = proportion_confint(28, 40, method="wilson")
    assert (row["raw_low"], row["raw_high"]) == pytest.approx((low, high), abs=1e-12)
    assert row["interval"] == "Wilson score for raw"
    assert (row["correct"], row["n"], row["rank"]) == (28, 40, 1)


def test_shared_clusters_and_several_attempts_do_not_take_wilson(tmp_path):
    shared = [dict(item, cluster="video") for item in items("c", "c", "c", "c")]
    store = toy_store(tmp_path, items=shared, runs=[{"run_id": "r"}], responses=credit("r", 1.0, 0.0, 1.0, 0.0))
    assert "clusters" in board(store).table["interval"].item()
    (tmp_path / "b").mkdir()
    twice = credit("r", 1.0, 0.0, 1.0, 0.0) + credit("r", 0.0, 0.0, 1.0, 0.0, attempt=2)
    store = toy_store(tmp_path / "b", items=items("c", "c", "c", "c"), runs=[{"run_id": "r"}], responses=twice)
    row = board(store).table.row(0, named=True)
    assert "bootstrap over items" in row["interval"]
    assert (row["raw"], row["n"], row["attempts"], row["correct"]) == (0.375, 4, 8, 3)
    first = board(store, attempts="first").table.row(0, named=True)
    assert (first["raw"], first["interval"]) == (0.5, "Wilson score for raw")


def test_human_and_control_stand_apart_and_regimes_are_ranked_apart(tmp_path):
    runs = [
        {"run_id": "person", "kind": "human"},
        {"run_id": "blind", "kind": "control"},
        {"run_id": "v1", "regime": "video"},
        {"run_id": "v2", "regime": "video"},
        {"run_id": "f1", "regime": "32 frames"},
    ]
    responses = [
        row
        for run, values in (
            ("person", [1, 1, 1, 1]),
            ("blind", [0, 0, 0, 0]),
            ("v1", [1, 1, 1, 0]),
            ("v2", [1, 1, 0, 0]),
            ("f1", [1, 0, 0, 0]),
        )
        for row in credit(run, *map(float, values))
    ]
    answer = board(toy_store(tmp_path, items=items("c", "c", "c", "c"), runs=runs, responses=responses))
    ranks = dict(zip(answer.table["run"], answer.table["rank"], strict=True))
    assert ranks == {"person": None, "blind": None, "v1": 1, "v2": 2, "f1": 1}
    assert any("regimes" in note for note in answer.notes)


def test_ties_share_the_best_place_and_equal_runs_share_a_tie_group(tmp_path):
    values = [1.0, 0.0, 1.0, 1.0]
    store = toy_store(
        tmp_path,
        items=items("c", "c", "c", "c"),
        runs=[{"run_id": r} for r in ("a", "b", "c")],
        responses=credit("a", *values) + credit("b", *values) + credit("c", 0.0, 0.0, 0.0, 0.0),
    )
    table = board(store).table
    assert table["rank"].to_list() == [1, 1, 3]
    assert table["tie_group"].to_list()[:2] == [1, 1]


def test_the_cube_and_the_scores_give_the_same_sums(tmp_path, monkeypatch):
    rows = [
        {"run_id": r, "item_id": f"i{k}", "credit": (k * 7 + n) % 3 / 2, "attempt": a, "coverage": "present",
         "evidence": ("supported", "weak", "contradicted")[(k + n) % 3], "logic": "gap",
         "status": "error" if (k + a + n) % 5 == 0 else "ok"}
        for n, r in enumerate(("a", "b"))
        for k in range(12)
        for a in (1, 2)
        if (k + n) % 4
    ]  # fmt: skip
    store = toy_store(
        tmp_path,
        benchmarks=[{"benchmark": "toy", "verified_means": "verified", "rubric": "rationale", "missing_policy": "zero",
                     "title": "t", "raw_means": "r", "slice_name": "c", "headline": "macro"}],
        items=[dict(i, media_type="image") for i in items(*"aabbccaabbcc")],
        runs=[{"run_id": "a"}, {"run_id": "b"}],
        responses=rows,
    )  # fmt: skip
    for missing in ("declared", "zero", "exclude"):
        policy = Policy(missing=missing)
        with store.cursor() as cursor:
            from_cube = sums(cursor, Slice(), policy)
            text = FROM_SCORES.format(settled=settled(policy, "TRUE"), by="capability")
            live = cursor.sql(text, params={"missing_rule": missing}).pl()
        assert_frame_equal(from_cube, live, check_exact=False)
        for by, per in product(("raw", "verified"), ("run", "run_capability")):
            counted = ask(store, "distribution", Slice(), policy, {"by": by, "per": per}).table
            monkeypatch.setattr(distribution, "cubed", lambda *_: False)
            live = ask(store, "distribution", Slice(), policy, {"by": by, "per": per}).table
            monkeypatch.undo()
            assert_frame_equal(counted, live)
            assert (
                (counted["k_none"] + counted["k_half"] + counted["k_other"] + counted["k_full"]).eq(counted["n"]).all()
            )
    assert FROM_CUBE != FROM_SCORES


def test_what_is_not_there_is_an_error_that_names_the_nearest(tmp_path):
    store = toy_store(tmp_path, items=items("Counting"), runs=[{"run_id": "r"}], responses=credit("r", 1.0))
    with pytest.raises(UnknownValue, match="Did you mean 'Counting'"):
        board(store, {"capability": "counting"})
    with pytest.raises(UnknownValue, match=r"by|raw, verified"):
        board(store, by="best")
    (tmp_path / "e").mkdir()
    empty = toy_store(tmp_path / "e", items=[], runs=[], responses=[])
    with pytest.raises(EmptySlice):
        board(empty)


def test_every_column_is_declared(tmp_path):
    store = toy_store(tmp_path, items=items("c"), runs=[{"run_id": "r"}], responses=credit("r", 1.0))
    assert board(store).table.columns == [c.name for c in question("leaderboard").columns]
    assert isinstance(board(store).table, pl.DataFrame)


def test_items_that_a_log_does_not_mention_are_counted_and_said(tmp_path):
    store = toy_store(
        tmp_path,
        items=items(*"aaab"),
        runs=[{"run_id": "whole"}, {"run_id": "part"}],
        responses=credit("whole", 1.0, 1.0, 0.0, 0.0)
        + credit("part", 1.0, 1.0)
        + [{"run_id": "part", "item_id": "i2", "status": "error"}],
    )
    answer = board(store)
    counts = {row["run"]: (row["absent"], row["failed"], row["n"]) for row in answer.table.to_dicts()}
    assert counts["whole"] == (0, 0, 4)
    assert counts["part"][:2] == (1, 2)
    assert any("1 of 2 runs have no record" in note and "part: 1 of 4" in note for note in answer.notes)
    assert not any("no record" in note for note in board(store, {"run": ["whole"]}).notes)
