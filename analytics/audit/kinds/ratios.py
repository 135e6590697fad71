"""Ratios, shares, proportions and relative changes."""

from __future__ import annotations

from fractions import Fraction

from analytics.audit.kind import BY_CONSTRUCTION, FAILS, Case, Kind, Verdict, settle
from analytics.audit.numbers import exactly, total

HUNDRED = Fraction(100)


def _quotient(case: Case, part: str, whole: str, factor: Fraction) -> Verdict:
    divisor = total(case.many(whole))
    if divisor.low <= 0 <= divisor.high:
        return Verdict("not_checkable", f"missing: a {whole} that is not 0, since nothing can be divided by it.")
    return settle(total(case.many(part)).over(divisor).times(factor), case)


def ratio(case: Case) -> Verdict:
    """Compare with part / whole."""
    return _quotient(case, "part", "whole", Fraction(1))


def share(case: Case) -> Verdict:
    """Compare with 100 part / whole."""
    return _quotient(case, "part", "whole", case.whole())


def proportion(case: Case) -> Verdict:
    """Compare with 100 k / n. A k that was worked out from the percentage itself cannot reproduce it."""
    k, n = total(case.many("k")), case.one("n")
    if k.value is not None and n.value is not None and not 0 <= k.value <= n.value:
        return Verdict(FAILS, f"k is {k.value} of n {n.value}: a part cannot be more than the whole or less than 0.")
    found = _quotient(case, "k", "n", case.whole())
    if found.status == "reproduced" and any(c.derived for c in case.inputs["k"]):
        why = f"{found.why} The count is worked out from printed figures: {BY_CONSTRUCTION}."
        return Verdict("consistent", why, found.recomputed, found.low, found.high)
    return found


def relative_change(case: Case) -> Verdict:
    """Compare with 100 (after - before) / before."""
    before, after = total(case.many("before")), total(case.many("after"))
    if before.low <= 0 <= before.high:
        return Verdict("not_checkable", "missing: a value before that is not 0.")
    # after / before - 1 uses each input once, so the interval is no wider than it must be
    return settle((after.over(before) - exactly(1)).times(HUNDRED), case)


KINDS = (
    Kind("ratio", "part / whole", roles=("part", "whole"), judge=ratio),
    Kind("share", "100 part / whole", roles=("part", "whole"), judge=share),
    Kind("proportion", "100 k / n", roles=("k", "n"), judge=proportion),
    Kind("relative_change", "100 (after - before) / before", roles=("before", "after"), judge=relative_change),
)
