"""From a number to its cases by keyboard alone, and back: the table takes arrows and Shift+Space, the link Enter."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import Server, settle

pytestmark = pytest.mark.browser

FOCUS = "() => [document.activeElement.tagName, document.activeElement.innerText || '']"


def tab_to(page: Page, kind: str, words: str = "") -> None:
    """Press Tab until an element of this kind with these words has the focus."""
    for _ in range(120):
        page.keyboard.press("Tab")
        page.wait_for_timeout(120)
        tag, text = page.evaluate(FOCUS)
        if tag == kind and words in text:
            return
    pytest.fail(f"no Tab leads to {kind} {words}")


def asked(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


@pytest.mark.parametrize(
    ("address", "key"),
    [("leaderboard?benchmark=psycheme&capability=timing", "run"), ("capability_profiles?benchmark=srb", "run")],
)
def test_a_row_is_selected_and_its_cases_opened_by_keyboard(
    tab: Page, embedded: Server, address: str, key: str
) -> None:
    tab.goto(f"{embedded.url}/{address}")
    settle(tab, seconds=120)
    expect(tab.get_by_test_id("data-grid-canvas").first).to_be_visible(timeout=60_000)
    tab_to(tab, "CANVAS")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Shift+Space")
    expect(tab.get_by_role("link", name="Open the cases of 1 selected row")).to_be_visible(timeout=20_000)
    settle(tab)
    selected = asked(tab)["row"]
    assert len(selected) == 1
    tab_to(tab, "A", "Open the cases")
    tab.keyboard.press("Enter")
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Cases'", timeout=30_000)
    settle(tab)
    assert asked(tab)[key][0] in selected[0]
    assert asked(tab)["benchmark"] == parse_qs(urlsplit(address).query)["benchmark"]
    tab.go_back()
    tab.wait_for_function("() => location.search.includes('row=')", timeout=30_000)
    settle(tab)
    expect(tab.get_by_role("link", name="Open the cases of 1 selected row")).to_be_visible(timeout=20_000)
