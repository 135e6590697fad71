"""Half-widths of intervals of means: what p over n items with several attempts allows."""

from __future__ import annotations

import math
from fractions import Fraction

from analytics.audit.kind import FAILS, RELATIONS, Case, Kind, Verdict, settle
from analytics.audit.numbers import Interval, short
from analytics.numeric.arrays import normal_quantile


def spreads(p: float, attempts: int) -> tuple[float, float]:
    """Return the least and the most variance of item means that average to `p`.

    Least: every item has one of the two neighbouring shares of its attempts. Most: every item is all or nothing.
    """
    rest = p * attempts - math.floor(p * attempts)
    return rest * (1 - rest) / attempts**2, p * (1 - p)


def bounds(case: Case) -> Interval:
    """Return the half-widths, in points, that the spread of item means allows, resampling slack included."""
    n, attempts = case.count("n"), case.count("attempts")
    z = abs(normal_quantile((1 - float(case.exact("level"))) / 2))
    slack = float(case.exact("slack"))
    p = case.one("p")
    found = []
    if {"all", "any"} <= set(case.inputs):
        found = [known_spread(case, n, attempts)]
    else:
        low, high = (min(max(end / 100, Fraction(0)), Fraction(1)) for end in (p.low, p.high))
        found += [*spreads(float(low), attempts), *spreads(float(high), attempts)]
        if math.ceil(low * attempts) <= high * attempts:
            found.append(0.0)  # a whole number of passes in every item
        if low <= Fraction(1, 2) <= high:
            found.append(0.25)
    widths = [100 * z * math.sqrt(max(spread, 0.0) / n) for spread in found]
    value = Fraction(widths[0]) if len(widths) == 1 else None
    return Interval(Fraction(max(min(widths) - slack, 0.0)), Fraction(max(widths) + slack), value)


def known_spread(case: Case, n: int, attempts: int) -> float:
    """Return the variance of item means where the items passed always and at least once are printed.

    With three attempts the mean fixes how the mixed items split over one and two passes.
    """
    p = float(case.exact("p")) / 100
    always, ever = case.count("all"), case.count("any")
    mixed = ever - always
    passes = round(p * n * attempts) - always * attempts
    # passes of the mixed items lie between 1 and attempts - 1 each; the evenest split is the only one for 3 attempts
    least, rest = divmod(passes, mixed) if mixed else (0, 0)
    squares = always + ((mixed - rest) * least**2 + rest * (least + 1) ** 2) / attempts**2
    return squares / n - p * p


def half_width(case: Case) -> Verdict:
    """Say whether the printed half-width is possible."""
    if case.count("n") == 0:
        return Verdict("not_checkable", "missing: items, since an interval over 0 items is undefined.")
    found = bounds(case)
    if case.record.get("relation", "equals") in RELATIONS[1:]:
        middle = (found.low + found.high) / 2
        return settle(Interval(found.low, found.high, found.value or middle), case)
    goal = case.goal()
    said = f"possible half-widths run from {short(found.low)} to {short(found.high)}"
    if found.meets(goal.interval):
        return Verdict("consistent", f"{said}; printed {goal.text}.", found.value, found.low, found.high)
    off = found.apart(goal.interval)
    return Verdict(FAILS, f"{said}; printed {goal.text}, off by {short(off)}.", found.value, found.low, found.high, off)


KINDS = (
    Kind(
        "half_width",
        "half-width that p on n items allows",
        roles=("p", "n", "attempts", "level", "slack"),
        optional=("all", "any"),
        judge=half_width,
    ),
)
