"""The report as a file in a browser without a network: it opens, asks for nothing, runs nothing, prints whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from analytics.slices import Slice
from analytics.store import Store
from pages.ui.report.page import report
from tests.browser.hostile import hostile_store

pytestmark = pytest.mark.browser

ROUND = "() => [...document.images].every(i => i.complete && i.naturalWidth > 0)"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    html = report(Store(hostile_store(folder)), Slice(), {"resamples": "200", "flips": "199"}, source="")
    (folder / "report.html").write_text(html, encoding="utf-8")
    return folder / "report.html"


@pytest.fixture
def alone(chrome: Browser) -> Iterator[Page]:
    """A page without a network that fails the test on any request but the file, and on any line of the console."""
    context = chrome.new_context(viewport={"width": 1440, "height": 1000}, offline=True)
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda line: said.append(line.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert [url for url in asked if not url.startswith(("data:", "file:"))] == []
    assert len([url for url in asked if url.startswith("file:")]) == 1
    assert said == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 400])
def test_it_opens_alone_and_fits(alone: Page, file: Path, scheme: str, width: int) -> None:
    alone.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    alone.set_viewport_size({"width": width, "height": 1000})
    alone.goto(file.as_uri())
    alone.wait_for_function(ROUND)
    assert alone.evaluate("document.documentElement.scrollWidth") <= width
    assert alone.evaluate("window.PWN") is None
    assert alone.evaluate("document.querySelectorAll('script, iframe, b, em, object, embed').length") == 0
    paper = alone.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 23, 29)"}[scheme]
    shown = alone.evaluate("[...document.images].map(i => i.currentSrc)")
    light = alone.evaluate("[...document.images].map(i => i.getAttribute('src'))")
    assert (shown == light) == (scheme == "light" and width == 1440)


def test_it_prints_whole(alone: Page, file: Path) -> None:
    alone.goto(file.as_uri())
    alone.emulate_media(media="print", color_scheme="dark")
    assert alone.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert alone.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
    boxes = "[...document.querySelectorAll('.wide')].every(e => e.scrollHeight <= e.clientHeight + 1)"
    assert alone.evaluate(boxes)  # no table is cut by a scroll box
    assert alone.evaluate("document.querySelector('details dl').getBoundingClientRect().height") > 0
    assert len(alone.pdf(prefer_css_page_size=True)) > 10_000
