"""Adding logs and taking them away on the Data page; the shipped store stays as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from analytics.store import read_pointer
from loaders.embedded import embedded_store
from tests.browser.served import ROOT, served, settle

pytestmark = pytest.mark.browser

DEMO = ROOT / "logs" / "demo" / "eight.jsonl"


@pytest.fixture
def fresh(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own with a copy of the embedded store, so that the shipped logs are read once."""
    monkeypatch.setenv("SCOREPROOF_HOME", str(home))
    shutil.copytree(embedded_store(), tmp_path / "home" / "embedded")
    return tmp_path / "home"


def own_log(folder: Path) -> Path:
    """Write a log of one more run: the demo's rows under another name."""
    text = DEMO.read_text(encoding="utf-8").replace('"Careful"', '"Newcomer"').replace('"demo"', '"mine"')
    file = folder / "mine.jsonl"
    file.write_text(text, encoding="utf-8")
    return file


def files(page: Page) -> int:
    return int(page.get_by_test_id("stMetricValue").first.inner_text())


def test_add_undo_upload_and_set_aside(tab: Page, tmp_path: Path, fresh: Path) -> None:
    log = own_log(tmp_path)
    with served(tmp_path, store=None, home=fresh) as server:
        tab.goto(f"{server.url}/data")
        settle(tab, seconds=120)
        shipped = read_pointer(fresh / "embedded")
        before = files(tab)
        tab.get_by_role("textbox", name="File or folder on this machine").fill(str(log))
        tab.get_by_role("button", name="Read it").click()
        expect(tab.get_by_text("Done in", exact=False)).to_be_visible(timeout=60_000)
        settle(tab)
        assert files(tab) == before + 1
        assert read_pointer(fresh / "embedded") == shipped
        tab.get_by_role("button", name="Undo").click()
        expect(tab.get_by_text("Done in", exact=False)).to_have_count(0)
        settle(tab)
        assert files(tab) == before

        tab.get_by_role("tab", name="Upload").click()
        tab.locator('input[type="file"]').set_input_files(str(log))
        expect(tab.get_by_text("mine.jsonl").first).to_be_visible()
        tab.get_by_role("button", name="Read them").click()
        expect(tab.get_by_text("Done in", exact=False)).to_be_visible(timeout=60_000)
        settle(tab)
        assert files(tab) == before + 1

        tab.get_by_role("button", name="Show the shipped logs alone").click()
        expect(tab.get_by_role("button", name="Bring my own store back")).to_be_visible()
        settle(tab)
        assert files(tab) == before
        tab.get_by_role("button", name="Bring my own store back").click()
        expect(tab.get_by_role("button", name="Show the shipped logs alone")).to_be_visible()
        settle(tab)
        assert files(tab) == before + 1
        assert server.complaints() == []


def test_remove_asks_first_and_can_be_undone(tab: Page, tmp_path: Path, fresh: Path) -> None:
    with served(tmp_path, store=None, home=fresh) as server:
        tab.goto(f"{server.url}/data")
        settle(tab, seconds=120)
        before = files(tab)
        frame = tab.get_by_test_id("stDataFrame").first
        frame.scroll_into_view_if_needed()
        box = frame.bounding_box()
        assert box is not None
        tab.mouse.click(box["x"] + 14, box["y"] + 35 + 17)
        settle(tab)
        tab.get_by_role("button", name="Remove 1 source", exact=False).click()
        dialog = tab.get_by_role("dialog")
        expect(dialog).to_be_visible()
        dialog.get_by_role("button", name="Remove", exact=True).click()
        expect(tab.get_by_text("Done in", exact=False)).to_be_visible(timeout=60_000)
        settle(tab)
        assert files(tab) == before - 1
        tab.get_by_role("button", name="Undo").click()
        expect(tab.get_by_text("Done in", exact=False)).to_have_count(0)
        settle(tab)
        assert files(tab) == before
        assert server.complaints() == []


def test_a_path_that_is_wrong_gets_a_sentence(tab: Page, tmp_path: Path, fresh: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    with served(tmp_path, store=None, home=fresh) as server:
        tab.goto(f"{server.url}/data")
        settle(tab, seconds=120)
        before = files(tab)
        tab.get_by_role("textbox", name="File or folder on this machine").fill(str(tmp_path / "nowhere"))
        tab.get_by_role("button", name="Read it").click()
        expect(tab.get_by_text("does not exist. Give a file or folder with logs.", exact=False)).to_be_visible()
        settle(tab)
        assert files(tab) == before
        tab.get_by_role("textbox", name="File or folder on this machine").fill(str(tmp_path / "empty.jsonl"))
        tab.get_by_role("button", name="Read it").click()
        expect(tab.get_by_text("No row came from", exact=False)).to_be_visible(timeout=60_000)
        settle(tab)
        assert tab.get_by_test_id("stException").count() == 0
        assert server.complaints() == []
