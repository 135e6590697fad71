"""Planted errors: one printed digit changed at a time in a copy of the published tables; what the audit sees.

    python benchmarks/planted.py [--trials 300] [--seed 20260]

A change makes an identity impossible where the second implementation of the identities, tests/published, says that it
held before and does not hold after. A change is flagged where a check that held turns conditional or contradicted and
its reason names the changed cell. Rows of a log take no part: only the printed tables are checked.
"""

from __future__ import annotations

import argparse
import csv
import io
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from analytics.audit.check import Check, checks_of
from analytics.audit.numbers import is_number
from analytics.audit.records import files_of
from analytics.audit.run import cell_checks
from analytics.audit.tables import Folder, embedded
from tests.published import arithmetic, tables

BAD = ("conditional", "contradicted")
CLEAN = ("reproduced", "consistent")


@dataclass(frozen=True)
class Change:
    """One digit of one printed cell."""

    file: str
    row: str
    column: str
    before: str
    after: str


@dataclass(frozen=True)
class Outcome:
    """What one change did."""

    change: Change
    impossible: tuple[str, ...]
    turned: tuple[str, ...]
    flagged: bool
    unexplained: tuple[str, ...]
    checks: int


def numeric_cells(folder: Folder) -> list[tuple[str, int, str]]:
    """File, row number and column of every numeric printed cell."""
    return [
        (file, at, column)
        for file, table in folder.tables.items()
        for at, row in enumerate(table.rows)
        for column in table.columns
        if is_number(row[column])
    ]


