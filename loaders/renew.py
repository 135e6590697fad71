"""Which sources are read when logs are added, replaced or removed, so that the store equals a fresh build.

Sources of one benchmark are merged as they are read: the first description of an item holds, later ones fill its gaps,
a run that another file gave too gets a name of its own. None of it can be undone row by row. When a source leaves or
changes, all that share a benchmark with it, directly or through others, leave with it and are read again, in their
old order. So are those of which nothing was loaded for the sake of another source, and those that look at the files
beside them, of which one is new or changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from analytics.errors import BadLog
from loaders.base import Batch, Issue, Reader, readers
from loaders.carry import forget
from loaders.discover import Candidate, discover
from loaders.mapping_apply import NAME, profile_named
from loaders.parts import thaw

Connection = duckdb.DuckDBPyConnection
Note = Callable[[str, Issue], None]

WAITING = ("same_file_twice", "same_run_twice", "unknown_item", "repeated_responses")
"""Rules by which records stayed out because of another source, or for lack of one."""


@dataclass(frozen=True, slots=True)
class Step:
    """One source to read, in its turn; `arguments` are those that named it."""

    candidate: Candidate
    turn: int
    provenance: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """One source of the store, with where it stands on disk, links followed."""

    source_id: str
    argument: str
    place: Path
    turn: int
    provenance: str
    role: str
    loader: str
    version: str


def place_of(path: str, argument: str) -> Path:
    """Return where a source stands on disk: its argument is the file itself, or the folder that it is below."""
    root = Path(argument)
    below = root / path
    return root if path == root.name and not below.exists() else below


def beside_of(place: Path, loader: str, version: str, known: Sequence[Reader] | None = None) -> tuple[Path, ...]:
    """Return the files that say more of a source, by the reader that read it; for a mapped one its profile."""
    if loader == NAME:
        return (place.with_name(profile_named(version)),)
    reader = next((each for each in (readers() if known is None else known) if each.name == loader), None)
    return () if reader is None or reader.beside is None else reader.beside(place)


def held_sources(con: Connection) -> list[Held]:
    """Return the sources of the log, in the order in which they were read."""
    rows = con.execute(
        "SELECT source_id, argument, path, turn, provenance, role, loader, loader_version "
        "FROM log.sources ORDER BY turn"
    ).fetchall()
    return [Held(row[0], row[1], place_of(row[2], row[1]).resolve(), int(row[3]), *row[4:]) for row in rows]


def plan(
    con: Connection,
    candidates: Sequence[Candidate],
    remove: Collection[str],
    *,
    provenance: str,
    known: Sequence[Reader] | None,
    note: Note,
) -> list[Step]:
    """Take out of the log what leaves or must be read again, and return every source to read, in order.

    `note` receives an issue about a source whose rows stay although it should have been read again. Raises BadLog for a
    source to remove that the store does not have.
    """
    held = held_sources(con)
    lacking = sorted(set(remove) - {source.source_id for source in held})
    if lacking:
        raise BadLog(f"The store has no source {', '.join(lacking)}. See the sources on the Data page.")
    by_place = {source.place: source for source in held}
    given = _given(candidates, by_place, note)
    gone = {*remove, *(by_place[place].source_id for place in given if place in by_place)}
    near = _beside(held, given, known)
    linked = _linked(con, gone | near) if gone or near else set()
    again = (linked | (_waiting(con) if gone or given else set())) - gone
    steps = [
        Step(found, by_place[place].turn if place in by_place else 0, provenance, arguments)
        for place, (found, arguments) in given.items()
    ]
    renewed = _renewed([source for source in held if source.source_id in again], known, note)
    steps += renewed
    leaving = gone | {by_place[step.candidate.source.path.resolve()].source_id for step in renewed}
    if leaving:
        thaw(con)
        forget(con, sorted(leaving))
    return _in_turn(steps, held)


def _given(
    candidates: Sequence[Candidate], by_place: dict[Path, Held], note: Note
) -> dict[Path, tuple[Candidate, tuple[str, ...]]]:
    """Return the given files by their place, each once; one that was read and cannot be read any more is left out."""
    given: dict[Path, tuple[Candidate, tuple[str, ...]]] = {}
    for candidate in candidates:
        place = candidate.source.path.resolve()
        before = by_place.get(place)
        if before is not None and before.role == "log" and not gives_rows(candidate):
            name = candidate.source.name
            message = f"{name} cannot be read any more; what was read from it before is kept. Mend it and add it again."
            note(before.source_id, Issue("replacement_unreadable", "refused", message, records=0))
            continue
        arguments = given[place][1] if place in given else ()
        given[place] = candidate, (*arguments, candidate.source.argument)
    return given


def _beside(
    held: Iterable[Held], given: Mapping[Path, tuple[Candidate, tuple[str, ...]]], known: Sequence[Reader] | None
) -> set[str]:
    """Return the sources whose rows may be others now that a file of their format or about them stands beside them."""
    given_readers = {(place.parent, found.reader) for place, (found, _) in given.items() if found.reader is not None}
    looking = {(folder, reader.name) for folder, reader in given_readers if reader.looks_beside}
    return {
        source.source_id
        for source in held
        if (source.place.parent, source.loader) in looking
        or any(path.resolve() in given for path in beside_of(source.place, source.loader, source.version, known))
    }


def _linked(con: Connection, gone: Collection[str]) -> set[str]:
    """Return the sources that share a benchmark with these, directly or through others."""
    rows = con.execute("SELECT source_id, benchmarks FROM log.sources").fetchall()
    describes = {str(row[0]): set(row[1]) for row in rows}
    found, names = set(gone), set[str]()
    while True:
        names |= {name for source in found for name in describes[source]}
        more = {source for source, described in describes.items() if described & names}
        if more <= found:
            return found
        found |= more


def _waiting(con: Connection) -> set[str]:
    """Return the sources of which records stayed out because of another source, or for lack of one."""
    rows = con.execute("SELECT DISTINCT source_id FROM log.issues WHERE rule = ANY(?)", [list(WAITING)]).fetchall()
    return {str(row[0]) for row in rows if row[0] is not None}


def _renewed(again: Iterable[Held], known: Sequence[Reader] | None, note: Note) -> list[Step]:
    """Return a step for each source that can be read again; of the others the rows stay, and an issue says so."""
    wanted = {source.place: source for source in again}
    found: dict[Path, Candidate] = {}
    for argument in dict.fromkeys(source.argument for source in wanted.values()):
        if Path(argument).exists():
            for candidate in discover(argument, known=known):
                found.setdefault(candidate.source.path.resolve(), candidate)
    steps = []
    for place, source in wanted.items():
        fresh = found.get(place)
        if fresh is None or (source.role == "log" and not fresh.companion and not gives_rows(fresh)):
            message = (
                f"{place.name} should have been read again, since a source of the same benchmark left or changed, and "
                "cannot be: its rows are as they were, merged with those of the other. Add it again, or remove it."
            )
            note(source.source_id, Issue("not_read_again", "doubted", message, records=0))
        else:
            steps.append(Step(fresh, source.turn, source.provenance, ()))
    return steps


def _in_turn(steps: Sequence[Step], held: Sequence[Held]) -> list[Step]:
    """Return the steps in the order of a fresh build: those read before in their old order, then the new ones."""
    last = max((source.turn for source in held), default=0)
    ordered = sorted((step for step in steps if step.turn), key=lambda step: step.turn)
    for step in steps:
        if not step.turn:
            last += 1
            ordered.append(Step(step.candidate, last, step.provenance, step.arguments))
    return ordered


def gives_rows(candidate: Candidate) -> bool:
    """Whether a reader gets a record from a file."""
    if candidate.reader is None:
        return False
    try:
        found = candidate.reader.read(candidate.source)
        return any(isinstance(part, Batch) and part.primary and part.frame.height for part in found)
    except (Exception, pl.exceptions.PanicException):  # noqa: BLE001 - whatever it is, the rows read before are kept
        return False


DESCRIBED = """
SELECT DISTINCT benchmark FROM (
    SELECT benchmark FROM incoming.benchmarks UNION ALL SELECT DISTINCT benchmark FROM incoming.items
    UNION ALL SELECT benchmark FROM incoming.runs UNION ALL SELECT DISTINCT benchmark FROM incoming.item_tags
    UNION ALL SELECT DISTINCT benchmark FROM incoming.criteria
    UNION ALL SELECT DISTINCT benchmark FROM incoming.option_types
    UNION ALL SELECT DISTINCT benchmark FROM incoming.comparisons
    UNION ALL SELECT benchmark FROM log.runs WHERE run_id IN (
        SELECT run_id FROM incoming.responses UNION SELECT run_id FROM incoming.verdicts
        UNION SELECT run_id FROM incoming.failure_labels)
) ORDER BY benchmark
"""


def described(con: Connection) -> list[str]:
    """Return the benchmark versions that the source just merged says something about."""
    return [str(row[0]) for row in con.execute(DESCRIBED).fetchall()]
