"""Adding logs to the store and taking them away, in the background, with progress, a report, and the way back."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from analytics.errors import BadLog, ScoreproofError
from loaders import own_store
from loaders.background import Job, start
from loaders.base import readers
from loaders.changes import Change, appeared, changes
from loaders.embedded import embedded_store, home
from loaders.pointer import POINTER, removed_by
from loaders.progress import Progress
from loaders.read_only import SAYS, check_writable, is_read_only
from pages.ui.kit import ask, plain

STAGES = {"read": "Reading", "build": "Building the store", "done": "Done"}
_WRONG = "what went wrong"


@st.cache_resource(show_spinner=False)
def _jobs() -> dict[str, Job]:
    """Return the last change of each store: a change goes on when its reader leaves the page, and anyone may watch."""
    return {}


def _job() -> Job | None:
    """Return the last change of the store that changes go to, under way or not yet put away."""
    named = ask.named_store()
    return _jobs().get(str(named if named is not None else own_store.own_store()))


def where() -> Path:
    """Return the store that a change goes to: the one named to the app, else the reader's own, begun now if need be."""
    named = ask.named_store()
    return named if named is not None else own_store.begin(embedded_store())


def said() -> str:
    """Return in words where added logs go."""
    if is_read_only():
        return "What this server shows was loaded by whoever runs it."
    named = ask.named_store()
    if named is not None:
        return f"Added logs go into the store {named}."
    if ask.folder() == own_store.own_store():
        return "Added logs go into your own store, beside the shipped logs, which stay as they are."
    if own_store.is_set_aside():
        return (
            "The shipped logs stay as they are: the next log that you add brings your own store back and goes into it."
        )
    return "The shipped logs stay as they are: the first log that you add begins a store of your own as a copy of them."


def change(
    arguments: Sequence[str], remove: Sequence[str], labels: Mapping[str, str] | None = None, *,
    leave_removed: bool = False,
) -> None:  # fmt: skip
    """Start to add the logs under some paths or to remove sources; the page shows how far it is, and how it ended.

    `labels` maps an argument to what the reader calls it; `leave_removed` is as in `build`.
    """
    st.session_state.pop(_WRONG, None)
    try:
        check_writable("Changing the logs")
        store = where()
        known = _jobs()
        before = known.get(str(store))
        if before is not None and before.running:
            st.session_state[_WRONG] = "Another change of this store is under way. Wait until it ends, or cancel it."
        else:
            known[str(store)] = start(store, arguments, remove, labels or {}, leave_removed=leave_removed)
    except (ScoreproofError, OSError) as error:
        forget()
        st.session_state[_WRONG] = str(error)
    st.rerun()


def keep(files: Sequence[UploadedFile]) -> tuple[str, str]:
    """Write uploaded files below the app's own folder, together in one folder; return it, and what they are called.

    Raises BadLog for two files of one name: they would be one file there.
    """
    check_writable("Uploading")
    called = Counter(Path(file.name).name for file in files)
    if twice := [name for name, times in called.items() if times > 1]:
        raise BadLog(f"Two of the files are called {twice[0]}. Rename one, or upload them one after the other.")
    whole = hashlib.sha256()
    for file in files:
        whole.update(file.name.encode() + b"\0" + file.getvalue())
    folder = home() / "uploads" / whole.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for number, file in enumerate(files):
        names.append(Path(file.name).name or f"upload-{number}")
        (folder / names[-1]).write_bytes(file.getvalue())
    return str(folder), ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _upload(files: Sequence[UploadedFile]) -> None:
    folder, names = keep(files)
    change([folder], [], {folder: names})


def last_report() -> None:
    """Show how far a change is, or how the last one ended, with the way back."""
    job = _job()
    if job is None:
        return
    with st.container(border=True):
        if job.running:
            _watch()
            return
        if job.error:
            plain.note(job.error, kind="error")
        elif job.cancelled:
            plain.note("Cancelled: the store is as it was before.", kind="info")
        else:
            _done(job)
        with st.container(horizontal=True):
            if job.report is not None and job.before:
                st.button("Undo", on_click=undo, help="serve the build before this change again")
            st.button("Close", on_click=forget)


def _done(job: Job) -> None:
    """Say what a change brought."""
    made = job.report
    assert made is not None
    kept = sum(int(str(source["kept"])) for source in made.sources)
    refused = sum(source["role"] == "refused" for source in made.sources)
    words = f"**Done in {made.seconds:.1f} s.** The store now holds {kept:,} records of {len(made.sources)} files"
    st.markdown(f"{words}, {refused} of them refused." if refused else f"{words}.")
    if made.idle:
        names = ", ".join(job.named(argument) for argument in made.idle)
        plain.note(f"No row came from {names}; the issues below say why.", kind="warning")


