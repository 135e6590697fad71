"""Text of a log is text on every page: no markup, no script, no request, no formula."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from tests.browser.hostile import EVIL, endless_store
from tests.browser.served import Server, served, settle
from tests.browser.shots import paths, views

pytestmark = pytest.mark.browser

RENDERED = r"""() => {
  const main = document.querySelector('[data-testid="stApp"]');
  const found = [];
  for (const a of main.querySelectorAll('a[href]'))
    if (/invalid|javascript/.test(a.getAttribute('href')) && a.origin !== location.origin) found.push('link ' + a.href);
  for (const i of main.querySelectorAll('img')) if (/invalid/.test(i.src)) found.push('image ' + i.src);
  for (const k of main.querySelectorAll('script, iframe')) found.push(k.tagName);
  for (const k of main.querySelectorAll('.katex annotation'))  // formulas of our own are welcome
    if (/x\^2|and/.test(k.textContent)) found.push('formula ' + k.textContent);
  for (const e of main.querySelectorAll('em, b, strong, code'))
    if (/^(em|bold|code)$/.test(e.innerText)) found.push('markup ' + e.outerHTML);
  for (const s of main.querySelectorAll('[data-testid="stMarkdownContainer"] span'))
    if (s.innerText === 'red' || s.innerText === 'home') found.push('directive ' + s.outerHTML.slice(0, 80));
  if (main.innerText.includes('\u{1F604}')) found.push('emoji');
  if (window.PWN) found.push('script ran');
  return found;
}"""


MOST = 8
"""Expanders that are opened on a page; the Methods page has one per question, all of them without text of a log."""


TOOLTIP = r"""() => {
  const tip = document.querySelector('#vg-tooltip-element');
  if (!tip) return [];
  return [...tip.querySelectorAll('img, script, iframe, a[href], b, em')].map(e => e.outerHTML.slice(0, 80));
}"""


def open_all(tab: Page) -> None:
    """Open the expanders of a page, the outer ones first: what is inside a closed one is not drawn."""
    for _ in range(MOST):
        closed = tab.locator('[data-testid="stExpander"] details:not([open]) > summary').all()
        seen = [summary for summary in closed if summary.is_visible()]
        if not seen:
            return
        seen[0].click()
        settle(tab)


def hover_all(tab: Page) -> None:
    """Move over the middle of each figure, so that tooltips are drawn, and look at them."""
    for figure in tab.locator('[data-testid="stVegaLiteChart"] canvas, [data-testid="stPlotlyChart"]').all()[:MOST]:
        box = figure.bounding_box() if figure.is_visible() else None
        if box is None:
            continue
        figure.scroll_into_view_if_needed()
        for part in (0.3, 0.5, 0.7):
            figure.hover(position={"x": box["width"] * part, "y": box["height"] * part}, force=True)
            tab.wait_for_timeout(60)
        assert tab.evaluate(TOOLTIP) == []


def addresses() -> list[str]:
    item = quote(f"{EVIL} 0")
    every = [address for path in paths() for address in (path, *views(path))]
    return [*every, f"cases?item={item}", f"leaderboard?capability={quote(EVIL)}&{quote(EVIL)}=1&judge={quote(EVIL)}"]


@pytest.mark.parametrize("address", addresses(), ids=lambda a: a[:30] or "overview")
def test_text_of_a_log_stays_text(tab: Page, hostile: Server, address: str) -> None:
    tab.goto(f"{hostile.url}/{address}")
    settle(tab, seconds=120)
    assert tab.get_by_test_id("stException").count() == 0
    for button in tab.get_by_test_id("stPopover").get_by_role("button").all():
        button.click()
        tab.wait_for_timeout(300)
        assert tab.evaluate(RENDERED) == []
        tab.keyboard.press("Escape")
    open_all(tab)
    hover_all(tab)
    assert tab.evaluate(RENDERED) == []


def test_endless_texts_are_cut_and_say_so(tab: Page, tmp_path: Path) -> None:
    with served(tmp_path, store=endless_store(tmp_path, characters=10_000_000), home=tmp_path) as server:
        for address in ("cases", "cases?item=i", "data"):
            tab.goto(f"{server.url}/{address}")
            settle(tab, seconds=120)
            assert tab.get_by_test_id("stException").count() == 0
            length = tab.evaluate("() => document.body.innerText.length")
            assert length < 2_000_000
            if address == "cases?item=i":
                assert "of 9,999,9" in tab.get_by_test_id("stCode").first.inner_text()
        assert server.complaints() == []


def test_a_case_shows_the_whole_text_as_it_stands(tab: Page, hostile: Server) -> None:
    tab.goto(f"{hostile.url}/cases?item={quote(f'{EVIL} 0')}")
    settle(tab, seconds=120)
    shown = tab.get_by_test_id("stCode").all_inner_texts()
    assert sum(EVIL in text.replace("\n", "") for text in shown) >= 4  # prompt, rationale, response, justification
