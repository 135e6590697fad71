"""Any question on any slice of the loaded rows, against a printed number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from analytics.audit.asking import Asked, Asker
from analytics.audit.cells import as_list, bound
from analytics.audit.kind import BY_CONSTRUCTION, FAILS, Case, Kind, Verdict, settle
from analytics.audit.numbers import exactly, short
from analytics.errors import ScoreproofError, UnknownName, UnknownValue, did_you_mean

RECONSTRUCTED = "reconstructed"
PERCENT_UNITS = ("proportion", "points")
Row = Mapping[str, Any]


def ask(case: Case) -> Verdict:
    """Compare the target with one number of an answer, or with what `reduce` makes of its rows."""
    record = case.record
    lacking = [name for name in ("question", "column") if name not in record]
    if lacking:
        raise UnknownName(f"A check of kind ask needs {', '.join(lacking)}.")
    if not case.target and "reduce" not in record:
        return Verdict("not_checkable", "missing: a printed number to compare the answer with.")
    if not isinstance(case.asker, Asker):
        return Verdict("not_checkable", "missing: rows; no store is loaded.")
    where = {name: _values(value, case) for name, value in record.get("where", {}).items()}
    try:
        asked = case.asker.ask(str(record["question"]), where, record.get("set", {}))
    except ScoreproofError as error:
        return Verdict("not_checkable", f"missing: an answer of the question {record['question']}. {error}")
    for column in as_list(record["column"]):
        if column not in asked.units:
            near = did_you_mean(str(column), asked.units)
            return Verdict("not_checkable", f"missing: the column '{column}' of {record['question']}.{near}")
    rows = [row for row in asked.rows if _kept(row, record.get("row", {}), case)]
    found = reduced(case, rows) if "reduce" in record else plain(case, asked, rows)
    return weighed(found, asked, rows)


def _values(value: object, case: Case) -> list[str]:
    return bound(value, case.here[0] if case.here else {})


def _kept(row: Row, wanted: Mapping[str, Any], case: Case) -> bool:
    for column, value in wanted.items():
        if column not in row:
            raise UnknownName(f"The answer has no column '{column}'.{did_you_mean(column, row)}")
        if str(row[column]) not in _values(value, case):
            return False
    return True


def number_of(row: Row, column: str, *, unit: str, wanted: str) -> Fraction | None:
    """Return one number of an answer in the unit of the claim; None where it is null.

    Twelve significant digits: a tie of rounding stays a tie in spite of binary fractions.
    """
    value = row[column]
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if isinstance(value, str):
        raise UnknownValue(f"'{column}' is a text, '{value}', not a number.")
    scale = 100 if unit in PERCENT_UNITS and wanted in ("percent", "points") else 1
    return Fraction(f"{float(value) * scale:.12g}")


def plain(case: Case, asked: Asked, rows: Sequence[Row]) -> Verdict:
    """Compare with the one row that is left, or with some row where `any_row` says so."""
    record = case.record
    column = ", ".join(as_list(record["column"]))
    numbers = [_total(case, asked, row) for row in rows]
    known = [n for n in numbers if n is not None]
    if not rows or not known:
        what = "a row" if not rows else f"a value of {column}, which is undefined there"
        return Verdict("not_checkable", f"missing: {what} in the answer of {record['question']} with these rows.")
    if record.get("any_row"):
        tried = [settle(exactly(n), case) for n in known]
        return next((v for v in tried if v.status != FAILS), tried[0])
    if len(rows) > 1:
        why = f"missing: the one row that is meant; {len(rows)} are left, name it with `row`."
        return Verdict("not_checkable", why)
    return settle(exactly(known[0]), case, note=f"{record['question']}, {column}: {asked.method}.")


def _total(case: Case, asked: Asked, row: Row) -> Fraction | None:
    """Return the number of one row, times the record's factor; several columns are added up."""
    wanted = case.unit()
    columns = as_list(case.record["column"])
    found = [number_of(row, column, unit=asked.units[column], wanted=wanted) for column in columns]
    known = [n for n in found if n is not None]
    return sum(known, Fraction(0)) * Fraction(str(case.record.get("times", 1))) if len(known) == len(found) else None


def reduced(case: Case, rows: Sequence[Row]) -> Verdict:
    """Compare with a sum over rows, with how many groups have the expected row lowest, or with the largest rows."""
    rule = case.record["reduce"]
    column, expect = str(case.record["column"]), rule.get("expect", {})
    known = [row for row in rows if row[column] is not None]
    if not known:
        return Verdict("not_checkable", f"missing: rows with a value of {column}.")
    if rule["kind"] == "sum":
        whole = sum((Fraction(f"{row[column]:.12g}") for row in known), Fraction(0))
        return settle(exactly(whole), case, note=f"Sum over {len(known)} rows.")
    if rule["kind"] == "count_lowest":
        by: dict[str, list[Row]] = {}
        for row in known:
            by.setdefault(str(row[rule["by"]]), []).append(row)
        lowest = {name: min(group, key=lambda row: row[column]) for name, group in by.items()}
        right = sum(_is(row, expect) for row in lowest.values())
        other = ", ".join(name for name, row in lowest.items() if not _is(row, expect))
        note = f"Not so: {other}." if other else ""
        return settle(exactly(right), case, note=f"Of {len(by)} {rule['by']}s. {note}".strip())
    if rule["kind"] == "largest":
        top = sorted(known, key=lambda row: abs(row[column]), reverse=True)[: int(rule["count"])]
        names = ", ".join(
            f"{' / '.join(str(row[c]) for c in expect)} {short(Fraction(f'{row[column]:.6g}'))}" for row in top
        )
        if len(top) == int(rule["count"]) and all(_is(row, expect) for row in top):
            return Verdict("reproduced", f"the {rule['count']} largest are {names}.")
        return Verdict(FAILS, f"the {rule['count']} largest are {names}.")
    raise UnknownValue(f"'{rule['kind']}' is not a way to reduce rows. Allowed: sum, count_lowest, largest.")


def _is(row: Row, expect: Mapping[str, Any]) -> bool:
    return all(str(row[column]) in [str(v) for v in as_list(value)] for column, value in expect.items())


def weighed(found: Verdict, asked: Asked, rows: Sequence[Row]) -> Verdict:
    """Hold a verdict on reconstructed rows to what such rows can say: they agree by construction, or say nothing."""
    source = f"From rows of provenance {', '.join(asked.provenances) or 'unknown'}."
    if RECONSTRUCTED not in asked.provenances or found.status == "not_checkable":
        return replace(found, why=f"{found.why} {source}")
    if found.status == FAILS:
        why = f"missing: real rows. Reconstructed ones, which prove nothing against a document: {found.why}"
        return replace(found, status="not_checkable", why=why)
    fixed = all(row.get("determined", True) for row in rows)
    how = BY_CONSTRUCTION if fixed else f"{BY_CONSTRUCTION}, and no printed figure fixes the rest of these rows"
    return replace(found, status="consistent", why=f"{found.why} {source} They were made to agree: {how}.")


KINDS = (Kind("ask", "the question asked of the rows", target=False, alone=False, judge=ask),)
