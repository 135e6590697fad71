"""lm-evaluation-harness samples against the reference results beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analytics.store import Store
from loaders.discover import discover
from loaders.lm_eval import READER
from loaders.warehouse import build
from tests.asking import rows
from tests.reading import Reading, found_by, read_all

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def samples(logs: Path) -> Reading:
    paths = found_by(READER, logs / "lm_eval" / "negotiationtom")
    assert len(paths) == 12
    return read_all(READER, paths)


def test_results_are_companions(logs: Path) -> None:
    found = [c for c in discover(str(logs / "lm_eval"), known=[READER]) if c.source.path.name.startswith("results_")]
    assert len(found) == 5
    assert all(c.companion for c in found)


def test_four_runs_of_one_model_on_one_group_of_tasks(samples: Reading) -> None:
    assert (samples.seen, samples.kept, samples.issues) == (240, 240, [])
    runs = samples["runs"].unique(subset="run_id")
    assert runs.height == 4
    assert runs["model"].unique().to_list() == ["Qwen/Qwen3-8B"]
    assert runs["benchmark"].unique().to_list() == ["negotiationtom"]
    items = samples["items"].unique(subset="item_id")
    assert items.height == 60  # the group's own 60 are these, not 60 more
    assert samples["responses"].select("run_id", "item_id").is_unique().all()


def test_accuracy_by_task_and_run(samples: Reading, expected: Any) -> None:
    items = samples["items"].unique(subset="item_id").select("item_id", "capability", "reference", "answer_type")
    rows = samples["responses"].join(items, on="item_id")
    for task, cell in expected("lm_eval")["negotiationtom"].items():
        for run in cell["runs"]:
            part = rows.filter(capability=f"negotiationtom_{task}").filter(pl.col("run_id").str.ends_with(run["run"]))
            assert (part["credit"].sum(), part["credit"].count()) == (run["correct"], run["n"])
            if task != "intention":
                assert set(part["answer_type"]) == {"single_choice"}
                assert part.filter(pl.col("answer") == pl.col("reference")).height == run["correct"]


def test_labels_are_no_scores(samples: Reading) -> None:
    labels = samples["verdicts"].filter(pl.col("criterion").is_in(["micro_f1", "macro_f1"]))
    assert labels.height == 2 * 4 * 20
    assert labels["score"].null_count() == labels.height
    assert labels["label"].null_count() == 0


def test_infinity_is_no_value(logs: Path, expected: Any) -> None:
    want = expected("lm_eval")["polymer_tg"]
    reading = read_all(READER, found_by(READER, logs / "lm_eval" / "polymer_tg"))
    assert reading.kept == want["n"]
    scores = reading["verdicts"].filter(criterion="mae")["score"]
    assert (scores.null_count(), scores.count()) == (want["infinite"], want["finite_n"])
    assert scores.mean() == pytest.approx(want["finite_mean"], rel=1e-12)
    assert reading["responses"]["credit"].null_count() == want["n"]
    assert reading.rules() == {"not_finite": want["infinite"], "score_off_scale": want["finite_n"]}
    assert reading["items"]["capability"].unique().to_list() == ["Materials"]


@pytest.mark.parametrize("judge", ["majority", "any", "all"])
def test_rows_with_a_fractional_metric_have_no_pass_or_fail(
    samples: Reading, logs: Path, tmp_path: Path, judge: str
) -> None:
    """Rows whose metrics are all 0 or 1 count, the others are unjudged: none counts only because it failed."""
    build([str(logs / "lm_eval" / "negotiationtom")], tmp_path, add=False)
    by_row = samples["verdicts"].group_by("run_id", "item_id").agg(
        whole=pl.col("met").is_not_null().all(), passed=pl.col("met").all()
    )  # fmt: skip
    wanted = by_row.filter("whole").group_by("run_id").agg(n=pl.len(), raw=pl.col("passed").mean())
    found = rows(Store(tmp_path), "leaderboard", judge=judge)
    assert {(r["run"], r["n"], r["raw"]) for r in found} == set(wanted.select("run_id", "n", "raw").iter_rows())
    assert {r["n"] for r in found} == {40}
