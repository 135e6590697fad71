"""Numbers on screen are the question's numbers; files hold them too; a number leads to its cases."""

from __future__ import annotations

import io
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from analytics import questions
from analytics.policy import Policy
from analytics.slices import Slice
from analytics.store import Store
from tests.browser.served import Server, open_foot, select_row, served, settle

pytestmark = pytest.mark.browser

VIEW = "leaderboard?benchmark=psycheme&capability=timing"


def table(home: Path, **options: object) -> pl.DataFrame:
    asked = questions.question("leaderboard")
    own = {option.name: option.initial for option in asked.options} | options
    chosen = Slice.of(benchmark="psycheme", capability="timing")
    return questions.ask(Store(home / "embedded"), "leaderboard", chosen, Policy(), own).table


def open_page(page: Page, server: Server, address: str) -> None:
    page.goto(f"{server.url}/{address}")
    settle(page, seconds=120)


def percent(text: str) -> float:
    return float(text.strip().rstrip("%").replace(",", ""))


def test_the_headline_is_the_questions_number(tab: Page, embedded: Server, home: Path) -> None:
    open_page(tab, embedded, VIEW)
    shown = [percent(text) for text in tab.get_by_test_id("stMetricValue").all_inner_texts()[:3]]
    rows = table(home).filter((pl.col("kind") == "model") & (pl.col("condition") == "none"))
    best = rows.sort("raw", descending=True).row(0, named=True)
    assert shown == pytest.approx([100 * best[c] for c in ("raw", "raw_low", "raw_high")], abs=0.00501)


def test_files_hold_the_same_numbers(tab: Page, embedded: Server, home: Path, tmp_path: Path) -> None:
    open_page(tab, embedded, VIEW)
    expected = table(home)
    open_foot(tab)
    for ending in ("CSV", "Parquet", "LaTeX", "SVG", "PNG"):
        with tab.expect_download(timeout=60_000) as waiting:
            tab.get_by_role("button", name=ending, exact=True).first.click()
        file = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(file)
        body = file.read_bytes()
        if ending == "CSV":
            got = pl.read_csv(file, comment_prefix='"#', infer_schema_length=None)
            assert got["raw"].to_list() == pytest.approx(expected["raw"].to_list())
            assert got["n"].to_list() == expected["n"].to_list()
            head = body.decode()
            assert all(f"# {word}:" in head for word in ("method", "n", "left out", "seed", "data hash", "ask"))
        elif ending == "Parquet":
            assert pl.read_parquet(file).equals(expected)
        elif ending == "LaTeX":
            words = body.decode()
            assert words.count("\\\\") == expected.height + 1
            assert "% method:" in words
        elif ending == "SVG":
            assert b"<svg" in body
            assert b"data hash" in body
        else:
            picture = Image.open(io.BytesIO(body)).convert("L")
            assert picture.width > 1000
            low, high = picture.getextrema()
            assert high - low > 150  # not blank


def test_a_copied_address_restores_the_view_elsewhere(context: BrowserContext, tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, f"{VIEW}&average=micro&level=0.9")
    first = tab.get_by_test_id("stMetricValue").all_inner_texts()
    copied = open_foot(tab).get_by_test_id("stCode").last
    expect(copied).to_be_visible()
    address = re.sub(r"\s", "", copied.inner_text())
    assert parse_qs(urlsplit(address).query)["level"] == ["0.9"]
    other = context.new_page()
    other.goto(address)
    settle(other)
    assert other.get_by_test_id("stMetricValue").all_inner_texts() == first


def test_from_a_number_to_its_cases_by_mouse(tab: Page, embedded: Server, home: Path) -> None:
    open_page(tab, embedded, VIEW)
    rows = table(home).filter(pl.col("condition") == "none")
    best = rows.filter(pl.col("kind") == "model").sort("raw", "run", descending=[True, False]).row(0, named=True)
    select_row(tab, 0)
    tab.get_by_role("link", name="Open the cases of 1 selected row").click()
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Cases'")
    settle(tab)
    asked = parse_qs(urlsplit(tab.url).query)
    assert asked["run"] == [best["run"]]
    assert asked["capability"] == ["timing"]
    assert tab.get_by_test_id("stMetricValue").first.inner_text() == str(best["n"])
    select_row(tab, 0)
    tab.wait_for_function("() => location.search.includes('item=')")
    settle(tab)
    expect(tab.get_by_role("heading", name="Item", exact=False).first).to_be_visible()
    here = tab.url
    tab.get_by_role("button", name="Next item").click()
    tab.wait_for_function("u => location.href !== u", arg=here)
    settle(tab)
    tab.go_back()
    tab.wait_for_function("u => location.href === u", arg=here)
    settle(tab)
    tab.get_by_role("button", name="Back to the list").click()
    tab.wait_for_function("() => !location.search.includes('item=')")
    settle(tab)
    assert tab.get_by_test_id("stMetricValue").first.inner_text() == str(best["n"])


@pytest.mark.real
def test_blink_on_the_page(tab: Page, tmp_path: Path) -> None:
    from loaders.warehouse import build  # noqa: PLC0415
    from tests.real.conftest import real_logs  # noqa: PLC0415

    folder = real_logs() / "blink"
    if not folder.is_dir():
        pytest.skip(f"no logs at {folder}; name their folder in SCOREPROOF_REAL_LOGS")
    build([str(folder)], tmp_path / "store", add=False)
    with served(tmp_path, store=tmp_path / "store", home=tmp_path) as server:
        open_page(tab, server, "leaderboard?average=micro")
        shown = tab.get_by_test_id("stMetricValue").all_inner_texts()
        assert percent(shown[0]) == pytest.approx(100 * 1139 / 1901, abs=0.00501)
        assert shown[3] == "1,901"
        open_foot(tab)
        expect(tab.get_by_text("items whose answer the benchmark hides: 11436", exact=False).first).to_be_visible()
        assert server.complaints() == []
