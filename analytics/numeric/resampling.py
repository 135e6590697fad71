"""Bootstrap weights: how often each resample draws each item, the same draws for every run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import FloatArray, IntArray, per_item

_CELLS = 1 << 18  # weights held at once: 2 MB of float64 stays in cache, and larger blocks are slower
_PRODUCT = 1 << 19  # multiplications in one product: below the size at which BLAS starts threads


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What one draw takes: `of_item` maps items to units, `pools` gives the number of units of each pool.

    Units are numbered pool by pool. `label` names them for a method column.
    """

    of_item: IntArray
    pools: tuple[int, ...]
    label: str


def resampling_units(n_items: int, *, clusters: ArrayLike | None = None, strata: ArrayLike | None = None) -> Units:
    """Decide what a bootstrap draws: items or whole clusters, from one pool or within strata.

    Parameters
    ----------
    clusters : label per item; items of one episode, video or stem share a label and are drawn together.
    strata : label per item (the capability, for a macro mean); every stratum keeps its number of units.

    Where clusters cross strata (an episode with questions of several capabilities) whole clusters are drawn
    from one pool: drawing their parts apart would drop the dependence between the strata's means and give an
    interval that is too narrow. The label of the result says so.
    Raises ValueError when a label array does not have one label per item.
    """
    unit = np.arange(n_items)
    if clusters is not None:
        unit = np.unique(per_item("clusters", clusters, n_items), return_inverse=True)[1]
    if strata is not None:
        strata = per_item("strata", strata, n_items)
    name = "items" if clusters is None else "clusters"
    if strata is None or n_items == 0:
        return Units(unit, (int(unit.max()) + 1 if n_items else 0,), name)
    stratum = np.unique(strata, return_inverse=True)[1]
    n_units = int(unit.max()) + 1
    of_unit = np.zeros(n_units, dtype=np.int64)
    of_unit[unit] = stratum
    if (of_unit[unit] != stratum).any():
        return Units(unit, (n_units,), "whole clusters, which cross the strata")
    order = np.argsort(of_unit, kind="stable")
    place = np.empty(n_units, dtype=np.int64)
    place[order] = np.arange(n_units)
    return Units(place[unit], tuple(np.bincount(of_unit).tolist()), f"{name} within strata")


def resample_weights(
    n_items: int,
    *,
    resamples: int,
    seed: int,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
) -> Iterator[FloatArray]:
    """Yield blocks of bootstrap weights, shape (rows, n_items): how often a resample holds each item.

    The rows of all blocks add up to `resamples`. Weights are whole numbers in float64. The same seed gives
    the same weights, whatever the values, so that everything computed from them is paired.
    What is drawn: see `resampling_units`. Indices are drawn and counted, which is several times faster than
    the multinomial sampler and has the same distribution. Memory is bounded by the block.
    Raises ValueError when `resamples` is below 1.
    """
    units = resampling_units(n_items, clusters=clusters, strata=strata)
    as_items = clusters is None and len(units.pools) == 1
    for drawn in _unit_weights(units.pools, resamples=resamples, seed=seed, width=n_items):
        yield drawn if as_items else drawn[:, units.of_item]


