"""A demo case in the browser: from the Overview to a case whose picture is drawn and whose clip plays."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.served import Server, settle

pytestmark = pytest.mark.browser


def test_the_overview_leads_to_a_case_whose_clip_plays(tab: Page, embedded: Server) -> None:
    tab.goto(embedded.url)
    settle(tab, seconds=120)
    tab.get_by_role("link", name="Open a demo case", exact=False).click()
    tab.wait_for_function("() => document.querySelector('h1')?.innerText === 'Cases'")
    settle(tab, seconds=60)
    expect(tab.get_by_text("Demo: written and drawn for this project.", exact=False)).to_be_visible()
    expect(tab.get_by_text("You left your keys on the table", exact=False).first).to_be_visible()
    clip = tab.locator("video")
    expect(clip).to_have_count(1)
    clip.evaluate("video => { video.muted = true; return video.play(); }")
    tab.wait_for_function("() => document.querySelector('video').currentTime > 0.3", timeout=30_000)
    assert clip.evaluate("video => [video.videoWidth, video.videoHeight, video.error]") == [320, 180, None]


def test_a_case_shows_picture_answers_and_three_judges(tab: Page, embedded: Server) -> None:
    tab.goto(f"{embedded.url}/cases?benchmark=demo-cases&item=risk-2")
    settle(tab, seconds=120)
    picture = tab.locator("[data-testid='stImage'] img")
    expect(picture).to_have_count(1)
    tab.wait_for_function("() => document.querySelector(\"[data-testid='stImage'] img\").naturalWidth > 0")
    assert picture.evaluate("img => [img.naturalWidth, img.naturalHeight]") == [540, 330]
    expect(tab.get_by_text("What could go wrong here", exact=False).first).to_be_visible()
    for judge in ("Anvil", "Birch", "Cedar"):
        expect(tab.get_by_text(f"{judge}, 1: met", exact=True).first).to_be_visible()
        expect(tab.get_by_text(f"{judge}, 2: not met", exact=True).first).to_be_visible()
