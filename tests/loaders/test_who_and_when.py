"""Who&When files: failure labels with their step, keyed by folder and name."""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics.errors import BadLog
from loaders.base import Source
from loaders.who_and_when import READER
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "who_and_when"


def test_rows() -> None:
    paths = sorted((SAMPLES / "good" / "Kitchen").glob("*.json"))
    assert all(claimed(READER, path) for path in paths)
    reading = read_all(READER, paths)
    assert reading["failure_labels"].select("item_id", "cause", "family", "note").rows() == [
        ("Kitchen/1", "Checker", None, "step 1 by Checker: Missed one."),
        ("Kitchen/2", "Orchestrator", "Planning", "step 1 by Orchestrator (thought): Guessed."),
    ]
    assert reading["items"]["capability"].to_list() == ["2", "1"]
    assert reading["responses"]["credit"].to_list() == [0.0, 0.0]
    assert reading["responses"]["response"][0].startswith("[Counter]\n<script>")
    assert reading.issues == []


def test_long_files_are_known_by_their_end(tmp_path: Path) -> None:
    path = tmp_path / "1.json"
    text = (SAMPLES / "good" / "Kitchen" / "1.json").read_text()
    path.write_text(text.replace("Seven.", "Seven. " * 20_000))
    assert claimed(READER, path)


def test_faults() -> None:
    folder = SAMPLES / "broken" / "Kitchen"
    with pytest.raises(BadLog, match="mistake_agent"):
        list(READER.read(Source(folder / "3.json", "3.json", "")))
    with pytest.raises(BadLog, match="history"):
        list(READER.read(Source(folder / "5.json", "5.json", "")))
    assert read_all(READER, [folder / "4.json"]).rules() == {"step_out_of_range": 1}
