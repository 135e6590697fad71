"""Cohen's kappa between raters, for every pair at once, with what it needs beside it.

Raters are judges, annotators or runs; units are criteria or items; codes are category numbers, -1 missing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import (
    MISSING,
    CodeArray,
    FloatArray,
    IntArray,
    TextArray,
    codes,
    one_of,
    probability,
    ratio,
)
from analytics.numeric.bootstrap import percentile_interval
from analytics.numeric.intervals import Interval
from analytics.numeric.resampling import resampled_counts, resampled_sums

WEIGHTS = ("unweighted", "linear", "quadratic")
ONE_CATEGORY = "one category"
NO_COMMON_UNITS = "no common units"
_BLOCK = 1 << 15  # units in one product: float32 sums of 0/1 stay exact, and the block stays in cache
_UNITS = 8192  # units above which the cells of a cross-table are drawn instead of the units
_ENTRIES = 1 << 22  # units x cells of the cross-tables that one set of draws is multiplied with: 32 MB
_MANY = 64  # categories above which pairs are counted one by one instead of by a product per category


@dataclass(frozen=True, slots=True, eq=False)
class Kappas:
    """Raters x raters matrices over the units that both raters of a pair judged.

    `n` common units; `agreement` share of equal codes; `observed` and `expected` the (weighted) agreement that
    enter kappa; `kappa`, NaN where undefined with its `reason` ("one category", "no common units", else "").
    `prevalence[i, j, c]` is the share of category c in rater i's codes on the units that j judged too.
    """

    n: IntArray
    agreement: FloatArray
    observed: FloatArray
    expected: FloatArray
    kappa: FloatArray
    prevalence: FloatArray
    reason: TextArray
    weights: str


@dataclass(frozen=True, slots=True, eq=False)
class _Tally:
    """Sums over common units: n, equal codes, and held[c, i, j] = units that i codes c and j codes at all."""

    n: FloatArray
    equal: FloatArray
    held: FloatArray


def cohen_kappa(ratings: ArrayLike, *, weights: str, tables: IntArray | None = None) -> Kappas:
    """Cohen's kappa of every pair of raters, unweighted or with linear or quadratic weights.

    Parameters
    ----------
    ratings : raters x units integer codes, -1 missing. For weighted kappa the codes are the ordered
        categories 0, 1, 2 ..., evenly spaced.
    weights : "unweighted", "linear" or "quadratic" disagreement.
    tables : `cross_tables` of the same ratings, where somebody has counted them; the result is the same.

    Kappa is 0/0 when both raters use one and the same category throughout: undefined, neither 0 nor 1.
    Low kappa beside high agreement is what a skewed prevalence does; read both, and Gwet's AC1.
    Sources: Cohen 1960, doi:10.1177/001316446002000104; weighted: Cohen 1968, doi:10.1037/h0026256.
    """
    one_of("weights", weights, WEIGHTS)
    matrix = codes("ratings", ratings)
    categories = int(matrix.max(initial=0)) + 1
    if tables is not None:
        tally = _of_tables(tables)
        disagreement, by_chance, most = _table_disagreement(tables, tally, weights)
    else:
        tally = _by_pair(matrix, categories) if categories > _MANY else _by_category(matrix, categories)
        disagreement, by_chance, most = _disagreement(matrix, tally, weights)
    n = tally.n
    # whole numbers up to here, so that 0/0 is found exactly
    undefined = by_chance == 0
    kappa = 1 - ratio(disagreement * n, by_chance)
    reason = np.where(n == 0, NO_COMMON_UNITS, np.where(undefined, ONE_CATEGORY, ""))
    return Kappas(
        n=n.astype(np.int64),
        agreement=ratio(tally.equal, n),
        observed=1 - ratio(disagreement, n * most),
        expected=1 - ratio(by_chance, n**2 * most),
        kappa=np.where(undefined, np.nan, kappa),
        prevalence=ratio(np.moveaxis(tally.held, 0, 2), n[:, :, None]),
        reason=reason.astype(np.str_),
        weights=weights,
    )


def _by_category(matrix: CodeArray, categories: int) -> _Tally:
    """Tally by one matrix product per category and block of units."""
    raters, units = matrix.shape
    complete = not (matrix == MISSING).any()
    n, equal = np.zeros((raters, raters)), np.zeros((raters, raters))
    held = np.zeros((categories, raters, raters))
    for begin in range(0, units, _BLOCK):
        block = matrix[:, begin : begin + _BLOCK]
        valid = None if complete else (block >= 0).astype(np.float32)
        for category in range(categories):
            chosen = (block == category).astype(np.float32)
            together = chosen @ chosen.T
            equal += together
            held[category] += np.diag(together)[:, None] if valid is None else chosen @ valid.T
        n += block.shape[1] if valid is None else valid @ valid.T
    return _Tally(n, equal, held)


def _by_pair(matrix: CodeArray, categories: int) -> _Tally:
    """Tally pair by pair: with many categories most of the products would be of zeros."""
    raters = len(matrix)
    n, equal = np.zeros((raters, raters)), np.zeros((raters, raters))
    held = np.zeros((categories, raters, raters))
    for i in range(raters):
        for j in range(i, raters):
            common = (matrix[i] >= 0) & (matrix[j] >= 0)
            first, second = matrix[i, common], matrix[j, common]
            n[i, j] = n[j, i] = first.size
            equal[i, j] = equal[j, i] = (first == second).sum()
            held[:, i, j] = np.bincount(first, minlength=categories)
            held[:, j, i] = np.bincount(second, minlength=categories)
    return _Tally(n, equal, held)


def _of_tables(tables: IntArray) -> _Tally:
    """Tally the cross-tables of all pairs; their last row and column are units without a code."""
    common = tables[:, :, :-1, :-1].astype(np.float64)
    held = np.moveaxis(common.sum(axis=3), 2, 0)
    return _Tally(held.sum(axis=0), np.trace(common, axis1=2, axis2=3), held)


def _table_disagreement(tables: IntArray, tally: _Tally, weights: str) -> tuple[FloatArray, FloatArray, float]:
    """Return what `_disagreement` does, as sums over the cells: the same whole numbers."""
    weight = _weight(len(tally.held), weights)
    seen = (tables[:, :, :-1, :-1] * weight).sum(axis=(2, 3))
    by_chance = (tally.held * np.tensordot(weight, tally.held.transpose(0, 2, 1), axes=1)).sum(axis=0)
    return seen, by_chance, max(float(weight.max()), 1.0)


def _weight(categories: int, weights: str) -> FloatArray:
    """Return what a disagreement between two categories weighs."""
    gap = np.abs(np.arange(categories)[:, None] - np.arange(categories))
    return np.asarray({"unweighted": gap > 0, "linear": gap, "quadratic": gap**2}[weights], dtype=np.float64)


def _disagreement(matrix: CodeArray, tally: _Tally, weights: str) -> tuple[FloatArray, FloatArray, float]:
    """Return the summed disagreement, n^2 times what chance gives, and the largest single disagreement."""
    held, n = tally.held, tally.n
    turned = held.transpose(0, 2, 1)
    steps = max(len(held) - 1, 1)
    if weights == "unweighted":
        return n - tally.equal, n**2 - (held * turned).sum(axis=0), 1.0
    if weights == "linear":
        # |x - y| is the number of thresholds between x and y
        above = held[::-1].cumsum(axis=0)[::-1][1:]
        above_turned = above.transpose(0, 2, 1)
        seen = (above + above_turned).sum(axis=0) - 2 * _both_above(matrix, len(held))
        chance = (above * (n - above_turned) + above_turned * (n - above)).sum(axis=0)
        return seen, chance, float(steps)
    score = np.arange(len(held), dtype=np.float64)[:, None, None]
    first, squares = (score * held).sum(axis=0), (score**2 * held).sum(axis=0)
    seen = squares + squares.T - 2 * _products(matrix)
    return seen, n * (squares + squares.T) - 2 * first * first.T, float(steps**2)


def _both_above(matrix: CodeArray, categories: int) -> FloatArray:
    """Sum, over thresholds, the units that both raters code above the threshold."""
    out = np.zeros((len(matrix), len(matrix)))
    for begin in range(0, matrix.shape[1], _BLOCK):
        block = matrix[:, begin : begin + _BLOCK]
        for threshold in range(categories - 1):
            above = (block > threshold).astype(np.float32)
            out += above @ above.T
    return out


def _products(matrix: CodeArray) -> FloatArray:
    """Sum the products of both raters' codes over common units (a missing code counts as 0)."""
    out = np.zeros((len(matrix), len(matrix)))
    for begin in range(0, matrix.shape[1], _BLOCK):
        block = np.maximum(matrix[:, begin : begin + _BLOCK], 0).astype(np.float64)
        out += block @ block.T
    return out


