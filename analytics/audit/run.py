"""The whole audit: every identity of a folder of tables, every claim, and how many of each status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from analytics.audit.asking import Asker
from analytics.audit.cells import Cell, Place
from analytics.audit.check import Check, checks_of, claim_check, named, place_of
from analytics.audit.kind import STATUSES, Status, Verdict, alone, worst
from analytics.audit.numbers import Interval
from analytics.audit.records import claims_of, identities_of
from analytics.audit.tables import Folder, Record
from analytics.store import Connection

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CellCheck:
    """One printed cell in one check: as the number that is recomputed, or as one that it rests on."""

    place: Place
    check: str
    role: str
    kind: str
    document: str
    status: Status
    printed: str
    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """One claim with its verdict."""

    record: Record
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything that was checked. `left_out` names records that were not checked and why."""

    folder: Folder
    checks: tuple[Check, ...]
    cells: tuple[CellCheck, ...]
    claims: tuple[ClaimCheck, ...]
    left_out: Mapping[str, int]


def audit(folder: Folder, *, claims: Sequence[Record] | None, cursor: Connection | None) -> Audit:
    """Check a folder of tables and its claims.

    Parameters
    ----------
    claims : records to check instead of those of the folder; None takes the folder's own.
    cursor : rows to ask; None leaves every check of kind `ask` not_checkable.
    """
    asker = None if cursor is None else Asker(cursor)
    identities, left_out = identities_of(folder)
    memory: dict[str, list[Check]] = {}
    made: list[Check] = []
    for record in identities:
        found = settled(record, folder, partial(checks_of, record, folder, asker=asker, others=None))
        memory.setdefault(str(record.get("id", "")), []).extend(found)
        made += found

    def others(name: str) -> list[tuple[str, Verdict]]:
        return [(check.row, check.verdict) for check in memory.get(name, [])]

    own = claims is None
    if claims is None:
        claims, unasked = claims_of(folder)
        left_out = left_out | unasked
    stated = []
    for record in claims:
        check = partial(claim_check, record, folder, asker=asker, others=others)
        stated.append(ClaimCheck(record, (settled(record, folder, check) if own else check()).verdict))
    return Audit(folder, tuple(made), tuple(cell_checks(made, folder)), tuple(stated), left_out)


def settled(record: Record, folder: Folder, check: Callable[[], T]) -> T:
    """Return what `check` gives; records that the folder alone decides are checked once."""
    if not alone(record):
        return check()
    key = repr(record)
    if key not in folder.settled:
        folder.settled[key] = check()
    found: T = folder.settled[key]
    return found


def cell_checks(made: Sequence[Check], folder: Folder) -> list[CellCheck]:
    """Return one entry per printed cell and check that it takes part in; a target comes before its use as an input.

    All cells of a contradiction are named in it: which of them is wrong, numbers alone do not tell. A cell that it
    only rests on, and that holds in other checks, is conditional: right if another cell is wrong. A cell that feeds
    several rows of one check has the worst status among them; a departure that the document allows concerns the
    target alone.
    """
    targets: dict[tuple[Place, str], CellCheck] = {}
    inputs: dict[tuple[Place, str], CellCheck] = {}
    for check in made:
        about = check.verdict.subject or check.target
        reason = _reason(check)
        chosen = {place_of(cell) for cell in about}
        for cell in (*check.target, *(c for c in about if c not in check.target)):
            place = place_of(cell)
            if place is None:
                continue
            is_about = place in chosen or not check.verdict.subject
            entry = _entry(check, folder, place, cell, role="target", why=reason, about=is_about)
            targets.setdefault((place, entry.check), entry)
        for cell in check.inputs:
            for place in cell.places:
                entry = _entry(check, folder, place, cell, role="input", why=reason, about=True)
                key = (place, entry.check)
                known = inputs.get(key)
                if known is None or worst([known.status, entry.status]) != known.status:
                    inputs[key] = entry
    every = [*targets.values(), *(entry for key, entry in inputs.items() if key not in targets)]
    held = Counter(entry.place for entry in every if entry.status in ("reproduced", "consistent"))
    return [_cleared(entry, held[entry.place]) for entry in every]


