"""The single door to DuckDB: immutable builds behind a pointer file, one cursor per query.

A store is a folder. `current.json` names the one complete build file; a build is never changed after
its pointer was written, so readers see the old or the new build and never a mixture. DuckDB keeps a
file name open per process, hence a new name for every build. A connection object shared by threads
returns other callers' rows, hence `cursor()` for every query.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from analytics.errors import BadStore, NoStore, QueryTimeout
from analytics.schema import STORE_VERSION

POINTER = "current.json"
HELD_BUILDS = 3
"""Builds that stay open: whoever began on one while a newer one was written ends on it."""

QUERY_SECONDS = 30.0
"""Time limit of one query; past it the query is interrupted and QueryTimeout is raised."""

Connection = duckdb.DuckDBPyConnection
Params = Mapping[str, Any]

# The serving side never reads files or the network on behalf of a query, and cannot be told to.
SERVING = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
    "lock_configuration": "true",
}

_PARAMETER = re.compile(r"\$([a-z_][a-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class Pointer:
    """What `current.json` says: the complete build, its schema version, and its rows by table."""

    build_id: str
    file: str
    schema_version: int
    rows: dict[str, int]
    data_hash: str


def read_pointer(folder: Path) -> Pointer:
    """Return the pointer of the store at `folder`.

    Raises NoStore when there is none, BadStore when it is not ours or of another schema version.
    """
    path = folder / POINTER
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        pointer = Pointer(
            build_id=str(raw["build_id"]),
            file=str(raw["file"]),
            schema_version=int(raw["schema_version"]),
            rows={str(name): int(n) for name, n in raw["rows"].items()},
            data_hash=str(raw["data_hash"]),
        )
    except FileNotFoundError as error:
        raise NoStore(
            f"No store at {folder}: it holds no {POINTER}. Build one with `scoreproof build LOGS --store {folder}`."
        ) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadStore(
            f"{path} is not a pointer of a store ({error}). Build again with `scoreproof build LOGS --store {folder}`."
        ) from error
    if pointer.schema_version != STORE_VERSION:
        raise BadStore(
            f"The store at {folder} has schema version {pointer.schema_version}, this program reads {STORE_VERSION}. "
            "Build it again from its logs."
        )
    if Path(pointer.file).name != pointer.file:
        raise BadStore(f"{path} names the build '{pointer.file}', which is not a plain file name in the store.")
    return pointer


@dataclass(frozen=True)
class Build:
    """One complete build, open for reading: whatever is asked of it is answered from the same rows."""

    folder: Path
    pointer: Pointer
    connection: Connection
    lock: threading.Lock

    @property
    def build_id(self) -> str:
        """Name of the build; the key of every cache over it."""
        return self.pointer.build_id

    @contextmanager
    def cursor(self) -> Iterator[Connection]:
        """Yield a cursor of its own on this build."""
        with self.lock:
            cursor = self.connection.cursor()
        try:
            yield cursor
        finally:
            cursor.close()


class Store:
    """An open store. Safe to share between threads; it follows the pointer to newer builds."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._held: dict[str, Build] = {}
        self.build()

    def _follow(self) -> Build:
        """Return the newest complete build, opening it when the pointer changed."""
        known = self._held.get(next(reversed(self._held), ""))
        try:
            stat = (self.folder / POINTER).stat()
            stamp = (stat.st_ino, stat.st_mtime_ns)
        except OSError:
            if known is None:
                read_pointer(self.folder)  # raises the sentence that explains it
                raise
            # The folder was deleted under a running server: the open build still answers.
            return known
        if known is None or stamp != self._stamp:
            pointer = read_pointer(self.folder)
            if known is None or pointer.file != known.pointer.file:
                found = self._held.get(pointer.build_id)
                if found is None or found.pointer.file != pointer.file:
                    found = Build(self.folder, pointer, connect(self.folder / pointer.file), threading.Lock())
                self._held.pop(pointer.build_id, None)
                known = self._held[pointer.build_id] = found
                while len(self._held) > HELD_BUILDS:
                    del self._held[next(iter(self._held))]
            self._stamp = stamp
        return known

    def build(self, build_id: str | None = None) -> Build:
        """Return the newest build, or the one of this name while it is still held open.

        Who asks several questions that belong together asks them of one build.
        """
        with self._lock:
            newest = self._follow()
            return newest if build_id is None else self._held.get(build_id, newest)

    @property
    def pointer(self) -> Pointer:
        """The pointer of the build that the next query will read."""
        return self.build().pointer

    @property
    def build_id(self) -> str:
        """Name of the current build."""
        return self.build().build_id

    @contextmanager
    def cursor(self) -> Iterator[Connection]:
        """Yield a cursor of its own on the current build; it stays on that build until it is closed."""
        with self.build().cursor() as cursor:
            yield cursor


def connect(path: Path) -> Connection:
    """Open one build file for reading; nothing outside it can be reached through the connection.

    Raises BadStore when the file is missing or not a database.
    """
    if not path.is_file():
        raise BadStore(f"The pointer names {path.name}, which is not in {path.parent}. Build the store again.")
    try:
        connection = duckdb.connect(str(path), read_only=True, config=dict(SERVING))
        connection.execute("SELECT count(*) FROM meta").fetchall()
    except duckdb.Error as error:
        raise BadStore(f"{path} cannot be read as a build of a store: {str(error).splitlines()[0]}") from error
    return connection


def frame(
    cursor: Connection, sql: str, params: Params | None = None, *, seconds: float = QUERY_SECONDS
) -> pl.DataFrame:
    """Run one query and return its rows as a Polars frame; the only way to ask DuckDB.

    Values are bound by name; names in `params` that the text does not use are left aside, so that one
    set of slice values serves several queries. Raises QueryTimeout after `seconds`.
    """
    wanted = set(_PARAMETER.findall(sql))
    bound = {name: value for name, value in (params or {}).items() if name in wanted}
    timer = threading.Timer(seconds, cursor.interrupt)
    timer.daemon = True
    timer.start()
    try:
        rows: pl.DataFrame = cursor.sql(sql, params=bound or None).pl()
    except duckdb.InterruptException as error:
        raise QueryTimeout(
            f"The query was stopped at its limit of {seconds:g} s. Narrow the slice and ask again."
        ) from error
    finally:
        timer.cancel()
    return rows
