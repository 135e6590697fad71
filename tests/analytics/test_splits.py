"""Crossed splits, items left out, rules for ties and shared wrong answers, each against counts made by hand."""

from __future__ import annotations

import pytest

from analytics import questions
from analytics.errors import EmptySlice, UnknownValue
from analytics.numeric.intervals import wilson
from analytics.policy import Policy
from analytics.slices import Slice
from tests.stores import toy_store

ITEMS = [("i0", "x", "p", "A"), ("i1", "x", "q", "A"), ("i2", "y", "p", "B"), ("i3", "y", None, "B")]
ANSWERS = {"m1": "AABB", "m2": "ABAB", "m3": "BCAC", "m4": "CCAB"}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    items = [
        {
            "item_id": name, "capability": capability, "axis": axis, "tier": axis, "reference": right,
            "options": ["one", "two", "three"],
        }
        for name, capability, axis, right in ITEMS
    ]  # fmt: skip
    responses = [
        {"run_id": run, "item_id": name, "answer": answers[k], "credit": float(answers[k] == right)}
        for run, answers in ANSWERS.items()
        for k, (name, _, _, right) in enumerate(ITEMS)
    ]
    runs = [{"run_id": run} for run in ANSWERS]
    return toy_store(tmp_path_factory.mktemp("splits"), items=items, runs=runs, responses=responses)


def ask(store, name, chosen=None, **given):
    own = {option.name: option.initial for option in questions.question(name).options} | given
    return questions.ask(store, name, chosen or Slice(), Policy(), own)


def test_crossed_cells_hold_the_items_where_both_values_meet(store):
    table = ask(store, "crossed").table.filter(run="m2")
    cells = {(row["value"], row["other"]): row for row in table.iter_rows(named=True)}
    assert {cell: (row["k"], row["n"]) for cell, row in cells.items()} == {
        ("x", "p"): (1, 1), ("x", "q"): (0, 1), ("y", "p"): (0, 1)
    }  # fmt: skip
    low, high = wilson([1], [1], level=0.95)
    assert (cells["x", "p"]["low"], cells["x", "p"]["high"]) == pytest.approx((low[0], high[0]))
    assert cells["x", "p"]["small_n"]


def test_crossed_keeps_the_slice_and_refuses_what_is_not_two_keys(store):
    table = ask(store, "crossed", Slice.of(axis="q")).table
    assert set(table["other"]) == {"q"}
    with pytest.raises(UnknownValue, match="level_of names already"):
        ask(store, "crossed", across="capability")
    with pytest.raises(EmptySlice, match="subcapability"):
        ask(store, "crossed", across="subcapability")


def test_items_of_a_value_are_left_out(store):
    rows = {row["run"]: row for row in ask(store, "without", value="p").table.iter_rows(named=True)}
    assert (rows["m2"]["credit"], rows["m2"]["n"]) == (0.5, 4)
    assert (rows["m2"]["rest"], rows["m2"]["n_rest"]) == (0.5, 2)  # i1 wrong, i3 right; i3 states no tier and stays
    assert rows["m1"]["change"] == 0.0
    assert rows["m4"]["change"] == pytest.approx(0.5 - 0.25)
    with pytest.raises(UnknownValue, match="tier has here"):
        ask(store, "without", value="z")


def test_every_rule_for_ties(store):
    # ballots: i0 A A B C -> right; i1 A B C C -> wrong; i2 B A A A -> wrong; i3 B B C B -> right: no tie
    rows = {row["tie_rule"]: row for row in ask(store, "tie_rules").table.iter_rows(named=True)}
    assert list(rows) == ["share", "abstain", "random", "defer"]
    assert {row["plurality"] for row in rows.values()} == {0.5}
    two = {row["tie_rule"]: row for row in ask(store, "tie_rules", panel="m1|m3").table.iter_rows(named=True)}
    # ballots of two: A B, A C, B A, B C: each is a tie with the right answer in it; m1 is right on all four
    assert (two["share"]["plurality"], two["abstain"]["plurality"], two["defer"]["plurality"]) == (0.5, 0.0, 1.0)
    assert two["share"]["tied"] == 4


def test_wrong_ballots_that_share_an_answer(store):
    answer = ask(store, "shared_wrong", which="every", level_of="whole")
    (row,) = answer.table.iter_rows(named=True)
    # wrong ballots: i0 B C (one shares), i1 B C C (two), i2 A A A (three), i3 C (one, alone)
    assert (row["wrong"], row["shared"], row["alone"], row["items"]) == (9, 7, 1, 4)
    assert row["share"] == pytest.approx(7 / 9)
    by = {r["level"]: r["wrong"] for r in ask(store, "shared_wrong", which="every").table.iter_rows(named=True)}
    assert by == {"x": 5, "y": 4}
