"""Unweighted and weighted means."""

from __future__ import annotations

import itertools
from fractions import Fraction

from analytics.audit.kind import FAILS, Case, Kind, Verdict, settle
from analytics.audit.numbers import Interval, short, total
from analytics.errors import UnknownValue

MOST_LOST_ITEMS = 12
"""Items that may have left a weighted mean, at most, when missing attempts are searched."""


def mean(case: Case) -> Interval:
    """Return the unweighted mean of the parts."""
    parts = case.many("parts")
    return total(parts).times(Fraction(1, len(parts)))


def weights_of(case: Case) -> list[Fraction]:
    """Return the exact weights, one per part."""
    weights = [c.interval.value for c in case.inputs["weights"]]
    if len(weights) != len(case.inputs["parts"]) or any(w is None for w in weights):
        raise UnknownValue(f"{len(case.inputs['parts'])} parts need as many weights; found {len(weights)}.")
    return [w for w in weights if w is not None]


def weighted(parts: list[Interval], weights: list[Fraction]) -> Interval:
    """Return the weighted mean; raises UnknownValue where the weights add up to nothing."""
    whole = sum(weights, Fraction(0))
    if whole <= 0:
        raise UnknownValue("The weights add up to 0.")
    return total(part.times(weight / whole) for part, weight in zip(parts, weights, strict=True))


def weighted_mean(case: Case) -> Verdict:
    """Compare with the weighted mean; with `extra` one part, unknown which, may weigh so much more."""
    parts, weights = case.many("parts"), weights_of(case)
    plain = settle(weighted(parts, weights), case)
    if plain.status != FAILS or "extra" not in case.inputs:
        return plain
    extra = case.exact("extra")
    for at in range(len(parts)):
        tried = settle(weighted(parts, [w + extra * (i == at) for i, w in enumerate(weights)]), case)
        if tried.status != FAILS:
            why = f"{tried.why} With {short(extra)} more in part {at + 1}, which the check leaves open."
            return Verdict("consistent", why, tried.recomputed, tried.low, tried.high)
    return plain


def missing_attempts(case: Case) -> str | None:
    """Return the fewest items without a usable attempt with which the weighted mean prints so."""
    parts, weights = case.many("parts"), weights_of(case)
    for lost in range(1, MOST_LOST_ITEMS + 1):
        for split in _splits(lost, len(parts)):
            left = [w - x for w, x in zip(weights, split, strict=True)]
            if min(left) > 0 and settle(weighted(parts, left), case).status != FAILS:
                where = ", ".join(f"{x} of part {i + 1}" for i, x in enumerate(split) if x)
                return f"{lost} item{'s' * (lost > 1)} without a usable attempt ({where})"
    return None


def _splits(whole: int, bins: int) -> list[tuple[int, ...]]:
    """Return every way to split a count over so many parts."""
    bars = itertools.combinations(range(whole + bins - 1), bins - 1)
    return [tuple(b - a - 1 for a, b in itertools.pairwise((-1, *cut, whole + bins - 1))) for cut in bars]


KINDS = (
    Kind("mean", "unweighted mean of the parts", roles=("parts",), recompute=mean),
    Kind(
        "weighted_mean",
        "mean of the parts, weighted",
        roles=("parts", "weights"),
        optional=("extra",),
        judge=weighted_mean,
        departures={"missing_attempts": missing_attempts},
    ),
)
