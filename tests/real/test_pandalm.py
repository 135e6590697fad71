"""PandaLM's test set and judges against the reference results beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from loaders.pandalm import READER
from tests.reading import Reading, found_by, read_all

pytestmark = pytest.mark.real
CODES = {"1": "A", "2": "B", "0": "tie", "missing": None}


@pytest.fixture(scope="module")
def pandalm(logs: Path) -> Reading:
    paths = found_by(READER, logs / "pandalm")
    assert len(paths) == 3
    return read_all(READER, paths)


def labels(reading: Reading) -> pl.DataFrame:
    """One row per item, one column per rater."""
    wide = reading["comparisons"].pivot("judge_id", index="item_id", values="label")
    return wide.rename(lambda name: name.removeprefix("pandalm/"))


def test_every_record_is_a_row(pandalm: Reading) -> None:
    assert (pandalm.seen, pandalm.kept, pandalm.refused) == (2997, 2997, 0)
    assert pandalm.rules() == {"no_verdict": 25, "not_text": 6}
    assert pandalm["comparisons"].height == 5 * 999
    assert pandalm["responses"].height == 2 * 999
    assert pandalm["responses"].select("run_id", "item_id").is_unique().all()
    assert pandalm["runs"].height == 5
    assert pandalm["items"]["capability"].n_unique() == 50


def test_label_counts(pandalm: Reading, expected: Any) -> None:
    wide = labels(pandalm)
    for judge, counts in expected("pandalm")["label_counts"].items():
        found = dict(wide.group_by(judge).len().rows())
        assert found == {CODES[code]: n for code, n in counts.items()}


def test_raw_agreement_of_all_pairs_of_raters(pandalm: Reading, expected: Any) -> None:
    wide = labels(pandalm)
    for pair in expected("pandalm")["kappa_pairs"]:
        both = wide.select(pair["a"], pair["b"]).drop_nulls()
        assert both.height == pair["n"]
        assert (both[pair["a"]] == both[pair["b"]]).mean() == pytest.approx(pair["agreement"], abs=1e-12)


def test_people_by_majority(pandalm: Reading, expected: Any) -> None:
    want = expected("pandalm")
    people = pandalm["comparisons"].filter(pl.col("judge_id").str.starts_with("pandalm/annotator"))
    counts = people.group_by("item_id", "run_a", "run_b", "label").len()
    assert counts.filter(len=3).height == want["human_unanimous_items"]
    top = counts.filter(pl.col("len") >= 2)
    assert top.height == 999 - want["human_no_majority_items"]
    judged = pandalm["comparisons"].drop_nulls("label").join(top, on="item_id", suffix="_people")
    for judge, cell in want["judge_vs_human_majority"].items():
        own = judged.filter(judge_id=judge)
        assert (own.filter(pl.col("label") == pl.col("label_people")).height, own.height) == (
            cell["correct"],
            cell["n"],
        )
    for pair, cell in want["human_majority_by_model_pair"].items():
        first, second = (f"pandalm/{name}" for name in pair.split("_"))
        found = dict(top.filter(run_a=first, run_b=second).group_by("label").len().rows())
        assert found == {"A": cell["first_wins"], "B": cell["second_wins"], "tie": cell["ties"]}
        assert sum(found.values()) == cell["n"]
