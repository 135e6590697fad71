"""Kappa from agreement and marginals."""

from __future__ import annotations

from fractions import Fraction

from analytics.audit.kind import FAILS, Case, Kind, Verdict, settle
from analytics.audit.numbers import Interval, exactly, short
from analytics.errors import UnknownValue

ONE = exactly(1)
PERCENT = Fraction(1, 100)


def chance(a: Interval, b: Interval) -> Interval:
    """Return the agreement by chance of two raters with two labels, from their prevalences (proportions)."""
    corners = [x * y + (1 - x) * (1 - y) for x in (a.low, a.high) for y in (b.low, b.high)]
    value = None
    if a.value is not None and b.value is not None:
        value = a.value * b.value + (1 - a.value) * (1 - b.value)
    return Interval(min(corners), max(corners), value)


def corrected(agreement: Interval, expected: Interval) -> Interval | None:
    """Return (agreement - expected) / (1 - expected); None where chance alone agrees always."""
    if expected.high >= 1:
        return None
    corners = [(a - e) / (1 - e) for a in (agreement.low, agreement.high) for e in (expected.low, expected.high)]
    value = None
    if agreement.value is not None and expected.value is not None:
        value = (agreement.value - expected.value) / (1 - expected.value)
    return Interval(min(corners), max(corners), value)


def kappa(case: Case) -> Verdict:
    """Compare with Cohen's kappa of two labels, or with the greatest Fleiss' kappa that the agreement allows."""
    agreement = case.one("agreement").times(PERCENT)
    if case.record.get("method") == "fleiss":
        return fleiss(case, agreement)
    if not {"prevalence_a", "prevalence_b"} <= set(case.inputs):
        return Verdict("not_checkable", "missing: the prevalences of both raters.")
    expected = chance(case.one("prevalence_a").times(PERCENT), case.one("prevalence_b").times(PERCENT))
    found = corrected(agreement, expected)
    if found is None:
        return Verdict("not_checkable", "undefined: with one category chance alone agrees always, kappa is 0/0.")
    return settle(found, case, note=f"Agreement by chance {short(expected.value or expected.low)}.")


def fleiss(case: Case, agreement: Interval) -> Verdict:
    """Say whether kappa is possible: chance agreement lies between 1 / categories and 1."""
    categories = int(case.record.get("categories", 0))
    if categories < 2:
        raise UnknownValue("Fleiss' kappa needs the number of categories, two or more.")
    most = corrected(agreement, exactly(Fraction(1, categories)))
    assert most is not None
    goal = case.goal()
    said = f"kappa is at most {short(most.high)} for this agreement over {categories} categories"
    if goal.interval.low <= most.high:
        return Verdict("consistent", f"{said}; printed {goal.text}.", None, Fraction(-1), most.high)
    off = goal.interval.low - most.high
    return Verdict(FAILS, f"{said}; printed {goal.text}, off by {short(off)}.", None, Fraction(-1), most.high, off)


KINDS = (
    Kind(
        "kappa",
        "(agreement - chance) / (1 - chance)",
        roles=("agreement",),
        optional=("prevalence_a", "prevalence_b"),
        judge=kappa,
    ),
)
