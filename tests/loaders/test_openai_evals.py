"""OpenAI evals logs: scattered events, matches, graders that failed. Samples follow the writer's public source."""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics.errors import BadLog
from loaders.base import Source
from loaders.openai_evals import READER
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "openai_evals"


def test_rows() -> None:
    path = SAMPLES / "good" / "run.jsonl"
    reading = read_all(READER, [path])
    assert claimed(READER, path)
    assert reading["responses"].select("item_id", "answer", "response", "credit", "status").rows() == [
        ("dishes.dev.0", "B", "B", 1.0, "ok"),
        ("dishes.dev.1", None, "Wok <b>", 0.0, "ok"),
        ("dishes.dev.2", None, None, None, "error"),
        ("dishes.dev.3", None, "Salt is good.", None, "judge_failed"),
        ("dishes.dev.4", None, "Oil!", 1.0, "ok"),
    ]
    assert reading["items"]["reference"].to_list() == ["B", "pot | pan", None, None, None]
    assert reading["items"]["prompt"][0] == "[system]\nBe brief.\n\n[user]\nIs soup hot?"
    assert reading["runs"].select("model", "benchmark", "complete").rows() == [("some-model", "dishes.dev.v0", True)]
    assert reading.rules() == {"judge_failed": 1}
    failed = reading["verdicts"].filter(item_id="dishes.dev.3")
    assert failed["status"].to_list() == ["judge_failed", "judge_failed"]
    assert failed["score"].null_count() == 2
    assert reading["verdicts"].filter(item_id="dishes.dev.4", criterion="choice")["justification"][0] == "Y because"


def test_refused_events_have_a_place() -> None:
    reading = read_all(READER, [SAMPLES / "broken" / "run.jsonl"])
    assert (reading.seen, reading.kept, reading.refused) == (4, 1, 3)
    assert [(i.rule, i.line) for i in reading.issues] == [
        ("broken_json", 3),
        ("not_an_event", 4),
        ("not_an_event", 5),
        ("interrupted_run", None),
    ]
    assert reading["runs"]["complete"].to_list() == [False]


def test_a_log_without_events(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text((SAMPLES / "good" / "run.jsonl").read_text().split("\n")[0])
    with pytest.raises(BadLog, match="no event"):
        list(READER.read(Source(path, path.name, "")))
