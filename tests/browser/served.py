"""The app as a process of its own on a free loopback port, and a browser that reaches nothing but it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    FloatRect,
    Locator,
    Page,
    Route,
    expect,
    sync_playwright,
)

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass
class Server:
    """A running app: its address, where its log lies, and its process."""

    url: str
    log: Path
    pid: int

    def complaints(self) -> list[str]:
        """Return the lines of the server's log that are a warning, an error or a traceback."""
        words = ("WARNING", "Warning", "ERROR", "Error", "Traceback", "Uncaught")
        return [line for line in self.log.read_text(errors="replace").splitlines() if any(w in line for w in words)]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(folder: Path, *, store: Path | None, home: Path, script: str = "app.py") -> Iterator[Server]:
    """Serve the app over a store (None: the embedded one) until the block ends; stops the process that it started."""
    port = free_port()
    env = {k: v for k, v in os.environ.items() if k not in ("SCOREPROOF_STORE", "SCOREPROOF_HOME")}
    env["SCOREPROOF_HOME"] = str(home)
    if store is not None:
        env["SCOREPROOF_STORE"] = str(store)
    log = folder / f"server-{port}.log"
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT)
    try:
        server = Server(f"http://127.0.0.1:{port}", log, process.pid)
        _wait(server, process)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


def _wait(server: Server, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended: {server.log.read_text(errors='replace')[-2000:]}")
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise TimeoutError(f"no answer after {START_SECONDS} s: {server.log.read_text(errors='replace')[-2000:]}")


def chromium() -> str | None:
    """Return the browser's path, from SCOREPROOF_CHROMIUM or the PATH."""
    return os.environ.get("SCOREPROOF_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def browser(path: str) -> Iterator[Browser]:
    """Start headless Chromium."""
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=path, args=ARGS)
        try:
            yield started
        finally:
            started.close()


@dataclass
class Guard:
    """Every request that a context made, and those that were stopped because they would have left the machine."""

    made: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext) -> None:
        def check(route: Route) -> None:
            url = route.request.url
            self.made.append(url)
            if url.startswith(("http://127.0.0.1:", "data:", "blob:")):
                route.continue_()
            else:
                self.stopped.append(url)
                route.abort()

        context.route("**/*", check)


def settle(page: Page, *, seconds: float = 30) -> None:
    """Wait until the app is drawn and its script has come to rest."""
    page.wait_for_selector('[data-testid="stApp"]', timeout=seconds * 1000)
    page.wait_for_function(QUIET, timeout=seconds * 1000)


QUIET = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  if (!app || app.getAttribute('data-test-script-state') !== 'notRunning') { window.__quiet = 0; return false; }
  if (document.querySelector('[data-testid="stSkeleton"]') || document.querySelector('[data-stale="true"]'))
    { window.__quiet = 0; return false; }
  if (!document.querySelector('h1')) { window.__quiet = 0; return false; }
  window.__quiet = (window.__quiet || 0) + 1;
  return window.__quiet > 6;
}"""


def place_of(found: Locator, *, seconds: float = 60) -> FloatRect:
    """Return where something lies on the page; a rerun may take it away and draw it again, so it is waited for."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        expect(found).to_be_visible(timeout=seconds * 1000)
        with suppress(Error):  # drawn again between one look and the next
            found.scroll_into_view_if_needed()
            box = found.bounding_box()
            if box is not None:
                return box
    raise TimeoutError(f"nothing to click on after {seconds} s")


FOOT = "Export, how computed, address"


def open_foot(page: Page, *, at: int = 0) -> Locator:
    """Open the fold of exports under a table, the first in sight or another, and return it with its buttons in it."""
    fold = page.get_by_test_id("stExpander").filter(has=page.get_by_text(FOOT, exact=True)).nth(at)
    csv = fold.get_by_role("button", name="CSV", exact=True)
    if not csv.is_visible():
        fold.locator("summary").click()
    expect(csv).to_be_visible(timeout=60_000)
    settle(page, seconds=60)
    return fold


def select_row(page: Page, number: int, *, table: int = 0) -> None:
    """Click the box at the start of a row of one of the tables in sight."""
    box = place_of(page.get_by_test_id("stDataFrame").locator("visible=true").nth(table))
    page.mouse.click(box["x"] + 14, box["y"] + 35 + 35 * number + 17)
    settle(page, seconds=60)
