"""BLINK saved outputs: letters, hidden answers, and what is refused where."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analytics.errors import BadLog
from loaders.base import Source
from loaders.blink import READER
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "blink"
GOOD = SAMPLES / "good" / "some-model" / "Colour.json"
BROKEN = SAMPLES / "broken" / "some-model" / "Colour.json"


def test_rows() -> None:
    reading = read_all(READER, [GOOD])
    assert claimed(READER, GOOD)
    assert reading["runs"]["model"].to_list() == ["some-model"]
    rows = reading["responses"].select("item_id", "answer", "credit", "status").rows()
    assert rows == [
        ("val_Colour_of_Things_1", "A", 1.0, "ok"),
        ("val_Colour_of_Things_2", "C", 0.0, "ok"),
        ("val_Colour_of_Things_3", None, 0.0, "invalid_format"),
        ("val_Colour_of_Things_4", None, 0.0, "invalid_format"),
        ("test_Colour_of_Things_1", "B", None, "ok"),
        ("test_Colour_of_Things_2", None, None, "invalid_format"),
    ]
    assert reading["items"]["capability"].unique().to_list() == ["Colour_of_Things"]
    assert reading["items"].filter(~pl.col("reference_known")).height == 2
    assert [(i.rule, i.severity, i.line) for i in reading.issues] == [("no_letter", "doubted", 4)]


def test_spelling_of_the_task_does_not_split_it(tmp_path: Path) -> None:
    spaced = tmp_path / "m" / "Colour of Things.json"
    spaced.parent.mkdir()
    spaced.write_text(GOOD.read_text().replace("Colour_of_Things", "Colour of Things"))
    items = read_all(READER, [spaced])["items"]
    assert items.select("item_id", "capability").equals(
        read_all(READER, [GOOD])["items"].select("item_id", "capability")
    )


def test_refused_records_have_a_place() -> None:
    reading = read_all(READER, [BROKEN])
    assert (reading.seen, reading.kept, reading.refused) == (7, 1, 6)
    assert [(i.rule, i.line, i.column, i.records) for i in reading.issues] == [
        ("wrong_type", 2, "prediction", 1),
        ("unknown_value", 3, "idx", 1),
        ("unknown_value", 4, "answer", 1),
        ("not_an_object", 5, None, 1),
        ("unknown_split", None, "train", 2),
    ]


def test_half_a_file_is_refused_with_its_place(tmp_path: Path) -> None:
    half = tmp_path / "half.json"
    half.write_bytes(GOOD.read_bytes()[:400])
    assert claimed(READER, half)
    with pytest.raises(BadLog, match=r"half\.json is no complete JSON: .* at line 6, column"):
        list(READER.read(Source(half, half.name, str(tmp_path))))


def test_a_file_of_its_name_is_not_claimed(tmp_path: Path) -> None:
    other = tmp_path / "Art_Style.json"
    other.write_text('{"val": [{"idx": 3, "answer": "x"}]}')
    assert not claimed(READER, other)
