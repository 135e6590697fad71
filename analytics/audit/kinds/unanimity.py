"""Unanimous items, from the agreement of every two raters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

from analytics.audit.kind import FAILS, Case, Kind, Verdict
from analytics.audit.kinds.grim import whole_counts
from analytics.audit.numbers import Interval, short
from analytics.errors import UnknownValue

MOST_FAILED = 40
"""Failed verdicts at most in a search."""


def agreeing_pairs(raters: int, categories: int) -> tuple[int, int]:
    """Return the least and the most agreeing pairs of an item that is not unanimous."""
    least, rest = divmod(raters, categories)
    even = rest * math.comb(least + 1, 2) + (categories - rest) * math.comb(least, 2)
    return even, math.comb(raters - 1, 2)


def possible(case: Case) -> Interval:
    """Return the shares of unanimous items, in percent, that the mean pairwise agreement allows.

    u + (1 - u) x = agreement, with x from the least to the most agreement that a split item has. Two labels and
    three raters leave one x, so u follows.
    """
    raters, categories = int(case.record.get("raters", 0)), int(case.record.get("categories", 0))
    if raters < 2 or categories < 2:
        raise UnknownValue("Unanimity needs the number of raters and of categories, two or more each.")
    cells = case.many("agreements")
    low = sum((c.low for c in cells), Fraction(0)) / len(cells) / 100
    high = sum((c.high for c in cells), Fraction(0)) / len(cells) / 100
    least, most = (Fraction(pairs, math.comb(raters, 2)) for pairs in agreeing_pairs(raters, categories))
    ends = [100 * (a - x) / (1 - x) for a in (low, high) for x in (least, most)]
    return Interval(max(min(ends), Fraction(0)), min(max(ends), Fraction(100)), None)


def unanimous(case: Case) -> Verdict:
    """Say whether the printed share or count of unanimous items is possible."""
    found = possible(case)
    goal = case.goal()
    counted = "n" in case.inputs and case.record.get("unit") == "count"
    if counted:
        n = case.exact("n")
        found = Interval(Fraction(math.ceil(found.low * n / 100)), Fraction(math.floor(found.high * n / 100)), None)
    said = f"the pairwise agreement allows {short(found.low)} to {short(found.high)}{'' if counted else ' %'} unanimous"
    if found.meets(goal.interval):
        return Verdict("consistent", f"{said}; printed {goal.text}.", None, found.low, found.high)
    off = found.apart(goal.interval)
    return Verdict(FAILS, f"{said}; printed {goal.text}, off by {short(off)}.", None, found.low, found.high, off)


def judge_failed(case: Case) -> str | None:
    """Return the fewest items on which one of three judges gave no verdict (the other two may differ there)."""
    raters, categories = int(case.record.get("raters", 0)), int(case.record.get("categories", 0))
    cells = case.many("agreements")
    n = int(case.record.get("n", 0))
    if (raters, categories, len(cells)) != (3, 2, 3) or not n:
        return None
    goal = case.goal().interval
    for failed in range(1, MOST_FAILED + 1):
        for split in _splits(failed):
            if _fits(cells, goal, n, split):
                return f"{failed} verdict{'s' * (failed > 1)} missing of {3 * n}, each on an item of its own"
    return None


def _splits(failed: int) -> Iterator[tuple[int, int, int]]:
    """Yield how many verdicts each judge failed to give."""
    for first in range(failed + 1):
        for second in range(failed - first + 1):
            yield first, second, failed - first - second


def _fits(cells: list[Interval], goal: Interval, n: int, split: tuple[int, int, int]) -> bool:
    """Whether whole numbers of disagreements exist. Pair i lacks the items that either of its judges failed.

    Of three binary judges, twice the split items is the sum of the pairs' disagreements; an item that one judge
    failed may add one to the pair of the other two.
    """
    failed = sum(split)
    judged = n - failed
    unanimous = whole_counts(goal, Fraction(judged))
    if not len(unanimous):
        return False
    pairs = [whole_counts(cell, Fraction(n - failed + split[at])) for at, cell in enumerate(cells)]
    if not all(len(span) for span in pairs):
        return False
    for agreed in itertools.product(*pairs):
        apart = [n - failed + split[at] - k for at, k in enumerate(agreed)]
        for all_agree in unanimous:
            extra = sum(apart) - 2 * (judged - all_agree)
            if 0 <= extra <= failed and min(apart) >= 0:
                return True
    return False


KINDS = (
    Kind(
        "unanimity",
        "unanimous items that pairwise agreement allows",
        roles=("agreements",),
        optional=("n",),
        judge=unanimous,
        departures={"judge_failed": judge_failed},
    ),
)
