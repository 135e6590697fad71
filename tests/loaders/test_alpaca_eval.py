"""AlpacaEval annotations: preferences into labels, failed judges, explanations."""

from __future__ import annotations

from pathlib import Path

from loaders.alpaca_eval import READER
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "alpaca_eval"


def test_preferences() -> None:
    path = SAMPLES / "good" / "annotations.json"
    reading = read_all(READER, [path])
    assert claimed(READER, path)
    assert reading["comparisons"].select("label", "score").rows() == [
        ("A", 1.0), ("B", 2.0), ("tie", 1.5), ("tie", 1.5), (None, None), ("A", 1.07),
    ]  # fmt: skip
    assert reading.rules() == {"no_verdict": 1}
    assert reading["comparisons"]["justification"].to_list()[:3] == [
        "Model M is better.\n[M = base_model, m = my_model]",
        "m",
        None,
    ]
    assert reading["runs"]["run_id"].to_list() == ["alpaca_eval/base_model", "alpaca_eval/my_model"]
    assert reading["items"]["item_id"].str.starts_with("toys-").all()


def test_refused_records_have_a_place() -> None:
    reading = read_all(READER, [SAMPLES / "broken" / "annotations.json"])
    assert (reading.seen, reading.kept, reading.refused) == (8, 2, 6)
    assert [(i.rule, i.line, i.column) for i in reading.issues] == [
        ("duplicate_key", 2, "instruction"),
        ("out_of_range", 3, "preference"),
        ("wrong_type", 4, "preference"),
        ("wrong_type", 5, "output_2"),
        ("not_an_object", 6, None),
        ("one_generator", 7, "generator_2"),
        ("no_verdict", 8, "preference"),
    ]
