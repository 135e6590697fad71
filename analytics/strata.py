"""Sums by run and stratum as arrays with the strata on the last axis, as the kernels on moments want them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl


def stacked(
    rows: pl.DataFrame, per: Sequence[str], sums: Sequence[str]
) -> Iterator[tuple[pl.DataFrame, dict[str, npt.NDArray[np.float64]]]]:
    """Yield the combinations of the columns `per`, and their sums as arrays (combination, stratum).

    Each row of `rows` is one stratum of one combination, in the order of its strata; null sums count as 0.
    Combinations with equally many strata come together, so that one call of a kernel serves them all: a macro mean is
    over the strata that a combination has.
    """
    sized = rows.with_columns(pl.len().over(per).alias("strata"), pl.struct(per).rank("dense").alias("at"))
    for (strata,), part in sized.group_by("strata", maintain_order=True):
        ordered = part.sort("at", maintain_order=True)
        shape = (-1, int(str(strata)))
        arrays = {name: ordered[name].fill_null(0).cast(pl.Float64).to_numpy().reshape(shape) for name in sums}
        yield ordered.unique("at", keep="first", maintain_order=True).select(per), arrays
