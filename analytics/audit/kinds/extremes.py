"""The least, the greatest, the range between them, and where the greatest stands."""

from __future__ import annotations

from fractions import Fraction

from analytics.audit.kind import AS_PRINTED, FAILS, ROUNDING, Case, Kind, Verdict
from analytics.audit.numbers import Interval
from analytics.errors import UnknownValue


def extreme(parts: list[Interval], *, highest: bool) -> Interval:
    """Return the interval of the least or greatest of the parts."""
    pick = max if highest else min
    values = [p.value for p in parts if p.value is not None]
    return Interval(pick(p.low for p in parts), pick(p.high for p in parts), pick(values) if values else None)


def minimum(case: Case) -> Interval:
    """Return the least part."""
    return extreme(case.many("parts"), highest=False)


def maximum(case: Case) -> Interval:
    """Return the greatest part."""
    return extreme(case.many("parts"), highest=True)


def spread(case: Case) -> Interval:
    """Return the greatest minus the least part; it cannot be negative."""
    found = maximum(case) - minimum(case)
    return Interval(max(found.low, Fraction(0)), found.high, found.value)


def where_highest(case: Case) -> Verdict:
    """Compare the target's text with the label in the row of the greatest part."""
    label = str(case.record["inputs"]["label"])
    cells = case.inputs["parts"]
    labels = [(c, (c.row or {}).get(label)) for c in cells]
    if any(text is None for _, text in labels):
        raise UnknownValue(f"The rows of the parts have no column '{label}'.")
    goal = case.goal().text
    best = maximum(case)
    top = [text for c, text in labels if c.interval.value == best.value]
    if goal in top:
        return Verdict("reproduced", f"the highest is at {goal}; {AS_PRINTED}.", best.value, best.low, best.high)
    possible = [text for c, text in labels if c.interval.high >= best.low]
    if goal in possible:
        return Verdict("consistent", f"the highest is at {goal} for {ROUNDING}.", best.value, best.low, best.high)
    why = f"the highest is at {', '.join(map(str, top))}, printed {goal}."
    return Verdict(FAILS, why, best.value, best.low, best.high)


KINDS = (
    Kind("minimum", "the least part", roles=("parts",), recompute=minimum),
    Kind("maximum", "the greatest part", roles=("parts",), recompute=maximum),
    Kind("max_minus_min", "greatest minus least part", roles=("parts",), recompute=spread),
    Kind("where_highest", "label of the greatest part", roles=("parts",), options=("label",), judge=where_highest),
)