def _cleared(entry: CellCheck, held: int) -> CellCheck:
    """Return a cell that a contradiction only rests on as conditional where it holds in other checks."""
    if entry.role != "input" or entry.status != "contradicted" or not held:
        return entry
    others = f"{held} other check{'s' * (held > 1)}"
    why = f"{entry.why} This cell holds in {others}: right if another cell of this one is wrong."
    return replace(entry, status="conditional", why=why)


def _entry(check: Check, folder: Folder, place: Place, cell: Cell, *, role: str, why: str, about: bool) -> CellCheck:
    verdict = check.verdict
    status = verdict.status
    if role == "input" and status == "conditional":
        status = "consistent"
    if not about and status in ("conditional", "contradicted"):
        status = "consistent"
    table = folder.table(place.file)
    printed = cell.text if cell.printed is not None and len(cell.places) == 1 else _printed(folder, place)
    return CellCheck(
        place,
        str(check.record.get("id", "")),
        role,
        str(check.record.get("kind", "")),
        table.document,
        status,
        printed,
        verdict,
        why,
    )


def _printed(folder: Folder, place: Place) -> str:
    table = folder.table(place.file)
    return next((row[place.column] for row in table.rows if table.key(row) == place.row), "")


def _reason(check: Check) -> str:
    """Return the verdict's reason with the cells that take part."""
    about, rest = named(check.target), named(check.inputs)
    parts = [check.verdict.why]
    if about:
        parts.append(f"Target: {about}.")
    if rest:
        parts.append(f"Inputs: {rest}.")
    return " ".join(parts)


def summary(found: Audit) -> dict[str, Any]:
    """Return counts by status of claims, checks and cells, claims by document, and the replay."""
    by_document: dict[str, Counter[str]] = {}
    for claim in found.claims:
        by_document.setdefault(str(claim.record.get("document", "")), Counter())[claim.verdict.status] += 1
    return {
        "claims": _counts([claim.verdict.status for claim in found.claims]),
        "claims_by_document": {name: _counts(list(counts.elements())) for name, counts in by_document.items()},
        "checks": _counts([check.verdict.status for check in found.checks]),
        "cells": _counts([cell.status for cell in found.cells]),
        "printed_cells_examined": len({cell.place for cell in found.cells}),
        "contradictions": contradictions(found),
        "replay": replay(found),
        "left_out": dict(found.left_out),
        "faults": list(found.folder.faults),
    }


def _counts(statuses: Sequence[str]) -> dict[str, int]:
    counts = Counter(statuses)
    return {status: counts[status] for status in STATUSES}


def contradictions(found: Audit) -> int:
    """Return the number of contradicted claims and checks of tables."""
    return sum(claim.verdict.status == "contradicted" for claim in found.claims) + sum(
        check.verdict.status == "contradicted" for check in found.checks
    )


def replay(found: Audit) -> dict[str, Any]:
    """Return how many printed table values were recomputed from rows, and whether all of them agree.

    `verdict` is PASS where every value that the tables ask of rows was recomputed and prints as stated, FAIL where
    one does not or is missing, and NONE where no rows answer at all. `provenances` says what the rows are.
    """
    asked = [check for check in found.checks if check.record.get("kind") == "ask"]
    recomputed = [check for check in asked if check.verdict.recomputed is not None]
    agree = [check for check in recomputed if check.verdict.status in ("reproduced", "consistent")]
    verdict = "NONE" if not recomputed else "PASS" if len(agree) == len(asked) else "FAIL"
    by_construction = sum(check.verdict.status == "consistent" for check in agree)
    return {
        "verdict": verdict,
        "values": len(asked),
        "recomputed": len(recomputed),
        "agree": len(agree),
        "by_construction": by_construction,
    }


def interval_of(verdict: Verdict) -> Interval | None:
    """Return the recomputed interval; None where a check has none."""
    if verdict.low is None or verdict.high is None:
        return None
    return Interval(verdict.low, verdict.high, verdict.recomputed)
