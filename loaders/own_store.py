"""The reader's own store: begun as a copy of the shipped one, added to, and taken back a step.

The embedded store holds the shipped logs and nothing else, so that it can be built again at any time; what a reader
adds goes to a store beside it.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from analytics.errors import BadStore
from analytics.schema import STORE_VERSION
from loaders.embedded import home
from loaders.lock import locked
from loaders.pointer import POINTER, named_by

SET_ASIDE = "set-aside.json"
"""Pointer of a store that its reader put aside; naming it back brings the store back."""


def own_store() -> Path:
    """Return the folder of the reader's own store, whether or not it is there."""
    return home() / "user"


def serves() -> bool:
    """Whether the reader's own store is the one to serve: begun, not put aside, and of this version."""
    return _version(own_store() / POINTER) == STORE_VERSION


def unnamed() -> str:
    """Return what a command that names no store is about, and where the reader's own store is."""
    own = f" The app's own store is another: --store {own_store()}." if serves() else ""
    return f"no --store is named: this is about the shipped logs.{own}"


def begin(shipped: Path) -> Path:
    """Return the reader's own store: the one that is served, the one that was put aside, or a copy of the shipped one.

    A store of another version stays on disk under a name of its own; one of this version that was put aside comes
    before a new one, also where a store of another version stood in its way.
    """
    own = own_store()
    if serves():
        return own
    with locked(own):
        if serves():  # begun by another process since: what that one added stays
            return own
        _keep_other(own, POINTER)
        if _version(own / SET_ASIDE) == STORE_VERSION:
            (own / SET_ASIDE).replace(own / POINTER)
            return own
        _keep_other(own, SET_ASIDE)
        text = (shipped / POINTER).read_text(encoding="utf-8")
        file = Path(str(json.loads(text)["file"])).name
        partial = own / f".{file}.partial"
        shutil.copyfile(shipped / file, partial)
        partial.replace(own / file)
        _write(own, text)
    return own


def pointer_text(store: Path) -> str:
    """Return the pointer of a store as it stands, for `restore`."""
    return (store / POINTER).read_text(encoding="utf-8")


def restore(store: Path, text: str, *, instead_of: str) -> None:
    """Point a store to an earlier build of it again, in the place of the build `instead_of`.

    Raises BadStore when that build is no longer kept, when the store was changed again since `instead_of`, whose change
    would be lost as well, or when another build is under way.
    """
    file = Path(str(json.loads(text)["file"])).name
    with locked(store):
        if named_by(store / POINTER) != f"{instead_of}.duckdb":
            raise BadStore(f"{store} was changed again since: going back would drop that change too. Remove by source.")
        if not (store / file).is_file():
            raise BadStore(f"The build {file} is no longer kept in {store}. Add the logs again instead.")
        _write(store, text)


def _version(pointer: Path) -> int | None:
    """Return the version of the store that a pointer names; None where there is none that can be read."""
    try:
        return int(json.loads(pointer.read_text(encoding="utf-8"))["schema_version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep_other(own: Path, name: str) -> None:
    """Keep a pointer of another version, where there is one, under a name that is free: its build stays with it."""
    if not (own / name).exists():
        return
    number = 1
    while (own / f"other-version-{number}.json").exists():
        number += 1
    (own / name).replace(own / f"other-version-{number}.json")


def set_aside() -> None:
    """Serve the shipped logs alone again; the reader's own store stays on disk.

    Raises BadStore when there is none, or when one was put aside before: it would be lost.
    """
    own = own_store()
    with locked(own):
        if not (own / POINTER).exists():
            raise BadStore(f"There is no store at {own} to put aside. Load the page again.")
        if (own / SET_ASIDE).exists():
            raise BadStore(f"A store was put aside before: {own / SET_ASIDE}. Move that file away first.")
        (own / POINTER).replace(own / SET_ASIDE)


def bring_back() -> None:
    """Serve the reader's own store again. Raises BadStore when none was put aside, or one is served already."""
    own = own_store()
    with locked(own):
        if serves():
            raise BadStore(f"The store at {own} is served already. Load the page again.")
        if not (own / SET_ASIDE).exists():
            raise BadStore(f"No store was put aside at {own}. Load the page again.")
        _keep_other(own, POINTER)
        (own / SET_ASIDE).replace(own / POINTER)


def is_set_aside() -> bool:
    """Whether there is a store of the reader's that is not served."""
    own = own_store()
    return (own / SET_ASIDE).exists() and not serves()


def _write(store: Path, text: str) -> None:
    """Write the pointer in one step."""
    fresh = store / f".{POINTER}.partial"
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(store / POINTER)
