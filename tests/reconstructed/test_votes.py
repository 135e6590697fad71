"""The Timing votes: plurality credit against a direct count, and right votes dealt in any feasible table."""

import json
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logs.generate.exact import PLANS
from logs.generate.psycheme_votes import credit, deal_right, patterns

PLAN = json.loads((PLANS / "psycheme.json").read_text(encoding="utf-8"))["votes"]


def test_patterns_are_all_ways_to_vote_up_to_the_names_of_wrong_letters():
    small = {
        (votes.count("A"), tuple(sorted((votes.count(x) for x in "BCD" if votes.count(x)), reverse=True)))
        for votes in product("ABCD", repeat=8)
    }
    assert small == set(patterns())


def test_plurality_credit_shares_ties():
    assert credit(2, (2, 1)) == Fraction(1, 2)
    assert credit(1, (1, 1)) == Fraction(1, 3)
    assert credit(3, (2, 2)) == 1
    assert credit(2, (3, 2)) == credit(0, (8,)) == 0


def test_plan_adds_up_to_the_printed_votes():
    assert sum(row["items"] for row in PLAN) == 72
    assert sum(row["items"] for row in PLAN if row["right"]) == 66
    assert sum(credit(row["right"], tuple(row["wrong"])) * row["items"] for row in PLAN) == Fraction(83, 2)


@given(st.lists(st.lists(st.booleans(), min_size=8, max_size=8), min_size=1, max_size=25))
def test_right_votes_are_dealt_whenever_some_table_has_the_sums(given_table):
    rights = [sum(row) for row in given_table]
    correct = tuple(sum(column) for column in zip(*given_table, strict=True))
    dealt = deal_right(rights, correct)
    assert [sum(row) for row in dealt] == rights
    assert tuple(sum(column) for column in zip(*dealt, strict=True)) == correct


def test_impossible_sums_are_refused():
    with pytest.raises(ValueError, match="cannot be dealt"):
        deal_right([1, 1], (2, 2, 0, 0, 0, 0, 0, 0))
