"""Ranks of runs, and how far resampling the items moves them."""

from dataclasses import dataclass

import numpy as np

from analytics.numeric.arrays import FloatArray, probability, ratio

_TIE = 12  # decimals: means of equal answers may differ by 1e-16 when their sums ran in another order


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Rank of each run (1 = highest mean), its interval over the resamples, and how often it is first.

    Equal means share the best rank of the tied places (1, 1, 3). NaN for a run without a mean.
    `first_share` counts a shared first place for each of the tied runs, so it may add up to more than 1.
    """

    rank: FloatArray
    low: FloatArray
    high: FloatArray
    first_share: FloatArray
    level: float
    resamples: int


def ranks(means: FloatArray) -> FloatArray:
    """Rank each row's means from the highest, 1 + the number of strictly higher means; NaN stays NaN.

    Means are compared at 12 decimals, below which a difference is rounding.
    """
    rounded = np.round(np.atleast_2d(means), _TIE)
    falling = np.sort(-rounded, axis=1)
    order = np.argsort(-rounded, axis=1, kind="stable")
    fresh = np.ones(falling.shape, dtype=bool)
    fresh[:, 1:] = falling[:, 1:] != falling[:, :-1]
    place = np.maximum.accumulate(np.where(fresh, np.arange(1, falling.shape[1] + 1), 0), axis=1)
    out = np.empty(falling.shape)
    np.put_along_axis(out, order, place.astype(np.float64), axis=1)
    out[np.isnan(rounded)] = np.nan
    return out.reshape(np.shape(means))


def rank_intervals(replicates: FloatArray, estimate: FloatArray, *, level: float) -> Ranks:
    """Interval of each run's rank over the shared resamples of `mean_replicates`.

    End points are ranks that occurred: the tail's order statistics, not interpolated.
    A resample in which a run has no mean does not rank it.
    """
    tail = (1 - probability("level", level)) / 2
    placed = ranks(replicates)
    ordered = np.sort(placed, axis=0)
    defined = (~np.isnan(placed)).sum(axis=0)
    columns = np.arange(placed.shape[1])
    below = np.maximum(np.floor(tail * defined).astype(np.int64), 0)
    above = np.maximum(defined - 1 - below, 0)
    first = ratio((placed == 1).sum(axis=0), defined)
    own = ranks(estimate)
    low, high = ordered[below, columns], ordered[above, columns]
    return Ranks(own, low, high, first, level, len(replicates))
