"""Mapping a file of unknown shape by hand: what its columns could be, what is still open, a preview, and saving it."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import streamlit as st

from analytics.errors import ScoreproofError
from loaders.mapping_draft import Draft, draft_of
from loaders.mapping_find import profile_path, save_profile
from loaders.mapping_look import Look, as_long, look, plausible
from loaders.mapping_open import Opened, open_file
from loaders.mapping_profile import LAYOUTS, parse_profile
from loaders.read_only import is_read_only
from pages.ui.kit import ask, logs, mapping_fields, mapping_preview, plain
from pages.ui.kit.asked import Asked
from pages.ui.kit.mapping_fields import Form

LAYOUT_WORDS = {
    "long": "long: one row is one response",
    "wide": "wide: one row is one item, each run has columns of its own",
}


def offer(asked: Asked) -> None:
    """Offer to map the files that the store could not read because no reader knows their shape."""
    if is_read_only():
        return
    issues = ask.ask("issues", asked.chosen, asked.policy, {"severity": "every", "rule": "unknown_format"})
    sources = ask.ask("sources", asked.chosen, asked.policy)
    if issues is None or sources is None or issues.table.is_empty():
        return
    files = _files(sources.table.filter(pl.col("source_id").is_in(issues.table["source_id"].to_list())))
    if not files:
        return
    st.subheader("Map a file of unknown shape", anchor=False)
    st.caption(
        "No reader knows these files. Say once which column holds what: the answer is saved as a small profile beside "
        "the file and used again whenever it is read, here and on the command line."
    )
    names = [str(path) for path in files]
    chosen = st.selectbox(
        "File", names, index=0 if len(names) == 1 else None, key=f"mapping file {names}",
        placeholder="Choose a file to map",
        format_func=lambda name: Path(name).name,
    )  # fmt: skip
    if chosen is not None:
        try:
            _map(Path(chosen), files)
        except (ScoreproofError, OSError) as error:
            plain.note(str(error), kind="error")


def _files(sources: pl.DataFrame) -> list[Path]:
    """Return where the sources stand on disk, those that are still there."""
    found = []
    for path, argument in sources.select("path", "argument").iter_rows():
        root = Path(argument)
        place = root if root.is_file() else root / path
        if place.is_file():
            found.append(place)
    return found


@st.cache_resource(max_entries=4, show_spinner="Opening the file ...")
def _opened(path: str, stat: tuple[float, int]) -> Opened:
    del stat
    return open_file(Path(path), Path(path).name)


@st.cache_resource(max_entries=8, show_spinner="Looking at the columns ...")
def _looked(path: str, stat: tuple[float, int], place: int | None, sheet: str | None) -> Look:
    opened = _opened(path, stat)
    chosen = None if place is None else plausible(opened.places)[place]
    return look(Path(path), opened=opened, place=chosen, sheet=sheet)


def _map(path: Path, files: list[Path]) -> None:
    """Show the form for one file; nothing is stored before the button is pressed."""
    stat = (path.stat().st_mtime, path.stat().st_size)
    key = f"map {path} {stat}"
    opened = _opened(str(path), stat)
    ready, place, sheet = _where(opened, key)
    if not ready:
        return
    seen = _looked(str(path), stat, place, sheet)
    rows = f"all {seen.rows:,}" if seen.whole else f"the first {seen.rows:,}"
    st.caption(f"{opened.format.upper()} with {len(seen.known):,} columns; suggested from {rows} records.")
    layout = _layout(seen, key)
    if layout is None:
        return
    seen = as_long(seen) if layout == "long" else seen
    form = Form(seen, draft_of(seen), layout, f"{key} {place} {sheet} {layout}")
    made = mapping_fields.fill(form)
    _finish(path, files, made, stat)


def _where(opened: Opened, key: str) -> tuple[bool, int | None, str | None]:
    """Ask where the records of a document lie, or on which sheet, unless there is one place alone."""
    places = plausible(opened.places)
    if len(places) > 1:
        words = [f"{place.records:,} records at {place.said()}: {', '.join(place.names[:6])}" for place in places]
        number = st.selectbox(
            "Where do the records lie?", range(len(places)), index=None, key=f"{key} place",
            format_func=lambda k: words[k], placeholder="Choose: several places hold records",
        )  # fmt: skip
        return number is not None, number, None
    if len(opened.sheets) > 1:
        sheet = st.selectbox(
            "Sheet", opened.sheets, index=None, key=f"{key} sheet", placeholder="Choose: the workbook has several"
        )
        return sheet is not None, None, sheet
    return True, 0 if places else None, None


def _layout(seen: Look, key: str) -> str | None:
    """Ask what one row is; where columns repeat for several systems no answer is set beforehand."""
    chosen: str | None = st.selectbox(
        "What is one row?", LAYOUTS, index=None if seen.runs else 0, key=f"{key} layout",
        format_func=lambda name: LAYOUT_WORDS[name], placeholder="Choose: long or wide",
    )  # fmt: skip
    if seen.runs:
        names = ", ".join(run.run for run in seen.runs[:8])
        st.caption(plain.label(f"{len(seen.runs)} names have columns of their own: {names}", most=300))
    else:
        st.caption("No columns repeat for several systems.")
    return chosen


def _finish(path: Path, files: list[Path], made: Draft, stat: tuple[float, int]) -> None:
    """Show what is open, or else the preview, the profile to download, and the button that adds the file."""
    text, target = made.text(), profile_path(path)
    if made.questions:
        said = "\n".join(f"{number}. {question}" for number, question in enumerate(made.questions.values(), start=1))
        plain.note(f"Still open:\n{said}", kind="info")
    else:
        parse_profile(text, target.name)
        mapping_preview.show(str(path), stat, text, target.name)
    with st.container(horizontal=True):
        pressed = st.button("Add with this mapping", type="primary", disabled=bool(made.questions))
        st.download_button(
            "Download the profile", text, file_name=target.name, mime="application/toml", on_click="ignore"
        )
    st.caption("The profile will be saved beside the file, as")
    plain.block(str(target))
    if pressed:
        save_profile(path, text)
        alike = [file for file in files if file.parent == path.parent and file != path]
        logs.change([str(path), *map(str, alike)], [])
