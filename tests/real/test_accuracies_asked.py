"""VLMEvalKit, lm-evaluation-harness and lmms-eval: accuracy, n, Wilson and paired tests through the questions.

Figures of these `expected.json` that no question gives, checked at the readers where they stand: the harness's own
aggregates (`published`), comparisons of an answer's letter with its verdict (letter_vs_hit_mismatch, no_letter,
letter_equals_target), counts by option number, target letter or context (no keys of a slice), equality of texts across
runs (identical_to_run1, same_score_as_run1, same_question_text), errors off the scale of credit (polymer_tg), the
chi-square with continuity correction, and Holm over the categories of one pair of runs (the family of `pairwise` is
the pairs within a slice).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analytics.store import Store
from loaders.warehouse import build
from tests.asking import one, rows

pytestmark = pytest.mark.real

NEAR = {"rel": 1e-9, "abs": 1e-300}


@pytest.fixture(scope="module")
def store(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One store of the three folders."""
    folder = tmp_path_factory.mktemp("asked") / "store"
    build([str(logs / name) for name in ("vlmevalkit", "lm_eval", "lmms_eval")], folder, add=False)
    return Store(folder)


def check(row: dict[str, Any], cell: dict[str, Any], *, right: str, ends: tuple[str, str]) -> None:
    assert (row[right], row["n"]) == (cell["correct"], cell["n"])
    assert [row[end] for end in ends] == pytest.approx(cell["wilson95"], abs=1e-12)


def check_board(store: Store, where: dict[str, str], want: dict[str, Any], by: str = "model") -> None:
    """Check accuracy and interval of each run, told apart by one column."""
    found = rows(store, "leaderboard", where, average="micro", resamples=100)
    for name, cell in want.items():
        row = one(found, **{by: name})
        assert row["raw"] == pytest.approx(cell["accuracy"], abs=1e-12)
        check(row, cell, right="correct", ends=("raw_low", "raw_high"))


def check_cells(store: Store, where: dict[str, str], want: dict[str, Any], level: str) -> None:
    """Check each value of a key for the one run of the slice."""
    found = rows(store, "cells", where, level_of=level)
    for name, cell in want.items():
        check(one(found, value=name), cell, right="k", ends=("low", "high"))


def check_pair(store: Store, where: dict[str, str], cell: dict[str, Any]) -> None:
    """Check both discordant counts and both tests of one pair of models."""
    model = {row["run"]: row["model"] for row in rows(store, "leaderboard", where, resamples=100)}
    for row in rows(store, "pairwise", where, resamples=100):
        pair = (model[row["a"]], model[row["b"]])
        if set(pair) == {cell["a"], cell["b"]}:
            sides = ("only_a", "only_b") if pair[0] == cell["a"] else ("only_b", "only_a")
            counts = (cell["mcnemar"]["only_a_correct"], cell["mcnemar"]["only_b_correct"])
            assert (row["n"], *(row[side] for side in sides)) == (cell["n"], *counts)
            assert row["p_mcnemar"] == pytest.approx(cell["mcnemar"]["p_exact"], **NEAR)
            assert row["p_fisher"] == pytest.approx(cell["fisher_p"], **NEAR)
            if "fisher_p_holm" in cell:
                assert row["p_fisher_holm"] == pytest.approx(cell["fisher_p_holm"], **NEAR)
                assert row["p_mcnemar_holm"] == pytest.approx(cell["mcnemar"]["p_exact_holm"], **NEAR)
            return
    raise AssertionError(f"no pair {cell['a']}, {cell['b']}")


def test_mmstar(store: Store, expected: Any) -> None:
    want, where = expected("vlmevalkit")["MMStar"], {"benchmark": "MMStar"}
    models = ("vila_8b", "vila_13b")
    check_board(store, where, {model: want[model]["overall"] for model in models})
    for model in models:
        check_cells(store, where | {"model": model}, want[model]["by_category"], "capability")
        check_cells(store, where | {"model": model}, want[model]["by_l2"], "subcapability")
    check_pair(store, where, want["pairwise"][0])
    for category, cell in want["by_category_pairwise"].items():
        check_pair(store, where | {"capability": category}, cell)


def test_realworldqa(store: Store, expected: Any) -> None:
    want, where = expected("vlmevalkit")["RealWorldQA"], {"benchmark": "RealWorldQA"}
    check_board(store, where, want["overall"])
    for cell in want["pairwise"]["rows"]:
        check_pair(store, where, cell)
    counted = rows(store, "items", where)
    assert sum(row["n"] for row in counted) == 3 * 765


def test_tdbench_rotations(store: Store, expected: Any) -> None:
    want, where = expected("vlmevalkit")["tdbench_gpt-4.1"], {"benchmark": "tdbench"}
    turns = {f"rotation={name.removeprefix('rot')}": name for name in want if name.startswith("rot")}
    assert len(turns) == 4
    check_board(store, where, {turn: want[name]["overall"] for turn, name in turns.items()}, by="condition")
    for turn, name in turns.items():
        check_cells(store, where | {"condition": turn}, want[name]["by_category"], "capability")


def test_hallusionbench(store: Store, expected: Any) -> None:
    """Its questions come in groups on one figure, so that Wilson's interval, which takes them as independent, is not
    given: the bootstrap over figures is."""
    want, where = expected("vlmevalkit")["HallusionBench"], {"benchmark": "HallusionBench"}
    found = rows(store, "leaderboard", where, average="micro", resamples=100)
    for model, cell in want.items():
        row = one(found, model=model)
        assert (row["correct"], row["n"]) == (cell["overall"]["correct"], cell["overall"]["n"])
        assert row["raw"] == pytest.approx(cell["overall"]["accuracy"], abs=1e-12)
        assert "clusters" in row["interval"]
        for level, cells in (("capability", cell["by_category"]), ("subcapability", cell["by_l2"])):
            table = rows(store, "profiles", where | {"model": model}, level_of=level, resamples=100)
            assert {r["value"]: (r["n"], round(r["raw"] * r["n"], 9)) for r in table} == {
                name: (part["n"], part["correct"]) for name, part in cells.items()
            }


def test_lm_eval_tasks_of_every_run(store: Store, expected: Any) -> None:
    for task, cell in expected("lm_eval")["negotiationtom"].items():
        where = {"benchmark": "negotiationtom", "capability": f"negotiationtom_{task}"}
        found = rows(store, "leaderboard", where, average="micro", resamples=100)
        assert len(found) == len(cell["runs"]) == 4
        for run in cell["runs"]:
            (row,) = [row for row in found if row["run"].endswith(run["run"])]
            check(row, run, right="correct", ends=("raw_low", "raw_high"))


def test_lmms_eval_overall(store: Store, expected: Any) -> None:
    want = expected("lmms_eval")["overall"]
    (row,) = rows(store, "leaderboard", {"benchmark": "scienceqa_img"}, average="micro", resamples=100)
    check(row, want, right="correct", ends=("raw_low", "raw_high"))
