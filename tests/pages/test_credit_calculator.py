"""Credit calculator: one response step by step, from a case, and the leaderboard under the address's weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analytics.determined import ILLUSTRATION
from analytics.policy import Policy
from analytics.questions import ask, options_of, question
from analytics.rubric import rubric, spell_weights
from analytics.slices import Slice
from analytics.store import Store
from pages.ui.charts.waterfall import waterfall
from tests.pages.conftest import Open, texts

PAGE = "pages/08_credit_calculator.py"
WEIGHTS = rubric("rationale").weights
HARSH = spell_weights(replace(WEIGHTS, weak=0.5, gap=0.4))


def metrics(test: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in test.metric}


def spelled(test: AppTest) -> str:
    """Return the rubric of the address; AppTest gives one value as itself or as a list of one."""
    held = test.query_params["rubric"]
    return held if isinstance(held, str) else held[0]


def reweighted(store: Path, weights: str) -> pl.DataFrame:
    _, options = options_of(question("reweighted"), {})
    where = Slice.of(benchmark="psycheme", condition="none", kind="model")
    return ask(Store(store), "reweighted", where, Policy(rubric=weights), options).table


def test_the_formula_of_the_choices_in_the_address(open_page: Open) -> None:
    test = open_page(PAGE, "one run", {"evidence": "weak", "logic": "gap", "raw": "0.5"})
    shown = metrics(test)
    assert float(shown["Verified credit"]) == pytest.approx(50 / 1.44)
    assert float(shown["Lost (points)"]) == pytest.approx(50 * (1 - 1 / 1.44))
    assert test.dataframe[0].value["credit"].to_list() == pytest.approx([50, 50, 50 / 1.2, 50 / 1.44])
    assert r"{1.2 \cdot 1.2}" in test.latex[0].value


def test_a_case_fills_in_what_the_log_says(open_page: Open, shipped: Path) -> None:
    where = Slice.of(benchmark="psycheme", condition="none")
    _, options = options_of(question("losses"), {"most": "1"})
    worst = ask(Store(shipped / "embedded"), "losses", where, Policy(), options).table.row(0, named=True)
    address: dict[str, str | list[str]] = {"benchmark": "psycheme", "item": worst["item"], "of": worst["run"]}
    test = open_page(PAGE, "embedded", address)
    shown = metrics(test)
    assert f":orange[{ILLUSTRATION}]" in texts(test)
    assert float(shown["Verified credit"]) == pytest.approx(100 * worst["verified"])
    assert float(shown["Raw credit"]) == pytest.approx(100 * worst["raw"])
    changed = metrics(open_page(PAGE, "embedded", address | {"evidence": "supported", "logic": "sound"}))
    coverage = WEIGHTS.as_dict()[worst["coverage"]]
    assert float(changed["Verified credit"]) == pytest.approx(100 * worst["raw"] * coverage)


def test_what_the_log_does_not_say_is_named(open_page: Open) -> None:
    test = open_page(PAGE, "one run", {"item": "a", "of": "only"})
    assert "The log does not say: coverage, evidence, logic" in texts(test)
    test = open_page(PAGE, "one run", {"item": "nothing"})
    assert "No run of the slice answered item 'nothing'" in texts(test)


def test_other_weights_recompute_the_leaderboard(open_page: Open, shipped: Path) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "rubric": HARSH})
    table = reweighted(shipped / "embedded", HARSH)
    shown = metrics(test)
    moved = table.filter(pl.col("rank_change") != 0)
    assert shown["Runs that change place"] == f"{moved.height} of {table.height}"
    largest = table.sort(pl.col("change").abs(), descending=True)["change"][0]
    assert float(shown["Largest change (points)"]) == pytest.approx(100 * largest)
    for row in moved.sort("rank").head(3).iter_rows(named=True):
        assert f"{row['model']}: place {row['rank_declared']} before, {row['rank']} now" in texts(test)
    assert test.number_input(key="weight weak").value == 0.5
    one = open_page(PAGE, "embedded", {"benchmark": "psycheme", "rubric": HARSH, "view": "response"})
    assert "Weights are the reader's own" in texts(one)


def test_a_field_rewrites_the_address_and_the_ways_back_restore_it(open_page: Open) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "view": "what_if"})
    assert metrics(test)["Runs that change place"] == "0 of 17"
    test.number_input(key="weight weak").set_value(0.2).run()
    assert spelled(test) == spell_weights(replace(WEIGHTS, weak=0.2))
    test.number_input(key="weight gap").set_value(0.3).run()
    assert spelled(test) == spell_weights(replace(WEIGHTS, weak=0.2, gap=0.3))
    buttons = {button.label: button for button in test.button}
    buttons["Undo"].click().run()
    assert spelled(test) == spell_weights(replace(WEIGHTS, weak=0.2))
    assert test.number_input(key="weight gap").value == WEIGHTS.gap
    next(button for button in test.button if button.label == "Reset").click().run()
    assert "rubric" not in test.query_params
    assert test.number_input(key="weight weak").value == WEIGHTS.weak


def test_an_address_without_a_part_opens_the_one_that_it_is_about(open_page: Open, shipped: Path) -> None:
    for address, part in (
        ({}, "Verified credit"),
        ({"rubric": HARSH}, "Runs that change place"),
        ({"rubric": HARSH, "evidence": "weak"}, "Verified credit"),
        ({"rubric": HARSH, "view": "response"}, "Verified credit"),
    ):
        shown = metrics(open_page(PAGE, "embedded", {"benchmark": "psycheme"} | address))
        assert part in shown
        assert ("Verified credit" in shown) != ("Runs that change place" in shown)
    where = Slice.of(benchmark="psycheme", condition="none")
    _, options = options_of(question("losses"), {"most": "1"})
    item = ask(Store(shipped / "embedded"), "losses", where, Policy(), options).table["item"][0]
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "rubric": HARSH, "item": item})
    next(button for button in test.button if button.label == "Leave the case").click().run()
    assert "item" not in test.query_params
    assert "Verified credit" in metrics(test)  # what was looked at stays when its case is left
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "rubric": HARSH})
    next(button for button in test.button if button.label == "Reset").click().run()
    assert test.query_params["view"] in ("what_if", ["what_if"])  # the part stays when its weights are taken back
    assert "Runs that change place" in metrics(test)


def test_assumed_weights_are_named(open_page: Open) -> None:
    said = texts(open_page(PAGE, "embedded", {"benchmark": "psycheme", "view": "what_if"}))
    for name in rubric("rationale").assumed:
        assert f"{name} = " in said


def test_logs_without_labels_keep_the_calculator(open_page: Open) -> None:
    test = open_page(PAGE, "one run")
    assert float(metrics(test)["Verified credit"]) == 100
    assert "No row with a verified credit" in texts(open_page(PAGE, "one run", {"view": "what_if"}))
    test = open_page(PAGE, "empty")
    assert float(metrics(test)["Verified credit"]) == 100
    assert "needs a log with rationale labels" in texts(open_page(PAGE, "empty", {"view": "what_if"}))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ({"raw": "lots"}, "raw is 'lots'"),
        ({"evidence": "week"}, "'week' is no label of evidence. Did you mean 'weak'?"),
        ({"logic": "7"}, "The logic factor is 7; allowed: 0 to 1.2"),
    ],
)
def test_a_broken_address_is_said(open_page: Open, address: dict[str, str | list[str]], words: str) -> None:
    test = open_page(PAGE, "one run", address)
    assert [error.value for error in test.exception] == []
    assert words in texts(test)


def test_the_waterfall_stacks_what_is_left_and_what_is_lost() -> None:
    steps = pl.DataFrame({"stage": ["raw", "coverage"], "credit": [1.0, 0.5], "lost": [None, 0.5]})
    (rows,) = waterfall(steps).to_dict()["datasets"].values()
    assert [(row["stage"], row["part"], row["low"], row["high"]) for row in rows] == [
        ("raw", "left", 0, 1), ("coverage", "left", 0, 0.5),
        ("raw", "lost here", 1, 1), ("coverage", "lost here", 0.5, 1),
    ]  # fmt: skip
