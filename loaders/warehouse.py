"""Discover, read, validate, build: from paths to an immutable build behind a pointer file.

A build is written under a name of its own with the ending `.partial`, checked, flushed, renamed, and only then
named by `current.json`. Killed at any moment it leaves the served build as it was; what is left over is removed by
the next build, under a lock.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb

from analytics.errors import BadLog, BadStore
from analytics.schema import PROVENANCES, STORE_VERSION
from loaders.base import Issue, Reader
from loaders.carry import carry
from loaders.discover import Candidate, digest, discover
from loaders.disk import LOST, is_full
from loaders.lock import locked
from loaders.places import places_of
from loaders.pointer import POINTER, removed_by
from loaders.progress import OnProgress, Progress, counter, silent
from loaders.publish import LoadReport, publish, sweep, unlink
from loaders.renew import Step, described, held_sources, plan
from loaders.stage import count, open_stage, take
from loaders.tally import Tally

__all__ = ["POINTER", "LoadReport", "OnProgress", "Progress", "build", "locked", "silent"]

Connection = duckdb.DuckDBPyConnection


def build(
    arguments: Sequence[str],
    store: Path,
    *,
    add: bool,
    remove: Sequence[str] = (),
    leave_removed: bool = False,
    provenance: str = "imported",
    shipped: bool = False,
    known: Sequence[Reader] | None = None,
    on_progress: OnProgress = silent,
) -> LoadReport:
    """Read every log under `arguments` and make the result the store's current build.

    `add` keeps what the store holds (a source whose file is given again is replaced), `remove` leaves out the
    sources with these ids; the sources that were merged with one that leaves are read again, so that the store equals a
    fresh build of what remains. `leave_removed` passes over files that were removed before, which come back else.
    `provenance` is given to rows whose log states none. Raises BadLog for an argument that does not exist, BadStore
    when another build is under way, ReadOnly (see `locked`), and whatever `on_progress` raises, such as Cancelled;
    the served build is then as before.
    """
    if provenance not in PROVENANCES:
        raise BadLog(f"'{provenance}' is no provenance; allowed: {', '.join(PROVENANCES)}.")
    start = time.monotonic()
    store = Path(store)
    with locked(store, shipped=shipped):
        sweep(store)
        removed = removed_by(store / POINTER) if add or remove else frozenset()
        candidates = [candidate for argument in arguments for candidate in discover(argument, known=known)]
        if leave_removed:
            candidates = [each for each in candidates if each.source.path.resolve() not in removed]
        stage_path = store / f".stage-{os.getpid()}.partial"
        con = open_stage(str(stage_path))
        try:
            on_progress(Progress("read", 0, len(candidates), "", 0))
            if add or remove:
                _carry_current(con, store)
                removed |= {source.place for source in held_sources(con) if source.source_id in remove}
            steps = plan(
                con,
                candidates,
                remove,
                provenance=provenance,
                known=known,
                note=lambda source_id, issue: _note(con, source_id, [issue]),
            )
            fruitful = _read(con, steps, on_progress, stem=stage_path)
            removed -= {source.place for source in held_sources(con)}
            con.close()
            idle = [argument for argument in arguments if argument not in fruitful]
            report = publish(
                store,
                stage_path,
                idle,
                start,
                removed=removed,
                on_step=lambda done, total: on_progress(Progress("build", done, total, "", 0)),
            )
        except (OSError, *LOST) as error:
            if not is_full(error):
                raise
            reason = str(error).splitlines()[0]
            raise BadStore(
                f"The build in {store} could not be written: {reason}. Make room or choose another folder; what the "
                "store served is as it was."
            ) from error
        finally:
            con.close()
            for path in store.glob(f"{stage_path.name}*"):
                unlink(path)
    on_progress(Progress("done", 1, 1, "", 0))
    return report


def _read(con: Connection, steps: Sequence[Step], on_progress: OnProgress, *, stem: Path) -> set[str]:
    """Read every source in its turn; return the arguments that gave what they should."""
    fruitful: set[str] = set()
    for done, step in enumerate(steps):
        name = step.candidate.source.name
        on_progress(Progress("read", done, len(steps), name, 0))
        if _take_one(con, step, counter(on_progress, done, len(steps), name), stem=stem):
            fruitful |= set(step.arguments)
    return fruitful


def _carry_current(con: Connection, store: Path) -> None:
    pointer = store / POINTER
    if not pointer.exists():
        return
    try:
        current = json.loads(pointer.read_text(encoding="utf-8"))
        version, file = current["schema_version"], store / Path(str(current["file"])).name
    except (ValueError, KeyError, TypeError) as error:
        raise BadStore(f"{pointer} is not a pointer of a store ({error}). Build it again without --add.") from error
    if version != STORE_VERSION:
        raise BadStore(f"The store at {store} has another schema version; build it again without --add.")
    if not file.is_file():
        raise BadStore(f"The pointer of {store} names {file.name}, which is not there. Build it again without --add.")
    try:
        carry(con, file)
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise BadStore(
            f"{file} cannot be read as a build of a store: {reason}. Build it again without --add."
        ) from error


def _take_one(con: Connection, step: Step, on_rows: Callable[[int], None], *, stem: Path) -> bool:
    """Read one source and note it, its account and its issues; return whether it gave what it should."""
    candidate, source = step.candidate, step.candidate.source
    try:
        more = candidate.reader.beside if candidate.reader is not None else None
        sha, size, modified = digest(source.path, () if more is None else more(source.path))
        places = places_of(source.path)
    except OSError as error:
        sha, size, modified, places = "", 0, 0.0, "record"
        issue = Issue("unreadable", "refused", f"{source.name} cannot be read ({error.strerror}).", records=0)
        candidate = Candidate(source, None, companion=False, issue=issue)
    source_id = hashlib.sha256(f"{source.path.resolve()}\0{sha}".encode()).hexdigest()[:12]
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
            provenance=step.provenance,
            on_rows=on_rows,
            stem=stem,
        )
        role = "log" if tally.kept else "refused"
    reader = candidate.reader
    con.execute(
        INSERT_SOURCE,
        {
            "id": source_id,
            "turn": step.turn,
            "path": source.name,
            "argument": str(Path(source.argument).resolve()),
            "loader": reader.name if reader else "none",
            "version": reader.version if reader else "",
            "role": role,
            "sha": sha,
            "bytes": size,
            "modified": modified,
            "provenance": step.provenance,
            "seen": tally.seen,
            "kept": tally.kept,
            "refused": tally.refused,
            "doubted": tally.doubted,
            "places": places,
            "benchmarks": described(con) if role == "log" else [],
        },
    )
    _note(con, source_id, tally.issues)
    # A README or manifest named by itself belongs to a log: it is listed, and is no failure.
    return role == "log" or bool(twin) or (candidate.companion and Path(source.argument).is_file())


INSERT_SOURCE = """
INSERT INTO log.sources BY NAME
SELECT $id AS source_id, $turn AS turn, $path AS path, $argument AS argument, $loader AS loader,
       $version AS loader_version, $role AS role, $sha AS sha256, $bytes AS bytes, $modified AS modified,
       coalesce((SELECT min(provenance) FROM log.runs WHERE source_id = $id),
                (SELECT min(provenance) FROM log.figures WHERE source_id = $id), $provenance) AS provenance,
       $seen AS seen, $kept AS kept, $refused AS refused, $doubted AS doubted, $places AS places,
       $benchmarks::VARCHAR[] AS benchmarks, '' AS trust
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
