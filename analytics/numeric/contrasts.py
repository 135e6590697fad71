"""Two independent groups: Fisher's exact test over many 2x2 tables, odds ratio, difference of rates.

A table is (a, b) right and wrong in the first group of items, (c, d) right and wrong in the second. For two runs
over the *same* items these tests ignore the pairing: see `paired`.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from analytics.numeric.arrays import FloatArray, IntArray, counts, normal_quantile, one_of, probability, ratio
from analytics.numeric.intervals import Interval, newcombe

ALTERNATIVES = ("two-sided", "greater", "less")
_CELLS = 1 << 15  # probabilities held at once; blocks that leave the cache are slower
_TABLE = 1 << 21  # log factorials kept as a table up to this total, computed cell by cell above


def fisher_exact(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike, *, alternative: str) -> FloatArray:
    """p-value of Fisher's exact test for each 2x2 table (a b / c d), all tables in one pass.

    Parameters
    ----------
    a, b, c, d : counts, broadcast against each other.
    alternative : "greater" (the first group's rate is higher), "less", or "two-sided": the probability of all
        tables with the same margins that are no likelier than the one seen. A table within a factor
        1 + 1e-7 counts as equally likely (R's rule: probabilities equal in algebra differ by rounding).

    Returns
    -------
    p in [0, 1], of the broadcast shape. NaN where a group has no items (a + b = 0 or c + d = 0): there is
    nothing to compare, and such a table does not belong to a family. p = 1 where nobody or everybody is
    right in both groups: the only table with those margins is the one seen.

    Relative accuracy about 1e-13 at totals of 100, 1e-10 at 10,000 (log factorials).
    Source: Fisher 1935, doi:10.2307/2342435. Raises ValueError for fractional or negative counts.
    """
    one_of("alternative", alternative, ALTERNATIVES)
    cells = counts(a=a, b=b, c=c, d=d)
    shape = cells[0].shape
    a_, b_, c_, d_ = (cell.ravel() for cell in cells)
    out = np.full(a_.size, np.nan, dtype=np.float64)
    defined = np.flatnonzero((a_ + b_ > 0) & (c_ + d_ > 0))
    first, second, right = (a_ + b_)[defined], (c_ + d_)[defined], (a_ + c_)[defined]
    width = np.minimum(first, right) - np.maximum(0, right - second) + 1
    order = np.argsort(-width, kind="stable")  # tables of one width together: little padding
    total = int((first + second).max()) if defined.size else 0
    table = gammaln(np.arange(total + 1) + 1.0) if total <= _TABLE else None
    at = 0
    while at < order.size:
        rows = max(1, _CELLS // int(width[order[at]]))
        block = order[at : at + rows]
        seen = a_[defined[block]]
        out[defined[block]] = _tail(
            seen, first[block], second[block], right[block], alternative=alternative, table=table
        )
        at += rows
    return np.asarray(np.minimum(out, 1.0).reshape(shape))


def _tail(
    seen: IntArray,
    first: IntArray,
    second: IntArray,
    right: IntArray,
    *,
    alternative: str,
    table: FloatArray | None,
) -> FloatArray:
    """Sum the hypergeometric probabilities of the tables in the tail, over each padded support."""

    def log_factorial(n: IntArray) -> FloatArray:
        return table[n] if table is not None else np.asarray(gammaln(n + 1.0))

    low, high = np.maximum(0, right - second), np.minimum(first, right)
    x = low[:, None] + np.arange(int((high - low).max()) + 1)
    inside = x <= high[:, None]
    x = np.minimum(x, high[:, None])
    log_margin = sum(log_factorial(n) for n in (first, second, right, first + second - right))
    log_margin = log_margin - log_factorial(first + second)
    mass = np.exp(
        log_margin[:, None]
        - log_factorial(x)
        - log_factorial(first[:, None] - x)
        - log_factorial(right[:, None] - x)
        - log_factorial((second - right)[:, None] + x)
    )
    mass *= inside  # the padding
    if alternative == "greater":
        tail = mass * (x >= seen[:, None])
    elif alternative == "less":
        tail = mass * (x <= seen[:, None])
    else:
        own = mass[np.arange(len(seen)), seen - low]
        tail = mass * (mass <= own[:, None] * (1 + 1e-7))
    # dividing by the whole removes what the log factorials of the margins lost
    return np.asarray(tail.sum(axis=1) / mass.sum(axis=1))


def odds_ratio(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike, *, level: float, correction: float) -> Interval:
    """Sample odds ratio ad / bc of each table with Woolf's interval (normal on the log scale).

    Parameters
    ----------
    correction : added to all four cells of a table that has a zero cell: 0.5 (Haldane-Anscombe) or 0. With 0,
        such a table has the ratio 0 or infinity, without an interval (NaN).

    NaN where a margin is 0: nothing right, nothing wrong or no items leaves no odds to compare.
    Source: Woolf 1955, doi:10.1111/j.1469-1809.1955.tb01348.x.
    """
    if correction < 0:
        raise ValueError(f"correction must be zero or more, found {correction}")
    whole = counts(a=a, b=b, c=c, d=d)
    margins = (whole[0] + whole[1], whole[2] + whole[3], whole[0] + whole[2], whole[1] + whole[3])
    defined = np.all([margin > 0 for margin in margins], axis=0)
    has_zero = np.any([cell == 0 for cell in whole], axis=0)
    a_, b_, c_, d_ = (cell + np.where(has_zero, correction, 0.0) for cell in whole)
    value = ratio(a_ * d_, b_ * c_)
    value = np.where(b_ * c_ == 0, np.inf, value)
    spread = ratio(1, a_) + ratio(1, b_) + ratio(1, c_) + ratio(1, d_)  # NaN with a zero cell
    half = normal_quantile((1 - probability("level", level)) / 2) * np.sqrt(spread)
    centre = np.log(np.where(np.isnan(spread), 1.0, value))
    return Interval(
        estimate=np.where(defined, value, np.nan),
        low=np.where(defined, np.exp(centre - half), np.nan),
        high=np.where(defined, np.exp(centre + half), np.nan),
        undefined=np.zeros(value.shape, dtype=np.int64),
        method="Woolf" if correction == 0 else f"Woolf, {correction:g} added to tables with a zero cell",
        level=level,
        resamples=None,
        seed=None,
    )


def risk_difference(a: ArrayLike, b: ArrayLike, c: ArrayLike, d: ArrayLike, *, level: float) -> Interval:
    """Difference of the two groups' rates, a / (a + b) - c / (c + d), with Newcombe's hybrid score interval.

    NaN where a group has no items.
    """
    a_, b_, c_, d_ = counts(a=a, b=b, c=c, d=d)
    low, high = newcombe(a_, a_ + b_, c_, c_ + d_, level=level)
    return Interval(
        estimate=ratio(a_, a_ + b_) - ratio(c_, c_ + d_),
        low=low,
        high=high,
        undefined=np.zeros(low.shape, dtype=np.int64),
        method="Newcombe hybrid score",
        level=level,
        resamples=None,
        seed=None,
    )
