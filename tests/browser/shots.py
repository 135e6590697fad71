"""Pictures of every page, light and dark, wide and narrow: `python -m tests.browser.shots FOLDER [STORE] [QUERY]`.

Each view of a page is a picture of its own; the query is what follows the question mark.
"""

from __future__ import annotations

import ast
import sys
import tempfile
from pathlib import Path

from tests.browser.served import ROOT, browser, chromium, served, settle

WIDTHS = (1440, 400)


def paths() -> list[str]:
    """Return the address of every page."""
    found = sorted((ROOT / "pages").glob("[0-9]*_*.py"))
    return ["", *(path.stem.split("_", 1)[1] for path in found)]


def views(name: str) -> list[str]:
    """Return the address of each further view of a page, as its file names them in VIEWS; the first is the page's."""
    file = next((ROOT / "pages").glob(f"[0-9]*_{name}.py"), None)
    for line in ast.parse(file.read_text(encoding="utf-8")).body if file is not None else ():
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "VIEWS":
            return [f"{name}?view={view}" for view in list(ast.literal_eval(line.value))[1:]]
    return []


def main(folder: Path, store: Path | None, query: str) -> None:
    path = chromium()
    if path is None:
        raise SystemExit("no chromium; name it in SCOREPROOF_CHROMIUM")
    folder.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp())
    with served(folder, store=store, home=home) as server, browser(path) as chrome:
        for scheme in ("light", "dark"):
            for width in WIDTHS:
                context = chrome.new_context(viewport={"width": width, "height": 1000}, color_scheme=scheme)
                page = context.new_page()
                for name in [found for path in paths() for found in (path, *views(path))]:
                    sign = "&" if "?" in name else "?"
                    page.goto(f"{server.url}/{name}{sign}{query}" if query else f"{server.url}/{name}")
                    settle(page, seconds=120)
                    page.wait_for_timeout(700)
                    height = page.evaluate(
                        "() => document.querySelector('[data-testid=\"stMainBlockContainer\"]').scrollHeight + 80"
                    )
                    page.set_viewport_size({"width": width, "height": min(4000, max(1000, int(height)))})
                    page.wait_for_timeout(500)
                    page.screenshot(path=folder / f"{(name or 'overview').replace('?view=', '-')}-{scheme}-{width}.png")
                    page.set_viewport_size({"width": width, "height": 1000})
                context.close()
        for line in server.complaints():
            sys.stderr.write(f"server: {line}\n")


if __name__ == "__main__":
    given = [*sys.argv[1:], "", ""]
    main(Path(given[0]), Path(given[1]) if given[1] else None, given[2].lstrip("?"))
