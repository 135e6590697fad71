"""A small run of the benchmark of planted errors."""

import pytest

from benchmarks import planted


@pytest.fixture(scope="module")
def outcomes():
    return planted.run(24, 7)


def test_every_impossible_change_is_flagged(outcomes):
    impossible = [o for o in outcomes if o.impossible]
    assert len(impossible) >= 12
    assert [o.change for o in impossible if not o.flagged] == []


def test_most_changes_are_flagged(outcomes):
    assert sum(o.flagged for o in outcomes) >= 0.6 * len(outcomes)


def test_nothing_turns_without_a_reason_that_names_the_changed_cell(outcomes):
    assert [o.unexplained for o in outcomes if o.unexplained] == []


def test_the_table_counts_what_was_run(outcomes):
    text = planted.report(outcomes, 1.0)
    assert text.startswith("trials                                        24")
    assert "MISSED" not in text
