"""A warm click until the page has changed, for every page, against a page of four parts; each page's script alone."""

import contextlib
import itertools
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as NothingHappened
from streamlit.testing.v1 import AppTest

from benchmarks.figure import ROOT, against_floor
from tests.browser.served import browser, chromium, served, settle
from tests.browser.shots import paths

FLOOR = ROOT / "benchmarks" / "four_parts.py"
CLICKS = 7
SCRIPTS = 5
PROBE = 8.0
"""Seconds after which a control is taken for one that runs nothing."""

WATCH = """() => {
  window.__took = null;
  if (window.__watcher) window.__watcher.disconnect();
  const app = document.querySelector('[data-testid="stApp"]');
  const state = () => app.getAttribute('data-test-script-state');
  let start = null, ran = false, done = false;
  document.addEventListener('click', () => { start = performance.now(); }, {capture: true, once: true});
  const watcher = new MutationObserver((seen) => {
    if (start === null || done) return;
    ran = ran || state() === 'running'
      || seen.some(one => one.target === app && one.attributeName === 'data-test-script-state');
    if (!ran || state() !== 'notRunning' || document.querySelector('[data-stale="true"]')) return;
    done = true;
    watcher.disconnect();
    requestIdleCallback(() => { window.__took = performance.now() - start; }, {timeout: 10000});
  });
  window.__watcher = watcher;
  watcher.observe(document.body, {subtree: true, childList: true, attributes: true});
}"""
"""From the click to the end of the script's run, with nothing stale on the page and the browser idle again."""


def controls(page: Page) -> Iterator[tuple[str, Callable[[int], None]]]:
    """Yield what may change the page, by turn: its switches, then a row of each table, then its folds.

    The kind comes with it: a table tells of a click 150 ms later than a switch does, here and on the floor.
    """
    main = page.get_by_test_id("stMainBlockContainer")
    for group in main.get_by_test_id("stButtonGroup").all():
        choices = [one for one in group.get_by_role("radio").all() if one.is_visible()]
        if len(choices) > 1:
            first = next((at for at, one in enumerate(choices) if one.is_checked()), 0)
            pair = (choices[first], choices[(first + 1) % len(choices)])
            yield "switch", lambda turn, pair=pair: pair[turn % 2].click()  # type: ignore[misc]
    for table in main.get_by_test_id("stDataFrame").all():
        if table.is_visible():
            yield "row", lambda turn, table=table: table.click(position={"x": 14, "y": 52})  # type: ignore[misc]
    for fold in main.get_by_test_id("stExpander").locator("summary").all():
        yield "fold", lambda turn, fold=fold: fold.click()  # type: ignore[misc]


def control(page: Page, kind: str | None = None) -> tuple[str, Callable[[int], None]]:
    """Return the first control (of a kind) whose click runs the page's script; it has been clicked once, and back."""
    for found, act in controls(page):
        if kind not in (None, found):
            continue
        try:
            clicked(page, act, 1, seconds=PROBE)
            clicked(page, act, 2, seconds=PROBE)
        except NothingHappened:
            continue
        return found, act
    raise SystemExit(f"nothing on {page.url} runs its script when it is clicked")


def clicked(page: Page, act: Callable[[int], None], turn: int, *, seconds: float = 60) -> float:
    """Click and return the seconds until the page has changed; raises NothingHappened where it does not."""
    page.evaluate(WATCH)
    act(turn)
    page.wait_for_function("() => window.__took !== null", timeout=seconds * 1000)
    return float(page.evaluate("() => window.__took")) / 1000


def measured(page: Page, act: Callable[[int], None], turn: int) -> float:
    """Return the seconds of a click; a table that was left for a while takes the first one for a mere visit."""
    try:
        return clicked(page, act, turn, seconds=PROBE)
    except NothingHappened:
        return clicked(page, act, turn)


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
        bases = {kind: control(bare, kind)[1] for kind in ("switch", "row")}
        turns = {
            kind: itertools.count(1) for kind in bases
        }  # a switch that is clicked twice on one side changes nothing
        for name in paths():
            with opened(chrome, f"{url}/{name}") as page:
                kind, act = control(page)
                like = "row" if kind == "row" else "switch"
                taken: list[tuple[float, float]] = []
                for turn in range(1, CLICKS + 1):
                    taken.append((measured(page, act, turn), measured(bare, bases[like], next(turns[like]))))
                    page.wait_for_timeout(200)
                found[name] = (statistics.median(t[0] for t in taken), statistics.median(t[1] for t in taken))
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
