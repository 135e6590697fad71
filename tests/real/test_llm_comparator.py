"""The LLM Comparator example: scores and raters as the README beside it describes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from loaders.llm_comparator import READER
from tests.reading import found_by, read_all

pytestmark = pytest.mark.real


def test_example(logs: Path) -> None:
    paths = found_by(READER, logs / "llm_comparator")
    assert [path.name for path in paths] == ["example_tiny.json"]
    reading = read_all(READER, paths)
    assert (reading.seen, reading.kept, reading.issues) == (5, 5, [])
    overall = reading["comparisons"].filter(judge_id="llm_comparator/score")
    assert overall["score"].to_list() == [0.5, -1.0, 0.5, 0.0, 1.5]
    assert overall["label"].to_list() == ["A", "B", "A", "tie", "A"]
    raters = reading["comparisons"].filter(judge_id="llm_comparator/rater")
    assert raters["attempt"].to_list() == [1, 2, 3, 4, 1]
    assert raters["label"].to_list() == ["A", "A", "B", "tie", "tie"]
    assert raters["order_shown"].to_list() == ["AB", "AB", "BA", "BA", None]
    assert reading["responses"].height == 10
