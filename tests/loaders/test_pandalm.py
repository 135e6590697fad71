"""PandaLM-like files: label codings, pairs of models, judge files that need their test set."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from analytics.errors import BadLog
from loaders.base import Source
from loaders.pandalm import READER
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "pandalm"
TEST_SET, JUDGE = "dishes-v1.json", "critic-2-dishes-v1.json"


def test_test_set() -> None:
    path = SAMPLES / "good" / TEST_SET
    reading = read_all(READER, [path])
    assert claimed(READER, path)
    assert reading["comparisons"].select("item_id", "judge_id", "run_a", "run_b", "label").rows() == [
        ("0", "pandalm/annotator1", "pandalm/model-a", "pandalm/model-b.1", "A"),
        ("0", "pandalm/annotator2", "pandalm/model-a", "pandalm/model-b.1", "A"),
        ("1", "pandalm/annotator1", "pandalm/model-a", "pandalm/model-b.1", "B"),
        ("1", "pandalm/annotator2", "pandalm/model-a", "pandalm/model-b.1", "tie"),
        ("2", "pandalm/annotator1", "pandalm/model-b.1", "pandalm/model-c", "tie"),
        ("2", "pandalm/annotator2", "pandalm/model-b.1", "pandalm/model-c", "tie"),
    ]
    assert reading["items"]["prompt"].to_list() == ["Name a dish.\n\nIt must be cold.", "Name a dish.", "Name a dish."]
    assert reading["responses"].filter(item_id="2")["response"].to_list() == ["true", "<i>Pie</i>"]
    assert reading.rules() == {"not_text": 1}
    assert reading["item_tags"].filter(tag="model-a")["item_id"].to_list() == ["0", "1"]
    assert reading["runs"]["scope"].to_list() == ["model-a", "model-b.1", "model-c"]
    assert reading["responses"]["credit"].null_count() == 6


def test_judge_file_takes_its_pairs_from_the_test_set() -> None:
    path = SAMPLES / "good" / JUDGE
    reading = read_all(READER, [path])
    assert claimed(READER, path)
    assert reading["judges"].select("judge_id", "kind").rows() == [("critic-2", "model")]
    assert reading["comparisons"].select("run_a", "label", "justification").rows() == [
        ("pandalm/model-a", "A", "Cold."),
        ("pandalm/model-a", "tie", None),
        ("pandalm/model-b.1", None, None),
    ]
    assert reading.rules() == {"no_verdict": 1}


def test_judge_file_alone_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / JUDGE
    shutil.copy(SAMPLES / "good" / JUDGE, path)
    with pytest.raises(BadLog, match="Put exactly one beside it"):
        list(READER.read(Source(path, path.name, "")))


def test_refused_records_have_a_place() -> None:
    items = read_all(READER, [SAMPLES / "broken" / TEST_SET])
    assert (items.seen, items.kept, items.refused) == (6, 2, 4)
    assert [(i.rule, i.line, i.column) for i in items.issues] == [
        ("duplicate_key", 2, "idx"),
        ("unknown_pair", 3, "cmp_key"),
        ("wrong_type", 4, "idx"),
        ("not_an_object", 5, None),
        ("no_verdict", 6, "annotator1"),
    ]
    judge = read_all(READER, [SAMPLES / "broken" / JUDGE])
    assert (judge.seen, judge.kept) == (4, 1)
    assert [i.rule for i in judge.issues] == ["unknown_item", "no_result", "duplicate_key"]
