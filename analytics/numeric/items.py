"""Items under a panel of runs: how hard, how telling, solved by the wrong runs; and repeated attempts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import BoolArray, FloatArray, IntArray, TextArray, counts, credits_matrix, ratio

NO_RUNS = "no runs"
CONSTANT = "all runs alike"
NO_REST = "other items do not tell the runs apart"


@dataclass(frozen=True, slots=True, eq=False)
class ItemStatistics:
    """One cell per item, over the `n` runs that have a value there.

    `difficulty` is the mean credit (1 = easy). `discrimination` is the correlation of the item's credit with the
    run's mean on the *other* items; `inversion` the share of (run right, run wrong) pairs in which the run that missed
    the item is the better one elsewhere: above 0.5 good runs miss it and weak runs hit it. Both are NaN, with a
    `reason`, where undefined. `nobody` and `everybody` solve it: no credit, full credit, for all n runs.
    """

    n: IntArray
    difficulty: FloatArray
    discrimination: FloatArray
    inversion: FloatArray
    nobody: BoolArray
    everybody: BoolArray
    reason: TextArray


def item_statistics(credit: ArrayLike) -> ItemStatistics:
    """Difficulty, discrimination and inversion of each item.

    `credit` is runs x items in [0, 1], NaN missing. A run's ability for an item is its mean credit over the
    other items it has. With few runs a correlation is rough: read it with n. The discrimination is the corrected
    point-biserial correlation (item left out of the total) for 0/1 credit, Pearson's otherwise.
    For graded credit, in the inversion, "right" is the run with more credit on the item; equal abilities count half.
    Sources: Henrysson 1963, doi:10.1007/BF02289618 (corrected item-total correlation); inversion is 1 minus
    the area under the ROC curve of ability.
    """
    matrix = credits_matrix("credit", credit)
    held = ~np.isnan(matrix)
    filled = np.where(held, matrix, 0.0)
    n = held.sum(axis=0)
    ability = ratio(filled.sum(axis=1)[:, None] - filled, held.sum(axis=1)[:, None] - held)
    # sums of the same credits in another order may differ by 1e-16, which would break ties
    ability = np.round(ability, 12)
    used = held & ~np.isnan(ability)
    correlation, flat_item, flat_rest = _correlation(filled, np.where(used, ability, 0.0), used)
    alike = np.where(held, matrix, np.inf).min(axis=0, initial=np.inf) == np.where(held, matrix, -np.inf).max(
        axis=0, initial=-np.inf
    )
    flat = flat_item | flat_rest  # an item may vary among all runs, but not among those with other items
    reason = np.where(n == 0, NO_RUNS, np.where(alike, CONSTANT, np.where(flat, NO_REST, "")))
    return ItemStatistics(
        n=n,
        difficulty=ratio(filled.sum(axis=0), n),
        discrimination=np.where(reason == "", correlation, np.nan),
        inversion=np.where(reason == "", _inversion(filled, ability, used), np.nan),
        nobody=(n > 0) & (filled == 0).all(axis=0),
        everybody=(n > 0) & ((filled == 1) | ~held).all(axis=0),
        reason=reason,
    )


def _correlation(x: FloatArray, y: FloatArray, used: BoolArray) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Pearson's correlation down each column over used cells, and which of the two does not vary."""
    n = used.sum(axis=0)
    dx = np.where(used, x - ratio(np.where(used, x, 0.0).sum(axis=0), n), 0.0)
    dy = np.where(used, y - ratio(y.sum(axis=0), n), 0.0)
    xx, yy, xy = (dx**2).sum(axis=0), (dy**2).sum(axis=0), (dx * dy).sum(axis=0)
    flat_x, flat_y = xx < 1e-20, yy < 1e-20
    spread = np.where(flat_x | flat_y, 0.0, np.sqrt(xx * yy))
    return np.clip(ratio(xy, spread), -1.0, 1.0), flat_x, flat_y


def _inversion(x: FloatArray, ability: FloatArray, used: BoolArray) -> FloatArray:
    """Share of run pairs with unequal item credit in which the lower credit has the higher ability, ties half."""
    pairs, inverted = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    for run in range(len(x)):
        better = used[run] & used & (x[run] > x)
        pairs += better.sum(axis=0)
        inverted += (better & (ability > ability[run])).sum(axis=0)
        inverted += (better & (ability == ability[run])).sum(axis=0) / 2
    return ratio(inverted, pairs)


def pass_at_k(n: ArrayLike, c: ArrayLike, *, k: int) -> FloatArray:
    """Chance that at least one of k attempts is right, from c right of n attempts: 1 - C(n-c, k) / C(n, k).

    One cell per item; average over items afterwards, with the interval over items, not attempts.
    NaN where k > n: fewer attempts cannot say, whatever they scored.
    Source: Chen et al. 2021, arXiv:2107.03374, equation 1 (unbiased).
    """
    total, right = _attempts(n, c, k)
    return 1 - _ratio_of_combinations(total - right, total, k)


def pass_hat_k(n: ArrayLike, c: ArrayLike, *, k: int) -> FloatArray:
    """Chance that all of k attempts are right, from c right of n attempts: C(c, k) / C(n, k).

    NaN where k > n. Source: Yao et al. 2024, arXiv:2406.12045, section 4 (pass^k).
    """
    total, right = _attempts(n, c, k)
    return _ratio_of_combinations(right, total, k)


def _attempts(n: ArrayLike, c: ArrayLike, k: int) -> tuple[IntArray, IntArray]:
    total, right = counts(n=n, c=c)
    if k < 1:
        raise ValueError(f"k must be 1 or more, found {k}")
    if (right > total).any():
        raise ValueError("c must not exceed n: more right attempts than attempts")
    return total, right


def _ratio_of_combinations(part: IntArray, total: IntArray, k: int) -> FloatArray:
    """C(part, k) / C(total, k) as a product of k ratios, which neither overflows nor loses digits."""
    out = np.ones(total.shape)
    for step in range(k):
        out *= ratio(np.maximum(part - step, 0), np.maximum(total - step, 0))
    return np.where(total >= k, out, np.nan)
