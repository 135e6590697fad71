"""Association in a matrix of counts, such as failure cause x model: Cramer's V and the cells that stand out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, chndtr, chndtrinc, ndtr

from analytics.numeric.arrays import FloatArray, IntArray, counts, probability, ratio


@dataclass(frozen=True, slots=True)
class Association:
    """Cramer's V of a count matrix, its interval, and the chi-square test of independence.

    `v` is the plain coefficient, `v_corrected` the bias-corrected one, both in [0, 1]. `low` and `high` bound
    the *population* V. The plain V of a sparse table is too large on average and may lie above `high`: the
    corrected one is then the better estimate. `rows` and `columns` count those that hold anything.
    All figures are NaN, with `reason`, where fewer than two rows or columns do.
    """

    v: float
    v_corrected: float
    low: float
    high: float
    chi_square: float
    df: int
    p: float
    n: int
    rows: int
    columns: int
    level: float
    reason: str


def _matrix(values: ArrayLike) -> IntArray:
    (matrix,) = counts(counts=values)
    if matrix.ndim != 2:
        raise ValueError(f"counts must be a matrix (rows x columns), found {matrix.ndim} dimension(s)")
    return matrix


def cramers_v(table: ArrayLike, *, level: float) -> Association:
    """Cramer's V with a noncentral chi-square interval, and its bias-corrected variant.

    Rows and columns without any count say nothing and are left out. Each count must be an independent
    observation: causes of the same item's failures in several runs are not, and the interval is then too
    narrow. The chi-square p is a large-sample one; with expected counts below 5 read it as rough.
    Sources: Cramer 1946; interval: Smithson 2003, Confidence Intervals, chapter 4 (noncentrality / n);
    correction: Bergsma 2013, doi:10.1016/j.jkss.2012.10.002.
    """
    matrix = _matrix(table)
    tail = (1 - probability("level", level)) / 2
    matrix = matrix[matrix.sum(axis=1) > 0][:, matrix.sum(axis=0) > 0]
    n, (rows, columns) = int(matrix.sum()), matrix.shape
    if min(rows, columns) < 2:
        reason = "no counts" if n == 0 else "one row" if rows < 2 else "one column"
        nan = float("nan")
        return Association(nan, nan, nan, nan, nan, 0, nan, n, rows, columns, level, reason)
    expected = np.outer(matrix.sum(axis=1), matrix.sum(axis=0)) / n
    chi_square = float(((matrix - expected) ** 2 / expected).sum())
    df, side = (rows - 1) * (columns - 1), min(rows, columns) - 1
    low, high = (np.sqrt(min(_noncentrality(chi_square, df, share) / (n * side), 1.0)) for share in (1 - tail, tail))
    # Bergsma: what independence alone would give is taken off phi^2, and the side shrinks with it
    phi2 = max(0.0, chi_square / n - df / max(n - 1, 1))
    shrunk = min(_shrunk(rows, n), _shrunk(columns, n)) - 1
    corrected = float(np.sqrt(min(phi2 / shrunk, 1.0))) if shrunk > 0 else float("nan")
    v = float(np.sqrt(chi_square / (n * side)))
    p = float(chdtrc(df, chi_square))
    return Association(v, corrected, float(low), float(high), chi_square, df, p, n, rows, columns, level, "")


def _shrunk(size: int, n: int) -> float:
    return size - (size - 1) ** 2 / max(n - 1, 1)


def _noncentrality(chi_square: float, df: int, share: float) -> float:
    """Noncentrality under which a value up to `chi_square` has the probability `share`; 0 if none has."""
    if chndtr(chi_square, df, 0.0) <= share:
        return 0.0
    return float(chndtrinc(chi_square, df, share))


def adjusted_residuals(table: ArrayLike) -> FloatArray:
    """Adjusted (standardised Pearson) residual of each cell: which cell stands out, in standard errors.

    About standard normal when rows and columns are independent, so beyond +-2 is unusual for one cell; over a
    whole matrix adjust for their number. NaN in a row or column that is empty or holds everything.
    Source: Haberman 1973, doi:10.2307/2529686.
    """
    matrix = _matrix(table).astype(np.float64)
    n, row, column = matrix.sum(), matrix.sum(axis=1)[:, None], matrix.sum(axis=0)
    expected = ratio(row * column, n)
    variance = expected * (1 - ratio(row, n)) * (1 - ratio(column, n))
    return ratio(matrix - expected, np.sqrt(np.where(variance > 0, variance, 0.0)))


def residual_p(residuals: FloatArray) -> FloatArray:
    """Two-sided p of adjusted residuals under the standard normal; NaN stays NaN. For one cell: adjust over many."""
    return np.asarray(2 * ndtr(-np.abs(residuals)))