def kappa_intervals(
    ratings: ArrayLike,
    *,
    weights: str,
    level: float,
    resamples: int,
    seed: int,
    clusters: ArrayLike | None = None,
    tables: IntArray | None = None,
) -> Interval:
    """Bootstrap interval of Cohen's kappa over units, for each pair of raters i < j (`numpy.triu_indices`).

    Parameters
    ----------
    clusters : label per unit; whole clusters are drawn (the criteria of one item, the items of one video).
    tables : `cross_tables` of the same ratings, where somebody has counted them; the result is the same.

    Resamples in which kappa is 0/0 are left out and counted in `undefined`. All pairs share the draws. Many units
    without clusters are not drawn one by one: the cells of each pair's cross-table are, which has the same
    distribution.
    """
    one_of("weights", weights, WEIGHTS)
    probability("level", level)
    matrix = codes("ratings", ratings)
    size = int(matrix.max(initial=0)) + 1
    weight = _weight(size, weights)
    pairs = np.triu_indices(len(matrix), 1)
    replicates = np.empty((resamples, len(pairs[0])))
    if clusters is None and matrix.shape[1] > _UNITS:
        for at, (i, j) in enumerate(zip(*pairs, strict=True)):
            cells, times = _counts(matrix, int(i), int(j), size, tables)
            drawn = resampled_counts(times, resamples=resamples, seed=seed)
            replicates[:, at] = _from_cells(drawn, cells, weight)
    else:
        at = 0
        placed = (_cross_table(matrix, int(i), int(j), size) for i, j in zip(*pairs, strict=True))
        for block in _blocks(placed, matrix.shape[1]):
            starts = np.cumsum([0, *(len(cells) for cells, _ in block)])
            one_hot = np.zeros((matrix.shape[1], int(starts[-1])))
            for start, (_, place) in zip(starts[:-1], block, strict=True):
                one_hot[np.arange(len(place)), start + place] = 1.0
            drawn = resampled_sums(one_hot, clusters=clusters, resamples=resamples, seed=seed)
            for start, (cells, _) in zip(starts[:-1], block, strict=True):
                replicates[:, at] = _from_cells(drawn[:, start : start + len(cells)], cells, weight)
                at += 1
    estimate = cohen_kappa(matrix, weights=weights, tables=tables).kappa[pairs]
    units = "units" if clusters is None else "clusters of units"
    return percentile_interval(
        replicates, estimate, level=level, seed=seed, method=f"percentile bootstrap over {units}, {weights} kappa"
    )


