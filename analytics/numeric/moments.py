"""Intervals of mean credit from moments alone: what replaces the bootstrap above `MOMENTS_ABOVE` items.

The moments are sums that a table of counts can hold (n, sums, sums of squares and of products over items), so the
cost does not grow with the number of responses. Normal intervals by the delta method, whose variance is the
one the bootstrap over items converges to. All moment arrays have the strata on the *last* axis; a run, or a pair
of runs, is a cell of the leading axes.
"""

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import FloatArray, normal_quantile, one_of, probability, ratio
from analytics.numeric.intervals import Interval

MOMENTS_ABOVE = 10_000
"""Number of items above which intervals come from moments: there the two agree to the third digit."""


def _settled(mean: str, *moments: ArrayLike) -> list[FloatArray]:
    """Add the strata up for a micro mean; keep them apart for a macro mean."""
    one_of("mean", mean, ("micro", "macro"))
    arrays = np.broadcast_arrays(*[np.asarray(moment, dtype=np.float64) for moment in moments])
    if arrays[0].ndim == 0 or arrays[0].shape[-1] == 0:
        raise ValueError("moments need the strata on their last axis, one stratum at least")
    if (arrays[0] < 0).any() or not np.isfinite(arrays[0]).all():
        raise ValueError("n must be finite and zero or more in every cell")
    return [array.sum(axis=-1, keepdims=True) if mean == "micro" else array for array in arrays]


def _covariance(n: FloatArray, x: FloatArray, y: FloatArray, xy: FloatArray) -> FloatArray:
    """Covariance of two mean credits within each stratum: plug-in (1/n), as the bootstrap's own."""
    return ratio(ratio(xy, n) - ratio(x, n) * ratio(y, n), n)


def _normal(estimate: FloatArray, variance: FloatArray, *, level: float, method: str) -> Interval:
    z = normal_quantile((1 - probability("level", level)) / 2)
    half = z * np.sqrt(np.maximum(variance, 0.0))  # rounding may leave -1e-20
    return Interval(
        estimate=estimate,
        low=estimate - half,
        high=estimate + half,
        undefined=np.zeros(estimate.shape, dtype=np.int64),
        method=method,
        level=level,
        resamples=None,
        seed=None,
    )


def mean_from_moments(n: ArrayLike, total: ArrayLike, squares: ArrayLike, *, mean: str, level: float) -> Interval:
    """Interval of mean credit from n, the sum and the sum of squares over items, by stratum.

    Parameters
    ----------
    n, total, squares : arrays (..., strata) over the non-missing items of each stratum.
    mean : "micro" (strata added up first) or "macro" (unweighted mean of the strata's means).

    NaN where n = 0; in a macro mean, where any stratum has n = 0.
    """
    size, first, second = _settled(mean, n, total, squares)
    variance = _covariance(size, first, first, second)
    return _normal(
        ratio(first, size).mean(axis=-1),
        variance.sum(axis=-1) / variance.shape[-1] ** 2,
        level=level,
        method=f"delta method from moments, {mean} mean",
    )


def difference_from_moments(
    n: ArrayLike,
    *,
    total_a: ArrayLike,
    total_b: ArrayLike,
    squares_a: ArrayLike,
    squares_b: ArrayLike,
    products: ArrayLike,
    mean: str,
    level: float,
) -> Interval:
    """Interval of the paired difference of two mean credits (a - b) from moments over their common items.

    `products` is the sum over items of a times b; raw minus verified is the same question. Arrays
    (..., strata), all over the items that have both.
    """
    size, a, b, aa, bb, ab = _settled(mean, n, total_a, total_b, squares_a, squares_b, products)
    variance = _covariance(size, a, a, aa) + _covariance(size, b, b, bb) - 2 * _covariance(size, a, b, ab)
    return _normal(
        (ratio(a, size) - ratio(b, size)).mean(axis=-1),
        variance.sum(axis=-1) / variance.shape[-1] ** 2,
        level=level,
        method=f"paired delta method from moments, {mean} mean",
    )


def ratio_from_moments(
    n: ArrayLike,
    *,
    denominator: ArrayLike,
    numerator: ArrayLike,
    denominator_squares: ArrayLike,
    numerator_squares: ArrayLike,
    products: ArrayLike,
    mean: str,
    level: float,
) -> Interval:
    """Interval of a ratio of two means, such as retention = verified / raw, from moments over common items.

    Arrays (..., strata). With clusters as the units, cluster sums as numerator and cluster sizes as
    denominator, it is the interval of a mean over items that are drawn cluster by cluster (micro mean).
    Undefined where the denominator's mean is 0. Source: Cochran 1977, Sampling Techniques, section 6.3.
    """
    size, below, above, below2, above2, product = _settled(
        mean, n, denominator, numerator, denominator_squares, numerator_squares, products
    )
    base = ratio(below, size).mean(axis=-1)
    value = ratio(ratio(above, size).mean(axis=-1), base)
    spread = [
        part.sum(axis=-1) / part.shape[-1] ** 2
        for part in (
            _covariance(size, above, above, above2),
            _covariance(size, above, below, product),
            _covariance(size, below, below, below2),
        )
    ]
    variance = ratio(spread[0] - 2 * value * spread[1] + value**2 * spread[2], base**2)
    return _normal(value, variance, level=level, method=f"delta method from moments, ratio of {mean} means")
