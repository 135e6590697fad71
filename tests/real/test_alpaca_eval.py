"""AlpacaEval annotations against the reference results beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from loaders.alpaca_eval import READER
from tests.reading import Reading, found_by, read_all

pytestmark = pytest.mark.real
FOLDERS = {"cot": "alpaca_eval_cot_gpt4_turbo_fn", "fn": "alpaca_eval_gpt4_turbo_fn", "gpt4": "alpaca_eval_gpt4"}


@pytest.fixture(scope="module")
def alpaca(logs: Path) -> Reading:
    paths = found_by(READER, logs / "alpaca_eval")
    assert len(paths) == 3
    return read_all(READER, paths)


def both(reading: Reading) -> pl.DataFrame:
    """Labels of the two judges that saw the same outputs."""
    rows = reading["comparisons"]
    other = rows.filter(judge_id=FOLDERS["fn"]).select("item_id", "run_a", "run_b", fn="label", fn_score="score")
    joined = rows.filter(judge_id=FOLDERS["cot"]).join(other, on=("item_id", "run_a", "run_b"))
    return joined.join(reading["items"].unique().select("item_id", "capability"), on="item_id")


def test_every_record_is_a_row(alpaca: Reading) -> None:
    assert (alpaca.seen, alpaca.kept, alpaca.refused) == (2415, 2415, 0)
    assert alpaca.rules() == {"no_verdict": 1}
    items = alpaca["items"].unique()
    assert items.height == items["item_id"].n_unique() == 805
    responses = alpaca["responses"].unique(subset=("run_id", "item_id", "response"))
    assert responses.select("run_id", "item_id").is_unique().all()


def test_companions(logs: Path) -> None:
    path = logs / "alpaca_eval" / "evaluators_leaderboard.csv"
    assert READER.companion is not None
    assert READER.companion(path, path.read_bytes()[:4096])


def test_win_rates_and_counts(alpaca: Reading, expected: Any) -> None:
    want = expected("alpaca_eval")
    for name, cell in want["win_rate"].items():
        rows = alpaca["comparisons"].filter(judge_id=FOLDERS[name])
        assert rows["run_a"].unique().to_list() == [f"alpaca_eval/{cell['baseline']}"]
        assert (rows["label"].count(), rows["label"].null_count()) == (cell["n_non_null"], cell["n_null"])
        assert (rows["score"] - 1).mean() == pytest.approx(cell["win_rate"], abs=1e-12)
        names = {"1.0": "A", "1.5": "tie", "2.0": "B", "None": None}
        assert dict(rows.group_by("label").len().rows()) == {names[k]: n for k, n in cell["counts"].items()}
        assert rows.filter(label="B").height == want["wins_wilson"][name]["correct"]


def test_agreement_of_judges_overall_and_by_dataset(alpaca: Reading, expected: Any) -> None:
    want, rows = expected("alpaca_eval"), both(alpaca)
    assert rows.height == want["kappa_cot_vs_fn"]["n"]
    assert (rows["label"] == rows["fn"]).mean() == pytest.approx(want["kappa_cot_vs_fn"]["agreement"], abs=1e-12)
    for dataset, cell in want["kappa_cot_vs_fn_by_dataset"].items():
        part = rows.filter(capability=dataset)
        assert part.height == cell["n"]
        assert (part["label"] == part["fn"]).mean() == pytest.approx(cell["agreement"], abs=1e-12)
    crossed = rows.group_by("score", "fn_score").len().rows()
    assert {f"{a}|{b}": n for a, b, n in crossed} == want["crosstab_cot_fn"]


def test_explanations(alpaca: Reading) -> None:
    rows = alpaca["comparisons"].filter(judge_id=FOLDERS["cot"])
    assert rows["justification"].null_count() == 1
    assert rows["justification"].drop_nulls().str.contains("= gpt-3.5-turbo-0301").all()
