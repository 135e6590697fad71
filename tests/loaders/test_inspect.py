"""Inspect logs: scores into credits, statuses, populations, archives of every sort of damage."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import zstandard

from analytics.errors import BadLog
from loaders import inspect_ai_log, inspect_zip
from loaders.base import Source
from loaders.inspect_ai_log import READER
from loaders.inspect_outcome import answer_in
from loaders.inspect_parts import Sample
from loaders.inspect_run import benchmark_of, population_of
from loaders.inspect_scores import judge_of, scale_of, value_of
from tests.reading import Reading, claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "inspect"
GOOD = SAMPLES / "good" / "log.json"
BROKEN = SAMPLES / "broken" / "log.json"


def archive(path: Path, log: dict[str, Any], *, whole: bool = True, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write a JSON log as an archive; method 93 is written by hand, as the writers of today do."""
    members = {"_journal/start.json": {key: log[key] for key in ("version", "eval", "plan")}}
    members |= {f"samples/{s['id']}_epoch_{s['epoch']}.json": s for s in log["samples"]}
    if whole:
        members["header.json"] = {key: log[key] for key in log if key != "samples"}
    texts = {name: json.dumps(value).encode() for name, value in members.items()}
    if method == zipfile.ZIP_DEFLATED:
        with zipfile.ZipFile(path, "w", method) as file:
            for name, text in texts.items():
                file.writestr(name, text)
        return path
    body, directory = b"", b""
    for name, text in texts.items():
        packed = zstandard.ZstdCompressor().compress(text)
        sizes = struct.pack("<IIIHH", zlib.crc32(text), len(packed), len(text), len(name), 0)
        common = struct.pack("<HHHHH", 63, 0, 93, 0, 33) + sizes
        directory += b"PK\x01\x02" + struct.pack("<H", 63) + common + struct.pack("<HHHII", 0, 0, 0, 0, len(body))
        directory += name.encode()
        body += b"PK\x03\x04" + common + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(texts), len(texts), len(directory), len(body), 0)
    path.write_bytes(body + directory + b"PK\x05\x06" + end)
    return path


@pytest.fixture
def log() -> dict[str, Any]:
    return json.loads(GOOD.read_text())  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def good() -> Reading:
    return read_all(READER, [GOOD])


def row(reading: Reading, item: str, attempt: int = 1) -> dict[str, Any]:
    return reading["responses"].filter(item_id=item, attempt=attempt).to_dicts()[0]


def test_order_statuses_and_credits(good: Reading) -> None:
    assert claimed(READER, GOOD)
    assert good["responses"].select("item_id", "attempt", "answer", "credit", "status").rows() == [
        ("3", 1, "Yes", 1.0, "ok"),
        ("3", 2, None, 0.0, "invalid_format"),
        ("4", 1, None, None, "judge_failed"),
        ("5", 1, None, None, "error"),
        ("6", 1, None, None, "truncated"),
        ("7", 1, None, 0.0, "invalid_format"),
        ("a1", 1, "A", 1.0, "ok"),
        ("a1", 2, "B", 0.0, "ok"),
        ("b2", 1, "A,C", 0.5, "ok"),
    ]
    assert row(good, "5")["status_note"] == "connection lost"
    assert row(good, "6")["status_note"] == "limit: token"


def test_items(good: Reading) -> None:
    items = {r["item_id"]: r for r in good["items"].to_dicts()}
    assert items["b2"]["answer_type"] == "multiple_choice"
    assert items["b2"]["reference"] == "A,C"
    assert items["b2"]["prompt"] == "[system]\nBe brief.\n\n[user]\nWhich tools cut <i>bone</i>?\n[image]\n[image]"
    assert (items["b2"]["media_type"], items["b2"]["media_path"]) == ("images", "pot.png")
    assert (items["3"]["answer_type"], items["3"]["reference"], items["3"]["chance"]) == ("single_choice", "Yes", 0.5)
    assert (items["4"]["answer_type"], items["4"]["reference"]) == ("open", "Boil it.")
    assert items["a1"]["options"] == ["serrated", "paring", "boning"]
    assert (items["a1"]["capability"], items["a1"]["tier"]) == ("knives", "2")
    tags = good["item_tags"].filter(kind="category").select("item_id", "tag").rows()
    assert tags == [("b2", "knives"), ("b2", "bones")]


def test_thinking_and_tokens(good: Reading) -> None:
    assert row(good, "a1", 2)["rationale"] == "Teeth grip crust."
    assert (row(good, "a1", 1)["output_tokens"], row(good, "a1", 2)["output_tokens"]) == (3, 23)
    assert row(good, "a1", 1)["seconds"] == 1.5


def test_the_run_and_its_benchmark(good: Reading) -> None:
    run = good["runs"].to_dicts()[0]
    assert run["benchmark"] == "suite/kitchen [subject=knives]"
    assert (run["condition"], run["vendor"], run["parser"]) == ("hint=true", "openai", "choice")
    assert (run["scope"], run["complete"]) == ("dataset:7", True)
    assert good["item_tags"].filter(kind="scope").height == 7


