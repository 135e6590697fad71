"""GRIM: whether some whole count out of n cases (n items x attempts) gives the printed percentage.

Source: Brown and Heathers 2017, doi:10.1177/1948550616673876.
"""

from __future__ import annotations

import math
from fractions import Fraction

from analytics.audit.departures import lost_attempts
from analytics.audit.kind import FAILS, Case, Kind, Verdict
from analytics.audit.numbers import Interval, short


def whole_counts(percent: Interval, n: Fraction) -> range:
    """Return the whole counts out of `n` that print as this percentage; none for n = 0."""
    if n <= 0:
        return range(0)
    return range(max(math.ceil(percent.low * n / 100), 0), min(math.floor(percent.high * n / 100), math.floor(n)) + 1)


def percent(number: Interval, whole: Fraction) -> Interval:
    """Return a number in percent, given what all cases print as."""
    return number.times(100 / whole)


def attainable(case: Case) -> Verdict:
    """Say which counts print so, or which two percentages lie nearest."""
    goal, whole = case.goal(), case.whole()
    n = Fraction(case.count("n") * case.count("attempts", default=1))
    if n <= 0:
        return Verdict("not_checkable", f"missing: cases to count, since n is {short(n)}.")
    found = whole_counts(percent(goal.interval, whole), n)
    cases = short(n)
    if len(found):
        shown = str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"
        low, high = whole * found[0] / n, whole * found[-1] / n
        only = "the only count" if len(found) == 1 else "not the only count"
        why = f"{shown} of {cases} prints as {goal.text}: attainable, {only}."
        return Verdict("consistent", why, low if len(found) == 1 else None, low, high)
    middle = goal.interval.value if goal.interval.value is not None else goal.interval.high
    below = min(max(math.floor(middle * n / whole), 0), math.floor(n))
    above = min(below + 1, math.floor(n))
    ends = [whole * Fraction(k) / n for k in (below, above)]
    near = min(ends, key=lambda share: abs(share - middle))
    why = (
        f"no whole count of {cases} prints as {goal.text}: "
        f"{below} gives {short(ends[0])}, {above} gives {short(ends[1])}; "
        f"off by {short(max(goal.interval.low - near, near - goal.interval.high))}, "
        f"the nearest value that would agree is {short(near)}."
    )
    return Verdict(FAILS, why, near, ends[0], ends[1], off=abs(near - middle))


def missing_attempts(case: Case) -> str | None:
    """Return the fewest missing attempts with which the mean of item means prints so."""
    attempts = case.count("attempts", default=1)
    if attempts < 2:
        return None
    lost = lost_attempts(percent(case.goal().interval, case.whole()), n=case.count("n"), attempts=attempts)
    return None if lost is None else lost.words()


KINDS = (
    Kind(
        "grim",
        "a whole count out of n x attempts gives the share",
        roles=("n",),
        optional=("attempts",),
        judge=attainable,
        departures={"missing_attempts": missing_attempts},
    ),
)
