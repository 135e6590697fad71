"""Bootstrap intervals of mean credit: micro, macro, gap, retention, paired differences.

Every function takes a runs x items matrix of credit, NaN for a missing response. A run's mean in a resample is
over its own non-missing items (their weights); what is missing is not zero. All runs share the resamples.
Sums are float64 throughout. Efron 1979, doi:10.1214/aos/1176344552; percentile interval.
"""

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import FloatArray, IntArray, credits_matrix, one_of, per_item, probability, ratio
from analytics.numeric.intervals import Interval
from analytics.numeric.resampling import percentiles, product, resample_weights, resampling_units

MEANS = ("micro", "macro")


def _groups(n_items: int, mean: str, strata: ArrayLike | None) -> tuple[IntArray, list[slice]]:
    """Order items by stratum, and give the slice of each group whose mean enters the overall mean."""
    one_of("mean", mean, MEANS)
    if (mean == "macro") != (strata is not None):
        raise ValueError("a macro mean needs strata (the capability of each item); a micro mean takes none")
    if strata is None:
        return np.arange(n_items), [slice(0, n_items)]
    label = np.unique(per_item("strata", strata, n_items), return_inverse=True)[1]
    order = np.argsort(label, kind="stable")
    ends = np.cumsum(np.bincount(label)) if n_items else np.zeros(0, dtype=np.int64)
    starts = np.concatenate([[0], ends[:-1]])
    return order, [slice(int(start), int(end)) for start, end in zip(starts, ends, strict=False)]


def mean_estimate(values: ArrayLike, *, mean: str, strata: ArrayLike | None = None) -> FloatArray:
    """Mean credit of each run: over its items (micro), or unweighted over the strata's means (macro).

    NaN for a run without any value, and in a macro mean for a run without a value in one of the strata.
    """
    matrix = credits_matrix("values", values)
    order, groups = _groups(matrix.shape[1], mean, strata)
    matrix = matrix[:, order]
    held = ~np.isnan(matrix)
    filled = np.where(held, matrix, 0.0)
    means = [ratio(filled[:, part].sum(axis=1), held[:, part].sum(axis=1)) for part in groups]
    return np.mean(means, axis=0) if means else np.full(len(matrix), np.nan)


def mean_replicates(
    values: ArrayLike,
    *,
    mean: str,
    resamples: int,
    seed: int,
    strata: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
) -> FloatArray:
    """Mean credit of each run in each bootstrap resample, shape (resamples, runs).

    Parameters
    ----------
    values : runs x items; stack raw and verified credit (`numpy.vstack`) to get both from one set of draws.
    mean : "micro" (items or clusters drawn from one pool) or "macro" (needs `strata`; drawn within strata,
        unless clusters cross them: see `resampling_units`).

    NaN where a resample holds no value of a run (of one of its strata, in a macro mean).
    """
    matrix = credits_matrix("values", values)
    order, groups = _groups(matrix.shape[1], mean, strata)
    matrix = matrix[:, order]
    held = ~np.isnan(matrix)
    filled = np.ascontiguousarray(np.where(held, matrix, 0.0).T)
    mask = None if held.all() else np.ascontiguousarray(held.T.astype(np.float64))
    blocks = resample_weights(
        matrix.shape[1],
        resamples=resamples,
        seed=seed,
        clusters=None if clusters is None else per_item("clusters", clusters, len(order))[order],
        strata=None if strata is None else np.asarray(strata)[order],
    )
    out, begin = np.full((resamples, len(matrix)), np.nan), 0
    for weights in blocks:
        total = np.zeros((len(weights), len(matrix)))
        for part in groups:
            drawn = weights[:, part]
            size = drawn.sum(axis=1, keepdims=True) if mask is None else product(drawn, mask[part])
            total += ratio(product(drawn, filled[part]), size)
        out[begin : begin + len(weights)] = total / len(groups) if groups else np.nan
        begin += len(weights)
    return out


