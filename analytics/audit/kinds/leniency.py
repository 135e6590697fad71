"""Leniency of a judge, and what is left of one judge's score of one model beside it."""

from __future__ import annotations

from fractions import Fraction

from analytics.audit.kind import Case, Kind
from analytics.audit.numbers import Interval, total


def mean_of(parts: list[Interval]) -> Interval:
    """Return the unweighted mean."""
    return total(parts).times(Fraction(1, len(parts)))


def leniency(case: Case) -> Interval:
    """Return the mean of a judge minus the mean of the others."""
    return mean_of(case.many("own")) - mean_of(case.many("others"))


def residual(case: Case) -> Interval:
    """Return the difference for one model minus the judge's leniency.

    Cells of that model stand in both terms, so the interval is wider than it must be: no accusation rests on it.
    """
    return (mean_of(case.many("own")) - mean_of(case.many("others"))) - (
        mean_of(case.many("own_all")) - mean_of(case.many("others_all"))
    )


KINDS = (
    Kind("leniency", "mean(own) - mean(others)", roles=("own", "others"), recompute=leniency),
    Kind(
        "residual",
        "own - mean(others) - (mean(own_all) - mean(others_all))",
        roles=("own", "others", "own_all", "others_all"),
        recompute=residual,
    ),
)
