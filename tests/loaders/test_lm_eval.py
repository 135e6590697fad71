"""lm-evaluation-harness samples: likelihoods, filters, groups, metrics without a number."""

from __future__ import annotations

from pathlib import Path

import pytest

from loaders.harness import metric_of, options_in, scale_of, task_of
from loaders.lm_eval import READER
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "lm_eval"
GOOD = SAMPLES / "good" / "maker__some-model"
TIME = "2026-01-02T03-04-05.678901"


def test_the_likeliest_option_is_the_answer() -> None:
    path = GOOD / f"samples_kitchen_taste_{TIME}.jsonl"
    reading = read_all(READER, [path])
    assert claimed(READER, path)
    assert reading["responses"].select("item_id", "answer", "credit", "response").rows() == [
        ("kitchen_taste/0", "B", 1.0, None),
        ("kitchen_taste/1", "A", 0.0, None),
    ]
    item = reading["items"].to_dicts()[0]
    assert (item["benchmark"], item["capability"], item["subcapability"]) == ("kitchen", "kitchen_taste", "baking")
    assert (item["reference"], item["options"]) == ("B", ["salt", "sugar", "flour"])
    assert item["chance"] == pytest.approx(1 / 3)
    assert reading["runs"].select("model", "run_id").rows() == [
        ("maker/some-model", f"lm_eval/kitchen/maker/some-model/{TIME}")
    ]


def test_each_filter_is_a_run_and_n_does_not_double() -> None:
    reading = read_all(READER, [GOOD / f"samples_sums_{TIME}.jsonl"])
    assert (reading.seen, reading.kept) == (4, 4)
    assert reading["runs"].select("condition", "parser").rows() == [
        ("filter=strict", "strict"),
        ("filter=flexible", "flexible"),
    ]
    assert reading["responses"].select("item_id", "answer", "credit", "status").rows() == [
        ("0", None, 0.0, "invalid_format"),
        ("0", "4", 1.0, "ok"),
        ("1", "4", 1.0, "ok"),
        ("1", "4", 1.0, "ok"),
    ]
    assert reading["responses"].group_by("run_id").len()["len"].to_list() == [2, 2]
    assert reading.rules() == {"not_finite": 2, "score_off_scale": 2}
    assert reading["verdicts"].filter(criterion="words")["met"].null_count() == 4


def test_results_are_companions() -> None:
    path = GOOD / f"results_{TIME}.json"
    assert not claimed(READER, path)
    assert READER.companion is not None
    assert READER.companion(path, path.read_bytes())


def test_refused_rows_have_a_place() -> None:
    reading = read_all(READER, [SAMPLES / "broken" / GOOD.name / f"samples_kitchen_taste_{TIME}.jsonl"])
    assert (reading.seen, reading.kept, reading.refused) == (5, 1, 4)
    assert [(i.rule, i.line) for i in reading.issues] == [
        ("duplicate_key", 2),
        ("broken_json", 3),
        ("wrong_type", 4),
        ("not_an_object", 5),
    ]


def test_without_a_results_file_the_folder_names_the_model() -> None:
    reading = read_all(READER, [SAMPLES / "broken" / GOOD.name / f"samples_kitchen_taste_{TIME}.jsonl"])
    assert reading["runs"].select("model", "benchmark").rows() == [("maker/some-model", "kitchen_taste")]


def test_groups_end(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    results.write_text('{"group_subtasks": {"all": ["stem"], "stem": ["algebra"], "odd": ["even"], "even": ["odd"]}}')
    task = task_of(tmp_path / "x.jsonl", "algebra", None, results)
    assert (task.benchmark, task.group) == ("all", "stem")
    assert task_of(tmp_path / "x.jsonl", "odd", None, results).benchmark in ("odd", "even")


def test_metrics() -> None:
    assert metric_of(True).number == 1
    assert metric_of({"score": 0.5, "category": "x"}).number == 0.5
    assert metric_of(["a"]).label == '["a"]'
    assert metric_of(float("nan")).infinite
    scale = scale_of([{"bleu": 31.0, "acc_norm": 1, "acc": 0}, {"bleu": 0.5, "acc_norm": 0, "acc": 1}])
    assert (scale.credit, scale.off) == ("acc", frozenset({"bleu"}))


def test_options_in_a_prompt() -> None:
    assert options_in("Which?\nA. one\nB. two\nAnswer:") == ["one", "two"]
    assert options_in("A. lone line") is None
    assert options_in("Shot:\nA. x\nB. y\nNow:\nA. one\nB. two\nC. three") == ["one", "two", "three"]