def test_verdicts_by_judge_and_criterion(good: Reading) -> None:
    verdicts = good["verdicts"]
    kinds = dict(good["judges"].select("judge_id", "kind").rows())
    assert kinds == {
        "choice": "program", "rubric": "program", "stars": "program",
        "model_graded_qa by anthropic/some-judge": "model",
    }  # fmt: skip
    rubric = verdicts.filter(judge_id="rubric", item_id="a1", attempt=1).select("criterion", "met", "score").rows()
    assert sorted(rubric) == [("safe", True, 1.0), ("tidy", None, 0.5)]
    stars = verdicts.filter(judge_id="stars")
    assert stars["met"].null_count() == stars.height
    failed = verdicts.filter(item_id="4", status="judge_failed")
    assert failed["judge_id"].sort().to_list() == ["choice", "model_graded_qa by anthropic/some-judge"]


def test_broken_records_have_a_place() -> None:
    reading = read_all(READER, [BROKEN])
    assert (reading.seen, reading.kept, reading.refused) == (5, 1, 4)
    assert reading.rules() == {
        "broken_sample": 3, "out_of_range": 1, "unknown_score": 1,
        "interrupted_run": 1, "unknown_version": 1,
    }  # fmt: skip
    assert [i.line for i in reading.issues if i.rule == "broken_sample"] == [2, 3, 4]
    assert reading["runs"]["complete"].to_list() == [False]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, 93])
def test_containers_give_the_same_rows(tmp_path: Path, log: dict[str, Any], good: Reading, method: int) -> None:
    path = archive(tmp_path / "log.eval", log, method=method)
    assert claimed(READER, path)
    reading = read_all(READER, [path])
    for table in ("responses", "items", "verdicts", "runs", "benchmarks", "item_tags", "judges"):
        assert reading[table].drop("line", strict=False).equals(good[table].drop("line", strict=False)), table


def test_an_interrupted_run_keeps_its_population(tmp_path: Path, log: dict[str, Any]) -> None:
    log["samples"] = [s for s in log["samples"] if s["id"] in ("a1", 3)]
    reading = read_all(READER, [archive(tmp_path / "log.eval", log, whole=False)])
    assert reading["runs"].select("complete", "scope").rows() == [(False, "dataset:7")]
    assert reading["items"].height == 7
    assert reading.rules() == {"interrupted_run": 1}


def test_a_summary_stands_in_for_a_sample_that_was_not_written(tmp_path: Path, log: dict[str, Any]) -> None:
    path = archive(tmp_path / "log.eval", log, whole=False)
    lost = {"id": 2, "epoch": 1, "input": "Lost?", "target": "no", "scores": {"choice": {"value": "C", "answer": "No"}}}
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("_journal/summaries/1.json", json.dumps([lost]))
    found = row(read_all(READER, [path]), "2")
    assert (found["credit"], found["answer"], found["response"]) == (1.0, "No", None)
    assert "only a summary" in found["status_note"]


def test_damaged_archives(tmp_path: Path, log: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path / "log.eval", log, method=93)
    half = tmp_path / "half.eval"
    half.write_bytes(path.read_bytes()[:900])
    assert claimed(READER, half)
    with pytest.raises(BadLog, match="no complete zip archive"):
        list(READER.read(Source(half, half.name, "")))
    raw = bytearray(path.read_bytes())
    place = raw.index(b"samples/7_epoch_1.json") + 40
    raw[place : place + 4] = b"\0\0\0\0"
    hurt = tmp_path / "hurt.eval"
    hurt.write_bytes(raw)
    assert read_all(READER, [hurt]).rules()["broken_sample"] == 1
    monkeypatch.setattr(inspect_zip, "MEMBER_BYTES", 2_000)
    log["samples"][0]["input"] = "0" * 100_000
    bomb = archive(tmp_path / "bomb.eval", log)
    big = [i for i in read_all(READER, [bomb]).issues if i.rule == "broken_sample"]
    assert len(big) == 1
    assert "would unpack to" in big[0].message
    monkeypatch.setattr(inspect_zip, "TOTAL_BYTES", 50_000)
    with pytest.raises(BadLog, match="would unpack to"):
        list(READER.read(Source(bomb, bomb.name, "")))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, 93])
