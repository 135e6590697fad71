"""Credit times factors over their divisor."""

from __future__ import annotations

from analytics.audit.kind import Case, Kind
from analytics.audit.numbers import Interval

FACTORS = ("credit", "coverage", "evidence", "logic")


def credit(case: Case) -> Interval:
    """Return credit x coverage x evidence x logic / divisor."""
    found = case.one("credit")
    for factor in FACTORS[1:]:
        found = found.product(case.one(factor))
    return found.over(case.one("divisor"))


KINDS = (
    Kind("credit", "credit x coverage x evidence x logic / divisor", roles=(*FACTORS, "divisor"), recompute=credit),
)
