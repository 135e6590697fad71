"""Sums and totals."""

from __future__ import annotations

from analytics.audit.kind import Case, Kind
from analytics.audit.numbers import Interval, total


def added(case: Case) -> Interval:
    """Return the sum of the parts."""
    return total(case.many("parts"))


KINDS = (Kind("sum", "sum of the parts", roles=("parts",), recompute=added),)
