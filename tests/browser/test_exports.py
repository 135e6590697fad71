"""Exports of every page: five files with the same numbers, and the command on their stamp gives the same table."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

import cli
from analytics.export import latex_text, written
from analytics.questions import question
from tests.browser.served import Server, open_foot, settle

pytestmark = pytest.mark.browser

VIEWS = (
    "leaderboard?benchmark=hss&view=tokens", "leaderboard?benchmark=hss&view=criteria",
    "leaderboard?benchmark=srb&view=pair", "capability_profiles?benchmark=srb", "raw_verified_gap?benchmark=psycheme",
    "failure_causes?benchmark=hss", "significance?benchmark=srb", "significance?benchmark=srb&view=runs",
    "significance?benchmark=srb&view=cells", "significance?benchmark=srb&view=power", "judges?benchmark=hss-judges",
    "voting?benchmark=psycheme&capability=timing&panel=proprietary", "credit_calculator?benchmark=psycheme",
    "credit_calculator?benchmark=psycheme&view=what_if", "conditions?benchmark=hss",
    "conditions?benchmark=hss&view=slices", "conditions?benchmark=hss&dimension=effort&view=curves",
    "failure_causes?benchmark=hss&view=media", "items?benchmark=srb", "cases?benchmark=srb",
)  # fmt: skip
TABLES, FIGURES = ("CSV", "Parquet", "LaTeX"), ("SVG", "PNG")


def saved(page: Page, button: Locator, folder: Path) -> Path:
    """Press an export button and return the file that comes of it."""
    with page.expect_download(timeout=90_000) as waiting:
        button.click()
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def download(page: Page, name: str, folder: Path) -> Path | None:
    """Press the last export button of this format that is in sight, which is the page's own; None if there is none."""
    found = page.get_by_role("button", name=name, exact=True).locator("visible=true")
    return saved(page, found.last, folder) if found.count() else None


@pytest.mark.parametrize("view", VIEWS)
def test_files_of_a_page_hold_the_same_numbers(
    tab: Page, embedded: Server, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, view: str
) -> None:
    tab.goto(f"{embedded.url}/{view}")
    settle(tab, seconds=180)
    if "view=pair" in view:
        tab.get_by_text("Items: exports, how compared").click()
        expect(tab.get_by_role("button", name="CSV", exact=True).locator("visible=true")).to_have_count(1)
    else:
        open_foot(tab)
    files = {name: download(tab, name, tmp_path) for name in (*TABLES, *FIGURES)}
    assert all(files[name] for name in TABLES)
    table = pl.read_parquet(files["Parquet"])
    assert table.height > 0
    same_csv(files["CSV"], table)
    stamp = {k.decode().removeprefix("scoreproof."): v.decode()
             for k, v in pq.read_schema(files["Parquet"]).metadata.items() if k.startswith(b"scoreproof.")}  # fmt: skip
    same_latex(files["LaTeX"], table, stamp["question"])
    same_command(stamp["ask"], table, home, tmp_path, monkeypatch)
    if files["PNG"] is not None:
        drawn(files["PNG"], files["SVG"])


def same_csv(file: Path, table: pl.DataFrame) -> None:
    got = pl.read_csv(file, comment_prefix='"#', infer_schema_length=None)
    assert got.columns == table.columns
    for name, kind in table.schema.items():
        if kind.is_numeric():
            assert got[name].cast(pl.Float64).to_list() == pytest.approx(table[name].cast(pl.Float64).to_list()), name


def same_latex(file: Path, table: pl.DataFrame, name: str) -> None:
    """Check that every row has a cell per column, and that numbers are the table's in their unit's digits."""
    words = file.read_text(encoding="utf-8")
    assert words.count(r"\begin{tabular}") == words.count(r"\end{tabular}") == 1
    body = words.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert len(body) == table.height
    units = {column.name: column for column in question(name).columns}
    for line, row in zip(body, table.iter_rows(), strict=True):
        cells = re.split(r"(?<!\\)&", line.removesuffix(r"\\").strip())
        assert [cell.strip() for cell in cells] == [
            latex_text(written(value, units.get(column))) for column, value in zip(table.columns, row, strict=True)
        ]


def same_command(said: str, table: pl.DataFrame, home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the command of the stamp, on the embedded logs as the page did."""
    monkeypatch.setenv("SCOREPROOF_HOME", str(home))
    monkeypatch.delenv("SCOREPROOF_STORE", raising=False)
    out = folder / "asked.parquet"
    assert cli.main([*shlex.split(said)[1:], "--format", "parquet", "--out", str(out)]) == 0
    assert pl.read_parquet(out).equals(table)


def drawn(png: Path, svg: Path | None) -> None:
    picture = Image.open(io.BytesIO(png.read_bytes())).convert("L")
    low, high = picture.getextrema()
    assert picture.width > 600
    assert high - low > 150  # not blank
    assert svg is not None
    assert b"data hash" in svg.read_bytes()
