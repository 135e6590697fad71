"""Every page on every kind of store: no exception, the right number, and the address restricts what is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from analytics import questions
from analytics.policy import Policy
from analytics.slices import Slice
from analytics.store import Store
from pages.ui.kit import links
from tests.pages.conftest import PAGES, ROOT, Open, texts

STORES = ["embedded", "empty", "one run", "everything", pytest.param("real", marks=pytest.mark.real)]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_runs_on_every_store(open_page: Open, page: str, store: str) -> None:
    test = open_page(page, store)
    assert [error.value for error in test.exception] == []
    assert test.title[0].value == next(p.title for p in links.pages() if p.path == page)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_stays_useful_under_a_wrong_address(open_page: Open, page: str) -> None:
    wrong: dict[str, str | list[str]] = {"capability": ["c1", "c9"], "judge": "nobody", "kolour": "red", "missing": "x"}
    test = open_page(page, "everything", wrong)
    assert [error.value for error in test.exception] == []
    said = texts(test)
    for words in (
        "No row has capability 'c9'",
        "There is no judge 'nobody'",
        "This page has no 'kolour'",
        "'x' is not a rule",
    ):
        assert words in said


def test_pages_are_found_by_their_files() -> None:
    found = [page.path for page in links.pages()]
    assert found == ["app.py", *sorted(PAGES[1:])]
    for page in links.pages():
        assert page.question.endswith("?"), page.path


def ask(store: Path, name: str, chosen: Slice, **given: object) -> pl.DataFrame:
    own = {option.name: option.initial for option in questions.question(name).options} | given
    return questions.ask(Store(store), name, chosen, Policy(), own).table


def test_the_leaderboards_first_figure_is_the_questions_number(open_page: Open, stores: Callable[[str], Path]) -> None:
    for by in ("raw", "verified"):
        test = open_page("pages/01_leaderboard.py", "everything", {"benchmark": "toy", "by": by})
        table = ask(stores("everything"), "leaderboard", Slice.of(benchmark="toy"), by=by)
        main = table.filter((pl.col("condition") == "none") & (pl.col("kind") == "model"))
        assert float(test.metric[0].value) == pytest.approx(100 * main[by].max())


def test_the_overviews_counts_are_the_questions(open_page: Open, stores: Callable[[str], Path]) -> None:
    test = open_page("app.py", "everything")
    table = ask(stores("everything"), "benchmarks", Slice())
    assert [m.value for m in test.metric][:4] == [
        str(table.height), *(str(table[column].sum()) for column in ("items", "runs", "responses"))
    ]  # fmt: skip


def test_an_address_restricts_the_table(open_page: Open) -> None:
    address: dict[str, str | list[str]] = {"benchmark": "toy", "capability": "c1", "run": ["m1", "h"]}
    test = open_page("pages/01_leaderboard.py", "everything", address)
    assert "capability is c1; run is h or m1" in texts(test)
    assert sorted(test.dataframe[0].value["run"]) == ["h", "m1"]
    assert set(test.dataframe[0].value["n"]) <= {0, 1, 2, 3}


def test_a_policy_in_the_address_is_applied(open_page: Open, stores: Callable[[str], Path]) -> None:
    test = open_page("pages/01_leaderboard.py", "everything", {"benchmark": "toy", "missing": "exclude"})
    assert "missing and failed attempts are left out and counted" in texts(test)
    counted = ask(stores("everything"), "leaderboard", Slice.of(benchmark="toy"))
    shown = test.dataframe[0].value
    assert sorted(shown["n"]) != sorted(counted["n"])


def test_cases_are_found_paged_and_opened(open_page: Open) -> None:
    cases = "pages/11_cases.py"
    test = open_page(cases, "everything", {"benchmark": "toy", "search": "times 5%"})
    assert test.metric[0].value == "9"
    test = open_page(cases, "everything", {"benchmark": "toy", "search": "times 5_"})
    assert "No item is left" in texts(test)
    test = open_page(cases, "everything", {"benchmark": "toy", "per_page": "4", "page": "3"})
    assert test.dataframe[0].value["item"].to_list() == ["i8"]
    test = open_page(cases, "everything", {"benchmark": "toy", "per_page": "4", "page": "9"})
    assert "Page 9 is past the last one" in texts(test)
    test = open_page(cases, "everything", {"benchmark": "toy", "item": "i1"})
    shown = texts(test)
    assert "Reference: A" in shown
    assert "tag" not in [error.value for error in test.exception]
    assert "j2, answer: abstained" in shown
    test = open_page(cases, "everything", {"benchmark": "toy", "item": "nothing"})
    assert "has no item 'nothing'" in texts(test)


def test_a_case_without_text_says_so(open_page: Open) -> None:
    test = open_page("pages/11_cases.py", "one run", {"item": "a"})
    assert "No text in this log" in texts(test)


def test_issues_are_filtered_by_the_address(open_page: Open) -> None:
    test = open_page("pages/13_data.py", "everything", {"severity": "refused"})
    assert [error.value for error in test.exception] == []


def test_no_page_holds_sql_or_statistics() -> None:
    for path in [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")]:
        words = path.read_text(encoding="utf-8")
        for name in ("duckdb", "scipy", "statsmodels", "numpy", "SELECT ", ".mean()", ".std()", "unsafe_allow_html"):
            assert name not in words, f"{path.name} holds {name}"
