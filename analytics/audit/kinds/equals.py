"""Two places that print the same number."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from analytics.audit.departures import lost_attempts
from analytics.audit.kind import FAILS, Case, Kind, Verdict, settle
from analytics.audit.kinds.grim import whole_counts
from analytics.audit.numbers import Interval, exactly, short


def equal(case: Case) -> Verdict:
    """Compare as numerals where both print as many digits, else as intervals; with n one whole count prints as both."""
    (of,) = case.inputs["of"]
    goal = case.goal()
    if "n" in case.inputs:
        n = case.exact("n")
        common = sorted(set(whole_counts(of.interval, n)) & set(whole_counts(goal.interval, n)))
        if common:
            share = 100 * Fraction(common[0]) / n
            why = f"{', '.join(map(str, common))} of {short(n)} prints as {of.text} and as {goal.text}."
            return Verdict("consistent", why, share, share, 100 * Fraction(common[-1]) / n)
        why = f"no whole count of {short(n)} prints as {of.text} and as {goal.text}."
        return Verdict(FAILS, why, of.interval.value, of.interval.low, of.interval.high)
    if (
        case.record.get("relation", "equals") == "equals"
        and of.printed is not None
        and goal.printed is not None
        and of.printed.step == goal.printed.step
        and of.interval.value == of.printed.value  # no factor in between
    ):
        return settle(Interval(of.printed.value, of.printed.value, of.printed.value), _numeral(case))
    return settle(of.interval, case)


def _numeral(case: Case) -> Case:
    """Return the case with the target read as the numeral itself."""
    goal = case.goal()
    assert goal.printed is not None
    return replace(case, target=(replace(goal, interval=exactly(goal.printed.value), exact=True),))


def other_attempts(case: Case) -> str | None:
    """A gain that averages all attempts before, where the table takes the first: k / n - j / (n attempts)."""
    if not {"after", "cases", "attempts"} <= set(case.inputs):
        return None
    n, attempts = case.count("cases"), case.count("attempts")
    goal = case.goal().interval
    for k in whole_counts(case.one("after"), Fraction(n)):
        # 100 (k / n - share) lies in the printed interval
        low, high = 100 * Fraction(k, n) - goal.high, 100 * Fraction(k, n) - goal.low
        first = math.ceil(low * n * attempts / 100)
        if first <= high * n * attempts / 100:
            return (
                f"{k} of {n} after, and before it the mean of {attempts} attempts, {first} of {n * attempts} passes, "
                f"instead of the first attempt that the table takes"
            )
        lost = lost_attempts(Interval(low, high, None), n=n, attempts=attempts)
        if lost is not None:
            return f"{k} of {n} after, and before it the mean of {attempts} attempts of which {lost.words()}"
    return None


KINDS = (
    Kind("equals", "the same number", roles=("of",), judge=equal),
    Kind(
        "two_places",
        "two places print the same number",
        roles=("of",),
        optional=("n", "after", "cases", "attempts"),
        judge=equal,
        departures={"other_attempts": other_attempts},
    ),
)
