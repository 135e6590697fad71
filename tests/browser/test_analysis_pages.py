"""Profiles, gap, calculator and methods in a browser: numbers lead to cases, the address restores the view."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from analytics import questions
from analytics.policy import Policy
from analytics.rubric import rubric, spell_weights
from analytics.slices import Slice
from analytics.store import Store
from tests.browser.served import Server, place_of, select_row, settle

pytestmark = pytest.mark.browser


def answer(home: Path, name: str, where: dict[str, str], **options: object) -> pl.DataFrame:
    asked = questions.question(name)
    own = {option.name: option.initial for option in asked.options} | options
    return questions.ask(Store(home / "embedded"), name, Slice.of(**where), Policy(), own).table


def open_page(page: Page, server: Server, address: str) -> None:
    page.goto(f"{server.url}/{address}")
    settle(page, seconds=120)


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def metrics(page: Page) -> list[str]:
    return page.get_by_test_id("stMetricValue").all_inner_texts()


def follow_to_cases(page: Page, name: str) -> dict[str, list[str]]:
    page.get_by_role("link", name=name).first.click()
    page.wait_for_function("() => document.querySelector('h1')?.innerText === 'Cases'", timeout=30_000)
    settle(page)
    return query(page)


def restores(context: BrowserContext, page: Page) -> None:
    """Open the page's address in another tab: the same numbers, and nothing that failed."""
    first = metrics(page)
    other = context.new_page()
    other.goto(page.url)
    settle(other, seconds=60)
    assert metrics(other) == first
    assert other.get_by_test_id("stException").count() == 0
    other.close()


def test_a_cell_of_the_heat_map_leads_to_its_cases(tab: Page, embedded: Server, home: Path) -> None:
    open_page(tab, embedded, "capability_profiles?benchmark=srb")
    figure = tab.get_by_test_id("stVegaLiteChart").first
    box = place_of(figure)
    tab.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 0.45 * box["height"])
    link = tab.get_by_role("link", name="Open the cases of 1 selected row")
    expect(link).to_be_visible(timeout=20_000)
    settle(tab)
    asked = follow_to_cases(tab, "Open the cases of 1 selected row")
    (run,), (capability,) = asked["run"], asked["capability"]
    cell = answer(home, "profiles", {"benchmark": "srb"}).filter(
        (pl.col("run") == run) & (pl.col("value") == capability)
    )
    assert metrics(tab)[0] == str(cell["n"][0])


def test_a_row_of_the_profiles_leads_to_its_cases(tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "capability_profiles?benchmark=psycheme&capability=timing&by=verified")
    select_row(tab, 0)
    asked = follow_to_cases(tab, "Open the cases of 1 selected row")
    assert asked["capability"] == ["timing"]
    assert asked["run"] == ["psycheme/gemini-3.6-flash"]
    assert metrics(tab)[0] == "72"


def test_the_profiles_address_restores_the_view(context: BrowserContext, tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "capability_profiles?benchmark=srb")
    tab.get_by_role("radio", name="vs human").click()
    tab.wait_for_function("() => location.search.includes('measure=to_human')", timeout=20_000)
    tab.get_by_role("radio", name="axis").click()
    tab.wait_for_function("() => location.search.includes('level_of=axis')", timeout=20_000)
    settle(tab)
    restores(context, tab)
    tab.go_back()
    tab.wait_for_function("() => !location.search.includes('level_of')", timeout=20_000)
    settle(tab)
    # Of the chosen ones only: while a page is drawn again, the controls of the view before may still stand beside it.
    expect(tab.get_by_role("radio", name="capability", exact=True, checked=True)).to_have_count(1)