@st.fragment(run_every=1.0)
def _watch() -> None:
    """Show how far a change is, once a second, with the way to stop it; the page is drawn anew when it ends."""
    job = _job()
    if job is None or not job.running:
        st.rerun()
    now = job.progress or Progress("read", 0, 0, "", 0)
    share = 1.0 if now.stage == "done" else now.done / max(1, now.total)
    st.progress(share, text=STAGES[now.stage] + (f" {now.done} of {now.total}" if now.total else ""))
    words = [job.named(now.source)] if now.source else []
    words += [f"{now.rows:,} records, {now.rate:,.0f} per second"] if now.rows else []
    plain.text("; ".join(words) or "Looking at the files ...")
    st.caption("It goes on when you leave this page. Until it ends, every page shows the store as it was.")
    stop = "Stopping ..." if job.stopping else "Cancel"
    st.button(stop, on_click=job.cancel, disabled=job.stopping, help="nothing of this change is kept", key="cancel")


def forget() -> None:
    """Put the report of an ended change away."""
    for place, job in list(_jobs().items()):
        if not job.running and job is _job():
            del _jobs()[place]


def undo() -> None:
    """Serve the build before the last change again."""
    job = _job()
    if job is not None and job.report is not None:
        made = job.report.build_id
        guarded(lambda: own_store.restore(job.store, job.before, instead_of=made))
        forget()


@st.cache_data(ttl=5.0, max_entries=4, show_spinner=False)
def _changes(build_id: str, _sources: pl.DataFrame) -> list[Change]:
    """Return the logs that changed or came since a build; a slow disk is asked every few seconds, not at each click."""
    del build_id
    logs = _sources.filter(pl.col("role") != "companion").iter_rows(named=True)
    return [*changes(logs), *appeared(_sources.iter_rows(named=True), removed_by(ask.folder() / POINTER))]


def changed(sources: pl.DataFrame) -> None:
    """Say which logs on disk are no longer what was read, or not read yet, and offer to read them."""
    if is_read_only():
        return
    found = _changes(ask.store().build_id, sources)
    said = {what: [one for one in found if one.what == what] for what in ("changed", "new", "gone")}
    if said["changed"]:
        plain.note(f"Changed on disk since the store was built: {_names(said['changed'])}.", kind="warning")
        if st.button("Read them again", help="the folders that they were found under are read anew"):
            change(list(dict.fromkeys(one.argument for one in said["changed"])), [], leave_removed=True)
    if said["new"]:
        plain.note(f"New in folders that were read: {_names(said['new'])}.", kind="info")
        if st.button("Read the new ones", help="the folders that they lie in are read anew"):
            change(list(dict.fromkeys(one.argument for one in said["new"])), [], leave_removed=True)
    if said["gone"]:
        plain.note(f"No longer on disk: {_names(said['gone'])}. The store keeps what was read from them.", kind="info")


def _names(found: Sequence[Change]) -> str:
    return ", ".join(one.name for one in found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")


def guarded(step: Callable[[], None]) -> None:
    """Run one step of a button; what went wrong is shown on the next run."""
    try:
        step()
    except (ScoreproofError, OSError) as error:
        st.session_state[_WRONG] = str(error)


def went_wrong() -> None:
    """Show what a button could not do."""
    sentence = st.session_state.pop(_WRONG, None)
    if sentence:
        plain.note(sentence, kind="error")


def shipped_only() -> None:
    """Offer to serve the shipped logs alone, or to bring the reader's own store back."""
    if ask.named_store() is not None or is_read_only():
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
    if is_read_only():
        return
    if picked.is_empty():
        st.caption("Select sources to remove them from the store; their files stay where they are.")
        return
    names = picked["path"].to_list()
    if st.button(f"Remove {len(names)} source{'s' * (len(names) > 1)} ..."):
        _confirm(picked["source_id"].to_list(), names)


@st.dialog("Remove from the store?")
def _confirm(ids: list[str], names: list[str]) -> None:
    plain.text("\n".join(names[:20]) + (f"\nand {len(names) - 20} more" if len(names) > 20 else ""))
    st.caption(
        "Their rows leave the store; the files themselves stay, and are not offered as new. Add one by its path to "
        "bring it back. You can undo this afterwards."
    )
    if st.button("Remove", type="primary"):
        change([], ids)


def adding() -> None:
    """Show the two ways to add logs: by a path on this machine, or as an upload; neither on a read-only server."""
    if is_read_only():
        plain.note(SAYS, kind="info")
        _formats()
        return
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
            guarded(lambda: _upload(files))
            st.rerun()
    _formats()


def _formats() -> None:
    """Show which formats are read."""
    with st.expander("Formats that are read"):
        st.caption("A file is recognised by its content, not by its name.")
        known = pl.DataFrame(
            [{"reader": r.name, "version": r.version, "reads": r.title, "unit": r.unit} for r in readers()]
        )
        st.dataframe(known, hide_index=True, key="formats", alt="Formats that are read")
