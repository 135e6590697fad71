"""Adding logs and taking them away on the Data page; the shipped store stays as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from analytics.store import read_pointer
from loaders.embedded import embedded_store
from tests.browser.served import ROOT, select_row, served, settle

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
        expect(tab.get_by_text("Done in", exact=False)).to_be_visible(timeout=150_000)
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
        expect(tab.get_by_text("Done in", exact=False)).to_be_visible(timeout=150_000)
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
        select_row(tab, 0)
        tab.get_by_role("button", name="Remove 1 source", exact=False).click()
        dialog = tab.get_by_role("dialog")
        expect(dialog).to_be_visible()
        dialog.get_by_role("button", name="Remove", exact=True).click()
        expect(tab.get_by_text("Done in", exact=False)).to_be_visible(timeout=150_000)
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
        expect(tab.get_by_text("does not exist. Give a file", exact=False)).to_be_visible(timeout=150_000)
        settle(tab)
        assert files(tab) == before
        tab.get_by_role("textbox", name="File or folder on this machine").fill(str(tmp_path / "empty.jsonl"))
        tab.get_by_role("button", name="Read it").click()
        expect(tab.get_by_text("No row came from", exact=False)).to_be_visible(timeout=150_000)
        settle(tab)
        assert tab.get_by_test_id("stException").count() == 0
        assert server.complaints() == []


def many_logs(folder: Path, count: int) -> Path:
    """Write a folder of many small logs, so that reading them takes a while."""
    folder.mkdir()
    text = DEMO.read_text(encoding="utf-8").replace('"demo"', '"mine"')
    for number in range(count):
        (folder / f"log-{number:04d}.jsonl").write_text(text.replace('"Careful"', f'"Run {number}"'), encoding="utf-8")
    return folder


def test_a_read_goes_on_elsewhere_and_can_be_cancelled(tab: Page, tmp_path: Path, fresh: Path) -> None:
    logs = many_logs(tmp_path / "many", 400)
    with served(tmp_path, store=None, home=fresh) as server:
        tab.goto(f"{server.url}/data")
        settle(tab, seconds=120)
        before = files(tab)
        tab.get_by_role("textbox", name="File or folder on this machine").fill(str(logs))
        tab.get_by_role("button", name="Read it").click()
        expect(tab.get_by_text("per second", exact=False)).to_be_visible(timeout=150_000)
        tab.get_by_role("link", name="Leaderboard").first.click()
        expect(tab.get_by_role("heading", name="Leaderboard")).to_be_visible()
        settle(tab, seconds=60)
        tab.get_by_role("link", name="Data", exact=True).first.click()
        expect(tab.get_by_role("button", name="Cancel")).to_be_visible(timeout=30_000)
        tab.get_by_role("button", name="Cancel").click()
        expect(tab.get_by_text("Cancelled: the store is as it was before.", exact=False)).to_be_visible(timeout=150_000)
        settle(tab)
        assert files(tab) == before
        assert server.complaints() == []


def test_an_error_takes_the_place_of_an_old_success_and_names_the_upload(
    tab: Page, tmp_path: Path, fresh: Path
) -> None:
    log = own_log(tmp_path)
    (tmp_path / "empty.jsonl").write_bytes(b"")
    with served(tmp_path, store=None, home=fresh) as server:
        tab.goto(f"{server.url}/data")
        settle(tab, seconds=120)
        path = tab.get_by_role("textbox", name="File or folder on this machine")
        path.fill(str(log))
        tab.get_by_role("button", name="Read it").click()
        expect(tab.get_by_text("Done in", exact=False)).to_be_visible(timeout=150_000)
        settle(tab)
        path.fill(str(tmp_path / "nowhere"))
        tab.get_by_role("button", name="Read it").click()
        expect(tab.get_by_text("does not exist. Give a file", exact=False)).to_be_visible(timeout=150_000)
        expect(tab.get_by_text("Done in", exact=False)).to_have_count(0)
        settle(tab)
        tab.get_by_role("tab", name="Upload").click()
        tab.locator('input[type="file"]').set_input_files(str(tmp_path / "empty.jsonl"))
        expect(tab.get_by_text("empty.jsonl").first).to_be_visible()
        tab.get_by_role("button", name="Read them").click()
        expect(tab.get_by_text("No row came from empty.jsonl;", exact=False)).to_be_visible(timeout=150_000)
        assert server.complaints() == []


def test_a_log_that_changed_on_disk_is_offered_again(tab: Page, tmp_path: Path, fresh: Path) -> None:
    log = own_log(tmp_path)
    with served(tmp_path, store=None, home=fresh) as server:
        tab.goto(f"{server.url}/data")
        settle(tab, seconds=120)
        tab.get_by_role("textbox", name="File or folder on this machine").fill(str(log))
        tab.get_by_role("button", name="Read it").click()
        expect(tab.get_by_text("Done in", exact=False)).to_be_visible(timeout=150_000)
        settle(tab)
        log.write_text(log.read_text(encoding="utf-8") + "\n\n", encoding="utf-8")
        tab.wait_for_timeout(5_500)  # the disk is looked at every five seconds at most
        tab.reload()
        settle(tab, seconds=60)
        expect(tab.get_by_text("Changed on disk since the store was built: mine.jsonl.", exact=False)).to_be_visible()
        tab.get_by_role("button", name="Read them again").click()
        expect(tab.get_by_role("button", name="Cancel").or_(tab.get_by_text("Done in", exact=False))).to_be_visible()
        expect(tab.get_by_text("Changed on disk", exact=False)).to_have_count(0, timeout=150_000)
        settle(tab)
        assert server.complaints() == []
