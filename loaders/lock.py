"""The lock of a store: one build at a time, and none where nothing is written."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from analytics.errors import BadStore
from loaders.read_only import check_writable


@contextmanager
def locked(folder: Path, *, shipped: bool = False) -> Iterator[None]:
    """Hold the store's build lock; raises BadStore when another build holds it, ReadOnly where nothing is written.

    The store of the `shipped` logs is built from what came with the program, so a read-only server may build it.
    """
    if not shipped:
        check_writable(f"Changing the store {folder.name}")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BadStore(f"Another build is writing to {folder}. Wait until it ends and try again.") from error
        yield
