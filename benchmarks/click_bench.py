"""A warm click until the page has changed, for every page, against a page of four parts; each page's script alone."""

import contextlib
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from streamlit.testing.v1 import AppTest

from benchmarks.figure import ROOT, against_floor
from tests.browser.served import browser, chromium, served, settle
from tests.browser.shots import paths

FLOOR = ROOT / "benchmarks" / "four_parts.py"
CLICKS = 7
SCRIPTS = 5

WATCH = """() => {
  window.__took = null;
  const app = document.querySelector('[data-testid="stApp"]');
  const state = () => app.getAttribute('data-test-script-state');
  let start = null, ran = false, done = false;
  document.addEventListener('click', () => { start = performance.now(); }, {capture: true, once: true});
  const watcher = new MutationObserver(() => {
    if (start === null || done) return;
    ran = ran || state() === 'running';
    if (!ran || state() !== 'notRunning' || document.querySelector('[data-stale="true"]')) return;
    done = true;
    watcher.disconnect();
    requestIdleCallback(() => { window.__took = performance.now() - start; }, {timeout: 10000});
  });
  watcher.observe(document.body, {subtree: true, childList: true, attributes: true});
}"""
"""From the click to the end of the script's run, with nothing stale on the page and the browser idle again."""


def control(page: Page) -> Callable[[int], None] | None:
    """Return what changes the page, by turn: its first switch, else a row of a table, else a fold; None if none."""
    main = page.get_by_test_id("stMainBlockContainer")
    for group in main.get_by_role("radiogroup").all():
        choices = [one for one in group.get_by_role("radio").all() if one.is_enabled() and one.is_visible()]
        if len(choices) > 1:
            return lambda turn: choices[turn % 2].click()
    for table in main.get_by_test_id("stDataFrame").all():
        box = table.bounding_box()
        if box is not None and table.is_visible():
            place = {"x": 14, "y": 52}
            return lambda turn: table.click(position=place)  # type: ignore[arg-type]
    folds = main.get_by_test_id("stExpander").locator("summary")
    return (lambda turn: folds.first.click()) if folds.count() else None


def clicked(page: Page, act: Callable[[int], None], turn: int) -> float:
    """Click and return the seconds until the page has changed."""
    page.evaluate(WATCH)
    act(turn)
    page.wait_for_function("() => window.__took !== null", timeout=60_000)
    return float(page.evaluate("() => window.__took")) / 1000


@contextlib.contextmanager
def opened(chrome: Browser, address: str) -> Iterator[Page]:
    """Open an address in a fresh profile and wait until it rests."""
    context = chrome.new_context(viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    page.goto(address)
    settle(page, seconds=180)
    page.wait_for_timeout(1000)
    yield page
    context.close()


def clicks(url: str, floor: str) -> dict[str, tuple[float, float]]:
    """Median seconds of a click on each page and, in turns with it, on the page of four parts."""
    path = chromium()
    if path is None:
        raise SystemExit("no chromium; name it in SCOREPROOF_CHROMIUM")
    found = {}
    with browser(path) as chrome, opened(chrome, floor) as bare:
        base = control(bare)
        assert base is not None
        for name in paths():
            with opened(chrome, f"{url}/{name}") as page:
                act = control(page)
                if act is None:
                    raise SystemExit(f"nothing to click on the page '{name or 'overview'}'")
                taken: list[tuple[float, float]] = []
                for turn in range(1, CLICKS + 3):
                    taken.append((clicked(page, act, turn), clicked(bare, base, turn)))
                    page.wait_for_timeout(200)
                warm = taken[2:]
                found[name] = (statistics.median(t[0] for t in warm), statistics.median(t[1] for t in warm))
    return found


def scripts(store: Path) -> dict[str, float]:
    """Median seconds of each page's script, asked before, and of the page of four parts; no browser is in them."""
    files = {path.stem.split("_", 1)[1]: f"pages/{path.name}" for path in (ROOT / "pages").glob("[0-9]*_*.py")}
    os.environ["SCOREPROOF_STORE"] = str(store)
    runs = {"four parts": AppTest.from_file(str(FLOOR), default_timeout=120)}
    for name in paths():
        test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
        runs[name] = test if not name else test.run().switch_page(files[name])
    found = {}
    for name, test in runs.items():
        test.run()
        test.run()  # the first run after a switch asks for the defaults
        found[name] = statistics.median(_seconds(test) for _ in range(SCRIPTS))
    return found


def _seconds(test: AppTest) -> float:
    start = time.perf_counter()
    test.run()
    return time.perf_counter() - start


def rows(store: Path | None) -> list[dict[str, Any]]:
    """Every page's click and script against the floor; on the embedded logs, or on the store that is named."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if store is None:
            from loaders.embedded import embedded_store  # noqa: PLC0415 - for this case alone

            os.environ["SCOREPROOF_HOME"] = str(folder / "home")
            store = embedded_store()
        with (
            served(folder, store=store, home=folder) as ours,
            served(folder, store=None, home=folder, script=str(FLOOR)) as floor,
        ):
            taken = clicks(ours.url, floor.url)
        script = scripts(store)
    table = [
        against_floor(f"warm click: {page or 'overview'}", ours_s, floor_s, goal=1.5, unit="s")
        for page, (ours_s, floor_s) in taken.items()
    ]
    return table + [
        against_floor(f"script alone: {page or 'overview'}", seconds, script["four parts"], goal=2, unit="s")
        for page, seconds in script.items()
        if page != "four parts"
    ]
