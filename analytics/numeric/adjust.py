"""Adjusted p-values for a family of tests. A test that is undefined is not in the family."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import FloatArray, IntArray


class Adjusted(NamedTuple):
    """Adjusted p-values in the order given (NaN where undefined), and `m`, the size of the family."""

    p: FloatArray
    m: int


def _family(p: ArrayLike) -> tuple[FloatArray, IntArray, FloatArray]:
    """Return the p-values, the indices of the defined ones from small to large, and those values."""
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1:
        raise ValueError(f"a family is one list of p-values, found {values.ndim} dimension(s)")
    known = np.flatnonzero(~np.isnan(values))
    if ((values[known] < 0) | (values[known] > 1)).any():
        raise ValueError("p-values lie between 0 and 1, or are NaN where the test is undefined")
    order = known[np.argsort(values[known], kind="stable")]
    return values, order, values[order]


def holm(p: ArrayLike) -> Adjusted:
    """Holm's step-down adjustment: controls the chance of any false rejection in the family.

    NaN p-values (undefined tests) leave the family before `m` is counted, and stay NaN. Equal adjusted values
    are right: each is the running maximum of (m - rank + 1) p, at most 1.
    Source: Holm 1979, https://www.jstor.org/stable/4615733.
    """
    values, order, rising = _family(p)
    m = order.size
    out = np.full(values.shape, np.nan)
    out[order] = np.minimum(np.maximum.accumulate(rising * (m - np.arange(m))), 1.0)
    return Adjusted(out, m)


def benjamini_hochberg(p: ArrayLike) -> Adjusted:
    """Benjamini-Hochberg adjustment: controls the expected share of false rejections.

    NaN p-values are treated as in `holm`. Source: Benjamini and Hochberg 1995,
    doi:10.1111/j.2517-6161.1995.tb02031.x.
    """
    values, order, rising = _family(p)
    m = order.size
    out = np.full(values.shape, np.nan)
    scaled = rising * m / (np.arange(m) + 1)
    out[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return Adjusted(out, m)
