"""LLM Comparator files: scores into labels, raters without names, flipped ratings."""

from __future__ import annotations

from pathlib import Path

from loaders.llm_comparator import READER
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "llm_comparator"


def test_rows() -> None:
    path = SAMPLES / "good" / "pair.json"
    reading = read_all(READER, [path])
    assert claimed(READER, path)
    assert (reading.seen, reading.kept) == (4, 4)
    overall = reading["comparisons"].filter(judge_id="llm_comparator/score")
    assert overall["label"].to_list() == ["A", "B", "A", None]
    raters = reading["comparisons"].filter(judge_id="llm_comparator/rater")
    assert raters.select("attempt", "label", "order_shown").rows() == [
        (1, "A", "AB"),
        (2, "tie", "BA"),
        (1, "A", "AB"),
        (2, "A", "BA"),
    ]
    assert reading.rules() == {"flipped_scores": 1}
    assert reading["items"]["item_id"].n_unique() == 4
    assert reading["items"]["capability"].to_list() == ["x", None, None, "x"]
    assert reading["runs"]["model"].to_list() == ["cook 2", "cook 1"]


def test_refused_examples_have_a_place() -> None:
    reading = read_all(READER, [SAMPLES / "broken" / "pair.json"])
    assert (reading.seen, reading.kept, reading.refused) == (4, 1, 3)
    assert [(i.rule, i.line, i.column) for i in reading.issues] == [
        ("not_an_object", 2, None),
        ("wrong_type", 3, "output_text_b"),
        ("wrong_type", 4, "score"),
    ]
    assert reading["runs"]["model"].to_list() == ["a", "a (B)"]
