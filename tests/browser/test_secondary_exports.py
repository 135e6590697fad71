"""Exports of a page's further tables: the files hold the question's numbers, and their stamp names the right slice."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.served import Server, open_foot, settle
from tests.browser.test_exports import same_command, same_csv, saved

pytestmark = pytest.mark.browser

TABLES = {
    "tie rules": (
        "voting?benchmark=psycheme&capability=timing&panel=proprietary&view=ties",
        "Table of rules, exports, how computed", "tie_rules", "capability=timing",
    ),
    "shared wrong": (
        "voting?benchmark=psycheme&panel=proprietary&view=items",
        "The same wrong answer, by capability", "shared_wrong", "benchmark=psycheme",
    ),
    "two splits crossed": (
        "capability_profiles?benchmark=srb&view=splits",
        "Two splits crossed: table of every run, exports, how computed", "crossed", "benchmark=srb",
    ),
    "agent repair": (
        "failure_causes?benchmark=hss&view=repair&within=agentic_387", "How repair was counted", "repair",
        "tag=agentic_387",
    ),
    "beside the paper": (
        "leaderboard?benchmark=hss&view=paper", "Beside the paper: exports, how computed", "printed", "benchmark=hss",
    ),
}  # fmt: skip


MAIN = {
    "votes by capability": ("voting?benchmark=psycheme&panel=proprietary&level_of=capability", "voting", 8),
    "votes on the whole": ("voting?benchmark=psycheme&panel=proprietary&level_of=whole", "voting", 1),
}


def exported(page: Page, part: Locator | Page, folder: Path) -> tuple[Path, Path]:
    """Return the CSV and the Parquet that the buttons of a part of the page give."""
    buttons = (part.get_by_role("button", name=label, exact=True) for label in ("CSV", "Parquet"))
    csv, parquet = (saved(page, button, folder) for button in buttons)
    return csv, parquet


@pytest.mark.parametrize("name", TABLES)
def test_a_further_table_leaves_with_the_numbers_of_its_question(
    tab: Page, embedded: Server, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    address, title, asked, part = TABLES[name]
    tab.goto(f"{embedded.url}/{address}")
    settle(tab, seconds=180)
    fold = tab.get_by_test_id("stExpander").filter(has_text=title)
    fold.get_by_text(title, exact=True).click()
    expect(fold.get_by_role("button", name="CSV", exact=True)).to_be_visible(timeout=60_000)
    settle(tab, seconds=60)
    csv, parquet = exported(tab, fold, tmp_path)
    table = pl.read_parquet(parquet)
    assert table.height > 0
    same_csv(csv, table)
    stamp = {key.decode(): value.decode() for key, value in pq.read_schema(parquet).metadata.items()}
    assert stamp["scoreproof.question"] == asked
    assert part in stamp["scoreproof.ask"]
    same_command(stamp["scoreproof.ask"], table, home, tmp_path, monkeypatch)


@pytest.mark.parametrize("name", MAIN)
def test_a_split_table_leaves_with_its_rows(
    tab: Page, embedded: Server, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    address, asked, rows = MAIN[name]
    tab.goto(f"{embedded.url}/{address}")
    settle(tab, seconds=180)
    csv, parquet = exported(tab, open_foot(tab), tmp_path)
    table = pl.read_parquet(parquet)
    assert table.height == rows
    same_csv(csv, table)
    stamp = {key.decode(): value.decode() for key, value in pq.read_schema(parquet).metadata.items()}
    assert stamp["scoreproof.question"] == asked
    same_command(stamp["scoreproof.ask"], table, home, tmp_path, monkeypatch)
