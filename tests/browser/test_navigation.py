"""The address is the state: each clause of the design's navigation paragraph, in a real browser."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import Server, served, settle
from tests.browser.shots import paths

pytestmark = pytest.mark.browser

SLICE = "benchmark=psycheme&capability=timing&missing=exclude"
WORDS = "benchmark is psycheme; capability is timing"

expect.set_options(timeout=60_000)  # two busy cores: a rerun may take longer than the 5 s that are usual


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def awaits(page: Page, words: str, *, there: bool = True) -> None:
    """Wait until the address holds some words, or no longer does, and the page has come to rest."""
    page.wait_for_function("([w, t]) => location.search.includes(w) === t", arg=[words, there], timeout=20_000)
    settle(page)


def shows_slice(page: Page) -> None:
    settle(page)
    expect(page.get_by_text(WORDS).first).to_be_visible()
    assert query(page)["capability"] == ["timing"]
    assert query(page)["missing"] == ["exclude"]


def open_page(page: Page, server: Server, address: str) -> None:
    page.goto(f"{server.url}/{address}")
    settle(page, seconds=120)


def follow(page: Page, title: str) -> None:
    page.get_by_test_id("stSidebar").get_by_role("link", name=title, exact=True).click()
    page.wait_for_function("t => document.querySelector('h1')?.innerText === t", arg=title, timeout=30_000)
    settle(page)


@pytest.mark.parametrize("address", ["leaderboard", "cases", ""])
def test_deep_link_with_a_slice_as_the_first_hit_of_a_server(
    tmp_path: Path, home: Path, tab: Page, embedded: Server, address: str
) -> None:
    del embedded  # the embedded store is built by then: this server's first hit is a page, not a build
    with served(tmp_path, store=None, home=home) as server:
        open_page(tab, server, f"{address}?{SLICE}")
        expect(tab.get_by_text(WORDS).first).to_be_visible()
        assert query(tab)["capability"] == ["timing"]
        assert tab.get_by_test_id("stException").count() == 0
        assert server.complaints() == []


def test_the_slice_is_kept_over_every_link(tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, f"leaderboard?{SLICE}")
    titles = tab.get_by_test_id("stSidebar").get_by_role("link").all_inner_texts()
    titles = [title.strip() for title in titles if title.strip()]
    assert len(titles) == len(set(titles)) > 4
    for title in [*titles, *reversed(titles)]:
        follow(tab, title)
        assert query(tab)["benchmark"] == ["psycheme"], title
        assert query(tab)["capability"] == ["timing"], title
        assert query(tab)["missing"] == ["exclude"], title
        if title in ("Overview", "Leaderboard", "Cases") or tab.get_by_text("Rows: ").count():
            expect(tab.get_by_text(WORDS).first).to_be_visible()  # files and methods have no slice to show


def test_back_forward_and_reload_restore_the_view(tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "")
    open_page(tab, embedded, f"leaderboard?{SLICE}&by=verified")
    first = tab.get_by_test_id("stMetricValue").first.inner_text()
    follow(tab, "Cases")
    shows_slice(tab)
    tab.go_back()
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Leaderboard'")
    shows_slice(tab)
    assert query(tab)["by"] == ["verified"]
    assert tab.get_by_test_id("stMetricValue").first.inner_text() == first
    tab.go_forward()
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Cases'")
    shows_slice(tab)
    tab.go_back()
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Leaderboard'")
    shows_slice(tab)
    tab.reload()
    shows_slice(tab)
    assert query(tab)["by"] == ["verified"]
    assert tab.get_by_test_id("stMetricValue").first.inner_text() == first


def test_a_switch_writes_the_address_and_back_takes_it_back(tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "leaderboard?benchmark=psycheme")
    raw = tab.get_by_test_id("stMetricValue").first.inner_text()
    tab.get_by_role("radio", name="verified").click()
    awaits(tab, "by=verified")
    expect(tab.get_by_test_id("stMetricValue").first).not_to_have_text(raw)
    verified = tab.get_by_test_id("stMetricValue").first.inner_text()
    tab.get_by_role("radio", name="micro").click()
    awaits(tab, "average=micro")
    assert query(tab)["by"] == ["verified"]
    tab.go_back()
    awaits(tab, "average", there=False)
    expect(tab.get_by_test_id("stMetricValue").first).to_have_text(verified)  # the address moves before the rerun ends
    tab.go_back()
    awaits(tab, "verified", there=False)
    expect(tab.get_by_test_id("stMetricValue").first).to_have_text(raw)
    expect(tab.get_by_role("radio", name="raw")).to_be_checked()


def test_a_link_to_another_view_of_the_page_itself_is_in_the_address(tab: Page, embedded: Server) -> None:
    tab.goto(f"{embedded.url}/judges?benchmark=hss")
    settle(tab, seconds=120)
    tab.get_by_role("button", name="which has it", exact=False).click()
    tab.wait_for_function("() => location.search.includes('benchmark=hss-judges')", timeout=20_000)
    expect(tab.get_by_text("Pairs of raters", exact=True)).to_be_visible(timeout=20_000)
    tab.go_back()
    tab.wait_for_function("() => !location.search.includes('judges')", timeout=20_000)
    expect(tab.get_by_text("No two raters to compare here", exact=False)).to_be_visible(timeout=20_000)
    tab.go_forward()
    expect(tab.get_by_text("Pairs of raters", exact=True)).to_be_visible(timeout=20_000)


def test_choosing_rows_restricts_them(tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "leaderboard?benchmark=psycheme")
    tab.get_by_role("button", name="Choose rows").click()
    box = tab.get_by_role("combobox", name="Capability", exact=False).first
    box.press_sequentially("timing", delay=40)
    expect(tab.get_by_role("option", name="timing")).to_be_visible()
    tab.keyboard.press("Enter")
    awaits(tab, "capability=timing")
    expect(tab.get_by_text(WORDS).first).to_be_visible()


def test_no_helper_is_a_page(tab: Page, embedded: Server) -> None:
    open_page(tab, embedded, "")
    links = tab.get_by_test_id("stSidebar").get_by_role("link").evaluate_all("all => all.map(a => a.pathname)")
    assert sorted(path.strip("/") for path in links) == sorted(paths())
    assert tab.get_by_test_id("stSidebarNav").count() == 0
    for helper in ("ui", "kit", "charts", "ask"):
        tab.goto(f"{embedded.url}/{helper}")
        settle(tab)
        assert tab.locator("h1").first.inner_text() == "Overview"


def test_what_the_address_spells_wrong_is_said_and_left_aside(tab: Page, embedded: Server) -> None:
    open_page(
        tab, embedded, "leaderboard?benchmark=psycheme&capabilty=timing&capability=timming&by=rawest&missing=null"
    )
    for words in (
        "This page has no 'capabilty'. Did you mean 'capability'?",
        "No row has capability 'timming'. Did you mean 'timing'?",
        "'rawest' is not allowed for by.",
        "'null' is not a rule for missing.",
    ):
        expect(tab.get_by_text(words).first).to_be_visible()
    assert tab.get_by_test_id("stMetricValue").count() > 2
    assert tab.get_by_test_id("stException").count() == 0
