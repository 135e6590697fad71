"""Matrices of codes against the rows that they are read from, looked up one by one in plain Python."""

import random

import numpy as np
import polars as pl
import pytest

from analytics import coded as module
from analytics.ballots import ballots, items_of
from analytics.coded import ABSENT, BALLOT, BALLOT_OR_UNPARSED, CREDIT, coded, labelled
from analytics.panel_runs import panel_runs
from analytics.policy import Policy
from analytics.scores import scores
from analytics.slices import Slice
from tests.answers import asked, row
from tests.stores import toy_store

SPELLINGS = ("A", "B", " A ", "AC", "C, A", "ca", "", "unparsed", "D.")
RUNS = ("half", *(f"{benchmark}-{letter}" for benchmark in ("toy", "other") for letter in "abc"))
SAID = {
    BALLOT: lambda r: r["ballot"],
    BALLOT_OR_UNPARSED: lambda r: "unparsed" if r["status"] == "invalid_format" else r["ballot"],
    CREDIT: lambda r: r["raw"],
}


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """Two benchmark versions, one with a run of half the items; every kind of item, status and spelling."""
    stream = random.Random(5)
    items = [
        {"benchmark": b, "item_id": f"i{k}", "capability": "ab"[k % 2], "options": list("wxyz"),
         "answer_type": ("single_choice", "multiple_choice", "open")[k % 3], "reference_known": k % 11 != 5,
         "reference": None if k == 9 else stream.choice(("A", "B", "A,C"))}
        for b in ("toy", "other") for k in range(24)
    ]  # fmt: skip
    runs = [{"run_id": run, "benchmark": "other" if run[0] == "o" else "toy"} for run in RUNS]
    runs[0]["scope"] = "half"
    responses = [
        {"run_id": run["run_id"], "item_id": f"i{k}", "attempt": attempt, "answer": stream.choice(SPELLINGS),
         "status": stream.choice(("ok", "ok", "ok", "invalid_format", "guessed")),
         "credit": stream.choice((0.0, 0.5, 1.0))}
        for run in runs for k in range(24) for attempt in range(1, stream.choice((1, 2, 3)))
        if run["run_id"] != "half" or k < 12
    ]  # fmt: skip
    return toy_store(
        tmp_path_factory.mktemp("odd"),
        benchmarks=[{"benchmark": "toy"}, {"benchmark": "other"}],
        items=items,
        runs=runs,
        item_tags=[{"item_id": f"i{k}", "kind": "scope", "tag": "half"} for k in range(12)],
        responses=responses,
    )


def read(cursor, chosen, policy, said):
    """Panels of every run, read as codes; the same cells from the rows of `scores`."""
    runs = panel_runs(cursor, chosen, panel="|".join(RUNS))
    items = items_of(cursor, chosen, runs["benchmark"].unique().to_list())
    panels = [
        (members, items.filter(pl.col("benchmark") == name))
        for (name,), members in runs.group_by(["benchmark"], maintain_order=True)
    ]
    found = coded(cursor, chosen, policy, panels, said=said, only="TRUE", every=True)
    cells = {(r["run_idx"], r["item_idx"]): r for r in scores(cursor, chosen, policy).iter_rows(named=True)}
    return found, panels, cells


@pytest.mark.parametrize("policy", [Policy(), Policy(guessed="left_out", attempts="first")], ids=["stored", "live"])
@pytest.mark.parametrize("few", [64, 2], ids=["by a list", "numbered here"])
@pytest.mark.parametrize("chosen", [Slice(), Slice.of(capability=["a"])], ids=["whole", "slice"])
@pytest.mark.parametrize("said", list(SAID), ids=["ballot", "unparsed", "credit"])
def test_each_cell_is_what_its_row_says(odd, monkeypatch, policy, few, chosen, said):
    monkeypatch.setattr(module, "FEW", few)
    with odd.cursor() as cursor:
        found, panels, cells = read(cursor, chosen, policy, said)
    assert found.values.to_list() == sorted(set(found.values))
    checked = 0
    for (runs, items), matrix in zip(panels, found.matrices, strict=True):
        assert matrix.shape == (runs.height, items.height)
        for i, run in enumerate(runs["run_idx"]):
            for j, item in enumerate(items["item_idx"]):
                cell = cells.get((run, item))
                if cell is None or cell["hidden"]:
                    assert matrix[i, j] == ABSENT
                    continue
                value = SAID[said](cell)
                assert (None if matrix[i, j] < 0 else found.values[int(matrix[i, j])]) == value
                checked += 1
    assert checked > 60


def test_labels_of_columns_with_several_right_options_are_sets_and_blanks_are_none():
    matrix = np.array([[0, 0, 2, -1], [1, 1, -2, 2]], dtype=np.int8)
    several = np.array([False, True, False, True])
    labels, codes = labelled(matrix, [(~several, ["CA", "B", ""]), (several, ["A,C", "B", ""])], more=["D"])
    assert labels == ("A,C", "B", "CA", "D")
    assert codes.tolist() == [[2, 0, -1, -1], [1, 1, -2, -1]]
    assert codes.dtype == np.int8


def test_a_benchmark_of_open_items_alone_is_not_read(odd):
    """Its answers are texts, as many as there are rows."""
    with odd.cursor() as cursor:
        chosen = Slice.of(answer_type=["open"])
        assert ballots(cursor, chosen, Policy(), panel_runs(cursor, chosen, panel="all")) == []


def test_more_labels_than_a_byte_has_codes(tmp_path):
    """127 codes and more need another type, and what is counted from them must not run over."""
    count = 150
    store = toy_store(
        tmp_path,
        items=[{"item_id": f"i{k:03}", "reference": "x0"} for k in range(count)],
        runs=[{"run_id": run} for run in "ab"],
        responses=[
            {
                "run_id": run,
                "item_id": f"i{k:03}",
                "answer": f"x{(k + (run == 'b' and k >= 100)) % count}",
                "credit": 0.0,
            }
            for run in "ab"
            for k in range(count)
        ],
    )
    vote = row(asked(store, "voting", resamples=200))
    assert (vote["n"], vote["oracle_items"], vote["tied"], vote["ballots"]) == (count, 2, 50, 2 * count)
    pair = row(asked(store, "judges", raters="runs", resamples=200))
    assert (pair["n"], pair["agreement"]) == (count, 100 / count)
    table = asked(store, "confusion", raters="runs").table
    assert int(table["units"].sum()) == count
    assert table.filter((pl.col("label_a") == "x149") & (pl.col("units") > 0))["label_b"].to_list() == ["x0"]
