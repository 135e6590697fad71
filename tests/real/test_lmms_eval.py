"""lmms-eval samples against the reference results beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from loaders.discover import discover
from loaders.lmms_eval import READER
from tests.reading import Reading, found_by, read_all

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def samples(logs: Path) -> Reading:
    paths = found_by(READER, logs / "lmms_eval")
    assert len(paths) == 1
    return read_all(READER, paths)


@pytest.fixture(scope="module")
def rows(samples: Reading) -> pl.DataFrame:
    return samples["responses"].join(samples["items"], on="item_id")


def test_every_row_is_kept(samples: Reading, logs: Path) -> None:
    assert (samples.seen, samples.kept, samples.issues) == (2017, 2017, [])
    assert samples["runs"].select("model", "benchmark").rows() == [("liuhaotian/llava-v1.5-7b", "scienceqa_img")]
    results = [
        c for c in discover(str(logs / "lmms_eval"), known=[READER]) if c.source.path.name.endswith("results.json")
    ]
    assert [c.companion for c in results] == [True]


def test_accuracy(rows: pl.DataFrame, expected: Any) -> None:
    want = expected("lmms_eval")
    assert (rows["credit"].sum(), rows.height) == (want["overall"]["correct"], want["overall"]["n"])
    assert rows.filter(pl.col("answer") == pl.col("reference")).height == want["letter_equals_target"]
    assert rows.filter(status="invalid_format").height == want["non_single_letter"]


def test_accuracy_by_options_target_and_context(samples: Reading, rows: pl.DataFrame, expected: Any) -> None:
    want = expected("lmms_eval")

    def cells(frame: pl.DataFrame) -> dict[str, tuple[float, int]]:
        found = frame.group_by("by").agg(pl.col("credit").sum().alias("correct"), pl.len().alias("n")).rows()
        return {by: (correct, n) for by, correct, n in found}

    def wanted(name: str, label: str = "{}") -> dict[str, tuple[int, int]]:
        return {label.format(key): (cell["correct"], cell["n"]) for key, cell in want[name].items()}

    assert cells(rows.with_columns(by="reference")) == wanted("by_target")
    tagged = rows.join(samples["item_tags"].select("item_id", "kind", by="tag"), on="item_id")
    assert cells(tagged.filter(kind="options")) == wanted("by_number_of_options", "{} options")
    context = {"True": "with context", "False": "without context"}
    assert cells(tagged.filter(kind="context")) == {context[k]: v for k, v in wanted("by_has_context").items()}
