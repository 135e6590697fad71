"""What an array argument must satisfy: whole counts, codes with -1 for missing, a level inside (0, 1)."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
TextArray = NDArray[np.str_]
CodeArray = NDArray[np.signedinteger]

MISSING = -1
"""The code of a cell without a value in every integer-coded matrix: unjudged, unanswered, not valid."""


def counts(**named: ArrayLike) -> list[IntArray]:
    """Return the named arrays as broadcast int64 counts.

    Raises ValueError naming the argument when a value is fractional, negative or NaN: a score
    interval or an exact test of partial credit would be a wrong number, not an approximate one.
    """
    checked = []
    for name, values in named.items():
        array = np.asarray(values)
        if array.dtype == np.bool_ or array.size == 0:
            array = array.astype(np.int64)
        if not np.issubdtype(array.dtype, np.integer):
            whole = np.isfinite(array) & (array == np.floor(array))
            if not whole.all():
                raise ValueError(
                    f"{name} must hold whole counts, found {array[~whole].flat[0]}; "
                    "for partial credit use a bootstrap over items"
                )
        if array.size and array.min() < 0:
            raise ValueError(f"{name} must hold counts of zero or more, found {array.min()}")
        checked.append(array.astype(np.int64))
    return [np.asarray(array) for array in np.broadcast_arrays(*checked)]


def probability(name: str, value: float) -> float:
    """Return `value` when it lies strictly between 0 and 1, else raise ValueError naming it."""
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, found {value}; write 0.95 for 95 %")
    return float(value)


def one_of(name: str, value: str, allowed: Iterable[str]) -> str:
    """Return `value` when it is allowed, else raise ValueError listing what is."""
    allowed = tuple(allowed)
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; allowed: {', '.join(allowed)}")
    return value


def codes(name: str, matrix: ArrayLike) -> CodeArray:
    """Return a raters x units (or runs x items) matrix of integer codes, -1 for missing.

    The integer type is kept, so that int8 stays small. Raises ValueError when the matrix is not
    two-dimensional, not integer, or holds a code below -1.
    """
    array = np.asarray(matrix)
    if array.ndim != 2:
        raise ValueError(f"{name} must be a matrix (raters x units), found {array.ndim} dimension(s)")
    if array.size == 0:
        return array.astype(np.int8)
    if not np.issubdtype(array.dtype, np.signedinteger):
        raise ValueError(f"{name} must hold signed integer codes (-1 = missing), found {array.dtype}")
    if array.min() < MISSING:
        raise ValueError(f"{name} holds the code {array.min()}; allowed: -1 (missing) and above")
    return array


def credits_matrix(name: str, matrix: ArrayLike) -> FloatArray:
    """Return a runs x items matrix of credit as float64, NaN for missing; infinite values are refused."""
    array = np.asarray(matrix, dtype=np.float64)
    if array.ndim != 2:
        raise ValueError(f"{name} must be a matrix (runs x items), found {array.ndim} dimension(s)")
    if np.isinf(array).any():
        raise ValueError(f"{name} holds an infinite value; credit is finite or NaN (missing)")
    return array


def per_item(name: str, labels: ArrayLike, n_items: int) -> NDArray[np.generic]:
    """Return the labels as an array, one for each item, else raise ValueError naming the argument."""
    array = np.asarray(labels)
    if array.shape != (n_items,):
        raise ValueError(f"{name} needs one label per item ({n_items}), found shape {array.shape}")
    return array


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> FloatArray:
    """Divide; NaN, without a warning, wherever the denominator is zero: undefined is not 0."""
    top, bottom = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    out = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out


def normal_quantile(tail: float) -> float:
    """Upper `tail` quantile of the standard normal, without the import of scipy.stats."""
    return float(-ndtri(tail))
