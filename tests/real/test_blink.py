"""BLINK's saved outputs against the reference results beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from loaders.blink import READER
from tests.reading import Reading, found_by, read_all

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def blink(logs: Path) -> Reading:
    paths = found_by(READER, logs / "blink")
    assert len(paths) == 84
    return read_all(READER, paths)


@pytest.fixture(scope="module")
def rows(blink: Reading) -> pl.DataFrame:
    items = blink["items"].unique(subset="item_id")
    return (
        blink["responses"]
        .join(items.select("item_id", "capability", "reference", "reference_known"), on="item_id")
        .with_columns(model=pl.col("run_id").str.strip_prefix("blink/"))
    )


def test_every_record_is_a_row(blink: Reading) -> None:
    assert (blink.seen, blink.kept, blink.issues) == (22_842, 22_842, [])
    assert blink["responses"].select("run_id", "item_id").is_unique().all()


def test_items_agree_between_models(blink: Reading) -> None:
    items = blink["items"].unique()
    assert items.height == 3807 == items["item_id"].n_unique()
    assert items.filter("reference_known").height == 1901
    assert items.filter(~pl.col("reference_known"))["reference"].null_count() == 1906


def test_accuracy_overall_and_by_task(rows: pl.DataFrame, expected: Any) -> None:
    want = expected("blink")
    known = rows.filter("reference_known")
    overall = known.group_by("model").agg(correct=pl.col("credit").sum(), n=pl.col("credit").count())
    assert {r["model"]: (r["correct"], r["n"]) for r in overall.to_dicts()} == {
        model: (cell["correct"], cell["n"]) for model, cell in want["overall_micro"].items()
    }
    task = known.group_by("model", "capability").agg(correct=pl.col("credit").sum(), n=pl.col("credit").count())
    assert {(r["model"], r["capability"]): (r["correct"], r["n"]) for r in task.to_dicts()} == {
        (model, name): (cell["correct"], cell["n"])
        for model, cells in want["by_task"].items()
        for name, cell in cells.items()
    }


def test_hidden_answers_have_no_credit(rows: pl.DataFrame) -> None:
    hidden = rows.filter(~pl.col("reference_known"))
    assert hidden.height == 6 * 1906
    assert hidden["credit"].null_count() == hidden.height


def test_unparsed_predictions_are_wrong_and_cast_no_ballot(rows: pl.DataFrame, expected: Any) -> None:
    bad = rows.filter(reference_known=True, status="invalid_format")
    assert bad["answer"].null_count() == bad.height
    assert bad["credit"].sum() == 0
    counts = {r["model"]: r["len"] for r in bad.group_by("model").len().to_dicts()}
    assert {m: counts.get(m, 0) for m in expected("blink")["models"]} == expected("blink")["unparsed_Z"]
    assert rows.filter(model="QwenVLMax", answer="E")["credit"].to_list() == [0.0]


def test_vote_and_oracle(rows: pl.DataFrame, expected: Any) -> None:
    want = expected("blink")["oracle_and_vote"]["Z_dropped"]
    known = rows.filter("reference_known")
    assert known.group_by("item_id").agg(pl.col("credit").max())["credit"].sum() == want["oracle_items"]
    votes = known.filter(status="ok").group_by("item_id", "reference", "answer").len()
    top = votes.filter(pl.col("len") == pl.col("len").max().over("item_id"))
    credit = top.group_by("item_id").agg((pl.col("answer") == pl.col("reference")).sum() / pl.len())["answer"].sum()
    assert credit == pytest.approx(want["plurality_credit_sum"], abs=1e-9)
