"""Weighted means of two columns with one weight that is not printed but common to all rows."""

from __future__ import annotations

from fractions import Fraction

from analytics.audit.kind import FAILS, Case, Kind, Verdict
from analytics.audit.numbers import Interval, short

NOTHING = (Fraction(1), Fraction(0))


def weights(target: Interval, first: Interval, second: Interval) -> tuple[Fraction, Fraction]:
    """Return the least and greatest w in [0, 1] with target = w first + (1 - w) second; (1, 0) for none.

    Both inequalities, w f + (1 - w) s reaches up to the target's low and down to its high, are linear in w.
    """
    low, high = Fraction(0), Fraction(1)
    for slope, floor in (
        (first.high - second.high, target.low - second.high),
        (second.low - first.low, second.low - target.high),
    ):
        if slope > 0:
            low = max(low, floor / slope)
        elif slope < 0:
            high = min(high, floor / slope)
        elif floor > 0:
            return NOTHING
    return low, high


def common(spans: list[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Return the weights that every row allows."""
    return max(low for low, _ in spans), min(high for _, high in spans)


def mixture(case: Case) -> Verdict:
    """Look for one weight that satisfies every row; where there is none, name the rows that stand in the way."""
    firsts, seconds = case.inputs["first"], case.inputs["second"]
    rows = list(zip(case.target, firsts, seconds, strict=True))
    spans = [weights(t.interval, f.interval, s.interval) for t, f, s in rows]
    low, high = common(spans)
    if low <= high:
        why = f"a common weight of the first column from {short(low)} to {short(high)} gives every row."
        return Verdict("consistent", why, None, low, high)
    alone = [at for at in range(len(rows)) if _holds_without(spans, at)]
    bad = [at for at, span in enumerate(spans) if span[0] > span[1]] or alone or list(range(len(rows)))
    names = ", ".join(case.target[at].places[0].row for at in bad)
    why = f"no one weight gives every row; it would without {names}." if alone else f"no one weight gives {names}."
    return Verdict(FAILS, why, off=low - high, subject=tuple(case.target[at] for at in bad))


def _holds_without(spans: list[tuple[Fraction, Fraction]], at: int) -> bool:
    rest = [span for i, span in enumerate(spans) if i != at]
    low, high = common(rest) if rest else NOTHING
    return low <= high


KINDS = (Kind("mixture", "w first + (1 - w) second with one w for all rows", roles=("first", "second"), judge=mixture),)
