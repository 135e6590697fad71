"""Items: counts are the question's, the slice restricts them, and one run alone is not enough for a scatter."""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics.slices import Slice
from tests.pages.conftest import Open, texts
from tests.pages.test_pages import ask

PAGE = "pages/10_items.py"


@pytest.mark.parametrize("where", [{}, {"capability": "timing"}])
def test_headline_counts_are_the_questions(open_page: Open, shipped: Path, where: dict[str, str]) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "on": "verified"} | where)
    assert [error.value for error in test.exception] == []
    table = ask(shipped / "embedded", "items", Slice.of(benchmark="psycheme", **where), on="verified")
    expected = [int(table[name].sum()) for name in ("suspicious", "nobody", "everybody", "below_chance")]
    assert [int(metric.value) for metric in test.metric[:5]] == [*expected, table.height]
    assert set(test.dataframe[0].value["item"]) == set(table.filter(table["suspicious"])["item"])
    assert "illustration" in texts(test)


def test_one_run_has_no_discrimination(open_page: Open) -> None:
    test = open_page(PAGE, "one run")
    assert [error.value for error in test.exception] == []
    assert "credits of two runs or more" in texts(test)
    assert "No log is loaded" in texts(open_page(PAGE, "empty"))
