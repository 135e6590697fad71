"""Writer of the native form: the same rows give the same bytes, and a folder appears whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import cast

import duckdb
import msgspec
import polars as pl
import pyarrow.parquet as pq

from analytics.errors import BadLog, did_you_mean
from analytics.schema import LOG_TABLES, SCHEMA_VERSION, Table
from loaders.native import FORMAT, MANIFEST, claims, digest
from loaders.validate import validate

Connection = duckdb.DuckDBPyConnection

GROUP_ROWS = 1 << 17
INDEXED = ("responses", "verdicts", "failure_labels")
"""Tables that a store keeps with integer keys; its views `log_...` give the text keys back."""


def write_native(tables: Mapping[str, Iterable[pl.DataFrame] | pl.DataFrame], folder: Path) -> dict[str, int]:
    """Write tables as a native folder and return the rows of each; a table without rows gets no file.

    A frame is sorted by the key of its table, a sequence of frames is written in its own order and may be longer than
    memory. `source_id` belongs to a store and is left out. How the rows are cut into frames does not change a byte,
    another release of Arrow may. The folder is written under a temporary name and then renamed; a native folder of
    that name is replaced.

    Raises
    ------
    BadLog
        For a table or column that the schema does not have, a row that breaks the schema, a key that a frame holds
        twice, or a folder that exists and holds something else.
    """
    folder = Path(folder)
    for name in tables:
        if name not in LOG_TABLES:
            raise BadLog(f"'{name}' is no table of a log.{did_you_mean(name, LOG_TABLES)}")
    if folder.exists() and not claims(folder, b"") and (not folder.is_dir() or any(folder.iterdir())):
        raise BadLog(f"{folder} exists and is no native log. Name a new folder.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".partial", dir=folder.parent))
    try:
        rows = {name: _write_table(LOG_TABLES[name], tables[name], fresh) for name in LOG_TABLES if name in tables}
        rows = {name: n for name, n in rows.items() if n}
        entries = {name: {"rows": n, "sha256": digest(fresh / f"{name}.parquet")} for name, n in rows.items()}
        manifest = {"format": FORMAT, "schema_version": SCHEMA_VERSION, "tables": entries}
        text = msgspec.json.format(msgspec.json.encode(manifest, order="sorted"), indent=2)
        (fresh / MANIFEST).write_bytes(text + b"\n")
        fresh.chmod(0o755)
        if folder.exists():
            old = fresh.with_name(fresh.name + ".old")
            folder.rename(old)
            fresh.rename(folder)
            shutil.rmtree(old)
        else:
            fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return rows


def export_native(build_path: Path, folder: Path) -> dict[str, int]:
    """Write the log tables of a finished build as a native folder and return the rows of each.

    Reading that folder builds a store with the same rows, sources and issues aside. Raises BadLog when `build_path`
    is no build.
    """
    try:
        con = duckdb.connect(str(build_path), read_only=True)
    except duckdb.Error as error:
        raise BadLog(f"{build_path} is no build of a store ({error}).") from error
    try:
        return write_native({table.name: _stored(con, table) for table in LOG_TABLES.values()}, folder)
    except duckdb.CatalogException as error:
        raise BadLog(f"{build_path} is no build of a store ({error}).") from error
    finally:
        con.close()


def _stored(con: Connection, table: Table) -> Iterator[pl.DataFrame]:
    """Yield the rows of one table of a build in the order of its key."""
    columns = ", ".join(name for name in table.names() if name != "source_id")
    origin = f"log_{table.name}" if table.name in INDEXED else table.name
    sql = f"SELECT {columns} FROM {origin} ORDER BY {', '.join(table.key)}"  # noqa: S608 - names from the schema
    reader = con.cursor().sql(sql).to_arrow_reader(GROUP_ROWS)
    for batch in reader:
        yield cast(pl.DataFrame, pl.from_arrow(batch))


def _write_table(table: Table, given: Iterable[pl.DataFrame] | pl.DataFrame, folder: Path) -> int:
    """Write one table in row groups of GROUP_ROWS rows and return how many rows it has."""
    if isinstance(given, pl.DataFrame):
        given = (_in_order(table, given),)
    path, rows = folder / f"{table.name}.parquet", 0
    writer: pq.ParquetWriter | None = None
    try:
        for group in _groups(_checked(table, frame) for frame in given):
            data = group.to_arrow(compat_level=pl.CompatLevel.oldest())
            if writer is None:
                writer = pq.ParquetWriter(
                    path, data.schema, compression="zstd", compression_level=9, version="2.6", store_schema=False
                )
            writer.write_table(data, row_group_size=GROUP_ROWS)
            rows += group.height
    finally:
        if writer is not None:
            writer.close()
    return rows


def _in_order(table: Table, frame: pl.DataFrame) -> pl.DataFrame:
    keys = [key for key in table.key if key in frame.columns]
    if len(keys) == len(table.key) and frame.select(keys).is_duplicated().any():
        raise BadLog(f"{table.name} holds a key ({', '.join(table.key)}) twice. Give each row its own.")
    return frame.sort(keys)


def _checked(table: Table, frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame in the schema's columns and types; raises BadLog for the first row that breaks it."""
    valid, issues = validate(table.name, frame.drop("source_id", strict=False))
    if issues:
        raise BadLog(f"This row cannot be written: {issues[0].message} ({issues[0].excerpt}).")
    return valid.drop("source_id", strict=False)


def _groups(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield the rows of all frames again in pieces of GROUP_ROWS rows."""
    kept: list[pl.DataFrame] = []
    height = 0
    for frame in frames:
        kept.append(frame)
        height += frame.height
        while height >= GROUP_ROWS:
            joined = pl.concat(kept)
            yield joined.head(GROUP_ROWS).rechunk()
            kept = [joined.slice(GROUP_ROWS)]
            height -= GROUP_ROWS
    if height:
        yield pl.concat(kept).rechunk()
