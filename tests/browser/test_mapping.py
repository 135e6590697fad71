"""A file of a shape that no reader knows is mapped on the Data page; the numbers are those worked out by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from analytics.policy import Policy
from analytics.questions import ask, options_of, question
from analytics.slices import Slice
from analytics.store import Store
from loaders.warehouse import build
from tests.browser.hostile import EVIL
from tests.browser.served import ROOT, served, settle
from tests.browser.test_plain_text import RENDERED
from tests.loaders.shapes import keyed, nested, wide

pytestmark = pytest.mark.browser


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of its own with the small demo."""
    build([str(ROOT / "logs" / "demo")], tmp_path / "store", add=False)
    return tmp_path / "store"


def raws(store: Path) -> dict[str, tuple[float, int]]:
    """Return raw credit and n of every run of a store, as the leaderboard gives them."""
    policy, options = options_of(question("leaderboard"), {})
    assert policy == Policy()
    table = ask(Store(store), "leaderboard", Slice(), policy, options).table
    return {row["run"]: (row["raw"], row["n"]) for row in table.iter_rows(named=True)}


def add(page: Page, path: Path) -> None:
    """Give a path on this machine to the page, and wait until the form for it is there."""
    page.get_by_role("textbox", name="File or folder on this machine").fill(str(path))
    page.get_by_role("button", name="Read it").click()
    expect(page.get_by_text("Map a file of unknown shape")).to_be_visible(timeout=120_000)
    settle(page, seconds=60)


def choose(page: Page, label: str, option: str) -> None:
    pick(page, page.get_by_role("combobox", name=label, exact=True), option)


def pick(page: Page, box: Locator, option: str) -> None:
    """Type into a list, as a person does, and take the value that is left; a list closes when its page scrolls."""
    box.evaluate("e => e.scrollIntoView({block: 'center'})")
    page.wait_for_timeout(500)
    box.fill("")
    box.press_sequentially(option, delay=40)
    page.get_by_role("option", name=option).first.click()
    settle(page, seconds=60)


def fill(page: Page, label: str, value: str) -> None:
    box = page.get_by_label(label, exact=True)
    box.fill(value)
    box.press("Enter")
    settle(page, seconds=60)


def take(page: Page) -> None:
    """Add the file with its mapping and wait for the report."""
    button = page.get_by_role("button", name="Add with this mapping")
    expect(button).to_be_enabled()
    button.click()
    expect(page.get_by_text("Map a file of unknown shape")).to_have_count(0, timeout=120_000)
    page.get_by_role("button", name="Close").click()  # it is there once the change has ended
    expect(page.get_by_role("button", name="Close")).to_have_count(0)
    settle(page, seconds=60)
    assert page.get_by_test_id("stException").count() == 0


def counted(page: Page, **shown: str) -> None:
    """Wait until the preview counts what is expected; a rerun may still be on its way."""
    for title, value in shown.items():
        held = page.get_by_test_id("stMetric").filter(has_text=title).last.get_by_test_id("stMetricValue")
        expect(held).to_have_text(value, timeout=60_000)


def test_three_shapes_are_mapped_by_hand(tab: Page, tmp_path: Path, store: Path) -> None:
    before = raws(store)
    with served(tmp_path, store=store, home=tmp_path / "home") as server:
        tab.goto(f"{server.url}/data")
        settle(tab, seconds=120)
        _keyed(tab, tmp_path)
        _nested(tab, tmp_path)
        _wide(tab, tmp_path)
        assert server.complaints() == []
    found = raws(store)
    assert {run: found[run] for run in found if run not in before} == {
        "pond/Otter-9B": (0.5, 6),
        "smoothcam/smoothcam": (0.5625, 12),
        "survey/GPT-4o": (0.625, 4),
        "survey/Claude": (0.5, 4),
        "survey/Human": (1.0, 4),
    }
    assert {run: found[run] for run in before} == before
    # What was saved beside the logs reads them again without the app.
    again = build([str(tmp_path / "nested"), str(tmp_path / "wide")], tmp_path / "again", add=False)
    assert again.idle == []
    assert raws(tmp_path / "again")["survey/GPT-4o"] == (0.625, 4)


