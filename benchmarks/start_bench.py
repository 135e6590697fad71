"""Start: the server until it answers and until its first page, against an app that says hello; the help text."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from benchmarks.figure import ROOT, against_floor, against_limit, in_turns
from tests.browser.served import browser, chromium, settle

HELLO = 'import streamlit as st\nst.title("hello")\n'
WAIT_SECONDS = 60.0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1) as answer:
            return bool(answer.read() == b"ok")
    except (urllib.error.URLError, OSError):
        return False


def _start(script: str, folder: Path, home: Path, page: Page | None = None) -> Callable[[], dict[str, float]]:
    """Return a call that starts the server on a script and stops it once it answers, or once a page of it is drawn."""

    def once() -> dict[str, float]:
        port = _free_port()
        command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
        command += ["--server.headless", "true", "--server.address", "127.0.0.1", "--server.fileWatcherType", "none"]
        command += ["--browser.gatherUsageStats", "false"]
        env = os.environ | {"SCOREPROOF_HOME": str(home)}
        start = time.perf_counter()
        with subprocess.Popen(
            command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            while not _healthy(port):
                if process.poll() is not None or time.perf_counter() - start > WAIT_SECONDS:
                    process.kill()
                    raise SystemExit(f"The server on {script} did not start.")
                time.sleep(0.01)
            if page is not None:
                page.goto(f"http://127.0.0.1:{port}/")
                settle(page, seconds=WAIT_SECONDS)
            seconds = time.perf_counter() - start
            process.terminate()
        return {"s": seconds}

    return once


def _first_pages(folder: Path, home: Path) -> dict[str, dict[str, float]]:
    """Medians of start to first page, of an app that says hello and of ours over its embedded store."""
    path = chromium()
    if path is None:
        raise SystemExit("no chromium; name it in SCOREPROOF_CHROMIUM")
    with browser(path) as chrome:
        page = chrome.new_page()
        calls = {
            "hello": _start("hello.py", folder, home, page),
            "ours": _start("app.py", ROOT, home, page),
        }
        calls["ours"]()  # the embedded store is built once, on the very first visit
        return in_turns(calls, repeats=5)


def _help() -> dict[str, float]:
    start = time.perf_counter()
    subprocess.run([sys.executable, "cli.py", "--help"], cwd=ROOT, check=True, capture_output=True)
    return {"s": time.perf_counter() - start}


def rows() -> list[dict[str, Any]]:
    """Medians of five starts each, made in turns."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "hello.py").write_text(HELLO, encoding="utf-8")
        calls = {"hello": _start("hello.py", folder, folder), "ours": _start("app.py", ROOT, folder), "help": _help}
        taken = in_turns(calls, repeats=5)
        first = _first_pages(folder, folder)
    return [
        against_floor(
            "server start to health, against hello", taken["ours"]["s"], taken["hello"]["s"], goal=1.5, unit="s"
        ),
        against_floor(
            "start to first page, against hello", first["ours"]["s"], first["hello"]["s"], goal=2.5, unit="s"
        ),
        against_limit("scoreproof --help", taken["help"]["s"], limit=0.4, unit="s"),
    ]
