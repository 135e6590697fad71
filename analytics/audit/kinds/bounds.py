"""Bounds: at most, at least, between; a part that is, or is not, among what a percentage counts."""

from __future__ import annotations

from analytics.audit.kind import AS_PRINTED, FAILS, ROUNDING, Case, Kind, Verdict, answer
from analytics.audit.numbers import Interval, exactly, short, total


def _below(lesser: Interval, greater: Interval, said: str, shown: Interval) -> Verdict:
    """Say whether `lesser` can be at most `greater`; `shown` is the recomputed bound."""
    ends = shown
    if lesser.value is not None and greater.value is not None and lesser.value <= greater.value:
        return answer("reproduced", f"{said} holds; {AS_PRINTED}.", number=ends)
    if lesser.low <= greater.high:
        return answer("consistent", f"{said} holds for {ROUNDING}.", number=ends)
    off = lesser.low - greater.high
    return answer(FAILS, f"{said} fails by {short(off)}.", off=off, number=ends)


def at_most(case: Case) -> Verdict:
    """Compare the target with an upper bound."""
    bound = case.one("bound")
    return _below(case.goal().interval, bound, f"{case.goal().text} at most {_said(bound)}", bound)


def at_least(case: Case) -> Verdict:
    """Compare the target with a lower bound."""
    bound = case.one("bound")
    return _below(bound, case.goal().interval, f"{case.goal().text} at least {_said(bound)}", bound)


def between(case: Case) -> Verdict:
    """Compare the target with the least and the greatest part: a mean of them with unknown weights."""
    parts = case.many("parts")
    goal = case.goal()
    low, high = min(p.low for p in parts), max(p.high for p in parts)
    said = f"{goal.text} lies between the least and the greatest part, {short(low)} and {short(high)}"
    if goal.interval.meets(Interval(low, high, None)):
        return Verdict("consistent", f"{said}; a mean with unknown weights.", None, low, high)
    off = max(low - goal.interval.high, goal.interval.low - high)
    return Verdict(FAILS, f"{said}: fails by {short(off)}.", None, low, high, off)


def _share(case: Case) -> Interval:
    return total(case.many("part")).over(total(case.many("whole"))).times(exactly(100).low)


def contains(case: Case) -> Verdict:
    """Compare with the share of a part that the target counts too."""
    found = _share(case)
    return _below(found, case.goal().interval, f"{case.goal().text} at least {_said(found)}, its part,", found)


def excludes(case: Case) -> Verdict:
    """Compare with what the share of a part that the target does not count leaves."""
    found = exactly(100) - _share(case)
    return _below(case.goal().interval, found, f"{case.goal().text} at most {_said(found)}, the rest,", found)


def _said(bound: Interval) -> str:
    return short(bound.value if bound.value is not None else bound.high)


KINDS = (
    Kind("at_most", "no more than the bound", roles=("bound",), judge=at_most),
    Kind("at_least", "no less than the bound", roles=("bound",), judge=at_least),
    Kind("between", "between the least and the greatest part", roles=("parts",), judge=between),
    Kind("contains", "at least 100 part / whole", roles=("part", "whole"), judge=contains),
    Kind("excludes", "at most 100 - 100 part / whole", roles=("part", "whole"), judge=excludes),
)