_Table = tuple[IntArray, IntArray]


def _cross_table(matrix: CodeArray, i: int, j: int, size: int) -> _Table:
    """Return the cross-table cells that occur (size * size: not common) and the place of each unit among them."""
    common = (matrix[i] >= 0) & (matrix[j] >= 0)
    joint = np.where(common, matrix[i].astype(np.int64) * size + matrix[j], size * size)
    cells, place = np.unique(joint, return_inverse=True)
    return cells, place


def _counts(matrix: CodeArray, i: int, j: int, size: int, tables: IntArray | None) -> _Table:
    """Return the cross-table cells that occur, as `_cross_table`, and how many units each has."""
    if tables is None:
        cells, place = _cross_table(matrix, i, j, size)
        return cells, np.bincount(place, minlength=len(cells))
    common = tables[i, j, :-1, :-1].ravel()
    times = np.append(common, tables[i, j].sum() - common.sum())
    cells = np.flatnonzero(times)
    return cells, times[cells]


def _blocks(tables: Iterator[_Table], units: int) -> Iterator[list[_Table]]:
    """Group cross-tables so that units x cells of a group stay within _ENTRIES."""
    block: list[_Table] = []
    held = 0
    for table in tables:
        if block and (held + len(table[0])) * units > _ENTRIES:
            yield block
            block, held = [], 0
        block.append(table)
        held += len(table[0])
    if block:
        yield block


def _from_cells(drawn: FloatArray, cells: IntArray, weight: FloatArray) -> FloatArray:
    """Kappa of each resample from its counts (resamples x cells) of the cross-table cells `cells`."""
    common = cells < weight.size
    drawn, cells = drawn[:, common], cells[common]
    first, second = np.divmod(cells, len(weight))
    rows = np.eye(len(weight))
    seen = drawn @ weight[first, second]
    by_chance = np.einsum("ra,ab,rb->r", drawn @ rows[first], weight, drawn @ rows[second], optimize=True)
    return np.asarray(1 - ratio(seen * drawn.sum(axis=1), by_chance))
