"""One check from start to verdict: plain reading, allowed departures, digits cut off, and only then a contradiction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from analytics.audit.cells import Cell, Place, Rows, constant, groups
from analytics.audit.departures import MEANS, other_input
from analytics.audit.kind import FAILS, Case, Kind, Others, Verdict, case_of, kind_of, settle, worst
from analytics.audit.numbers import CUT_OFF, ROUNDED
from analytics.audit.tables import Folder, Record
from analytics.errors import ScoreproofError


@dataclass(frozen=True, slots=True)
class Check:
    """A check that was made: its verdict, the cells that it is about and those that it rests on."""

    record: Record
    row: str
    verdict: Verdict
    target: tuple[Cell, ...]
    inputs: tuple[Cell, ...]


def judged(case: Case) -> Verdict:
    """Return the verdict of one reading; FAILS stands for 'not in this reading'."""
    kind = kind_of(case.record)
    if kind.recompute is not None:
        return settle(kind.recompute(case), case)
    assert kind.judge is not None
    return kind.judge(case)


def departed(case: Case, kind: Kind) -> tuple[str, str] | None:
    """Return the first allowed departure that explains a failed check, with the smallest one in words."""
    return _tried(case, kind, case.record.get("allows", []))


def _tried(case: Case, kind: Kind, names: list[str]) -> tuple[str, str] | None:
    for name in names:
        found = kind.departures[name](case) if name in kind.departures else None
        if found is None and name == "other_population" and not kind.whole:
            found = other_input(case, judged)
        if found is not None:
            return name, found
    return None


def decide(
    record: Record,
    folder: Folder,
    rows: Rows,
    *,
    stated: Cell | None,
    asker: Any,  # noqa: ANN401
    others: Others | None,
) -> Check:
    """Make one check. What cannot be read is not_checkable, with the sentence that says why."""
    key = folder.table(record["file"]).key(rows[0]) if rows and record.get("file") else ""
    try:
        case = case_of(record, folder, rows, stated=stated, reading=ROUNDED, asker=asker, others=others)
        kind = kind_of(record)
        empty = [role for role, cells in case.inputs.items() if not cells]
        if kind.target and not case.target:
            return Check(record, key, Verdict("not_checkable", "missing: the target is not printed."), (), ())
        inputs = tuple(c for cells in case.inputs.values() for c in cells)
        if empty:
            verdict = Verdict("not_checkable", f"missing: nothing is printed for the input {', '.join(empty)}.")
            return Check(record, key, verdict, case.target, inputs)
        verdict = judged(case)
        if verdict.status == FAILS:
            verdict = explained(case, kind, verdict, stated)
    except (ScoreproofError, ArithmeticError, KeyError, ValueError) as error:
        return Check(record, key, Verdict("not_checkable", f"missing: a check that can be read. {error}"), (), ())
    why = f"{kind.says}: {verdict.why}"
    if verdict.status in ("conditional", "contradicted") and record.get("note"):
        why += f" {record['note']}"
    return Check(record, key, replace(verdict, why=why), case.target, inputs)


def explained(case: Case, kind: Kind, verdict: Verdict, stated: Cell | None) -> Verdict:
    """Return conditional where a departure explains the failure, else contradicted."""
    found = departed(case, kind)
    if found is not None:
        name, words = found
        return replace(verdict, status="conditional", why=f"{verdict.why} Holds {MEANS[name]}: {words}.")
    again = stated
    if stated is not None and stated.printed is not None:
        again = replace(stated, interval=stated.printed.interval(exact=stated.exact, reading=CUT_OFF))
    cut = replace_reading(case, again)
    if cut is not None and judged(cut).status != FAILS and not rounding_shown(case):
        return replace(verdict, status="conditional", why=f"{verdict.why} Holds {MEANS['cut_off']}.")
    ruled_out = _tried(case, kind, case.record.get("rules_out", []))
    if ruled_out is not None:
        name, words = ruled_out
        why = f"{verdict.why} It would hold {MEANS[name]}: {words}; the document says otherwise."
        return replace(verdict, status="contradicted", why=why)
    return replace(verdict, status="contradicted")


def replace_reading(case: Case, stated: Cell | None) -> Case | None:
    """Return the case with every printed number read as cut off; None where that is no other reading."""
    cut = case_of(
        case.record, case.folder, case.here, stated=stated, reading=CUT_OFF, asker=case.asker, others=case.others
    )
    return None if (cut.target, cut.inputs) == (case.target, case.inputs) and not kind_of(case.record).whole else cut


def rounding_shown(case: Case) -> bool:
    """Whether other rows of the same record show that their column is rounded: right as rounded, wrong as cut off."""
    if "each" not in case.record or "target" not in case.record or kind_of(case.record).whole:
        return False
    for rows in groups(case.folder, case.record):
        if rows == case.here:
            continue
        plain = case_of(case.record, case.folder, rows, stated=None, reading=ROUNDED, asker=case.asker)
        cut = case_of(case.record, case.folder, rows, stated=None, reading=CUT_OFF, asker=case.asker)
        ready = plain.target and all(plain.inputs.values())
        if ready and judged(plain).status != FAILS and judged(cut).status == FAILS:
            return True
    return False


def checks_of(record: Record, folder: Folder, *, asker: Any, others: Others | None) -> list[Check]:  # noqa: ANN401
    """Return every check of one identity record."""
    try:
        kind = kind_of(record)
        split = [()] if kind.whole else groups(folder, record)
    except ScoreproofError as error:
        return [Check(record, "", Verdict("not_checkable", f"missing: a check that can be read. {error}"), (), ())]
    return [decide(record, folder, rows, stated=None, asker=asker, others=others) for rows in split]


def stated_cell(claim: Record) -> Cell | None:
    """Return the number that a claim states, as printed; None where it has no single number.

    `number` is the numeral; without it `printed` is read, if it holds exactly one number.
    """
    text = claim.get("number", claim.get("printed"))
    if text is None:
        return None
    try:
        return constant(str(text), unit=str(claim.get("unit", "")), reading=ROUNDED)
    except ScoreproofError:
        if "number" in claim:
            raise
        return None


def claim_check(claim: Record, folder: Folder, *, asker: Any, others: Others | None) -> Check:  # noqa: ANN401
    """Make the check of one claim; under `each` all of its checks must hold."""
    try:
        kind = kind_of(claim)
        stated = stated_cell(claim)
        if kind.target and stated is None:
            why = f"missing: one number to check; '{claim.get('printed', '')}' holds none, and there is no `number`."
            return Check(claim, "", Verdict("not_checkable", why), (), ())
        split = [()] if kind.whole else groups(folder, claim)
    except ScoreproofError as error:
        return Check(claim, "", Verdict("not_checkable", f"missing: a check that can be read. {error}"), (), ())
    made = [decide(claim, folder, rows, stated=stated, asker=asker, others=others) for rows in split]
    if len(made) == 1:
        return made[0]
    if not made:
        return Check(claim, "", Verdict("not_checkable", "missing: rows that the claim is about."), (), ())
    return combined(claim, made)


def combined(claim: Record, made: list[Check]) -> Check:
    """Return one check for several that must all hold."""
    status = worst([c.verdict.status for c in made])
    telling = [c for c in made if c.verdict.status == status]
    shown = " ".join(f"{c.row}: {c.verdict.why}" for c in telling[:6])
    held = sum(c.verdict.status in ("reproduced", "consistent") for c in made)
    lows = [c.verdict.low for c in made if c.verdict.low is not None]
    highs = [c.verdict.high for c in made if c.verdict.high is not None]
    why = f"{held} of {len(made)} rows hold as printed. {shown}"
    verdict = Verdict(status, why, None, min(lows, default=None), max(highs, default=None))
    return Check(claim, "", verdict, telling[0].target, tuple(c for m in made for c in m.inputs))


def named(cells: tuple[Cell, ...]) -> str:
    """Return the places of cells in words: 'file: row: column, column; row: column'."""
    places = [place for c in cells for place in c.places]
    by_file: dict[str, dict[str, list[str]]] = {}
    for place in places:
        columns = by_file.setdefault(place.file, {}).setdefault(place.row, [])
        if place.column not in columns:
            columns.append(place.column)
    return "; ".join(
        f"{file}: " + "; ".join(f"{row}: {', '.join(columns)}" for row, columns in rows.items())
        for file, rows in by_file.items()
    )


def place_of(cell: Cell) -> Place | None:
    """Return the one place of a cell that is printed; None for constants and sums."""
    return cell.places[0] if cell.printed is not None and len(cell.places) == 1 else None
