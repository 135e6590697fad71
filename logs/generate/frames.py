"""Rows to frames of the native form, in the columns and types of the schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from analytics.schema import LOG_TABLES
from loaders.native_write import write_native

Rows = dict[str, list[dict[str, Any]]]

_TYPES: dict[str, pl.DataType] = {
    "text": pl.String(),
    "integer": pl.Int64(),
    "number": pl.Float64(),
    "boolean": pl.Boolean(),
    "texts": pl.List(pl.String()),
    "json": pl.String(),
}


def frame(name: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Return the rows of one table in the columns and types of the schema; a column that a row lacks is null there.

    Raises
    ------
    ValueError
        When a row names a column that the table has not.
    """
    table = LOG_TABLES[name]
    known = set(table.names())
    for row in rows:
        if not row.keys() <= known:
            raise ValueError(f"{name}: columns {sorted(row.keys() - known)} are not in the schema")
    schema = {column.name: _TYPES[column.kind] for column in table.columns}
    return pl.DataFrame({column: [row.get(column) for row in rows] for column in schema}, schema=schema)


def write(rows: Rows, folder: Path) -> dict[str, int]:
    """Write one folder of the native form, a Parquet file per table that has rows; return the rows by table."""
    return write_native({name: frame(name, found) for name, found in rows.items() if found}, folder)
