"""The demo cases that ship: every capability, status, answer type and kind of run, three judges, media that open."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image, ImageChops

from analytics.schema import ANSWER_TYPES, LOG_TABLES, RUN_KINDS, STATUSES
from analytics.store import Store
from loaders.psycheme_terms import CAPABILITIES
from loaders.warehouse import build
from logs.generate.demo import draw, make
from logs.generate.frames import frame
from tests.asking import one, rows

WEBM = b"\x1a\x45\xdf\xa3"


@pytest.fixture(scope="module")
def tables():
    return {name: frame(name, found) for name, found in make.rows().items()}


def test_every_capability_answer_type_status_and_kind_of_run_is_there(tables):
    items = tables["items"]
    assert items.height == 24
    assert set(items["capability"]) == set(CAPABILITIES.values())
    assert set(items["answer_type"]) == set(ANSWER_TYPES)
    assert set(items["media_type"]) == {"text", "image", "video"}
    assert set(tables["responses"]["status"]) == set(STATUSES)
    assert set(tables["runs"]["kind"]) == set(RUN_KINDS)
    assert set(tables["items"]["provenance"]) == set(tables["runs"]["provenance"]) == {"demo"}
    assert tables["responses"].height == 24 * 4


def test_every_case_has_its_text_and_every_answer_its_reason(tables):
    items = tables["items"]
    assert items.select("prompt", "reference").null_count().sum_horizontal().item() == 0
    assert items.filter(pl.col("answer_type") != "open")["options"].null_count() == 0
    answered = tables["responses"].filter(pl.col("status") == "ok")
    assert answered["answer"].null_count() == 0
    models = answered.filter(pl.col("run_id").is_in(["demo-cases/lantern", "demo-cases/harbour"]))
    assert models.select("rationale", "coverage", "evidence", "logic").null_count().sum_horizontal().item() == 0
    assert items.filter(pl.col("reference").str.contains("^[A-Z](,[A-Z])+$"))["answer_type"].unique().to_list() == [
        "multiple_choice"
    ]


def test_three_judges_judge_each_case_by_criterion_and_say_why(tables):
    said = tables["verdicts"].join(tables["criteria"], on=["item_id", "criterion"], how="left")
    assert said["description"].null_count() == 0
    per_case = said.group_by("item_id").agg(pl.col("judge_id").n_unique())
    assert per_case["judge_id"].to_list() == [3] * 24
    units = tables["verdicts"].group_by("run_id", "item_id", "criterion").len()
    assert units["len"].unique().to_list() == [3]
    told = tables["verdicts"].filter(pl.col("status") != "judge_failed")
    assert told["justification"].null_count() == 0
    assert set(tables["verdicts"]["status"]) == {"ok", "abstained", "judge_failed"}
    assert tables["failure_labels"]["note"].null_count() == 0


def test_the_log_that_ships_is_made_from_the_text_and_the_pictures_from_the_script(tables):
    for name, wanted in tables.items():
        held = pl.read_parquet(make.FOLDER / f"{name}.parquet")
        keys = LOG_TABLES[name].key
        assert held.sort(keys).equals(wanted.select(held.columns).sort(keys)), name
    for name in draw.PICTURES:
        drawn, kept = (Image.open(io.BytesIO(raw)).convert("RGB") for raw in (
            draw.picture(name), (make.FOLDER / "media" / f"{name}.png").read_bytes()))  # fmt: skip
        assert drawn.size == kept.size
        # processors round the edges of letters differently: a few pixels, by a fraction of their grey
        apart = np.asarray(ImageChops.difference(drawn, kept)).max(axis=2)
        assert (apart > 0).mean() < 0.005, name
        assert apart.max() <= 48, name


def test_every_media_file_exists_opens_and_is_used(tables):
    named = tables["items"]["media_path"].drop_nulls().unique()
    files = {path.relative_to(make.FOLDER).as_posix(): path for path in (make.FOLDER / "media").iterdir()}
    assert set(named) == set(files)
    for name, path in files.items():
        if name.endswith(".png"):
            with Image.open(path) as picture:
                picture.load()
                assert picture.size == (540, 330)
        else:
            assert path.read_bytes().startswith(WEBM)
    assert sum(path.stat().st_size for path in files.values()) < 200_000


def test_scores_by_hand(tmp_path):
    """A failed attempt is zero under this benchmark, a grading failure is not."""
    report = build([str(make.FOLDER)], tmp_path, add=False)
    assert report.issues == []
    store = Store(tmp_path)
    found = rows(store, "leaderboard", {"benchmark": "demo-cases"}, resamples=200)
    reader = one(found, run="demo-cases/reader")
    assert reader["raw_micro"] == 23 / 24  # one question skipped, and zero under this benchmark's policy
    need = one(rows(store, "leaderboard", {"benchmark": "demo-cases", "capability": "need"}), run="demo-cases/harbour")
    assert (need["raw"], need["n"]) == (1 / 3, 3)
    lantern = one(
        rows(store, "leaderboard", {"benchmark": "demo-cases", "capability": "action"}), run="demo-cases/lantern"
    )
    assert (lantern["raw"], lantern["n"], lantern["unjudged"]) == (1.0, 2, 1)  # a grading failure is no zero


def test_the_eight_items_are_a_benchmark_of_their_own(tmp_path):
    logs = Path(__file__).parents[2] / "logs"
    build([str(logs / "demo"), str(logs / "demo-cases")], tmp_path, add=False)
    careful = one(rows(Store(tmp_path), "leaderboard", {"benchmark": "demo"}), run="demo/careful")
    assert [f"{100 * careful[name]:.2f}" for name in ("raw", "verified")] == ["75.00", "71.18"]
