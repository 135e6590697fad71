"""Reader of the native form: a folder with `manifest.json` and one Parquet file per table, hashes checked.

The manifest is {"format": "scoreproof-native", "schema_version": 1, "tables": {"items": {"rows": n, "sha256": ...}}}.
A folder is read as a whole or not at all: one table that does not match its manifest refuses it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, cast

import msgspec
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from analytics.errors import BadLog, did_you_mean, listing
from analytics.schema import LOG_TABLES, SCHEMA_VERSION
from loaders.base import HEAD_BYTES, Batch, Field, Found, Issue, Reader, Source
from loaders.nesting import check_levels

FORMAT = "scoreproof-native"
MANIFEST = "manifest.json"
BATCH_ROWS = 65_536

RECORDS = ("responses", "comparisons", "figures", "claims")
DETAILS = ("verdicts", "failure_labels", "items", "runs", "benchmarks")
"""Rows of RECORDS are the records of a folder; in one without any, those of the first of DETAILS that it holds."""


class Entry(msgspec.Struct):
    """What the manifest says of one table."""

    rows: Annotated[int, msgspec.Meta(ge=0, le=1 << 48)]
    sha256: str


class Manifest(msgspec.Struct):
    """The manifest of a native folder; keys beyond these are for people."""

    format: str
    schema_version: int
    tables: dict[str, Entry]


def claims(path: Path, head: bytes) -> bool:
    """Recognise a folder by what its manifest says, even when the manifest is broken further down."""
    manifest = path / MANIFEST
    if not manifest.is_file():
        return False
    with manifest.open("rb") as file:
        return f'"{FORMAT}"'.encode() in file.read(HEAD_BYTES)


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a native folder; raises BadLog when it is not whole or of another schema version."""
    try:
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLog(f"{MANIFEST} is not a whole manifest ({error}). Export the log again.") from error
    if manifest.format != FORMAT:
        raise BadLog(f"{MANIFEST} names the format '{manifest.format}', not '{FORMAT}'. Export the log again.")
    if manifest.schema_version != SCHEMA_VERSION:
        raise BadLog(
            f"The log has schema version {manifest.schema_version}, this release reads {SCHEMA_VERSION}. Export it "
            "again with this release."
        )
    unknown = [name for name in manifest.tables if name not in LOG_TABLES]
    if unknown:
        near = did_you_mean(unknown[0], LOG_TABLES)
        raise BadLog(f"{MANIFEST} names the table '{unknown[0]}'; known: {listing(LOG_TABLES, most=20)}.{near}")
    return manifest


def read(source: Source) -> Iterator[Found]:
    """Yield the rows of every table in the order of the schema, once all of them match the manifest.

    Raises BadLog for a manifest that cannot be read.
    """
    folder = source.path
    manifest = read_manifest(folder)
    faults = [fault for name, entry in manifest.tables.items() for fault in _faults(folder, name, entry)]
    stray = [path.stem for path in sorted(folder.glob("*.parquet")) if path.stem not in manifest.tables]
    if stray:
        message = f"{listing(f'{name}.parquet' for name in stray)} stands in no manifest and was not read."
        yield Issue("unlisted_file", "note", message, records=0)
    records = [name for name in RECORDS if name in manifest.tables]
    records = records or [name for name in DETAILS if name in manifest.tables][:1]
    if faults:
        lost = sum(manifest.tables[name].rows for name in records)
        for number, (rule, name, message) in enumerate(faults):
            yield Issue(rule, "refused", message, column=name, records=0 if number else lost)
        return
    for name in LOG_TABLES:
        if name in manifest.tables:
            for frame in _batches(folder / f"{name}.parquet"):
                yield Batch(name, frame.drop("source_id", strict=False), primary=name in records)


def _faults(folder: Path, name: str, entry: Entry) -> Iterator[tuple[str, str, str]]:
    """Yield (rule, table, sentence) for each way in which a table does not match its manifest."""
    path = folder / f"{name}.parquet"
    if not path.is_file():
        yield "missing_table", name, f"{path.name} is named by the manifest and is not there. Nothing was loaded."
        return
    found = digest(path)
    if found != entry.sha256:
        yield (
            "hash_mismatch",
            name,
            f"{path.name} has the digest {found[:12]}..., the manifest says {entry.sha256[:12]}...: it was changed "
            "after the export. Nothing was loaded; export the log again.",
        )
        return
    try:
        with pq.ParquetFile(path) as file:
            rows, names = file.metadata.num_rows, file.schema_arrow.names
            check_levels(path.name, file.schema_arrow)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        yield "unreadable", name, f"{path.name} is no whole Parquet file ({error}). Nothing was loaded."
        return
    if rows != entry.rows:
        yield (
            "row_count_mismatch",
            name,
            f"{path.name} has {rows} rows, the manifest says {entry.rows}. Nothing was loaded; export the log again.",
        )
    known = LOG_TABLES[name].names()
    for column in names:
        if column not in known:
            near = did_you_mean(column, known)
            yield "unknown_column", f"{name}.{column}", f"{path.name} has the column '{column}', {name} has not.{near}"


def _batches(path: Path) -> Iterator[pl.DataFrame]:
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=BATCH_ROWS):
                batch.validate(full=True)  # text that is not UTF-8 would fail only far from here
                yield cast(pl.DataFrame, pl.from_arrow(batch))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BadLog(f"{path.name} cannot be read to its end ({error}). Export the log again.") from error


def digest(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


READER = Reader(
    name="native",
    version="1",
    title="native form (folder of Parquet tables with a manifest)",
    unit="folder",
    fields=tuple(
        Field(f"{table.name}.{column}", (f"{table.name}.{column}",))
        for table in LOG_TABLES.values()
        for column in table.names()
        if column != "source_id"
    ),
    claims=claims,
    read=read,
)
