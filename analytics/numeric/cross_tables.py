"""Cross-tables of every pair of raters: counted once, and what depends on pairs alone is a sum over few cells.

A unit of a long log enters 300 pairs of 25 runs; its codes are read once for each block of units, and never sorted.
"""

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import MISSING, IntArray, codes

_CELLS = 1 << 22  # cells of all tables: 32 MB
_BINS = 1 << 12  # cells of one count: they stay in cache
_BLOCK = 1 << 15  # units counted at once: the codes of all raters stay in cache


def fits(raters: int, categories: int) -> bool:
    """Tell whether the cross-tables of so many raters and categories are few enough to be held."""
    return (raters * (categories + 1)) ** 2 <= _CELLS and (categories + 1) ** 2 <= _BINS


def cross_tables(ratings: ArrayLike) -> IntArray:
    """Count, for every pair of raters, the units by both codes; shape (raters, raters, K + 1, K + 1).

    `tables[i, j, a, b]` is the number of units that i codes a and j codes b; K is one more than the largest code,
    one at least. The last place of either axis is a missing code. Counts are whole numbers, however many the units.

    With few categories raters are taken by twos: one count by the codes of four raters gives the tables of all of them.
    Raises ValueError when the tables do not fit (see `fits`), or `ratings` is no matrix of codes.
    """
    matrix = codes("ratings", ratings)
    raters, units = matrix.shape
    size = int(matrix.max(initial=0)) + 2
    if not fits(raters, size - 1):
        raise ValueError(f"{raters} raters with {size - 1} categories have more than {_CELLS} cells in their tables")
    by_twos = (raters + 1) // 2
    together = 2 if size**4 <= _BINS and by_twos * (by_twos + 1) // 2 * size**4 <= _CELLS else 1
    groups = [list(range(at, min(at + together, raters))) for at in range(0, raters, together)]
    counted = {
        (g, h): np.zeros(size ** (len(groups[g]) + len(groups[h])), dtype=np.int64)
        for g in range(len(groups))
        for h in range(g, len(groups))
    }
    for begin in range(0, units, _BLOCK):
        block = matrix[:, begin : begin + _BLOCK].astype(np.int64)
        block[block == MISSING] = size - 1
        joint = [_joint(block, group, size) for group in groups]
        for (g, h), flat in counted.items():
            np.add(flat, np.bincount(joint[g] * size ** len(groups[h]) + joint[h], minlength=len(flat)), out=flat)
    out = np.zeros((raters, raters, size, size), dtype=np.int64)
    for (g, h), flat in counted.items():
        members = [*groups[g], *groups[h]]
        cube = flat.reshape([size] * len(members))
        for x, i in enumerate(members):
            for y, j in enumerate(members):
                if y > x:
                    table = cube.sum(axis=tuple(axis for axis in range(len(members)) if axis not in (x, y)))
                    out[i, j], out[j, i] = table, table.T
    return out


def _joint(block: IntArray, group: list[int], size: int) -> IntArray:
    """Return the codes of some raters as one number."""
    joint: IntArray = block[group[0]]
    for rater in group[1:]:
        joint = joint * size + block[rater]
    return joint
