"""Failures of one cause: which are listed, in which order, and what is said of the rest."""

import pytest

from analytics.errors import EmptySlice
from tests.asking import asked

HSS = {"benchmark": "hss"}


def test_a_family_holds_the_failures_of_its_causes(embedded):
    whole = {
        row["cause"]: row["failures"] for row in asked(embedded, "failure_totals", HSS, by="family").table.to_dicts()
    }
    found = asked(embedded, "failure_cases", HSS, cause="reasoning", most=100_000).table
    assert (found.height, set(found["family"])) == (whole["reasoning"], {"reasoning"})
    assert not found["determined"].any()
    assert (found["alike"] <= found["failing"]).all()
    assert found["alike"].is_sorted(descending=True)


def test_the_rest_is_counted_and_an_unknown_cause_is_empty(embedded):
    answer = asked(embedded, "failure_cases", HSS, cause="missed_cue", most=10)
    total = answer.table["total"][0]
    assert answer.left_out["failures beyond the first 10"] == total - 10
    with pytest.raises(EmptySlice, match="nothing_such"):
        asked(embedded, "failure_cases", HSS, cause="nothing_such")
