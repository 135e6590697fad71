"""Adding logs to the store and taking them away, with progress, a report, and the way back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from analytics.errors import ScoreproofError
from loaders import own_store
from loaders.base import readers
from loaders.embedded import embedded_store, home
from loaders.warehouse import LoadReport, Progress, build
from pages.ui.kit import ask, plain

_REPORT = "report of the last change"
_BEFORE = "pointer before the last change"

STAGES = {"read": "Reading", "build": "Building the store", "done": "Done"}


def where() -> Path:
    """Return the store that a change goes to: the one named to the app, else the reader's own, begun now if need be."""
    named = ask.named_store()
    return named if named is not None else own_store.begin(embedded_store())


def said() -> str:
    """Return in words where added logs go."""
    named = ask.named_store()
    if named is not None:
        return f"Added logs go into the store {named}."
    if ask.folder() == own_store.own_store():
        return "Added logs go into your own store, beside the shipped logs, which stay as they are."
    return "The shipped logs stay as they are: the first log that you add begins a store of your own as a copy of them."


def change(arguments: Sequence[str], remove: Sequence[str]) -> None:
    """Add the logs under some paths or remove sources, and keep the report; shows progress, and why it failed if so."""
    shown = st.empty()

    def report(progress: Progress) -> None:
        rows = f", {progress.rows:,} records" if progress.rows else ""
        of = f" {progress.done} of {progress.total}{rows}" if progress.total else ""
        shown.progress(progress.done / max(1, progress.total), text=f"{STAGES[progress.stage]}{of}")

    try:
        store = where()
        before = own_store.pointer_text(store)
        made = build(arguments, store, add=True, remove=remove, on_progress=report)
    except (ScoreproofError, OSError) as error:
        shown.empty()
        plain.note(str(error), kind="error")
        return
    st.session_state[_REPORT] = made
    st.session_state[_BEFORE] = (store, before)
    st.rerun()


def keep(files: Sequence[UploadedFile]) -> list[str]:
    """Write uploaded files below the app's own folder, together in one folder, and return it as an argument."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(file.name.encode() + b"\0" + file.getvalue())
    folder = home() / "uploads" / whole.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(files):
        name = Path(file.name).name or f"upload-{number}"
        (folder / name).write_bytes(file.getvalue())
    return [str(folder)]


def last_report() -> None:
    """Show what the last change did, with the way back."""
    made: LoadReport | None = st.session_state.get(_REPORT)
    if made is None:
        return
    with st.container(border=True):
        kept = sum(int(str(source["kept"])) for source in made.sources)
        st.markdown(
            f"**Done in {made.seconds:.1f} s.** The store now holds {kept:,} records of {len(made.sources)} files."
        )
        if made.idle:
            plain.note(f"No row came from {', '.join(made.idle)}; the issues below say why.", kind="warning")
        with st.container(horizontal=True):
            if st.session_state.get(_BEFORE) is not None:
                st.button("Undo", on_click=undo, help="serve the build before this change again")
            st.button("Close", on_click=forget)


def forget() -> None:
    """Put the report away."""
    st.session_state.pop(_REPORT, None)
    st.session_state.pop(_BEFORE, None)


def undo() -> None:
    """Serve the build before the last change again."""
    store, text = st.session_state[_BEFORE]
    guarded(lambda: own_store.restore(store, text))
    forget()


def guarded(step: Callable[[], None]) -> None:
    """Run one step of a button; what went wrong is shown on the next run."""
    try:
        step()
    except (ScoreproofError, OSError) as error:
        st.session_state["what went wrong"] = str(error)


def went_wrong() -> None:
    """Show what a button could not do."""
    sentence = st.session_state.pop("what went wrong", None)
    if sentence:
        plain.note(sentence, kind="error")


def shipped_only() -> None:
    """Offer to serve the shipped logs alone, or to bring the reader's own store back."""
    if ask.named_store() is not None:
        return
    if own_store.is_set_aside():
        st.button("Bring my own store back", on_click=guarded, args=(own_store.bring_back,))
    elif ask.folder() == own_store.own_store():
        st.button(
            "Show the shipped logs alone",
            on_click=guarded,
            args=(own_store.set_aside,),
            help="your own store stays on disk and can be brought back",
        )


def removal(picked: pl.DataFrame) -> None:
    """Offer to remove the selected sources, after a confirmation that names them."""
    if picked.is_empty():
        st.caption("Select sources to remove them from the store; their files stay where they are.")
        return
    names = picked["path"].to_list()
    if st.button(f"Remove {len(names)} source{'s' * (len(names) > 1)} ..."):
        _confirm(picked["source_id"].to_list(), names)


@st.dialog("Remove from the store?")
def _confirm(ids: list[str], names: list[str]) -> None:
    plain.text("\n".join(names[:20]) + (f"\nand {len(names) - 20} more" if len(names) > 20 else ""))
    st.caption("Their rows leave the store; the files themselves stay. You can undo this afterwards.")
    if st.button("Remove", type="primary"):
        change([], ids)


def adding() -> None:
    """Show the two ways to add logs: by a path on this machine, or as an upload."""
    path, upload = st.tabs(["By path", "Upload"])
    with path, st.form("add by path", border=False):
        given = st.text_input(
            "File or folder on this machine", placeholder="/data/logs/run-7", help="a folder is read with all below it"
        )
        if st.form_submit_button("Read it") and given.strip():
            change([given.strip()], [])
    with upload, st.form("add by upload", border=False, clear_on_submit=True):
        files = st.file_uploader("Files", accept_multiple_files=True, help="files of one log belong together")
        if st.form_submit_button("Read them") and files:
            change(keep(files), [])
    with st.expander("Formats that are read"):
        st.caption("A file is recognised by its content, not by its name.")
        known = pl.DataFrame(
            [{"reader": r.name, "version": r.version, "reads": r.title, "unit": r.unit} for r in readers()]
        )
        st.dataframe(known, hide_index=True, key="formats", alt="Formats that are read")
