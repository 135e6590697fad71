"""Rows of an answer as a frame of its declared columns: a column has its type even when every value is null."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from analytics.questions import Result, Unit

TYPES: dict[Unit, type[pl.DataType]] = {
    "text": pl.String,
    "boolean": pl.Boolean,
    "count": pl.Int64,
    "rank": pl.Int64,
}


def table_of(rows: Sequence[Mapping[str, object]], columns: Sequence[Result]) -> pl.DataFrame:
    """Return rows as a frame with exactly these columns, in their order.

    NaN becomes null: undefined is null in a table. A column that a row lacks is null.
    """
    schema = {column.name: TYPES.get(column.unit, pl.Float64) for column in columns}
    plain = [{name: _plain(row.get(name)) for name in schema} for row in rows]
    table = pl.DataFrame(plain, schema=schema, orient="row", strict=True)
    return table.with_columns(pl.selectors.float().fill_nan(None))


def _plain(value: object) -> object:
    """Return NumPy scalars as Python's own."""
    return value.item() if isinstance(value, np.generic) else value
