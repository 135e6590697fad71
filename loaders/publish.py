"""From staged rows to the build that is served: written apart, flushed, renamed, and only then named by the pointer."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from analytics.errors import BadStore
from analytics.schema import STORE_VERSION
from loaders.account import attach, settle
from loaders.finish import finish
from loaders.pointer import POINTER, named_by

KEEP_BUILDS = 3
BUILD_MEMORY = "512MB"
"""What DuckDB may hold while a build is written; past it it spills beside the file."""

Rows = list[dict[str, object]]
OnStep = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a build did: rows of the tables `sources` and `issues`, and in `idle` the arguments that gave no row."""

    build_id: str
    rows: dict[str, int]
    sources: list[dict[str, object]]
    issues: list[dict[str, object]]
    idle: list[str]
    seconds: float


def publish(
    store: Path, stage_path: Path, idle: list[str], start: float, *, removed: Iterable[Path], on_step: OnStep
) -> LoadReport:
    """Turn the staged rows into a build file and point to it; `on_step` is told step and number of steps.

    The pointer keeps what was `removed`, so that going back to an earlier build takes that back as well.
    """
    stem = f"build-{time.time_ns():020d}"
    partial, final = store / f".{stem}.duckdb.partial", store / f"{stem}.duckdb"
    settle(stage_path)
    try:
        rows, hash_, sources, issues = _write(partial, stage_path, memory=BUILD_MEMORY, on_step=on_step)
    except duckdb.OutOfMemoryException:  # texts so long that a handful of them is more
        rows, hash_, sources, issues = _write(partial, stage_path, memory=None, on_step=on_step)
    if partial.with_name(partial.name + ".wal").exists():
        raise BadStore(f"The build in {store} was not written out completely. Build it again.")
    _flush(partial)
    partial.replace(final)
    pointer = {
        "build_id": stem, "file": final.name, "schema_version": STORE_VERSION, "rows": rows, "data_hash": hash_,
        "removed": sorted(map(str, removed)),
    }  # fmt: skip
    before = named_by(store / POINTER)
    _point(store, pointer)
    _retire(store, final.name, before)
    return LoadReport(stem, rows, sources, issues, idle, time.monotonic() - start)


def _write(
    partial: Path, stage_path: Path, *, memory: str | None, on_step: OnStep
) -> tuple[dict[str, int], str, Rows, Rows]:
    """Write the build file; return its rows by table, its digest, and the rows of `sources` and `issues`."""
    con = duckdb.connect(str(partial))
    try:
        if memory is not None:
            con.execute(f"SET memory_limit = '{memory}'")
        attach(con, stage_path)
        rows = finish(con, on_step=on_step)
        con.execute("DETACH stage")
        hash_ = str(con.execute("SELECT value FROM meta WHERE key = 'data_hash'").fetchall()[0][0])
        sources = con.sql("SELECT * FROM sources ORDER BY argument, path").to_arrow_table().to_pylist()
        issues = con.sql("SELECT * FROM issues ORDER BY issue").to_arrow_table().to_pylist()
        con.execute("CHECKPOINT")
    except BaseException:
        con.close()
        unlink(partial)
        raise
    con.close()
    return rows, hash_, sources, issues


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _point(store: Path, pointer: dict[str, object]) -> None:
    """Write the pointer file in one step: readers see the old or the new one."""
    fresh = store / f".{POINTER}.partial"
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(pointer, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(store / POINTER)
    _flush(store)


def sweep(store: Path) -> None:
    """Remove what killed builds left behind."""
    for path in store.glob(".*.partial*"):
        unlink(path)


def _retire(store: Path, current: str, before: str) -> None:
    """Keep the newest builds, so that readers still on an older one are served, and the one that was served `before`.

    A build that another pointer of the folder names stays too: a store that was put aside, or one of another version.
    """
    named = {current, before, *(named_by(pointer) for pointer in store.glob("*.json"))}
    builds = sorted(path for path in store.glob("build-*.duckdb") if path.name not in named)
    for path in builds[: max(0, len(builds) - (KEEP_BUILDS - 2))]:
        unlink(path)


def unlink(path: Path) -> None:
    """Remove a file with its write-ahead log, or the folder where a killed build spilled."""
    for leftover in (path, path.with_name(path.name + ".wal")):
        if leftover.is_dir():
            shutil.rmtree(leftover, ignore_errors=True)
        else:
            leftover.unlink(missing_ok=True)
