"""Text of a log is text on every page: no markup, no script, no request, no formula."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from tests.browser.hostile import EVIL
from tests.browser.served import Server, settle
from tests.browser.shots import paths

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


def addresses() -> list[str]:
    item = quote(f"{EVIL} 0")
    return [*paths(), f"cases?item={item}", f"leaderboard?capability={quote(EVIL)}&{quote(EVIL)}=1&judge={quote(EVIL)}"]


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
    for expander in tab.get_by_test_id("stExpander").locator("summary").all()[:MOST]:
        if expander.is_visible():  # one inside a closed one is opened by a person only after the outer one
            expander.click()
            settle(tab)
    assert tab.evaluate(RENDERED) == []


def test_a_case_shows_the_whole_text_as_it_stands(tab: Page, hostile: Server) -> None:
    tab.goto(f"{hostile.url}/cases?item={quote(f'{EVIL} 0')}")
    settle(tab, seconds=120)
    shown = tab.get_by_test_id("stCode").all_inner_texts()
    assert sum(EVIL in text.replace("\n", "") for text in shown) >= 4  # prompt, rationale, response, justification
