"""Record the clip of the demo cases: ``python -m logs.generate.demo.film``.

A browser plays `film.js` on a canvas and records it: someone walks off from a table with keys on it, stops, pats the
pockets and turns back. It needs the development packages, and the bytes differ from one recording to the next.
"""

from __future__ import annotations

import base64
import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from logs.generate.demo.draw import BLUE, INK, PAPER, RED, WOOD
from logs.generate.demo.make import FOLDER

SCRIPT = Path(__file__).with_name("film.js")


def clip() -> bytes:
    """Return the clip as WebM."""
    path = os.environ.get("SCOREPROOF_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=path)
        try:
            recorded = browser.new_page().evaluate(SCRIPT.read_text(encoding="utf-8"), [INK, PAPER, WOOD, RED, BLUE])
        finally:
            browser.close()
    return base64.b64decode(recorded)


def main() -> int:
    """Record the clip anew."""
    (FOLDER / "media" / "keys.webm").write_bytes(clip())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
