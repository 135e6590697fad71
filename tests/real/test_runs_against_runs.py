"""BLINK and Inspect logs: accuracy, exact tests and pass@k of `expected.json`, through the questions.

Figures of these files that no question gives: McNemar's chi-square with continuity correction (chi2_cc, p_chi2_cc: the
exact test is given instead), Holm over the pairs of all tasks at once (fisher_p_holm_all_tasks: a family that no slice
is), and not_exact_letter, which describes how the reference was parsed.
"""

from __future__ import annotations

from typing import Any

import pytest

from analytics.store import Store
from tests.asking import asked, one, rows

pytestmark = pytest.mark.real

BLINK = {"benchmark": "blink"}
NEAR = {"rel": 1e-9, "abs": 1e-300}


def pairs_of(store: Store, where: dict[str, str]) -> dict[frozenset[str], dict[str, Any]]:
    """Return the pairs of runs by model."""
    model = {row["run"]: row["model"] for row in rows(store, "leaderboard", where, resamples=100)}
    found = rows(store, "pairwise", where, resamples=100)
    return {frozenset((model[row["a"]], model[row["b"]])): row | {"first": model[row["a"]]} for row in found}


def check_pairs(found: dict[frozenset[str], dict[str, Any]], want: list[dict[str, Any]]) -> None:
    assert len(found) == len(want)
    for cell in want:
        row = found[frozenset((cell["a"], cell["b"]))]
        only = (row["only_a"], row["only_b"]) if row["first"] == cell["a"] else (row["only_b"], row["only_a"])
        assert row["n"] == cell["n"]
        assert only == (cell["mcnemar"]["only_a_correct"], cell["mcnemar"]["only_b_correct"])
        assert row["p_mcnemar"] == pytest.approx(cell["mcnemar"]["p_exact"], **NEAR)
        assert row["p_mcnemar_holm"] == pytest.approx(cell["mcnemar"]["p_exact_holm"], **NEAR)
        assert row["p_fisher"] == pytest.approx(cell["fisher_p"], **NEAR)
        assert row["p_fisher_holm"] == pytest.approx(cell["fisher_p_holm"], **NEAR)
        assert row["m_mcnemar"] == row["m_fisher"] == len(want)


def test_blink_accuracy_with_wilson_and_macro(blink_and_inspect: Store, expected: Any) -> None:
    want = expected("blink")
    found = rows(blink_and_inspect, "leaderboard", BLINK, average="micro", resamples=100)
    for model, cell in want["overall_micro"].items():
        row = one(found, model=model)
        assert (row["correct"], row["n"], row["hidden"]) == (cell["correct"], cell["n"], 1906)
        assert [row["raw_low"], row["raw_high"]] == pytest.approx(cell["wilson95"], abs=1e-12)
        assert row["raw_macro"] == pytest.approx(want["overall_macro"][model], abs=1e-12)


def test_blink_cells_by_task(blink_and_inspect: Store, expected: Any) -> None:
    table = rows(blink_and_inspect, "cells", BLINK)
    want = expected("blink")["by_task"]
    assert len(table) == sum(len(cells) for cells in want.values()) == 84
    for model, cells in want.items():
        for task, cell in cells.items():
            row = one(table, model=model, value=task)
            assert (row["k"], row["n"], row["reason"]) == (cell["correct"], cell["n"], None)
            assert [row["low"], row["high"]] == pytest.approx(cell["wilson95"], abs=1e-12)


def test_blink_pairs_overall(blink_and_inspect: Store, expected: Any) -> None:
    check_pairs(pairs_of(blink_and_inspect, BLINK), expected("blink")["pairwise_overall"]["rows"])


def test_blink_pairs_within_each_task(blink_and_inspect: Store, expected: Any) -> None:
    want = expected("blink")["pairwise_by_task_fisher"]
    assert len(want) == 14
    for task, family in want.items():
        check_pairs(pairs_of(blink_and_inspect, BLINK | {"capability": task}), family["rows"])


def test_inspect_accuracy_of_every_run(blink_and_inspect: Store, expected: Any) -> None:
    found = rows(blink_and_inspect, "leaderboard", {"benchmark": "popularity"}, average="micro", resamples=100)
    assert len(found) == 6
    for run in expected("inspect")["runs"]:
        scope = "dataset:10" if run["epochs"] == 5 else "none"
        row = one(found, model=run["model"], scope=scope)
        assert (row["correct"], row["usable"]) == (run["correct"], run["n"])
        assert row["raw"] == pytest.approx(run["accuracy"])
        if run["epochs"] == 1:
            assert [row["raw_low"], row["raw_high"]] == pytest.approx(run["wilson95"], abs=1e-12)
        else:  # five attempts per item are no independent trials
            assert "bootstrap" in row["interval"]


def test_inspect_pairs_over_single_attempts(blink_and_inspect: Store, expected: Any) -> None:
    where = {"benchmark": "popularity"}
    single = [
        row["run"] for row in rows(blink_and_inspect, "leaderboard", where, resamples=100) if row["scope"] == "none"
    ]
    found = pairs_of(blink_and_inspect, where | {"run": single})
    check_pairs(found, expected("inspect")["set_pairwise"]["rows"])


def test_repeated_runs_are_compared_when_named_and_take_no_exact_test(blink_and_inspect: Store) -> None:
    where = {"benchmark": "popularity"}
    every = [row["run"] for row in rows(blink_and_inspect, "leaderboard", where, resamples=100)]
    found = asked(blink_and_inspect, "pairwise", where, runs_of="|".join(every), resamples=100, flips=200).table
    several = found.filter(reason="several attempts per item")
    assert (found.height, several.height, found["reason"].null_count()) == (15, 12, 3)
    assert (several["p_mcnemar"].null_count(), several["p_permutation"].null_count()) == (12, 0)
    assert set(several["n"]) == {10}
    assert set(found["m_mcnemar"].drop_nulls()) == {3}


def test_inspect_pass_at_k_and_all_five(blink_and_inspect: Store, expected: Any) -> None:
    found = rows(blink_and_inspect, "passk", {"benchmark": "popularity"}, k="1,2,3,4,5,6", resamples=100)
    for model, want in expected("inspect")["set2"].items():
        for k, value in want["pass_at"].items():
            row = one(found, model=model, scope="dataset:10", k=int(k))
            assert row["pass_at_k"] == pytest.approx(value, abs=1e-12)
            assert (row["n"], row["too_few"]) == (want["items"], 0)
        every = one(found, model=model, scope="dataset:10", k=5)
        assert every["pass_hat_k"] == pytest.approx(want["all_five_correct"] / want["items"])
        beyond = one(found, model=model, scope="dataset:10", k=6)
        assert (beyond["pass_at_k"], beyond["too_few"], beyond["reason"]) == (None, 10, "no item has 6 attempts")
