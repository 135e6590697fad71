"""Mean over several attempts, against the items that passed always and at least once."""

from __future__ import annotations

from fractions import Fraction

from analytics.audit.kind import FAILS, Case, Kind, Verdict
from analytics.audit.numbers import Interval, short


def bounded(case: Case) -> Verdict:
    """Compare pass@1 with what the two counts allow: the mixed items passed from one to all but one attempt."""
    always, ever, n, attempts = (case.count(role) for role in ("all", "any", "n", "attempts"))
    if n == 0 or attempts == 0 or ever < always:
        return Verdict(
            "not_checkable", f"missing: counts that fit ({always} always, {ever} ever, of {n} x {attempts})."
        )
    mixed = ever - always
    low = 100 * Fraction(always * attempts + mixed, n * attempts)
    high = 100 * Fraction(always * attempts + mixed * (attempts - 1), n * attempts)
    goal = case.goal()
    said = f"{always} items passed always and {ever} at least once allow {short(low)} to {short(high)}"
    if goal.interval.meets(Interval(low, high, None)):
        return Verdict("consistent", f"{said}; printed {goal.text}.", None, low, high)
    off = Interval(low, high, None).apart(goal.interval)
    return Verdict(FAILS, f"{said}; printed {goal.text}, off by {short(off)}.", None, low, high, off)


KINDS = (
    Kind("attempt_bounds", "between what always and ever allow", roles=("all", "any", "n", "attempts"), judge=bounded),
)
