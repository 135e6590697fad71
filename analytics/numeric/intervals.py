"""Intervals of proportions: Wilson, Clopper-Pearson, and Newcombe for a difference.

On the first page's import path, so SciPy's `special` is the heaviest thing touched here.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from analytics.numeric.arrays import FloatArray, IntArray, counts, normal_quantile, probability, ratio


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """An estimate with its interval and the settings that made it; arrays of one shape, a cell per statistic.

    `estimate`, `low`, `high` are NaN where undefined. `undefined` counts the resamples that had no value
    (left out of the percentiles); 0 for a closed form. `resamples` and `seed` are None for a closed form.
    """

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    undefined: IntArray
    method: str
    level: float
    resamples: int | None
    seed: int | None


def _checked(k: ArrayLike, n: ArrayLike) -> tuple[IntArray, IntArray]:
    right, total = counts(k=k, n=n)
    if (right > total).any():
        at = np.flatnonzero((right > total).ravel())[0]
        raise ValueError(f"k must not exceed n, found k = {right.flat[at]} of n = {total.flat[at]}")
    return right, total


def wilson(k: ArrayLike, n: ArrayLike, *, level: float) -> tuple[FloatArray, FloatArray]:
    """Wilson score interval, without continuity correction, of `k` successes in `n` independent trials.

    Parameters
    ----------
    k, n : counts, broadcast against each other. One trial is one item answered once; several attempts
        at one item or items that share a video are not independent (use a bootstrap over items or clusters).
    level : two-sided coverage, such as 0.95.

    Returns
    -------
    low, high : proportions in [0, 1], of the broadcast shape; exactly 0 at k = 0 and exactly 1 at k = n;
        NaN where n = 0 (no data, not a bar from 0 to 1).

    Raises ValueError when a count is fractional or negative, k > n, or `level` is outside (0, 1).
    Source: Wilson 1927, doi:10.1080/01621459.1927.10502953.
    """
    right, total = _checked(k, n)
    z = normal_quantile((1 - probability("level", level)) / 2)
    size = np.where(total > 0, total, 1).astype(np.float64)
    share = right / size
    centre = (share + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * np.sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    # the end points are 0 and 1 in algebra; rounding would leave 1e-17 or 1.0000000000000002
    low = np.where(right == 0, 0.0, np.clip(centre - half, 0.0, 1.0))
    high = np.where(right == total, 1.0, np.clip(centre + half, 0.0, 1.0))
    return np.where(total > 0, low, np.nan), np.where(total > 0, high, np.nan)


def clopper_pearson(k: ArrayLike, n: ArrayLike, *, level: float) -> tuple[FloatArray, FloatArray]:
    """Exact (tail) interval of a proportion: covers at least `level`, hence wider than Wilson.

    Arguments, result, odd cases and errors as in `wilson`.
    Source: Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404.
    """
    right, total = _checked(k, n)
    tail = (1 - probability("level", level)) / 2
    # betaincinv needs positive shapes; the two closed ends are filled in below
    low = betaincinv(np.maximum(right, 1), total - right + 1.0, tail)
    high = betaincinv(right + 1.0, np.maximum(total - right, 1), 1 - tail)
    low, high = np.where(right == 0, 0.0, low), np.where(right == total, 1.0, high)
    return np.where(total > 0, low, np.nan), np.where(total > 0, high, np.nan)


def newcombe(
    k1: ArrayLike, n1: ArrayLike, k2: ArrayLike, n2: ArrayLike, *, level: float
) -> tuple[FloatArray, FloatArray]:
    """Hybrid score interval of k1/n1 - k2/n2 for two *independent* groups of items.

    Two runs on the same items are not independent: take a paired interval for those.

    Returns
    -------
    low, high : differences in [-1, 1]; NaN where either group is empty.

    Source: Newcombe 1998, method 10, doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.
    Raises ValueError as `wilson`.
    """
    right1, total1, right2, total2 = counts(k1=k1, n1=n1, k2=k2, n2=n2)
    low1, high1 = wilson(right1, total1, level=level)
    low2, high2 = wilson(right2, total2, level=level)
    share1, share2 = ratio(right1, total1), ratio(right2, total2)
    gap = share1 - share2
    low = gap - np.hypot(share1 - low1, high2 - share2)
    high = gap + np.hypot(high1 - share1, share2 - low2)
    return np.clip(low, -1.0, 1.0), np.clip(high, -1.0, 1.0)