def _unit_weights(pools: tuple[int, ...], *, resamples: int, seed: int, width: int) -> Iterator[FloatArray]:
    if resamples < 1:
        raise ValueError(f"resamples must be 1 or more, found {resamples}")
    # a stream for each pool: the draws do not depend on the size of the blocks
    streams = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(len(pools))]
    starts = np.concatenate([[0], np.cumsum(pools)])
    n_units = int(starts[-1])
    rows = max(8, _CELLS // max(width, 1))
    for begin in range(0, resamples, rows):
        size = min(rows, resamples - begin)
        if n_units == 0:
            yield np.zeros((size, 0))
            continue
        if len(pools) == 1:
            index = streams[0].integers(0, n_units, (size, n_units))
        else:
            index = np.empty((size, n_units), dtype=np.int64)
            for stream, start, pool in zip(streams, starts[:-1], pools, strict=True):
                index[:, start : start + pool] = stream.integers(start, start + pool, (size, pool))
        index += (np.arange(size) * n_units)[:, None]
        counted = np.bincount(index.ravel(), minlength=size * n_units)
        yield counted.reshape(size, n_units).astype(np.float64)


def product(weights: FloatArray, columns: FloatArray) -> FloatArray:
    """Multiply resample weights (rows x units) by values (units x columns), a few rows at a time.

    The same sums as `weights @ columns`. One large flat product makes BLAS start threads for little work; on a busy
    machine they wait for each other, and the bootstrap then takes several times as long.
    """
    rows = _PRODUCT // max(columns.size, 1)
    whole = len(weights) - len(weights) % max(rows, 1)
    if rows < 2 or whole == 0:
        return np.asarray(weights @ columns)
    parts = weights[:whole].reshape(-1, rows, weights.shape[1]) @ columns
    return np.concatenate([parts.reshape(whole, -1), weights[whole:] @ columns])


def resampled_sums(
    features: ArrayLike,
    *,
    resamples: int,
    seed: int,
    multiplicity: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
) -> FloatArray:
    """Sum unit-level features over each bootstrap resample of the units; shape (resamples, features).

    Parameters
    ----------
    features : units x features; or distinct rows x features with `multiplicity`, the number of units that
        share each row (then the counts are drawn, and cost no longer grows with the number of units).
    clusters : label per unit; whole clusters are drawn. Not together with `multiplicity`.

    Raises ValueError when both are given or a length does not fit.
    """
    given = {"multiplicity": multiplicity, "clusters": clusters}
    return resampled_sums_of([features], resamples=resamples, seed=seed, **given)[0]


def resampled_sums_of(
    features: Sequence[ArrayLike],
    *,
    resamples: int,
    seed: int,
    multiplicity: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
) -> list[FloatArray]:
    """Sum several tables of features over the same units, as `resampled_sums` does each: the draws are made once."""
    tables = [np.asarray(table, dtype=np.float64) for table in features]
    if not tables:
        return []
    if clusters is not None:
        if multiplicity is not None:
            raise ValueError("give multiplicity or clusters, not both: a row may belong to several clusters")
        label = np.unique(per_item("clusters", clusters, len(tables[0])), return_inverse=True)[1]
        tables = [_added(table, label) for table in tables]
    units = len(tables[0])
    if multiplicity is None:
        blocks = _unit_weights((units,), resamples=resamples, seed=seed, width=units)
    else:
        times = np.asarray(multiplicity, dtype=np.int64)
        if times.shape != (units,):
            raise ValueError(f"multiplicity needs {units} counts, found shape {times.shape}")
        blocks = _pattern_weights(times, resamples=resamples, seed=seed)
    sums = [[product(weights, table) for table in tables] for weights in blocks]
    return [np.concatenate(parts) for parts in zip(*sums, strict=True)]


def resampled_counts(times: IntArray, *, resamples: int, seed: int) -> FloatArray:
    """Draw how often each distinct row is taken: `resampled_sums` of the rows themselves, without their product."""
    return np.concatenate(list(_pattern_weights(times, resamples=resamples, seed=seed)))


def _added(rows: FloatArray, label: IntArray) -> FloatArray:
    """Add up the rows that share a label."""
    grouped = np.zeros((int(label.max()) + 1 if label.size else 0, rows.shape[1]))
    np.add.at(grouped, label, rows)
    return grouped


def _pattern_weights(times: IntArray, *, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Draw how often each distinct row is taken: the multinomial that resampling its units amounts to."""
    if resamples < 1:
        raise ValueError(f"resamples must be 1 or more, found {resamples}")
    total = int(times.sum())
    stream = np.random.default_rng(np.random.SeedSequence(seed).spawn(1)[0])
    rows = max(8, _CELLS // max(times.size, 1))
    for begin in range(0, resamples, rows):
        size = min(rows, resamples - begin)
        if total == 0:
            yield np.zeros((size, times.size))
        else:
            yield stream.multinomial(total, times / total, size=size).astype(np.float64)


def percentiles(replicates: FloatArray, probabilities: tuple[float, ...]) -> FloatArray:
    """Take percentiles of each column over its defined resamples; shape (probabilities, columns).

    Linear interpolation between order statistics. NaN resamples are left out of their column; a column
    without any defined resample gives NaN.
    """
    columns = np.ascontiguousarray(replicates.T)
    if not np.isnan(columns).any():
        return np.asarray(np.quantile(columns, probabilities, axis=1))
    ordered = np.sort(columns, axis=1)  # NaN sort last
    defined = (~np.isnan(columns)).sum(axis=1)
    out = np.full((len(probabilities), len(columns)), np.nan)
    some = defined > 0
    for at, probability in enumerate(probabilities):
        place = (defined[some] - 1) * probability
        below = np.floor(place).astype(np.int64)
        above = np.minimum(below + 1, defined[some] - 1)
        rows = np.flatnonzero(some)
        left, right = ordered[rows, below], ordered[rows, above]
        out[at, some] = left + (place - below) * (right - left)
    return out
