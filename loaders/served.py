"""Stores of `serve LOGS`: one for each set of logs, the last few kept, and none removed that a server uses."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from loaders.embedded import home
from loaders.pointer import POINTER

KEPT = 5
"""Stores that are kept, the one that is about to be served among them; older ones go unless somebody uses them."""

MARK = ".serving"
"""File of a store that each of its servers holds a shared lock on, from before its build until the process ends."""

_NAME = re.compile(r"[0-9a-f]{12}")


def served_folder() -> Path:
    """Return the folder of these stores."""
    return home() / "served"


def store_of(logs: Sequence[Path]) -> Path:
    """Return the store of these logs: two servers over different logs must not share one."""
    paths = "\0".join(sorted(str(Path(path).resolve()) for path in logs))
    return served_folder() / hashlib.sha256(paths.encode()).hexdigest()[:12]


def mark(store: Path) -> int:
    """Mark a store as used by this process, and by what it becomes, until it ends; return the open file.

    The lock goes with the process: one that was killed marks nothing any more.
    """
    while True:
        store.mkdir(parents=True, exist_ok=True)
        try:
            file = os.open(store / MARK, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            continue  # removed since, as one of the oldest
        fcntl.flock(file, fcntl.LOCK_SH)
        with suppress(FileNotFoundError):
            if os.path.samestat((store / MARK).stat(), os.fstat(file)):
                os.utime(store / MARK)
                os.set_inheritable(file, True)
                return file
        os.close(file)


def sweep(*, keep: int = KEPT) -> list[Path]:
    """Remove all but the last few stores, those apart that somebody uses; return what was removed."""
    folder = served_folder()
    if not folder.is_dir():
        return []
    for left in folder.glob(".removed-*"):  # of a sweep that was killed
        shutil.rmtree(left, ignore_errors=True)
    stores = [path for path in folder.iterdir() if path.is_dir() and _NAME.fullmatch(path.name)]
    stores.sort(key=_last_use, reverse=True)
    return [store for store in stores[keep:] if _remove(store)]


def _last_use(store: Path) -> float:
    """Return when a store was last begun to be served, or built by a version that did not mark it."""
    times = [0.0]
    for name in (MARK, POINTER):
        with suppress(OSError):
            times.append((store / name).stat().st_mtime)
    return max(times)


def _remove(store: Path) -> bool:
    """Remove a store unless a server marks it, a build writes to it, or a process reads one of its builds."""
    with ExitStack() as held:
        try:
            for name in (MARK, ".lock"):
                file = held.enter_context((store / name).open("a"))
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for build in store.glob("*.duckdb"):  # DuckDB holds a record lock on what it has open
                fcntl.lockf(held.enter_context(build.open("r+b")), fcntl.LOCK_EX | fcntl.LOCK_NB)
            gone = store.with_name(f".removed-{os.getpid()}-{store.name}")
            store.rename(gone)  # in one step: who marks it from now on begins a new one
        except OSError:
            return False
        shutil.rmtree(gone, ignore_errors=True)
    return True
