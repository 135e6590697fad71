"""Discover, read, validate, build: from paths to an immutable build behind a pointer file.

A build is written under a name of its own with the ending `.partial`, checked, flushed, renamed, and only then
named by `current.json`. Killed at any moment it leaves the served build as it was; what is left over is removed by
the next build, under a lock.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
import polars as pl

from analytics.errors import BadLog, BadStore
from analytics.schema import PROVENANCES, SCHEMA_VERSION
from loaders.account import attach, settle
from loaders.base import Batch, Issue, Reader
from loaders.carry import carry, forget
from loaders.discover import Candidate, digest, discover
from loaders.finish import finish
from loaders.parts import thaw
from loaders.stage import Tally, count, open_stage, take

POINTER = "current.json"
KEEP_BUILDS = 3
BUILD_MEMORY = "512MB"
"""What DuckDB may hold while a build is written; past it it spills beside the file."""

Connection = duckdb.DuckDBPyConnection
Rows = list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build is: `done` of `total` sources, `rows` records seen in the current one."""

    stage: str
    done: int
    total: int
    source: str
    rows: int


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a build did: rows of the tables `sources` and `issues`, and in `idle` the arguments that gave no row."""

    build_id: str
    rows: dict[str, int]
    sources: list[dict[str, object]]
    issues: list[dict[str, object]]
    idle: list[str]
    seconds: float


OnProgress = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Report nothing."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the store's build lock; raises BadStore when another build holds it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BadStore(f"Another build is writing to {folder}. Wait until it ends and try again.") from error
        yield


def build(
    arguments: Sequence[str],
    store: Path,
    *,
    add: bool,
    remove: Sequence[str] = (),
    provenance: str = "imported",
    known: Sequence[Reader] | None = None,
    on_progress: OnProgress = silent,
) -> LoadReport:
    """Read every log under `arguments` and make the result the store's current build.

    `add` keeps what the store holds (a source whose file is given again is replaced), `remove` leaves out the
    sources with these ids. `provenance` is given to rows whose log states none. Raises BadLog for an argument that
    does not exist and BadStore when another build is under way; the served build is then as before.
    """
    if provenance not in PROVENANCES:
        raise BadLog(f"'{provenance}' is no provenance; allowed: {', '.join(PROVENANCES)}.")
    start = time.monotonic()
    store = Path(store)
    with locked(store):
        _sweep(store)
        candidates = [candidate for argument in arguments for candidate in discover(argument, known=known)]
        stage_path = store / f".stage-{os.getpid()}.partial"
        con = open_stage(str(stage_path))
        try:
            if add or remove:
                _carry_current(con, store, remove)
            fruitful = set()
            for done, candidate in enumerate(candidates):
                progress = Progress("read", done, len(candidates), candidate.source.name, 0)
                on_progress(progress)
                counter = _counter(on_progress, progress)
                if _take_one(con, candidate, provenance, counter, stem=stage_path):
                    fruitful.add(candidate.source.argument)
            on_progress(Progress("build", len(candidates), len(candidates), "", 0))
            con.close()
            idle = [argument for argument in arguments if argument not in fruitful]
            report = _publish(store, stage_path, idle, start)
        finally:
            con.close()
            for path in store.glob(f"{stage_path.name}*"):
                _unlink(path)
    on_progress(Progress("done", len(candidates), len(candidates), "", 0))
    return report


def _counter(on_progress: OnProgress, progress: Progress) -> Callable[[int], None]:
    """Return what tells the caller how many records of the current source were seen."""
    return lambda rows: on_progress(replace(progress, rows=rows))


def _carry_current(con: Connection, store: Path, remove: Sequence[str]) -> None:
    pointer = store / POINTER
    if not pointer.exists():
        return
    current = json.loads(pointer.read_text(encoding="utf-8"))
    if current.get("schema_version") != SCHEMA_VERSION:
        raise BadStore(f"The store at {store} has another schema version; build it again without --add.")
    carry(con, store / Path(str(current["file"])).name)
    if remove:
        known = {str(row[0]) for row in con.execute("SELECT source_id FROM log.sources").fetchall()}
        lacking = [source for source in remove if source not in known]
        if lacking:
            raise BadLog(f"The store has no source {', '.join(lacking)}. See the sources on the Data page.")
        forget(con, remove)


def _take_one(
    con: Connection, candidate: Candidate, provenance: str, on_rows: Callable[[int], None], *, stem: Path
) -> bool:
    """Read one candidate and note its source, its account and its issues; return whether it gave what it should."""
    source = candidate.source
    try:
        sha, size, modified = digest(source.path)
    except OSError as error:
        sha, size, modified = "", 0, 0.0
        tally = Tally(
            issues=[Issue("unreadable", "refused", f"{source.name} cannot be read ({error.strerror}).", records=0)]
        )
        candidate = Candidate(source, None, companion=False, issue=tally.issues[0])
    source_id = hashlib.sha256(f"{source.path.resolve()}\0{sha}".encode()).hexdigest()[:12]
    before = con.execute("SELECT source_id, path, argument FROM log.sources").fetchall()
    same_place = [str(row[0]) for row in before if _place(row[1], row[2]) == source.path.resolve()]
    if same_place and candidate.reader is not None and not _gives_rows(candidate):
        message = (
            f"{source.name} cannot be read any more; what was read from it before is kept. Mend it and add it again."
        )
        _note(con, same_place[0], [Issue("replacement_unreadable", "refused", message, records=0)])
        return False
    if same_place:
        thaw(con)
        forget(con, same_place)
    tally = Tally()
    # Where the path names run or task, equal bytes at two paths are two records of results.
    by_path = candidate.reader is not None and candidate.reader.named_by_path
    same = "SELECT path FROM log.sources WHERE sha256 = ? AND role = 'log'"
    twin = [] if by_path else con.execute(same, [sha]).fetchall()
    role = "companion" if candidate.companion else "refused"
    if candidate.issue is not None:
        tally.add(candidate.issue, counts=True)
    elif candidate.reader is not None and twin:
        message = f"{source.name} has the same bytes as {twin[0][0]}, which was read already; it was not loaded twice."
        tally.add(Issue("same_file_twice", "note", message, records=0), counts=False)
        role = "companion"
    elif candidate.reader is not None:
        tally = take(
            con,
            candidate.reader,
            source,
            source_id=source_id,
            provenance=provenance,
            on_rows=on_rows,
            stem=stem,
        )
        role = "log" if tally.kept else "refused"
    reader = candidate.reader
    con.execute(
        INSERT_SOURCE,
        {
            "id": source_id,
            "path": source.name,
            "argument": str(Path(source.argument).resolve()),
            "loader": reader.name if reader else "none",
            "version": reader.version if reader else "",
            "role": role,
            "sha": sha,
            "bytes": size,
            "modified": modified,
            "provenance": provenance,
            "seen": tally.seen,
            "kept": tally.kept,
            "refused": tally.refused,
            "doubted": tally.doubted,
        },
    )
    _note(con, source_id, tally.issues)
    # A README or manifest named by itself belongs to a log: it is listed, and is no failure.
    return role == "log" or bool(twin) or (candidate.companion and Path(source.argument).is_file())


def _place(path: str, argument: str) -> Path:
    """Return where a source stands on disk: its argument is the file itself, or the folder that it is below."""
    root = Path(argument)
    return root if path == root.name and not root.is_dir() else root / path


def _gives_rows(candidate: Candidate) -> bool:
    """Whether the reader still gets a record from a file that replaces one already read."""
    if candidate.reader is None:
        return False
    try:
        found = candidate.reader.read(candidate.source)
        return any(isinstance(part, Batch) and part.primary and part.frame.height for part in found)
    except (Exception, pl.exceptions.PanicException):  # noqa: BLE001 - whatever it is, the rows read before are kept
        return False


INSERT_SOURCE = """
INSERT INTO log.sources BY NAME
SELECT $id AS source_id, $path AS path, $argument AS argument, $loader AS loader, $version AS loader_version,
       $role AS role, $sha AS sha256, $bytes AS bytes, $modified AS modified,
       coalesce((SELECT min(provenance) FROM log.runs WHERE source_id = $id),
                (SELECT min(provenance) FROM log.figures WHERE source_id = $id), $provenance) AS provenance,
       $seen AS seen, $kept AS kept, $refused AS refused, $doubted AS doubted, '' AS trust
