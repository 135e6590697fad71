"""Memory of the server: after every page, and over many page runs, on a large log."""

import random
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from benchmarks.figure import against_limit
from benchmarks.overview_bench import built
from tests.browser.served import Server, browser, chromium, served, settle
from tests.browser.shots import paths

RUNS = 500
"""Page runs over which memory must not grow; the first of them fill the caches, which are bounded."""

WARM = 100
SEED = 20260
PAGE_SECONDS = 180


def resident(server: Server) -> float:
    """Return the memory that the server's process holds, in MB, as Linux counts it."""
    for line in Path(f"/proc/{server.pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise SystemExit("This system does not tell the memory of a process.")


def visit(page: Page, server: Server, name: str) -> None:
    """Open one page and wait until its script has come to rest; ends the run when it shows an exception."""
    page.goto(f"{server.url}/{name}", timeout=PAGE_SECONDS * 1000)
    settle(page, seconds=PAGE_SECONDS)
    if page.get_by_test_id("stException").count():
        raise SystemExit(f"The page '{name}' shows an exception.")


def walked(store: Path | None, folder: Path, *, runs: int = RUNS) -> tuple[float, float, float]:
    """Return MB after every page once, after WARM page runs, and after `runs`, of a server over this store."""
    path = chromium()
    if path is None:
        raise SystemExit("no chromium; name it in SCOREPROOF_CHROMIUM")
    chosen = random.Random(SEED)
    with served(folder, store=store, home=folder) as server, browser(path) as chrome:
        page = chrome.new_page()
        for name in paths():
            visit(page, server, name)
        every = resident(server)
        warm = every
        for number in range(runs):
            visit(page, server, chosen.choice(paths()))
            if number + 1 == WARM:
                warm = resident(server)
        if server.complaints():
            raise SystemExit(f"The server complains: {server.complaints()[:3]}")
        return every, warm, resident(server)


def rows(rows: int) -> list[dict[str, Any]]:
    """Memory of a server over a made-up log of `rows` records, against the limits."""
    with tempfile.TemporaryDirectory() as name:
        store, made = built(Path(name), rows, choices=True)
        every, warm, last = walked(store.folder, Path(name))
    return [
        against_limit(f"server memory after every page, {made:,} rows", every, limit=1500, unit="MB"),
        against_limit(f"server memory after {RUNS} page runs, {made:,} rows", last, limit=1500, unit="MB"),
        against_limit(f"growth from page run {WARM} to {RUNS}", max(0.0, last - warm), limit=0.1 * warm, unit="MB"),
    ]
