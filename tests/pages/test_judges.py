"""The Judges page: its headline is the question's number, the address decides, what is lacking is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics import questions
from analytics.policy import Policy
from analytics.slices import Slice
from analytics.store import Store
from tests.pages.conftest import Open, texts

PAGE = "pages/06_judges.py"


def ask(folder: Path, name: str, benchmark: str, **given: object) -> questions.Answer:
    own = {option.name: option.initial for option in questions.question(name).options} | given
    return questions.ask(Store(folder), name, Slice.of(benchmark=benchmark), Policy(), own)


def test_three_judges_are_the_first_thing_shown(open_page: Open, shipped: Path) -> None:
    test = open_page(PAGE, "embedded")
    assert [error.value for error in test.exception] == []
    assert "benchmark is hss-judges" in texts(test)
    table = ask(shipped / "embedded", "judges", "hss-judges", unit="item").table
    low, high = table["agreement"].min(), table["agreement"].max()
    assert [m.value for m in test.metric[:3]] == [
        "3", f"{low:.1%} to {high:.1%}", f"{table['kappa'].min():.3f} to {table['kappa'].max():.3f}"
    ]  # fmt: skip
    assert test.metric[1].value == "96.2% to 97.5%"
    assert len(test.dataframe[0].value) == 3
    by_criterion = ask(shipped / "embedded", "judges", "hss-judges", unit="criterion").table
    assert f"kappa {by_criterion['kappa'].min():.3f} to {by_criterion['kappa'].max():.3f}" in texts(test)


def test_the_address_names_unit_and_pair(open_page: Open, shipped: Path) -> None:
    address: dict[str, str | list[str]] = {
        "benchmark": "hss-judges", "unit": "criterion", "a": "GPT-5.6-terra", "b": "Gemini-3.6-flash"
    }  # fmt: skip
    test = open_page(PAGE, "embedded", address)
    table = ask(shipped / "embedded", "judges", "hss-judges", unit="criterion").table
    assert test.metric[3].value == f"{table['n'][0]:,d}"
    test = open_page(PAGE, "embedded", address | {"view": "two"})
    pair = {"a": "GPT-5.6-terra", "b": "Gemini-3.6-flash"}
    crossed = ask(shipped / "embedded", "confusion", "hss-judges", **pair).table
    off = int(crossed.filter(crossed["label_a"] != crossed["label_b"])["units"].sum())
    assert f"They differ on {off} of {crossed['n'][0]} units" in texts(test)


@pytest.mark.parametrize(("benchmark", "raters"), [("psycheme", "reviewers"), ("srb", "annotators")])
def test_other_raters_serve_where_there_are_no_two_judges(
    open_page: Open, shipped: Path, benchmark: str, raters: str
) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": benchmark})
    assert [error.value for error in test.exception] == []
    table = ask(shipped / "embedded", "judges", benchmark, raters=raters).table
    assert test.metric[0].value == str(table.height)
    assert test.metric[2].value == f"{table['kappa'].min():.3f} to {table['kappa'].max():.3f}"


def test_what_is_lacking_is_said(open_page: Open) -> None:
    said = texts(open_page(PAGE, "embedded", {"benchmark": "hss"}))
    assert "No two raters to compare here: 1 of judges" in said
    assert "data dictionary" in said
    assert "This page needs a log with" in texts(open_page(PAGE, "empty"))
    assert "No two raters" in texts(open_page(PAGE, "one run"))