"""


def _note(con: Connection, source_id: str | None, issues: Sequence[Issue]) -> None:
    """Append issues to the log with running numbers."""
    first = count(con, "SELECT coalesce(max(issue), 0) + 1 FROM log.issues")
    if issues:
        con.executemany(
            "INSERT INTO log.issues VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (first + k, source_id, i.line, i.column, i.rule, i.severity, i.records, i.message, i.excerpt)
                for k, i in enumerate(issues)
            ],
        )


def _publish(store: Path, stage_path: Path, idle: list[str], start: float) -> LoadReport:
    """Turn the staged rows into a build file and point to it."""
    stem = f"build-{time.time_ns():020d}"
    partial, final = store / f".{stem}.duckdb.partial", store / f"{stem}.duckdb"
    settle(stage_path)
    try:
        rows, hash_, sources, issues = _write(partial, stage_path, memory=BUILD_MEMORY)
    except duckdb.OutOfMemoryException:  # texts so long that a handful of them is more
        rows, hash_, sources, issues = _write(partial, stage_path, memory=None)
    if partial.with_name(partial.name + ".wal").exists():
        raise BadStore(f"The build in {store} was not written out completely. Build it again.")
    _flush(partial)
    partial.replace(final)
    pointer = {
        "build_id": stem, "file": final.name, "schema_version": SCHEMA_VERSION, "rows": rows, "data_hash": hash_,
    }  # fmt: skip
    _point(store, pointer)
    _retire(store, final.name)
    return LoadReport(stem, rows, sources, issues, idle, time.monotonic() - start)


def _write(partial: Path, stage_path: Path, *, memory: str | None) -> tuple[dict[str, int], str, Rows, Rows]:
    """Write the build file; return its rows by table, its digest, and the rows of `sources` and `issues`."""
    con = duckdb.connect(str(partial))
    try:
        if memory is not None:
            con.execute(f"SET memory_limit = '{memory}'")
        attach(con, stage_path)
        rows = finish(con)
        con.execute("DETACH stage")
        hash_ = str(con.execute("SELECT value FROM meta WHERE key = 'data_hash'").fetchall()[0][0])
        sources = con.sql("SELECT * FROM sources ORDER BY argument, path").to_arrow_table().to_pylist()
        issues = con.sql("SELECT * FROM issues ORDER BY issue").to_arrow_table().to_pylist()
        con.execute("CHECKPOINT")
    except BaseException:
        con.close()
        _unlink(partial)
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


def _sweep(store: Path) -> None:
    """Remove what killed builds left behind."""
    for path in store.glob(".*.partial*"):
        _unlink(path)


def _retire(store: Path, current: str) -> None:
    """Keep the newest builds, so that readers still on an older one are served."""
    builds = sorted(path for path in store.glob("build-*.duckdb") if path.name != current)
    for path in builds[: max(0, len(builds) - (KEEP_BUILDS - 1))]:
        _unlink(path)


def _unlink(path: Path) -> None:
    for leftover in (path, path.with_name(path.name + ".wal")):
        if leftover.is_dir():  # where a killed build spilled
            shutil.rmtree(leftover, ignore_errors=True)
        else:
            leftover.unlink(missing_ok=True)
