"""Count-where statements: in how many rows or groups a comparison holds."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction

from analytics.audit.kind import Case, Kind, Verdict, every_group, settle
from analytics.audit.numbers import Interval, exactly
from analytics.errors import UnknownValue

COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
}


def holds(op: str, left: Interval, right: Interval) -> tuple[bool, bool, bool]:
    """Return whether left op right holds for all, for some, and for the printed numbers."""
    compare = COMPARE[op]
    if op == "=":
        some, every = left.meets(right), left.exact and right.exact and left.low == right.low
    else:
        corners = [compare(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
        some, every = any(corners), all(corners)
    printed = compare(left.value, right.value) if left.value is not None and right.value is not None else every
    return every, some, printed


def counted(case: Case) -> Verdict:
    """Compare the target with the number of groups where left op right holds; without op, with their number."""
    found = every_group(case)
    op = case.record.get("op")
    if op is None:
        return settle(exactly(len(found)), case)
    if op not in COMPARE:
        raise UnknownValue(f"'{op}' is not a comparison. Allowed: {', '.join(COMPARE)}.")
    every = some = printed = 0
    against: list[str] = []
    for rows, inputs in found:
        if not inputs.get("left") or not inputs.get("right"):
            continue
        sure, possible, plain = holds(op, inputs["left"][0].interval, inputs["right"][0].interval)
        every, some, printed = every + sure, some + possible, printed + plain
        if not plain and rows:
            against.append(" / ".join(list(rows[0].values())[:2]))
    number = Interval(Fraction(every), Fraction(some), Fraction(printed))
    note = f"Of {len(found)}, not so: {'; '.join(against)}." if 0 < len(against) <= 6 else f"Of {len(found)}."
    return settle(number, case, note=note)


def other_population(case: Case) -> str | None:
    """How many rows more or fewer the document would have to count."""
    found = counted(case)
    number = found.recomputed
    if number is None or case.record.get("relation", "equals") != "equals":
        return None
    stated = case.goal().interval.low
    return f"{abs(stated - number)} row{'s' * (abs(stated - number) > 1)} {'more' if stated > number else 'fewer'}"


KINDS = (
    Kind(
        "count_where",
        "number of rows where it holds",
        optional=("left", "right"),
        whole=True,
        judge=counted,
        departures={"other_population": other_population},
    ),
)
