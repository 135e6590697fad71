"""Score against tokens: one measure for all runs, unknown tokens are left out and never 0, the frontier by hand."""

from __future__ import annotations

import numpy as np
import pytest

from analytics import questions
from analytics.policy import Policy
from analytics.slices import Slice
from analytics.tokens import frontier
from tests.stores import toy_store

SCORES = {"dear": 1.0, "cheap": 0.5, "waste": 0.5, "half": 0.75, "silent": 1.0, "person": 1.0}
SPENT = {"dear": 400, "cheap": 100, "waste": 300, "half": 200, "person": 50}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Four items per run; `half` logs input tokens for one item alone, `silent` logs none at all."""
    responses = [
        {
            "run_id": run, "item_id": f"i{k}", "credit": float(k < 4 * score),
            "output_tokens": SPENT.get(run), "input_tokens": 1000 if run != "half" or k == 0 else None,
        }
        for run, score in SCORES.items()
        for k in range(4)
    ]  # fmt: skip
    runs = [{"run_id": run, "kind": "human" if run == "person" else "model"} for run in SCORES]
    items = [{"item_id": f"i{k}", "capability": "c"} for k in range(4)]
    return toy_store(tmp_path_factory.mktemp("tokens"), items=items, runs=runs, responses=responses)


def ask(store, **given):
    own = {option.name: option.initial for option in questions.question("tokens").options} | given
    return questions.ask(store, "tokens", Slice(), Policy(), own)


def by_run(answer):
    return {row["run"]: row for row in answer.table.iter_rows(named=True)}


def test_the_frontier_holds_what_no_other_model_beats(store):
    rows = by_run(ask(store))
    assert {run for run, row in rows.items() if row["frontier"]} == {"cheap", "half", "dear"}
    assert rows["waste"]["frontier"] is False  # as right as `cheap` for three times the tokens
    assert rows["person"]["frontier"] is None  # people stand beside the models, and beat none of them


def test_unknown_tokens_are_left_out_and_counted(store):
    answer = ask(store)
    silent = by_run(answer)["silent"]
    assert (silent["tokens"], silent["n_tokens"], silent["frontier"]) == (None, 0, None)
    assert silent["reason"] == "the log has no tokens written"
    assert answer.left_out["runs without known tokens written"] == 1
    assert answer.left_out["attempts without known tokens written"] == 4


def test_measures_are_never_mixed(store):
    written, both = by_run(ask(store)), by_run(ask(store, measure="both"))
    assert (written["half"]["tokens"], written["half"]["n_tokens"]) == (200, 4)
    assert (both["half"]["tokens"], both["half"]["n_tokens"]) == (1200, 1)  # the one attempt that has both parts
    assert both["cheap"]["tokens"] == 1100
    assert {row["measure"] for row in both.values()} == {"tokens read and written"}


def test_the_leaderboards_tokens_are_those_written(store):
    own = {option.name: option.initial for option in questions.question("leaderboard").options}
    table = questions.ask(store, "leaderboard", Slice(), Policy(), own).table
    assert dict(table.select("run", "tokens").iter_rows()) == {run: SPENT.get(run) for run in SCORES}


def test_equal_points_are_both_on_the_frontier():
    score, cost = np.array([0.5, 0.5, 0.5, 0.4]), np.array([10.0, 10.0, 11.0, 10.0])
    assert frontier(score, cost).tolist() == [True, True, False, False]
