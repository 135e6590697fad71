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
from loaders.embedded import home
from loaders.warehouse import POINTER, locked

SET_ASIDE = "set-aside.json"
"""Pointer of a store that its reader put aside; naming it back brings the store back."""


def own_store() -> Path:
    """Return the folder of the reader's own store, whether or not it is there."""
    return home() / "user"


def begin(shipped: Path) -> Path:
    """Return the reader's own store, begun as a copy of the shipped one where it is not there yet."""
    own = own_store()
    if (own / POINTER).exists():
        return own
    text = (shipped / POINTER).read_text(encoding="utf-8")
    file = Path(str(json.loads(text)["file"])).name
    with locked(own):
        partial = own / f".{file}.partial"
        shutil.copyfile(shipped / file, partial)
        partial.replace(own / file)
        _write(own, text)
    return own


def pointer_text(store: Path) -> str:
    """Return the pointer of a store as it stands, for `restore`."""
    return (store / POINTER).read_text(encoding="utf-8")


def restore(store: Path, text: str) -> None:
    """Point a store to an earlier build of it again.

    Raises BadStore when that build is no longer kept or another build is under way.
    """
    file = Path(str(json.loads(text)["file"])).name
    with locked(store):
        if not (store / file).is_file():
            raise BadStore(f"The build {file} is no longer kept in {store}. Add the logs again instead.")
        _write(store, text)


def set_aside() -> None:
    """Serve the shipped logs alone again; the reader's own store stays on disk."""
    own = own_store()
    with locked(own):
        (own / POINTER).replace(own / SET_ASIDE)


def bring_back() -> None:
    """Serve the reader's own store again."""
    own = own_store()
    with locked(own):
        (own / SET_ASIDE).replace(own / POINTER)


def is_set_aside() -> bool:
    """Whether there is a store of the reader's that is not served."""
    own = own_store()
    return (own / SET_ASIDE).exists() and not (own / POINTER).exists()


def _write(store: Path, text: str) -> None:
    """Write the pointer in one step."""
    fresh = store / f".{POINTER}.partial"
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(store / POINTER)
