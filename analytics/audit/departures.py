"""Departures that a document itself allows, each searched for the smallest one that explains a failed check."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from analytics.audit.kind import FAILS, Case, Verdict
from analytics.audit.numbers import Interval, exactly, short

MOST_LOST = 45
"""Attempts dropped at most in a search; past it a departure would be no small one."""

CAPS = (3, 10, 20, MOST_LOST)
"""Limits of a search over several groups, tried in turn: the first that fits holds the smallest departure."""

MOST_STEPS = 400
"""Steps away from a printed number, at most, when another population is tried."""

MEANS: dict[str, str] = {
    "missing_attempts": "if some attempts are missing, which the document allows",
    "other_population": "if it rests on another set of tasks or systems, which the document allows for",
    "other_attempts": "if it rests on another choice among the attempts, which the document does not state",
    "judge_failed": "if a judge gave no verdict on some items",
    "one_more_item": "if one more item is in the pooled table",
    "rounded_inputs": "if it was worked out from a printed, rounded input",
    "cut_off": "if digits were cut off instead of rounded",
}


@dataclass(frozen=True, slots=True)
class Lost:
    """Attempts that a run lacks: items without any usable one, and partly answered items (usable attempts of each)."""

    items: int
    partial: tuple[int, ...]
    attempts: int

    @property
    def dropped(self) -> int:
        """Number of attempts dropped."""
        return self.items * self.attempts + sum(self.attempts - usable for usable in self.partial)

    def words(self) -> str:
        """Return the departure in words."""
        parts = [f"{self.items} item{'s' * (self.items > 1)} without a usable attempt"] if self.items else []
        parts += [
            f"{self.partial.count(usable)} with {usable} of {self.attempts}" for usable in sorted(set(self.partial))
        ]
        return f"{self.dropped} missing attempt{'s' * (self.dropped > 1)} ({', '.join(parts)})"


def losses(dropped: int, *, n: int, attempts: int) -> Iterator[Lost]:
    """Yield the ways to lose so many attempts, with at most two partly answered items (more add no new means)."""
    for items in range(min(dropped // attempts, n - 1) + 1):
        left = dropped - items * attempts
        for many in range(3):
            for partial in itertools.combinations_with_replacement(range(1, attempts), many):
                if sum(attempts - usable for usable in partial) == left and items + many <= n:
                    yield Lost(items, partial, attempts)


def sums(lost: Lost, *, n: int, low: Fraction, high: Fraction) -> list[Fraction]:
    """Return the attainable sums of item means in [low, high], over the items that have a usable attempt."""
    full = n - lost.items - len(lost.partial)
    found = set()
    for passed in itertools.product(*(range(usable + 1) for usable in lost.partial)):
        base = sum((Fraction(k, usable) for k, usable in zip(passed, lost.partial, strict=True)), Fraction(0))
        first = max(math.ceil((low - base) * lost.attempts), 0)
        last = min(math.floor((high - base) * lost.attempts), full * lost.attempts)
        found |= {base + Fraction(k, lost.attempts) for k in range(first, last + 1)}
    return sorted(found)


def lost_attempts(percent: Interval, *, n: int, attempts: int) -> Lost | None:
    """Return the fewest missing attempts with which a mean over `n` items prints so; None past the limit."""
    for dropped in range(1, MOST_LOST + 1):
        for lost in losses(dropped, n=n, attempts=attempts):
            left = n - lost.items
            if sums(lost, n=n, low=percent.low * left / 100, high=percent.high * left / 100):
                return lost
    return None


def lost_together(
    percents: list[Interval], sizes: list[int], total: Interval, *, attempts: int
) -> tuple[int, list[Lost]] | None:
    """Return the fewest missing attempts over several groups with which each and the mean over all print so."""
    for cap in CAPS:
        found = _lost_within(percents, sizes, total, attempts=attempts, cap=cap)
        if found is not None:
            return found
    return None


def _lost_within(
    percents: list[Interval], sizes: list[int], total: Interval, *, attempts: int, cap: int
) -> tuple[int, list[Lost]] | None:
    """Return the fewest missing attempts, no more than `cap`.

    Groups are independent given how many attempts each loses: the cheapest choices of every group are kept by
    (items lost, sum), and the whole must print as `total`.
    """
    states: dict[tuple[int, Fraction], tuple[int, tuple[Lost, ...]]] = {(0, Fraction(0)): (0, ())}
    for percent, n in zip(percents, sizes, strict=True):
        own: dict[tuple[int, Fraction], Lost] = {}
        for dropped in range(cap + 1):
            for lost in losses(dropped, n=n, attempts=attempts):
                left = n - lost.items
                for value in sums(lost, n=n, low=percent.low * left / 100, high=percent.high * left / 100):
                    own.setdefault((lost.items, value), lost)
        merged: dict[tuple[int, Fraction], tuple[int, tuple[Lost, ...]]] = {}
        for (items, value), (cost, chain) in states.items():
            for (more, added), lost in own.items():
                if cost + lost.dropped > cap:
                    continue
                key = (items + more, value + added)
                if key not in merged or merged[key][0] > cost + lost.dropped:
                    merged[key] = (cost + lost.dropped, (*chain, lost))
        states = merged
    everything = sum(sizes)
    fitting = [
        (cost, list(chain))
        for (items, value), (cost, chain) in states.items()
        if total.low <= 100 * value / (everything - items) <= total.high
    ]
    return min(fitting, key=lambda pair: pair[0]) if fitting else None


def other_input(case: Case, judge: Callable[[Case], Verdict]) -> str | None:
    """Return the smallest change of one printed input that would make the check hold, or None within the limit."""
    best: tuple[Fraction, str] | None = None
    for role, cells in case.inputs.items():
        for at, cell in enumerate(cells):
            value = cell.interval.value
            if not cell.places or value is None or value == 0:
                continue
            step = Fraction(1) if cell.exact or cell.printed is None else cell.printed.step
            if cell.printed is not None and cell.printed.value:
                step *= abs(value / cell.printed.value)  # an exact factor scales the step as well
            for steps in (sign * k for k in range(1, MOST_STEPS) for sign in (1, -1)):
                change = abs(steps * step / value)
                if best is not None and change >= best[0]:
                    break
                other = value + steps * step
                reach = (cell.interval.high - cell.interval.low) / 2
                tried = exactly(other) if cell.exact else Interval(other - reach, other + reach, other)
                if judge(case.with_input(role, at, tried)).status != FAILS:
                    place = cell.places[0]
                    printed = cell.printed.value if cell.printed is not None else value
                    scaled = printed * other / value
                    best = (
                        change,
                        f"{short(scaled)} instead of {short(printed)} ({place.file}: {place.row}: {place.column})",
                    )
                    break
    return None if best is None else best[1]
