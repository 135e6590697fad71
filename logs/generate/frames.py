"""Rows to frames of the native form, and frames to Parquet files with the same bytes every time."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq

from analytics.schema import LOG_TABLES, SCHEMA_VERSION

Rows = dict[str, list[dict[str, Any]]]

_TYPES: dict[str, pl.DataType] = {
    "text": pl.String(),
    "integer": pl.Int64(),
    "number": pl.Float64(),
    "boolean": pl.Boolean(),
    "texts": pl.List(pl.String()),
    "json": pl.String(),
}
ROW_GROUP = 1 << 17


def frame(name: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Return the rows of one table in the columns, types and key order of the schema.

    Columns that a row does not name are null; a null where the schema forbids one is an error.

    Raises
    ------
    ValueError
        When a row names a column that the table has not, a required value is missing, or a key occurs twice.
    """
    table = LOG_TABLES[name]
    known = set(table.names())
    for row in rows:
        if not row.keys() <= known:
            raise ValueError(f"{name}: columns {sorted(row.keys() - known)} are not in the schema")
    schema = {column.name: _TYPES[column.kind] for column in table.columns}
    data = {column: [row.get(column) for row in rows] for column in schema}
    out = pl.DataFrame(data, schema=schema).sort(list(table.key))
    for column in table.columns:
        if not column.null and out[column.name].null_count():
            raise ValueError(f"{name}.{column.name}: {out[column.name].null_count()} missing values")
    if out.select(table.key).is_duplicated().any():
        raise ValueError(f"{name}: a key {table.key} occurs twice")
    return out


def write(rows: Rows, folder: Path, *, benchmark: str) -> dict[str, int]:
    """Write one folder of the native form: a Parquet file per table that has rows, and its manifest.

    Returns the number of rows by table. Settings are pinned and nothing time-dependent is written, so that the same
    rows give the same bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tables: dict[str, dict[str, Any]] = {}
    for name in LOG_TABLES:
        if not rows.get(name):
            continue
        path = folder / f"{name}.parquet"
        data = frame(name, rows[name])
        pq.write_table(
            data.to_arrow(),
            path,
            compression="zstd",
            compression_level=12,
            row_group_size=ROW_GROUP,
            use_dictionary=True,
            store_schema=False,
            version="2.6",
        )
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        tables[name] = {"file": path.name, "rows": data.height, "sha256": digest}
    manifest = {
        "form": "scoreproof native",
        "schema_version": SCHEMA_VERSION,
        "benchmark": benchmark,
        "provenance": "reconstructed",
        "tables": tables,
    }
    text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    return {name: entry["rows"] for name, entry in tables.items()}
