"""The Significance page: its headline is the question's number, the address decides, what is lacking is said."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analytics import questions
from analytics.policy import Policy
from analytics.slices import Slice
from analytics.store import Store
from pages.ui.charts.labels import p_text
from tests.pages.conftest import Open, texts

PAGE = "pages/05_significance.py"
FIRST = "capability=behavior_prediction|emotional_empathy|intent_recognition"
SECOND = "capability=causal_antecedent|counterfactual_reasoning"


def ask(home: Path, name: str, **given: object) -> pl.DataFrame:
    own = {option.name: option.initial for option in questions.question(name).options} | given
    return questions.ask(Store(home / "embedded"), name, Slice.of(benchmark="srb"), Policy(), own).table


def test_the_papers_own_contrast_is_the_default(open_page: Open, shipped: Path) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "srb"})
    assert [error.value for error in test.exception] == []
    table = ask(shipped, "significance", first=FIRST, second=SECOND, alternative="greater")
    found = table.filter("significant")
    assert (found.height, table["p_holm"].count()) == (6, 8)
    assert test.metric[0].value == "6 of 8"
    assert test.metric[1].value == p_text(found["p_holm"].max())
    assert round(float(test.metric[1].value), 3) == 0.045
    assert "one-sided (first above second); Holm over 8 model runs of srb" in texts(test)
    assert test.dataframe[0].value.shape[0] == table.height


def test_the_address_names_groups_and_side(open_page: Open, shipped: Path) -> None:
    address: dict[str, str | list[str]] = {
        "benchmark": "srb",
        "first": "capability=moral_dilemma",
        "second": ["capability=intent_recognition", "capability=nowhere"],
    }
    test = open_page(PAGE, "embedded", address)
    table = ask(shipped, "significance", first="capability=moral_dilemma", second="capability=intent_recognition")
    assert test.metric[0].value == f"{table.filter('significant').height} of {table['p_holm'].count()}"
    assert "no item here has capability=nowhere" in texts(test)
    assert "two-sided" in texts(test)


def test_each_view_shows_its_questions_numbers(open_page: Open, shipped: Path) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "srb", "view": "runs"})
    table = ask(shipped, "pairwise")
    assert test.metric[0].value == f"{table.filter(pl.col('p_mcnemar_holm') <= 0.05).height} of {table.height}"
    assert "illustration" in texts(test)
    test = open_page(PAGE, "embedded", {"benchmark": "srb", "view": "power", "per": "n"})
    whole = ask(shipped, "power", per="n").filter(pl.col("part") == "all")
    assert float(test.metric[1].value) == pytest.approx(100 * whole["detectable"][0])
    test = open_page(PAGE, "embedded", {"benchmark": "srb", "view": "cells"})
    cells = ask(shipped, "cells")
    main = cells.filter(pl.col("condition") == "none")
    assert test.metric[0].value == f"{main['low'].count()} of {main.height}"


def test_what_is_lacking_is_said(open_page: Open) -> None:
    assert "needs a log with items that differ" in texts(open_page(PAGE, "embedded", {"benchmark": "hss-judges"}))
    assert "This page needs a log with" in texts(open_page(PAGE, "empty"))
    said = texts(open_page(PAGE, "one run", {"view": "runs"}))
    assert "two runs of one benchmark version" in said