def test_the_gap_leads_to_a_case_and_its_calculation(
    context: BrowserContext, tab: Page, embedded: Server, home: Path
) -> None:
    open_page(tab, embedded, "raw_verified_gap?benchmark=psycheme&capability=timing&average=micro")
    where = {"benchmark": "psycheme", "capability": "timing", "condition": "none", "kind": "model"}
    best = answer(home, "gap", where, average="micro").sort("verified", descending=True).row(0, named=True)
    shown = [float(text.rstrip("%")) for text in metrics(tab)[:3]]
    assert shown == pytest.approx([100 * best[c] for c in ("raw", "verified", "retention")], abs=0.0051)
    restores(context, tab)
    select_row(tab, 0)
    asked = follow_to_cases(tab, "Open the cases of 1 selected row")
    assert asked["run"] == [best["run"]]
    assert asked["capability"] == ["timing"]
    select_row(tab, 0)
    tab.wait_for_function("() => location.search.includes('item=')", timeout=20_000)
    settle(tab)
    tab.get_by_role("link", name="Credit, step by step").first.click()
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Credit calculator'", timeout=30_000)
    settle(tab)
    assert query(tab)["of"] == [best["run"]]
    assert len(query(tab)["item"]) == 1
    restores(context, tab)


def test_weights_are_edited_taken_back_and_shared(
    context: BrowserContext, tab: Page, embedded: Server, home: Path
) -> None:
    del home
    open_page(tab, embedded, "credit_calculator?benchmark=psycheme&view=what_if")
    field = tab.get_by_label("weak", exact=True)
    field.fill("0.3")
    field.press("Enter")
    tab.wait_for_function("() => location.search.includes('weak')", timeout=20_000)
    settle(tab)
    (spelled,) = query(tab)["rubric"]
    assert "weak:0.3" in spelled
    restores(context, tab)
    tab.get_by_role("button", name="Reset").click()
    tab.wait_for_function("() => !location.search.includes('rubric')", timeout=20_000)
    settle(tab)
    expect(tab.get_by_label("weak", exact=True)).to_have_value("1")
    tab.get_by_role("button", name="Undo").click()
    tab.wait_for_function("() => location.search.includes('weak')", timeout=20_000)
    settle(tab)
    assert query(tab)["rubric"] == [spelled]
    assert spelled != spell_weights(rubric("rationale").weights)


def test_a_method_opens_by_its_address(context: BrowserContext, tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "methods?method=stages")
    expect(tab.get_by_text("Shapley value", exact=False).first).to_be_visible()
    tab.get_by_label("Find").fill("wilson interval")
    tab.get_by_label("Find").press("Enter")
    tab.wait_for_function("() => location.search.includes('find=')", timeout=20_000)
    settle(tab)
    assert query(tab)["method"] == ["stages"]
    restores(context, tab)


@pytest.mark.parametrize(
    "address",
    ["capability_profiles?view=radar", "raw_verified_gap", "credit_calculator?view=what_if", "methods"],
)
def test_text_of_a_log_stays_text(tab: Page, hostile: Server, address: str) -> None:
    open_page(tab, hostile, address)
    tab.wait_for_timeout(500)
    assert tab.evaluate("() => window.PWN") is None
    assert tab.get_by_test_id("stException").count() == 0


@pytest.mark.parametrize(
    "address",
    [
        *(f"capability_profiles?benchmark=srb&view={view}" for view in ("map", "parallel", "radar", "splits", "tiers")),
        *(f"raw_verified_gap?benchmark=psycheme&view={view}" for view in ("credit", "capability", "stages", "reasons")),
    ],
)
def test_every_figure_has_words_and_fits_a_narrow_screen(tab: Page, embedded: Server, address: str) -> None:
    tab.set_viewport_size({"width": 400, "height": 900})
    open_page(tab, embedded, address)
    figures = tab.locator('[data-testid="stVegaLiteChart"], [data-testid="stPlotlyChart"]')
    assert figures.count() >= 1
    wide = tab.evaluate("() => document.querySelector('[data-testid=\"stMainBlockContainer\"]').scrollWidth")
    assert wide <= 400
    words = tab.locator("[aria-label]").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    kinds = ("Heat map", "Profiles of", "Dumbbells", "Stacked bars", "Grouped bars", "without")
    assert sum(any(kind in text for kind in kinds) for text in words) >= figures.count()
