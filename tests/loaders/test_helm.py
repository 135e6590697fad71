"""HELM run folders: the key of three, perturbations apart, separate requests. Samples follow the public source."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from analytics.errors import BadLog
from loaders.base import Source
from loaders.helm import READER
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "helm"
GOOD = SAMPLES / "good" / "trial" / "dishes_hot"
BENCHMARK = "helm/dishes:kind=hot,method=multiple_choice_joint"


def test_rows() -> None:
    reading = read_all(READER, [GOOD])
    assert claimed(READER, GOOD)
    plain = reading["responses"].filter(run_id=f"helm/{BENCHMARK}/maker/m/trial")
    assert plain.select("item_id", "attempt", "answer", "credit", "status").rows() == [
        ("id1", 1, "A", 1.0, "ok"),
        ("id2", 1, None, 0.0, "invalid_format"),
        ("id3", 1, None, None, "error"),
        ("id1", 2, "A", 1.0, "ok"),
    ]
    assert plain["output_tokens"].to_list() == [3, 3, None, 3]
    item = reading["items"].filter(item_id="id1", benchmark=BENCHMARK).to_dicts()[0]
    assert (item["reference"], item["options"], item["chance"]) == ("A", ["soup", "salad"], 0.5)


def test_perturbed_items_are_a_benchmark_version_of_their_own() -> None:
    reading = read_all(READER, [GOOD])
    assert reading["benchmarks"]["benchmark"].to_list() == [BENCHMARK, f"{BENCHMARK} [typos(prob=0.1)]"]
    perturbed = reading["responses"].filter(run_id=f"helm/{BENCHMARK} [typos(prob=0.1)]/maker/m/trial")
    assert perturbed.select("answer", "credit").rows() == [("B", 0.0)]


def test_annotators_are_judges() -> None:
    verdicts = read_all(READER, [GOOD])["verdicts"].filter(judge_id="helm/taster/gpt")
    assert verdicts.select("score", "justification", "met").rows() == [(4.0, "Fine.", None)]


def test_separate_requests_are_one_response(tmp_path: Path) -> None:
    folder = tmp_path / "suite" / "run"
    shutil.copytree(GOOD, folder)
    spec = json.loads((folder / "run_spec.json").read_text())
    spec["adapter_spec"]["method"] = "multiple_choice_separate_original"
    (folder / "run_spec.json").write_text(json.dumps(spec))
    state = json.loads((folder / "scenario_state.json").read_text())["request_states"][0]
    state.pop("output_mapping")
    pair = []
    for index, likely in enumerate((-5.0, -1.0)):
        each = json.loads(json.dumps(state)) | {"reference_index": index, "request_mode": "original"}
        each["result"]["completions"][0]["logprob"] = likely
        pair.append(each)
    calibration = pair[0] | {"request_mode": "calibration"}
    (folder / "scenario_state.json").write_text(json.dumps({"request_states": [*pair, calibration]}))
    reading = read_all(READER, [folder])
    assert reading["responses"].select("item_id", "answer").rows() == [("id1", "B")]
    assert reading.issues == []


def test_refused_requests_have_a_place() -> None:
    reading = read_all(READER, [SAMPLES / "broken" / "trial" / "dishes"])
    assert (reading.seen, reading.kept, reading.refused) == (3, 1, 2)
    assert [(i.rule, i.line) for i in reading.issues] == [
        ("broken_request", 3),
        ("duplicate_key", 2),
        ("no_scores", None),
    ]
    assert reading["responses"]["credit"].to_list() == [None]
    assert reading["items"]["answer_type"].to_list() == ["open"]


def test_half_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(GOOD, folder)
    text = (folder / "scenario_state.json").read_text()
    (folder / "scenario_state.json").write_text(text[: len(text) // 2])
    with pytest.raises(BadLog, match="no complete JSON"):
        list(READER.read(Source(folder, "run", "")))
    (folder / "scenario_state.json").unlink()
    assert not claimed(READER, folder)
