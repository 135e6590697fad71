"""Rubric score: shares of criteria by hand, several judges, open criteria, items with one criterion apart."""

from __future__ import annotations

import pytest

from analytics import questions
from analytics.errors import EmptySlice
from analytics.policy import Policy
from analytics.slices import Slice
from tests.stores import toy_store

MET = {
    ("r", "one", 1): {"j": [True]},
    ("r", "one", 2): {"j": [False]},
    ("r", "two", 1): {"j": [True, False], "k": [True, True]},
    ("r", "three", 1): {"j": [True, None, True]},
    ("s", "two", 1): {"j": [False, False], "k": [False, True]},
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    verdicts = [
        {
            "run_id": run, "item_id": item, "attempt": attempt, "judge_id": judge, "criterion": str(at), "met": met,
            "status": "ok" if met is not None else "abstained",
        }
        for (run, item, attempt), judged in MET.items()
        for judge, row in judged.items()
        for at, met in enumerate(row)
    ]  # fmt: skip
    responses = [{"run_id": run, "item_id": item, "attempt": n, "credit": 0.0} for run, item, n in MET]
    return toy_store(
        tmp_path_factory.mktemp("criteria"),
        items=[{"item_id": item, "capability": "c"} for item in ("one", "two", "three")],
        runs=[{"run_id": "r"}, {"run_id": "s"}],
        responses=responses,
        judges=[{"judge_id": "j"}, {"judge_id": "k"}],
        verdicts=verdicts,
    )


def ask(store, policy=None):
    own = {option.name: option.initial for option in questions.question("criteria").options}
    answer = questions.ask(store, "criteria", Slice(), policy or Policy(), own)
    return answer, {(row["run"], row["part"]): row for row in answer.table.iter_rows(named=True)}


def test_shares_are_averaged_over_judges_attempts_and_items(store):
    answer, rows = ask(store)
    whole = rows["r", "every item"]
    # item one: (1 + 0) / 2 over attempts; item two: criteria 1 and 1/2 over judges; item three stays open
    assert whole["share"] == pytest.approx((0.5 + 0.75) / 2)
    assert (whole["n"], whole["unjudged"], whole["criteria"]) == (2, 1, 1.5)
    assert answer.left_out["items with a credit whose criteria were not all judged"] == 1
    assert rows["s", "every item"]["share"] == pytest.approx(0.25)


def test_items_with_one_criterion_stand_apart(store):
    _, rows = ask(store)
    assert (rows["r", "one criterion"]["share"], rows["r", "one criterion"]["n"]) == (0.5, 1)
    assert rows["r", "several criteria"]["share"] == 0.75
    assert ("s", "one criterion") not in rows


@pytest.mark.parametrize(("judge", "share"), [("j", 0.5), ("k", 1.0), ("any", 1.0), ("all", 0.5)])
def test_a_rule_for_judges_settles_each_criterion(store, judge, share):
    _, rows = ask(store, Policy.from_params({"judge": judge}))
    assert rows["r", "several criteria"]["share"] == share


def test_the_share_is_that_of_the_usable_attempts_and_not_of_as_many_others(tmp_path):
    """Item a: the failed attempt alone was judged by criterion; item b: both were, the usable one with 1 of 2."""
    verdict = {"run_id": "r", "judge_id": "j", "status": "ok"}
    rows = [("a", 1, "1", True), ("a", 1, "2", True), ("b", 1, "1", True), ("b", 1, "2", True),
            ("b", 2, "1", True), ("b", 2, "2", False)]  # fmt: skip
    made = toy_store(
        tmp_path, items=[{"item_id": item, "capability": "c"} for item in "ab"], runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": item, "attempt": n, "status": "error" if n == 1 else "ok",
                    "credit": None if n == 1 else 1.0} for item in "ab" for n in (1, 2)],
        judges=[{"judge_id": "j"}],
        verdicts=[verdict | {"item_id": i, "attempt": n, "criterion": c, "met": met} for i, n, c, met in rows],
    )  # fmt: skip
    answer, found = ask(made)
    whole = found["r", "every item"]
    assert (whole["share"], whole["n"], whole["unjudged"]) == (0.5, 1, 1)
    assert answer.left_out["items with a credit whose criteria were not all judged"] == 1


def test_a_log_without_criteria_is_refused_in_words(tmp_path):
    bare = toy_store(
        tmp_path, items=[{"item_id": "a", "capability": "c"}], runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": "a", "credit": 1.0}], judges=[{"judge_id": "j"}],
        verdicts=[{"run_id": "r", "item_id": "a", "judge_id": "j", "met": True}],
    )  # fmt: skip
    with pytest.raises(EmptySlice, match="verdicts by criterion"):
        ask(bare)


def test_a_run_whose_criteria_stay_open_is_left_out_and_counted(tmp_path):
    items = [{"item_id": "a", "capability": "c"}]
    verdict = {"item_id": "a", "judge_id": "j", "criterion": "1"}
    broken = verdict | {"run_id": "r", "met": None, "status": "judge_failed"}
    one = toy_store(
        tmp_path, items=items, runs=[{"run_id": "r"}, {"run_id": "s"}],
        responses=[{"run_id": run, "item_id": "a", "credit": 1.0} for run in "rs"], judges=[{"judge_id": "j"}],
        verdicts=[broken, verdict | {"run_id": "s", "met": True}],
    )  # fmt: skip
    answer, rows = ask(one)
    assert {run for run, _ in rows} == {"s"}
    assert answer.left_out["items with a credit whose criteria were not all judged"] == 1
    (tmp_path / "none").mkdir()
    none = toy_store(
        tmp_path / "none", items=items, runs=[{"run_id": "r"}], judges=[{"judge_id": "j"}], verdicts=[broken],
        responses=[{"run_id": "r", "item_id": "a", "credit": None, "status": "judge_failed"}],
    )  # fmt: skip
    with pytest.raises(EmptySlice, match="all judged"):
        ask(none)
