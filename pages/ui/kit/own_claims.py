"""Tables and claims of the reader's own: checked by the same engine as the shipped ones."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from analytics import export
from analytics.audit.own import digest
from analytics.audit.records import parse_claims
from analytics.audit.report import cells_frame, claims_frame
from analytics.audit.run import audit
from analytics.audit.tables import CLAIMS, Folder, embedded, folder_of
from analytics.claims import METHOD
from analytics.errors import BadLog, ScoreproofError, UnknownValue
from analytics.policy import Policy
from analytics.questions import Answer, question
from analytics.slices import Slice
from loaders.read_only import check_writable, is_read_only
from pages.ui.kit import ask, plain

Texts = tuple[tuple[str, str], ...]

CHECKED = "own tables and claims"
COMMAND = "scoreproof audit --published DIR --claims FILE"


def folder_at(path: str) -> Texts:
    """Return the tables and declarations below a folder of this machine; raises NoStore, BadLog, and ReadOnly."""
    check_writable("Reading a folder of the server")
    return tuple(folder_of(Path(path).expanduser(), base=None).texts.items())


def uploaded(files: list[tuple[str, bytes]]) -> Texts:
    """Return uploaded files as texts; raises BadLog for one that is not UTF-8, UnknownValue for no CSV or TOML."""
    texts = {}
    for name, body in files:
        if not name.lower().endswith((".csv", ".toml")):
            raise UnknownValue(f"{name}: tables are CSV files; claims and declarations are TOML or CSV.")
        try:
            texts[name] = body.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadLog(f"{name} is not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    return tuple(sorted(texts.items()))


@st.cache_data(max_entries=8, show_spinner="Checking ...")
def checked(build: str, texts: Texts) -> tuple[Answer, Answer]:
    """Return claims and table cells of some files, checked against each other and the rows of the store.

    A file called claims.toml, or a CSV whose header has id, kind and printed, holds claims; others are tables.
    """
    del build
    claims = [record for name, text in texts if holds_claims(name, text) for record in parse_claims(text, name)]
    tables = {name: text for name, text in texts if not holds_claims(name, text)}
    with ask.store().cursor() as cursor:
        found = audit(Folder(tables, embedded(), "your files"), claims=claims, cursor=cursor)
    left = dict(found.left_out) | dict.fromkeys(found.folder.faults, 1)
    return Answer(claims_frame(found), METHOD, left), Answer(cells_frame(found), METHOD, left)


def holds_claims(name: str, text: str) -> bool:
    """Whether a file holds claims rather than a table or its declarations."""
    if name.lower().endswith(".toml"):
        return name == CLAIMS or "[[claim]]" in text
    header = {part.strip().strip('"') for part in text.split("\n", 1)[0].split(",")}
    return {"id", "kind", "printed"} <= header


def stamp(name: str, answer: Answer, texts: Texts) -> dict[str, str]:
    """Return what an export of checked files says of itself: the files, their hash, method, n and what was left out.

    The question is that of the shipped claims or cells, asked of these files: its command is `audit`, not `ask`. `data
    hash` is of names and texts of the files, `rows of the store` that of the rows which a claim may ask for.
    """
    said = export.stamp(
        question(name), answer, Slice(), Policy(), options={}, data_hash=f"{digest(texts)} of the files"
    )
    for of_rows in ("slice", "policy", "ask"):
        said.pop(of_rows, None)
    files = ", ".join(" ".join(file.split()) for file, _ in sorted(texts))
    store = ask.store().pointer.data_hash[:16]
    return said | {"files": files, "rows of the store": store, "command": COMMAND}


def form() -> tuple[Answer, Answer, Texts] | None:
    """Show both ways to hand in files; return claims, cells and the files, or show why they cannot be read."""
    path, upload = st.columns(2)
    given, by_path = "", False
    if not is_read_only():  # a visitor's path would be a path of the server
        with path, st.form("claims by path", border=False):
            given = st.text_input(
                "A folder on this machine", placeholder="/data/paper/tables", help="CSV and TOML files in it"
            )
            by_path = st.form_submit_button("Check it")
    with upload, st.form("claims by upload", border=False):
        files = st.file_uploader(
            "Or upload CSV and TOML files", accept_multiple_files=True, help="tables and claims together"
        )
        by_upload = st.form_submit_button("Check them")
    try:
        if by_path and given.strip():
            st.session_state[CHECKED] = folder_at(given.strip())
        elif by_upload and files:
            st.session_state[CHECKED] = uploaded([(file.name, file.getvalue()) for file in files])
        texts: Texts | None = st.session_state.get(CHECKED)
        return None if texts is None else (*checked(ask.store().build_id, texts), texts)
    except ScoreproofError as error:
        st.session_state.pop(CHECKED, None)
        plain.note(str(error), kind="error")
        return None