def planted(folder: Folder, place: tuple[str, int, str], draw: random.Random) -> tuple[Change, Folder]:
    """Change one digit of one cell to another digit."""
    file, at, column = place
    table = folder.tables[file]
    before = table.rows[at][column]
    digits = [i for i, c in enumerate(before) if c.isdigit()]
    spot = draw.choice(digits)
    other = draw.choice([d for d in "0123456789" if d != before[spot]])
    after = before[:spot] + other + before[spot + 1 :]
    rows = [dict(row) for row in table.rows]
    rows[at][column] = after
    out = io.StringIO()
    writer = csv.DictWriter(out, table.header, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    change = Change(file, table.key(table.rows[at]), column, before, after)
    return change, Folder({**folder.texts, file: out.getvalue()}, None, folder.name)


def holds(record, group) -> bool | None:
    """Whether one check holds; a square root of a negative number (k above n) is impossible, 0 cases are no check."""
    try:
        return arithmetic.holds(record, group)
    except ValueError:
        return False
    except ZeroDivisionError:
        return None


def oracle(texts, only=None) -> dict[tuple[str, str], bool | None]:
    """Whether each check of the identities holds, by the second implementation, on these texts."""
    tables.rows.cache_clear()
    original = tables.rows
    parsed = {name: tuple(csv.DictReader(io.StringIO(text))) for name, text in texts.items() if name.endswith(".csv")}
    tables.rows = parsed.__getitem__
    try:
        found = {}
        for record in tables.records("identities.toml", "identity"):
            if record["kind"] == "ask" or (only is not None and record["id"] not in only):
                continue
            for group in tables.groups(record):
                row = tables.row_key(record["file"], group[0]) if group else ""
                found[record["id"], row] = holds(record, group)
        return found
    finally:
        tables.rows = original


def made(folder: Folder, records) -> dict[str, list[Check]]:
    """The checks of identities by record."""
    return {record["id"]: checks_of(record, folder, asker=None, others=None) for record in records}


def statuses(folder: Folder, checks: dict[str, list[Check]]) -> dict[tuple[str, str], tuple[str, str]]:
    """Status and reason of each cell in each check that it takes part in."""
    found = cell_checks([check for several in checks.values() for check in several], folder)
    return {
        (cell.check, f"{cell.place.file}: {cell.place.row}: {cell.place.column}"): (cell.status, cell.why)
        for cell in found
    }


def names(why: str, change: Change) -> bool:
    """Whether a reason names the changed cell: its file, its row and its column."""
    return change.file in why and change.row in why and change.column in why


def trial(folder: Folder, records, checks, before, held, place, draw: random.Random) -> Outcome:
    """Plant one error and compare everything with before; identities that never look at the table are as they were."""
    change, spoilt = planted(folder, place, draw)
    touched = [record for record in records if change.file in files_of(record)]
    after = statuses(spoilt, checks | made(spoilt, touched))
    possible = oracle(spoilt.texts, {record["id"] for record in touched})
    impossible = tuple(f"{i} {row}" for (i, row), ok in possible.items() if ok is False and held.get((i, row)) is True)
    changed = f"{change.file}: {change.row}: {change.column}"
    turned = {
        key: (status, why)
        for key, (status, why) in after.items()
        if status in BAD and before.get(key, ("",))[0] not in BAD
    }
    worse = {key: why for key, (status, why) in after.items() if status != before.get(key, ("",))[0]}
    return Outcome(
        change,
        impossible,
        tuple(f"{check} {cell}" for check, cell in turned),
        any(names(why, change) for _, why in turned.values()),
        tuple(
            f"{check} {cell}"
            for (check, cell), why in worse.items()
            if cell != changed and before.get((check, cell), ("",))[0] in CLEAN and not names(why, change)
        ),
        sum(1 for cell in before if cell[1] == changed),
    )


def run(trials: int, seed: int) -> list[Outcome]:
    """Plant errors in cells drawn without replacement, with the seed."""
    folder = embedded()
    records = [record for record in folder.toml("identities.toml", "identity") if record["kind"] != "ask"]
    checks = made(folder, records)
    before = statuses(folder, checks)
    held = oracle(folder.texts)
    draw = random.Random(seed)
    places = draw.sample(numeric_cells(folder), trials)
    return [trial(folder, records, checks, before, held, place, draw) for place in places]


def why_unseen(outcome: Outcome) -> str:
    """Why a change was not flagged."""
    if not outcome.checks:
        return "no identity rests on the cell"
    pairs = zip(outcome.change.before, outcome.change.after, strict=True)
    spot = next(i for i, (a, b) in enumerate(pairs) if a != b)
    last = spot == len(outcome.change.before) - 1
    return "last digit: the checks of the cell allow it" if last else "the checks of the cell are bounds or lattices"


def report(outcomes: list[Outcome], seconds: float) -> str:
    """The table of the benchmark."""
    impossible = [o for o in outcomes if o.impossible]
    missed = [o for o in impossible if not o.flagged]
    flagged = [o for o in outcomes if o.flagged]
    unseen = Counter(why_unseen(o) for o in outcomes if not o.flagged)
    n = len(outcomes)
    lines = [
        f"trials                                        {n}  ({seconds:.0f} s)",
        f"changes that make an identity impossible      {len(impossible)}",
        f"  of them flagged                             {len(impossible) - len(missed)}  "
        f"({100 * (1 - len(missed) / max(len(impossible), 1)):.1f} %)",
        f"all changes flagged                           {len(flagged)}  ({100 * len(flagged) / n:.1f} %)",
        f"turned without naming the changed cell        {sum(bool(o.unexplained) for o in outcomes)}",
        "not flagged, because",
        *(f"  {reason:<46}{count}" for reason, count in unseen.most_common()),
    ]
    lines += [f"MISSED {o.change} {o.impossible}" for o in missed]
    lines += [f"UNEXPLAINED {o.change} {o.unexplained[:3]}" for o in outcomes if o.unexplained]
    by_file = Counter(o.change.file for o in outcomes if not o.flagged)
    lines += ["tables with most unseen: " + ", ".join(f"{file} {count}" for file, count in by_file.most_common(8))]
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--trials", type=int, default=300)
    options.add_argument("--seed", type=int, default=20_260)
    given = options.parse_args()
    started = time.perf_counter()
    outcomes = run(given.trials, given.seed)
    print(report(outcomes, time.perf_counter() - started))
    missed = any(o.impossible and not o.flagged for o in outcomes) or any(o.unexplained for o in outcomes)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