def _keyed(tab: Page, tmp_path: Path) -> None:
    """An upload whose every field is suggested: nothing is open, and the profile can be downloaded."""
    tab.get_by_role("tab", name="Upload").click()
    tab.locator('input[type="file"]').set_input_files(str(keyed(tmp_path / "keyed")))
    expect(tab.get_by_text("pond.json").first).to_be_visible()
    tab.get_by_role("button", name="Read them").click()
    expect(tab.get_by_text("Map a file of unknown shape")).to_be_visible(timeout=120_000)
    settle(tab, seconds=60)
    counted(tab, Kept="6", Refused="0", Items="6")
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name="Download the profile").click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert 'rule = "exact_letter"' in text
    take(tab)
    (saved,) = (tmp_path / "home" / "uploads").glob("*/pond.scoreproof.toml")
    assert saved.read_text(encoding="utf-8") == text
    tab.get_by_role("tab", name="By path").click()


def _nested(tab: Page, tmp_path: Path) -> None:
    """A file that leaves four things open: the button waits until each is answered."""
    add(tab, nested(tmp_path / "nested"))
    expect(tab.get_by_role("button", name="Add with this mapping")).to_be_disabled()
    expect(tab.get_by_text("Still open", exact=False)).to_contain_text("Name of the run: what is the system called?")
    assert tab.get_by_role("combobox", name="Capability", exact=True).last.input_value() == ""
    choose(tab, "Capability", "key 2")
    choose(tab, "Answer type", "open")
    fill(tab, "Name of the run", "{file}")
    fill(tab, "Lowest possible", "1")
    fill(tab, "Highest possible", "5")
    expect(tab.get_by_text("Still open", exact=False)).to_have_count(0)
    counted(tab, Kept="12", Refused="0")
    take(tab)


def _wide(tab: Page, tmp_path: Path) -> None:
    """A spreadsheet: the person says that it is wide, and which columns are runs."""
    add(tab, wide(tmp_path / "wide"))
    assert tab.get_by_role("combobox", name="What is one row?").input_value() == ""
    choose(tab, "What is one row?", "wide")
    runs = tab.get_by_test_id("stMultiSelect").filter(has=tab.get_by_text("Runs", exact=True))
    for name in ("GPT-4o", "Claude", "Human"):
        pick(tab, runs.locator("input"), name)
    tab.keyboard.press("Escape")
    fill(tab, "Lowest possible", "0")
    fill(tab, "Highest possible", "100")
    counted(tab, Kept="12", Refused="0", Items="4")
    take(tab)


def test_what_would_be_refused_is_counted_before_anything_is_stored(tab: Page, tmp_path: Path, store: Path) -> None:
    log = tmp_path / "t.csv"
    log.write_text("id,model,correct\n1,m,1\n2,m,0\n2,m,1\n,m,1\n")
    with served(tmp_path, store=store, home=tmp_path / "home") as server:
        tab.goto(f"{server.url}/data")
        settle(tab, seconds=120)
        add(tab, log)
        choose(tab, "Answer type", "open")
        counted(tab, Kept="2", Refused="2")
        choose(tab, "Item", "position")
        counted(tab, Kept="4", Refused="0")
        assert not list(tmp_path.glob("*.scoreproof.toml"))
        assert "t/m" not in raws(store)
        assert server.complaints() == []


def test_names_and_values_of_an_unknown_file_stay_text(tab: Page, tmp_path: Path, store: Path) -> None:
    log = tmp_path / "t.csv"
    head = [f"{EVIL} answer", f"{EVIL} 2 answer", "id", "score", "category", f"{EVIL} 3"]
    with log.open("w", newline="") as file:
        csv.writer(file).writerows(
            [head, *([EVIL, EVIL, f"{EVIL} {k}", f"{EVIL} {k % 2}", EVIL, EVIL] for k in range(4))]
        )
    with served(tmp_path, store=store, home=tmp_path / "home") as server:
        tab.goto(f"{server.url}/data")
        settle(tab, seconds=120)
        add(tab, log)
        assert tab.evaluate(RENDERED) == []
        for layout in ("long", "wide"):
            choose(tab, "What is one row?", layout)
            assert tab.evaluate(RENDERED) == []
            assert tab.get_by_test_id("stException").count() == 0
        assert server.complaints() == []