def test_a_file_too_long_to_read_at_once_gives_the_same_rows(
    tmp_path: Path, log: dict[str, Any], method: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [archive(tmp_path / "log.eval", log, method=method), GOOD]
    at_once = [read_all(READER, [path]) for path in paths]
    for module in (inspect_zip, inspect_ai_log):
        monkeypatch.setattr(module, "AT_ONCE_BYTES", 0)
    for before, path in zip(at_once, paths, strict=True):
        again = read_all(READER, [path])
        assert again.rules() == before.rules()
        assert again.tables.keys() == before.tables.keys()
        assert all(again[table].equals(before[table]) for table in again.tables)


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_names_that_lead_outside_and_doubled_members(tmp_path: Path, log: dict[str, Any]) -> None:
    path = archive(tmp_path / "log.eval", log)
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("../samples/9_epoch_1.json", "{}")
        file.writestr("/etc/x", "{}")
        file.writestr("samples/7_epoch_1.json", json.dumps(log["samples"][0] | {"id": 7, "epoch": 1}))
    reading = read_all(READER, [path])
    assert reading.rules() == {"unsafe_member": 2, "duplicate_member": 1}
    assert reading.seen == reading.kept + reading.refused


def test_a_log_without_samples_says_so(tmp_path: Path, log: dict[str, Any]) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log | {"samples": []}))
    with pytest.raises(BadLog, match="holds no sample"):
        list(READER.read(Source(path, path.name, "")))


def test_values() -> None:
    assert [value_of(v).number for v in ("C", "I", "P", "N", True, False, 0.25, "yes", "0.5", "odd")] == [
        1, 0, 0.5, 0, 1, 0, 0.25, 1, 0.5, None,
    ]  # fmt: skip
    assert value_of(float("nan")).failed
    assert value_of(None).failed


def test_a_scale_of_one_to_five_gives_no_credit(tmp_path: Path, log: dict[str, Any]) -> None:
    for k, sample in enumerate(log["samples"]):
        sample["scores"] = {"stars": {"value": 1 + k % 5}}
        sample.pop("error", None)
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    reading = read_all(READER, [path])
    assert reading["responses"]["credit"].null_count() == 9
    assert reading.rules() == {"score_off_scale": 9}
    assert reading["verdicts"]["score"].max() == 5


def test_several_values_and_no_single_one() -> None:
    scale = scale_of([], [{"rubric": {"value": {"a": 1, "b": 0}}}])
    assert scale.several
    assert scale.primary is None
    assert scale_of(["second"], [{"first": {"value": 1}, "second": {"value": 0}}]).primary == "second"


def test_benchmark_names_keep_item_sets_apart() -> None:
    def named(**spec: Any) -> str:
        return benchmark_of({"task": "task"} | spec, Sample(1, input=spec.pop("first", "hello"), target="x"))

    assert named(dataset={"name": "task"}) == "task"
    assert named(dataset={"name": "Other Set"}) == "task@Other Set"
    assert named(dataset={"name": "task"}, task_version=2) == "task v2"
    assert named() == named()
    assert named() != named(first="goodbye")
    names = {named(dataset={"name": "task"}, task_args={"subject": s, "shots": k}) for s in "ab" for k in (0, 5)}
    assert names == {"task [subject=a]", "task [subject=b]"}


def test_populations() -> None:
    def population(seen: list[str], complete: bool = True, **spec: Any) -> tuple[int, str | None, bool]:
        found = population_of(spec, seen, complete=complete)
        return len(found.ids), found.tag, found.doubt is not None

    ids = [str(k) for k in range(10)]
    assert population(ids, dataset={"samples": 10, "sample_ids": ids}) == (10, None, False)
    assert population(ids[:3], dataset={"samples": 10, "sample_ids": ids}, complete=False) == (10, None, False)
    assert population(ids[:3], dataset={"samples": 10}, config={"limit": 3}) == (3, "dataset:3", False)
    assert population(ids[:2], False, dataset={"samples": 10}, config={"limit": 3})[2]
    first = population([], dataset={"samples": 10, "sample_ids": ids[:3]}, config={"sample_id": ids[:3]})
    other = population([], dataset={"samples": 10, "sample_ids": ids[4:7]}, config={"sample_id": ids[4:7]})
    assert first[0] == other[0] == 3
    assert first[1] != other[1]


def test_only_an_option_answers_a_choice() -> None:
    assert answer_in({"answer": " B, A"}, choice=True, reference="A,B") == ("A,B", False, False)
    assert answer_in({"answer": "A or B"}, choice=True, reference="A") == (None, False, True)
    assert answer_in({"answer": "Not sure"}, choice=True, reference="Yes") == (None, False, True)
    assert answer_in({"answer": ""}, choice=True, reference="Yes") == (None, True, False)
    assert answer_in({"answer": "free text"}, choice=False, reference="x") == ("free text", False, False)
    assert answer_in({"answer": None}, choice=True, reference="A") == (None, False, False)


def test_judges() -> None:
    spec = {"model": "a/x", "model_roles": {"grader": {"model": "b/y"}}, "scorers": [{"name": "match", "options": {}}]}
    assert judge_of("match", spec).kind == "program"
    assert judge_of("model_graded_qa", spec).grader == "b/y"
    assert judge_of("model_graded_qa", {"model": "a/x"}).grader == "a/x"


def test_other_zip_files_are_not_claimed(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("[Content_Types].xml", "<x/>")
    assert not claimed(READER, path)


def test_text_is_kept_as_text(good: Reading) -> None:
    assert "<i>" in good["items"].filter(pl.col("item_id") == "b2")["prompt"][0]
