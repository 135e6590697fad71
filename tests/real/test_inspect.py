"""Inspect logs against the reference results beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from loaders.inspect_ai_log import READER
from tests.reading import Reading, found_by, read_all

pytestmark = pytest.mark.real


def one(logs: Path, name: str) -> Reading:
    return read_all(READER, [logs / "inspect" / name])


@pytest.fixture(scope="module")
def runs(logs: Path, expected: Any) -> dict[str, Reading]:
    return {run["file"]: one(logs, run["file"]) for run in expected("inspect")["runs"]}


def test_every_log_is_claimed(logs: Path) -> None:
    assert len(found_by(READER, logs / "inspect")) == 12


def test_accuracy_answers_and_counts(runs: dict[str, Reading], expected: Any) -> None:
    for want in expected("inspect")["runs"]:
        reading = runs[want["file"]]
        rows, run = reading["responses"], reading["runs"].to_dicts()[0]
        assert (reading.seen, reading.kept, reading.issues) == (want["samples"], want["samples"], [])
        assert run["model"] == want["model"]
        assert run["benchmark"] == want["task"]
        assert run["parser"] == want["scorer"]
        assert rows["attempt"].max() == want["epochs"]
        assert (rows["credit"].sum(), rows["credit"].count()) == (want["correct"], want["n"])
        answers = rows.group_by("answer").len().to_dicts()
        assert {r["answer"]: r["len"] for r in answers if r["answer"] is not None} == want["answers"]
        assert set(reading["items"]["answer_type"]) == {"single_choice"}


def test_partial_runs_declare_their_population(runs: dict[str, Reading]) -> None:
    for file, reading in runs.items():
        scope = reading["runs"]["scope"].to_list()
        if "set2" in file:
            assert scope == ["dataset:10"]
            assert reading["item_tags"].height == 10
        else:
            assert scope == [None]
            assert "item_tags" not in reading.tables


def test_log_sets_are_six_runs_of_one_benchmark(runs: dict[str, Reading]) -> None:
    together = pl.concat(reading["runs"] for reading in runs.values())
    assert together["run_id"].n_unique() == 6
    assert together["benchmark"].unique().to_list() == ["popularity"]
    items = pl.concat(reading["items"] for reading in runs.values()).unique()
    assert items.height == items["item_id"].n_unique() == 100


def test_vote_and_oracle(runs: dict[str, Reading], expected: Any) -> None:
    want = expected("inspect")["set_oracle_and_vote"]
    files = [file for file in runs if "/set/" in file]
    rows = pl.concat(runs[file]["responses"] for file in files)
    items = runs[files[0]]["items"].select("item_id", "reference")
    votes = rows.drop_nulls("answer").join(items, on="item_id").group_by("item_id", "reference", "answer").len()
    top = votes.filter(pl.col("len") == pl.col("len").max().over("item_id"))
    credit = top.group_by("item_id").agg((pl.col("answer") == pl.col("reference")).sum() / pl.len())["answer"].sum()
    assert credit == want["plurality_credit_sum"]
    best = rows.group_by("item_id").agg(pl.col("credit").max(), low=pl.col("credit").min())
    assert (best["credit"].sum(), best["low"].sum()) == (want["oracle_items"], want["all_correct_items"])


def test_answers_agree_with_scores(runs: dict[str, Reading], expected: Any) -> None:
    for file, reading in runs.items():
        if "/set/" in file:
            rows = reading["responses"].join(reading["items"].select("item_id", "reference"), on="item_id")
            right = (rows["answer"] == rows["reference"]).cast(pl.Float64)
            wrong = int((right != rows["credit"]).sum())
            assert wrong == expected("inspect")["set_answer_vs_score_mismatch"][reading["runs"]["model"][0]]


def test_attempts_by_item_and_epoch(runs: dict[str, Reading], expected: Any) -> None:
    for file, reading in runs.items():
        if "set2" not in file:
            continue
        want = expected("inspect")["set2"][reading["runs"]["model"][0]]
        rows = reading["responses"]
        by_item = rows.group_by("item_id").agg(pl.col("credit").sum())
        assert dict(by_item.rows()) == want["correct_attempts_per_item"]
        by_epoch = rows.group_by(pl.col("attempt").cast(pl.String)).agg(pl.col("credit").mean())
        assert dict(by_epoch.rows()) == want["per_epoch_accuracy"]


def test_a_model_as_judge(logs: Path, expected: Any) -> None:
    want = expected("inspect")["theory_of_mind"]
    name = next(path.name for path in (logs / "inspect" / "single").glob("*.eval"))
    reading = one(logs, f"single/{name}")
    assert (reading["responses"]["credit"].sum(), reading["responses"].height) == (want["correct"], want["n"])
    assert dict(reading["verdicts"].group_by("label").len().rows()) == want["values"]
    assert reading["verdicts"]["justification"].null_count() == 0
    judge = reading["judges"].to_dicts()[0]
    assert (judge["kind"], judge["vendor"]) == ("model", "openai")
    assert judge["judge_id"] == "model_graded_fact by openai/gpt-4o-mini"
    assert set(reading["items"]["answer_type"]) == {"open"}


def test_unscored_runs_have_no_credit(logs: Path) -> None:
    name = next(path.name for path in (logs / "inspect" / "edge").glob("2025*.eval"))
    reading = one(logs, f"edge/{name}")
    assert reading["responses"]["credit"].null_count() == reading.kept == 10
    assert reading.rules() == {"no_scores": 1}
    assert reading["runs"]["scope"].to_list() == ["dataset:10"]


def test_one_run_in_two_containers_is_one_run(logs: Path) -> None:
    archive, plain = one(logs, "edge/log_formats.eval"), one(logs, "edge/log_formats.json")
    assert archive["runs"]["run_id"].to_list() == plain["runs"]["run_id"].to_list()
    assert archive["responses"].drop("line").equals(plain["responses"].drop("line"))
    assert archive["items"].equals(plain["items"])
    assert archive["item_tags"].equals(plain["item_tags"])


def test_zstandard_members(logs: Path) -> None:
    both = [one(logs, f"edge/retry-2-then-success.{kind}.eval") for kind in ("legacy", "postfix")]
    assert [reading["responses"]["response"].to_list() for reading in both] == [["ok"], ["ok"]]
    assert both[0]["runs"]["benchmark"].to_list() == both[1]["runs"]["benchmark"].to_list()
    assert both[0]["runs"]["run_id"].to_list() != both[1]["runs"]["run_id"].to_list()
