"""Krippendorff's alpha: agreement where raters skip units, for nominal, ordinal and interval codes."""

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.agreement import Coefficient, Measure, Parts, Patterns, coefficients, rating_patterns
from analytics.numeric.arrays import FloatArray, IntArray, one_of, ratio

METRICS = ("nominal", "ordinal", "interval")


def krippendorff_alpha(
    ratings: ArrayLike,
    *,
    metric: str,
    level: float,
    resamples: int,
    seed: int,
    values: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
) -> Coefficient:
    """Krippendorff's alpha of all raters; units with fewer than two ratings pair with nothing and are left out.

    Parameters
    ----------
    ratings : raters x units integer codes, -1 missing.
    metric : "nominal" (equal or not), "ordinal" (ranks between two codes) or "interval" (squared difference).
    values : the number that each code 0, 1, 2 ... stands for, with "interval" (0, 0.5, 1 for credit); the
        code itself if not given. "nominal" and "ordinal" take none.
    level, resamples, seed, clusters : bootstrap over units, or clusters of units; 0 resamples for no interval.

    Undefined when all pairable ratings fall into one category (0/0).
    Source: Krippendorff 2011, https://repository.upenn.edu/asc_papers/43.
    """
    patterns = rating_patterns(ratings, categories=int(np.max(ratings, initial=0)) + 1)
    measure = alpha_measure(patterns, metric=metric, values=values)
    return coefficients(patterns, [measure], level=level, resamples=resamples, seed=seed, clusters=clusters)[0]


def alpha_measure(patterns: Patterns, *, metric: str, values: ArrayLike | None = None) -> Measure:
    """Krippendorff's alpha; the last category of the patterns is in use."""
    one_of("metric", metric, METRICS)
    categories = patterns.rows.shape[1]
    numbers = np.arange(categories, dtype=np.float64)
    if values is not None:
        if metric != "interval":
            raise ValueError(f"values belong to the interval metric; metric is {metric!r}")
        numbers = np.asarray(values, dtype=np.float64)
        if numbers.ndim != 1 or len(numbers) < categories or not np.isfinite(numbers).all():
            raise ValueError(f"values needs a finite number for each of the codes 0 to {categories - 1}")
        numbers = numbers[:categories]

    def parts(sums: FloatArray) -> Parts:
        seen = sums.reshape(len(sums), categories, categories)
        margin = seen.sum(axis=2)
        n = margin.sum(axis=1)
        distance = _distance(margin, numbers, metric)
        disagreement = ratio((seen * distance).sum(axis=(1, 2)), n)
        chance = np.einsum("rc,rck,rk->r", margin, distance, margin)
        by_chance = ratio(chance, n * (n - 1))
        value = 1 - ratio(disagreement, by_chance)
        return np.asarray(value), 1 - disagreement, 1 - by_chance

    return Measure(f"Krippendorff's alpha, {metric}", _coincidences(patterns.rows), parts)


def _coincidences(rows: IntArray) -> FloatArray:
    """Return each pattern's share of the coincidence matrix: ordered pairs of ratings, over raters - 1."""
    raters = rows.sum(axis=1)
    pairs = rows[:, :, None] * rows[:, None, :].astype(np.float64)
    diagonal = np.arange(rows.shape[1])
    pairs[:, diagonal, diagonal] -= rows
    pairs[raters < 2] = 0.0
    return np.asarray((pairs / np.maximum(raters - 1, 1)[:, None, None]).reshape(len(rows), rows.shape[1] ** 2))


def _distance(margin: FloatArray, numbers: FloatArray, metric: str) -> FloatArray:
    """Squared distance between categories, resamples x categories x categories (or one for all)."""
    if metric == "nominal":
        return 1.0 - np.eye(margin.shape[1])[None].repeat(len(margin), axis=0)
    # ordinal: the ratings between two categories, half of each included, are a difference of mid-ranks
    place = margin.cumsum(axis=1) - margin / 2 if metric == "ordinal" else np.tile(numbers, (len(margin), 1))
    return np.asarray((place[:, :, None] - place[:, None, :]) ** 2)
