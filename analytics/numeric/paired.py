"""Runs over the same items: exact McNemar, sign-flip permutation test, Cochran's Q."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, bdtrc

from analytics.numeric.arrays import MISSING, BoolArray, FloatArray, IntArray, counts, one_of

ALTERNATIVES = ("two-sided", "greater", "less")
EXACT_UP_TO = 16
"""Number of non-zero differences up to which all sign flips are counted (65,536) instead of drawn."""
_BLOCK = 1 << 15  # items in one product: float32 sums of 0/1 stay exact, and the block stays in cache
_CELLS = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """Runs x runs counts of items that both runs answered; row = first run, column = second.

    `n = both + first_only + second_only + neither`; `first_only` is McNemar's b, `second_only` its c.
    """

    n: IntArray
    both: IntArray
    first_only: IntArray
    second_only: IntArray
    neither: IntArray


def right_and_held(correct: ArrayLike) -> tuple[BoolArray, BoolArray]:
    """Split a runs x items matrix of 0, 1 and missing (NaN or -1) into right and non-missing.

    Raises ValueError for any other value: graded credit has no right and wrong to count.
    """
    matrix = np.asarray(correct)
    if matrix.ndim != 2:
        raise ValueError(f"correct must be runs x items, found {matrix.ndim} dimension(s)")
    right = matrix == 1
    missing = matrix == MISSING
    if np.issubdtype(matrix.dtype, np.floating):
        missing |= np.isnan(matrix)
    other = ~(right | missing | (matrix == 0))
    if other.any():
        raise ValueError(
            f"correct must hold 0, 1 or missing (NaN, -1), found {matrix[other][0]}; "
            "for graded credit use sign_flip or a paired bootstrap"
        )
    return right, ~missing


def pair_counts(correct: ArrayLike) -> PairCounts:
    """Count, for every pair of runs, the items both, one or neither of them got right.

    `correct` is runs x items with 1 right, 0 wrong, NaN or -1 missing; an item that either run lacks is out
    of that pair. Matrix products, so all pairs cost about as much as one pass.
    """
    right, held = right_and_held(correct)
    runs, items = right.shape
    complete = bool(held.all())
    both, first_only, n = (np.zeros((runs, runs)) for _ in range(3))
    for begin in range(0, items, _BLOCK):
        solved = right[:, begin : begin + _BLOCK].astype(np.float32)
        both += solved @ solved.T
        if not complete:
            valid = held[:, begin : begin + _BLOCK].astype(np.float32)
            first_only += solved @ (valid - solved).T
            n += valid @ valid.T
    if complete:
        first_only = right.sum(axis=1)[:, None] - both
        n[:] = items
    neither = n - both - first_only - first_only.T
    whole = [part.astype(np.int64) for part in (n, both, first_only, first_only.T, neither)]
    return PairCounts(*whole)


def mcnemar(b: ArrayLike, c: ArrayLike, *, alternative: str) -> FloatArray:
    """p-value of the exact McNemar test from the discordant counts, for arrays of pairs.

    Parameters
    ----------
    b, c : items only the first, only the second run got right.
    alternative : "two-sided" (twice the smaller tail, at most 1), "greater" (the first run is better), "less".

    b = c = 0 gives p = 1: the runs never differ, which is no evidence and no error.
    Source: McNemar 1947, doi:10.1007/BF02295996 (exact binomial form).
    """
    one_of("alternative", alternative, ALTERNATIVES)
    first, second = counts(b=b, c=c)
    n = first + second  # bdtr wants whole n: it warns on floats
    if alternative == "two-sided":
        return np.asarray(np.minimum(1.0, 2.0 * bdtr(np.minimum(first, second), n, 0.5)))
    if alternative == "less":
        return np.asarray(bdtr(first, n, 0.5))
    # bdtrc(-1, ...) is the whole distribution
    return np.where(first == 0, 1.0, bdtrc(np.maximum(first - 1, 0), n, 0.5))


@dataclass(frozen=True, slots=True, eq=False)
class SignFlip:
    """Sign-flip test of each row of differences: p, mean difference, n items, n non-zero, how computed.

    `p` is NaN where n = 0 and 1 where no difference is non-zero. `exact` rows counted every assignment;
    the others drew `resamples` of them with `seed`.
    """

    p: FloatArray
    mean: FloatArray
    n: IntArray
    nonzero: IntArray
    exact: BoolArray
    resamples: int
    seed: int


def sign_flip(differences: ArrayLike, *, alternative: str, resamples: int, seed: int) -> SignFlip:
    """Paired permutation test of graded credit: flip the sign of each item's difference at random.

    Parameters
    ----------
    differences : pairs x items, first run minus second, NaN where either is missing. Average several attempts
        per item, and items of one cluster, before: a row's differences must be exchangeable.
    alternative : "two-sided" (|mean|), "greater" (the first run is better) or "less".
    resamples : random assignments for rows with more than `EXACT_UP_TO` non-zero differences; then
        p = (1 + number at least as extreme) / (1 + resamples), which cannot be 0. All pairs share the draws.

    For 0/1 credit the exact rows equal the exact McNemar test.
    Source: Pitman 1937, doi:10.2307/2984124; add-one rule: Phipson and Smyth 2010, doi:10.2202/1544-6115.1585.
    """
    one_of("alternative", alternative, ALTERNATIVES)
    if resamples < 1:
        raise ValueError(f"resamples must be 1 or more, found {resamples}")
    rows = np.atleast_2d(np.asarray(differences, dtype=np.float64))
    held = ~np.isnan(rows)
    filled = np.where(held, rows, 0.0)
    n, nonzero = held.sum(axis=1), (filled != 0).sum(axis=1)
    total = filled.sum(axis=1)
    exact = nonzero <= EXACT_UP_TO
    p = np.full(len(rows), np.nan)
    for row in np.flatnonzero(exact & (n > 0)):
        sums = np.zeros(1)
        for step in filled[row, filled[row] != 0]:
            sums = np.concatenate([sums - step, sums + step])
        p[row] = _extreme(sums[:, None], filled[[row]], total[[row]], alternative)[0] / len(sums)
    drawn = np.flatnonzero(~exact)
    if drawn.size:
        more, part = np.zeros(drawn.size), np.ascontiguousarray(filled[drawn].T)
        stream = np.random.default_rng(seed)
        block = max(8, _CELLS // rows.shape[1])
        for begin in range(0, resamples, block):
            size = (min(block, resamples - begin), rows.shape[1])
            signs = stream.integers(0, 2, size, dtype=np.int8) * 2.0 - 1.0
            more += _extreme(signs @ part, filled[drawn], total[drawn], alternative)
        p[drawn] = (1 + more) / (1 + resamples)
    mean = np.divide(total, n, out=np.full(len(rows), np.nan), where=n > 0)
    return SignFlip(p, mean, n, nonzero, exact, resamples, seed)


def _extreme(sums: FloatArray, rows: FloatArray, total: FloatArray, alternative: str) -> IntArray:
    """Count the sums (assignments x pairs) at least as extreme as the total seen, up to rounding."""
    slack = 1e-9 * np.abs(rows).sum(axis=1)
    if alternative == "two-sided":
        return np.asarray((np.abs(sums) >= np.abs(total) - slack).sum(axis=0))
    if alternative == "greater":
        return np.asarray((sums >= total - slack).sum(axis=0))
    return np.asarray((sums <= total + slack).sum(axis=0))


@dataclass(frozen=True, slots=True)
class CochranQ:
    """Cochran's Q over `runs` runs and the `n` items all of them answered; `left_out` items lack a run.

    `statistic` and `p` are NaN, with `reason`, where undefined.
    """

    statistic: float
    p: float
    df: int
    n: int
    left_out: int
    reason: str


def cochran_q(correct: ArrayLike) -> CochranQ:
    """Test that all runs have the same rate on the same items (large-sample chi-square).

    `correct` is runs x items with 1 right, 0 wrong, NaN or -1 missing. Items on which all runs agree do not
    enter the statistic; when there are no others it is 0/0 and undefined. For two runs it is McNemar's test
    without correction. Source: Cochran 1950, doi:10.1093/biomet/37.3-4.256.
    """
    right, held = right_and_held(correct)
    whole = held.all(axis=0)
    table = right[:, whole].T.astype(np.int64)
    n, runs = table.shape
    agreed = (table.sum(axis=1) % max(runs, 1) == 0).all()
    reason = "one run" if runs < 2 else "no common items" if n == 0 else "runs never differ" if agreed else ""
    if reason:
        return CochranQ(np.nan, np.nan, max(runs - 1, 0), n, int((~whole).sum()), reason)
    from statsmodels.stats.contingency_tables import cochrans_q  # noqa: PLC0415 - 1.8 s of import

    result = cochrans_q(table)
    return CochranQ(float(result.statistic), float(result.pvalue), runs - 1, n, int((~whole).sum()), "")
