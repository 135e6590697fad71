"""lmms-eval samples: rows without documents, responses left out where they are equal."""

from __future__ import annotations

from pathlib import Path

from loaders import lm_eval
from loaders.lmms_eval import READER
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "lmms_eval"
NAME = "maker__seer/20260102_030405_samples_looks.jsonl"


def test_rows() -> None:
    path = SAMPLES / "good" / NAME
    reading = read_all(READER, [path])
    assert claimed(READER, path)
    assert not claimed(lm_eval.READER, path)
    assert reading["responses"].select("answer", "response", "credit", "status", "output_tokens").rows() == [
        ("B", "B", 1.0, "ok", None),
        ("B", "B", 0.0, "ok", None),
        (None, "The rose", 0.0, "invalid_format", None),
        ("A", "(A)", 1.0, "ok", 7),
    ]
    assert reading["items"]["options"].to_list()[1] == ["sky", "rose", "grass"]
    assert reading["items"]["media_type"].to_list() == ["image", "image", "image", "video"]
    tags = reading["item_tags"].filter(item_id="1").select("kind", "tag").rows()
    assert tags == [("options", "3 options"), ("context", "with context")]
    assert reading["runs"].select("model", "benchmark").rows() == [("maker/seer", "looks")]


def test_refused_rows_have_a_place() -> None:
    reading = read_all(READER, [SAMPLES / "broken" / NAME])
    assert (reading.seen, reading.kept, reading.refused) == (4, 1, 3)
    assert [(i.rule, i.line) for i in reading.issues] == [("duplicate_key", 2), ("broken_json", 3), ("wrong_type", 4)]