def percentile_interval(
    replicates: FloatArray, estimate: FloatArray, *, level: float, seed: int, method: str
) -> Interval:
    """Percentile interval of each column of `replicates` (resamples x statistics) around its `estimate`.

    Resamples without a value are left out and counted in `undefined`. Where the estimate itself is
    undefined, so is the interval. All right or all wrong gives an interval of no width: for shares of
    independent items take Wilson.
    """
    tail = (1 - probability("level", level)) / 2
    low, high = percentiles(replicates, (tail, 1 - tail))
    unknown = np.isnan(estimate)
    return Interval(
        estimate=estimate,
        low=np.where(unknown, np.nan, low),
        high=np.where(unknown, np.nan, high),
        undefined=np.isnan(replicates).sum(axis=0),
        method=method,
        level=level,
        resamples=len(replicates),
        seed=seed,
    )


def _method(n_items: int, mean: str, strata: ArrayLike | None, clusters: ArrayLike | None) -> str:
    units = resampling_units(n_items, clusters=clusters, strata=strata)
    return f"percentile bootstrap over {units.label}, {mean} mean"


def mean_interval(
    values: ArrayLike,
    *,
    mean: str,
    level: float,
    resamples: int,
    seed: int,
    strata: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
) -> Interval:
    """Mean credit of each run with its bootstrap interval; one cell per run."""
    matrix = credits_matrix("values", values)
    replicates = mean_replicates(matrix, mean=mean, resamples=resamples, seed=seed, strata=strata, clusters=clusters)
    estimate = mean_estimate(matrix, mean=mean, strata=strata)
    method = _method(matrix.shape[1], mean, strata, clusters)
    return percentile_interval(replicates, estimate, level=level, seed=seed, method=method)


def _both(raw: ArrayLike, verified: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Keep the responses that have raw and verified credit: a gap over different rows is no gap."""
    first, second = credits_matrix("raw", raw), credits_matrix("verified", verified)
    if first.shape != second.shape:
        raise ValueError(f"raw is {first.shape} and verified is {second.shape}; both must be runs x items")
    lacking = np.isnan(first) | np.isnan(second)
    return np.where(lacking, np.nan, first), np.where(lacking, np.nan, second)


def gap_intervals(
    raw: ArrayLike,
    verified: ArrayLike,
    *,
    mean: str,
    level: float,
    resamples: int,
    seed: int,
    strata: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
) -> tuple[Interval, Interval]:
    """Gap (raw - verified) and retention (verified / raw, ratio of the two means) of each run.

    Over the responses that have both. Retention is undefined where the raw mean is 0.
    """
    stacked = np.vstack(_both(raw, verified))
    runs = len(stacked) // 2
    replicates = mean_replicates(stacked, mean=mean, resamples=resamples, seed=seed, strata=strata, clusters=clusters)
    estimate = mean_estimate(stacked, mean=mean, strata=strata)
    method = _method(stacked.shape[1], mean, strata, clusters)
    gap = percentile_interval(
        replicates[:, :runs] - replicates[:, runs:],
        estimate[:runs] - estimate[runs:],
        level=level,
        seed=seed,
        method=method,
    )
    retention = percentile_interval(
        ratio(replicates[:, runs:], replicates[:, :runs]),
        ratio(estimate[runs:], estimate[:runs]),
        level=level,
        seed=seed,
        method=method,
    )
    return gap, retention


def difference_interval(
    values: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    mean: str,
    level: float,
    resamples: int,
    seed: int,
    strata: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
) -> tuple[Interval, IntArray]:
    """Mean of the paired item differences `first` - `second`; one cell per pair, and n items of each pair.

    `first` and `second` are row numbers of `values`. Only items that both runs have enter a pair.
    """
    matrix = credits_matrix("values", values)
    left, right = np.atleast_1d(np.asarray(first)), np.atleast_1d(np.asarray(second))
    block = max(1, (1 << 23) // max(matrix.shape[1], 1))  # pairs x items held at once: 64 MB
    replicates, estimates, sizes = [], [], []
    for at in range(0, max(len(left), 1), block):
        gaps = matrix[left[at : at + block]] - matrix[right[at : at + block]]
        sizes.append((~np.isnan(gaps)).sum(axis=1))
        estimates.append(mean_estimate(gaps, mean=mean, strata=strata))
        replicates.append(
            mean_replicates(gaps, mean=mean, resamples=resamples, seed=seed, strata=strata, clusters=clusters)
        )
    method = "paired " + _method(matrix.shape[1], mean, strata, clusters)
    interval = percentile_interval(
        np.concatenate(replicates, axis=1),
        np.concatenate(estimates),
        level=level,
        seed=seed,
        method=method,
    )
    return interval, np.concatenate(sizes)
