"""The pages, found in their folder, and links between them that carry the slice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st

from pages.ui.kit import state

ROOT = Path(__file__).resolve().parents[3]

GROUPS = ((0, ""), (1, "Results"), (5, "Comparisons"), (10, "Items and cases"), (12, "Evidence"))
"""First file number of each group of links."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page: `path` is relative to the main script, `title` and `question` are its docstring's first line."""

    path: str
    number: int
    title: str
    question: str

    @property
    def group(self) -> str:
        """Return the group that the file number falls into."""
        return [name for first, name in GROUPS if first <= self.number][-1]


@cache
def pages() -> tuple[Page, ...]:
    """Return the Overview and every page of the folder, by file number."""
    others = (ROOT / "pages").glob("[0-9]*_*.py")
    found = [read_page(path, int(path.name.split("_")[0])) for path in others]
    return (read_page(ROOT / "app.py", 0), *sorted(found, key=lambda page: page.number))


def read_page(path: Path, number: int) -> Page:
    """Return one page from the first line of its docstring: 'Title · question'."""
    # Not by `ast`: first visits come at once, and CPython 3.11 counts the depth of a tree over all threads.
    _, _, text = path.read_text(encoding="utf-8").partition('"""')
    title, _, question = text.partition('"""')[0].partition("\n")[0].partition(" · ")
    return Page(str(path.relative_to(ROOT)), number, title, question)


def this(file: str) -> Page:
    """Return the page of a file."""
    wanted = str(Path(file).resolve().relative_to(ROOT))
    return next(page for page in pages() if page.path == wanted)


def has(stem: str) -> bool:
    """Whether there is a page whose file name ends with this stem, e.g. 'cases'."""
    return any(page.path.endswith(f"_{stem}.py") for page in pages())


def link(stem: str, label: str, params: state.Params, *, place: str = "") -> None:
    """Show a link to the page whose file name ends with `stem`; nothing when there is no such page.

    To another view of the page itself it is a button: such a link would change what is shown and leave the browser's
    address as it was, so that neither Back nor a reload would know of it. `place` tells equal ones apart.
    """
    for page in pages():
        if page.path.endswith(f"_{stem}.py") or (stem == "app" and page.number == 0):
            if page.path != state.here():
                st.page_link(page.path, label=label, query_params=params)
                continue
            address = dict.fromkeys(state.params()) | dict(params)
            key = f"to {label} {place} {sorted(params.items())}"
            st.button(label, key=key, type="tertiary", on_click=state.turn, args=(address,))


def sidebar(params: state.Params) -> None:
    """Show the links to every page, grouped; each carries the slice and the policy."""
    with st.sidebar:
        group = ""
        for page in pages():
            if page.group != group:
                group = page.group
                st.caption(group)
            st.page_link(page.path, label=page.title, query_params=params)
