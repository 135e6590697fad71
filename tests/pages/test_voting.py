"""Voting: the headline is the question's, for the panel and ties of the address; open answers do not vote."""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics.slices import Slice
from tests.pages.conftest import Open, texts
from tests.pages.test_pages import ask

PAGE = "pages/07_voting.py"


def first(test, count: int) -> list[float]:
    assert [error.value for error in test.exception] == []
    return [float(metric.value) for metric in test.metric[:count]]


def test_timing_votes_as_published(open_page: Open) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "capability": "timing", "panel": "proprietary"})
    assert [round(value, 2) for value in first(test, 3)] == [91.67, 57.64, 66.67]
    address = {"benchmark": "psycheme", "capability": "timing", "panel": "proprietary", "view": "ties"}
    test = open_page(PAGE, "embedded", address)
    assert len(test.dataframe) == 0
    test.session_state["fold rules"] = True  # a fold is filled when it is opened
    rules = next(d.value for d in test.run().dataframe if "tie_rule" in d.value.columns and len(d.value) > 2)
    assert list(rules["tie_rule"]) == ["share", "abstain", "random", "defer"]


def test_members_and_tie_rule_of_the_address(open_page: Open, shipped: Path) -> None:
    members = ["srb/gpt-4o", "srb/gemini-3-pro"]
    known = ask(shipped / "embedded", "leaderboard", Slice.of(benchmark="srb", kind="model"))["run"].to_list()
    members = [run for run in members if run in known] or known[:2]
    test = open_page(PAGE, "embedded", {"benchmark": "srb", "members": members, "tie_rule": "abstain"})
    own = {"panel": "|".join(members), "tie_rule": "abstain"}
    row = ask(shipped / "embedded", "voting", Slice.of(benchmark="srb"), **own).row(0, named=True)
    assert first(test, 3) == pytest.approx([100 * row[name] for name in ("oracle", "plurality", "single")])
    assert "illustration" in texts(test)


def test_open_answers_do_not_vote(open_page: Open) -> None:
    said = texts(open_page(PAGE, "embedded", {"benchmark": "hss"}))
    assert "Open answers do not vote" in said
    assert "No log is loaded" in texts(open_page(PAGE, "empty"))
