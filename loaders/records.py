"""Flat records of CSV, TSV, JSON Lines, JSON lists and Parquet, block by block, told apart by their first bytes."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from analytics.errors import BadLog, listing
from loaders.base import Issue, shorten
from loaders.jsonlines import BLOCK_RECORDS, Block, read_lines, read_list
from loaders.located import Located
from loaders.nesting import check_levels

_DELIMITERS = ("\t", ",", ";")
_KEY = re.compile(rb'"([^"\\]{1,80})"\s*:')
CELL_BYTES = 16 << 20
"""Longest cell of a CSV file; without a limit one open quote would take in the rest of the file."""


COLUMNS = 10_000
"""Most columns of a CSV file that is read."""


def plain(name: str) -> str:
    """Return a column name in lower case with underscores, as aliases are written."""
    return re.sub(r"[\s\-]+", "_", name.strip().lower())


def head_names(path: Path, head: bytes) -> frozenset[str]:
    """Return the plain column names that the first bytes of a file tell, nested ones as 'outer.inner'.

    Empty when the file is none of the five containers.
    """
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"PAR1"):
        names = _parquet_names(path)
    elif text[:1] == b"{":
        names = _json_names(text.split(b"\n")[:20], text)
    elif text[:1] == b"[":
        names = _list_names(text)
    elif b"\0" in text:
        names = []
    else:
        names = _header(text.split(b"\n", 1)[0].decode("utf-8", "replace"))[0]
    return frozenset(plain(name) for name in names)


def read_records(path: Path, located: Located) -> Iterator[Block | Issue]:
    """Yield the records of a file as blocks with plain column names, and an issue for each record that is none.

    Raises BadLog when the container as a whole cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(64)
    for each in read_named(path, container(head), located):
        yield each if isinstance(each, Issue) else (_flat(each[0]), each[1])


def container(head: bytes) -> str:
    """Return what a file is by its first bytes: parquet, jsonl, json (a list) or csv."""
    if head.startswith(b"PAR1"):
        return "parquet"
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return {b"{": "jsonl", b"[": "json"}.get(start, "csv")


def read_named(path: Path, kind: str, located: Located, *, header_row: int = 1) -> Iterator[Block | Issue]:
    """Yield the records of a file under the file's own column names; `kind` is what `container` returns.

    `header_row` is the line of a CSV file that names its columns; what stands above it is not read. Raises BadLog when
    the container as a whole cannot be read.
    """
    if kind == "parquet":
        return _read_parquet(path)
    if kind == "jsonl":
        return read_lines(path, located)
    return read_list(path, located) if kind == "json" else _read_csv(path, located, header_row)


def _parquet_names(path: Path) -> list[str]:
    try:
        schema = pq.read_schema(path)
    except (pa.ArrowInvalid, OSError, UnicodeDecodeError):  # the last: names that are not UTF-8
        return []
    nested = [f"{field.name}.{part.name}" for field in schema if pa.types.is_struct(field.type) for part in field.type]
    return [*schema.names, *nested]


def _dict_names(row: object) -> list[str]:
    if not isinstance(row, dict):
        return []
    nested = [f"{key}.{part}" for key, value in row.items() if isinstance(value, dict) for part in value]
    return [*row, *nested]


def _list_names(text: bytes) -> list[str]:
    """Return the keys of the first record of a list, or all keys of the text where that record is longer."""
    gap = len(text[1:]) - len(text[1:].lstrip())
    try:
        first = json.JSONDecoder().raw_decode(text.decode("utf-8", "replace"), 1 + gap)[0]
    except (ValueError, RecursionError):
        return _json_names([], text)
    return _dict_names(first)


def _json_names(lines: list[bytes], text: bytes) -> list[str]:
    """Return the keys of the first lines that are whole, or all keys of the text where no line is."""
    names: list[str] = []
    for line in lines:
        try:
            names += _dict_names(msgspec.json.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
    if not names and len(lines) <= 1:
        names = [key.decode("utf-8", "replace") for key in _KEY.findall(text)]
    return names


def _header(line: str) -> tuple[list[str], str]:
    """Return the names of a header line and its delimiter: the one that makes most columns."""
    best: tuple[list[str], str] = ([], ",")
    for mark in _DELIMITERS:
        try:
            names = next(csv.reader([line.rstrip("\r\n")], delimiter=mark), [])
        except csv.Error:  # a lone carriage return, say: not a header
            continue
        if len(names) > len(best[0]):
            best = (names, mark)
    return best


def _read_csv(path: Path, located: Located, header_row: int) -> Iterator[Block | Issue]:
    """Yield the rows of a CSV file as text; a place is the first line of the row."""
    csv.field_size_limit(CELL_BYTES)
    wrong: dict[int, int] = {}
    with path.open("rb") as file:

        def texts() -> Iterator[str]:
            for number, raw in enumerate(file, start=1):
                line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
                try:
                    yield line.decode()
                except UnicodeDecodeError as error:
                    wrong[number] = error.start
                    yield line.decode("utf-8", "replace")

        source = texts()
        above = sum(1 for _ in itertools.islice(source, header_row - 1))
        header, delimiter = _header(next(source, ""))
        if header_row > 1 and not header:
            raise BadLog(f"{path.name} has no names of columns in row {header_row}. Mend header_row in its profile.")
        _check_header(path.name, header)
        reader = csv.reader(source, delimiter=delimiter, strict=True)
        rows: list[list[str]] = []
        places: list[int] = []
        while True:
            place = reader.line_num + 2 + above
            try:
                row = next(reader)
            except StopIteration:
                break
            except csv.Error as error:
                message = f"Row at line {place} is no row of CSV ({error}). Check its quotation marks."
                yield from located.one(Issue("broken_row", "refused", message, place))
                continue
            if not row:
                continue
            fault = _row_fault(row, header, place, wrong, reader.line_num + 1 + above)
            if fault is not None:
                yield from located.one(fault)
                continue
            rows.append(row)
            places.append(place)
            if len(rows) == BLOCK_RECORDS:
                yield _text_block(header, rows, places)
                rows, places = [], []
        if rows:
            yield _text_block(header, rows, places)


def _check_header(name: str, header: list[str]) -> None:
    """Raise BadLog for a header with too many columns, or with two of one name."""
    if len(header) > COLUMNS:
        raise BadLog(f"{name} has {len(header):,} columns; up to {COLUMNS:,} are read. Write it as long rows.")
    doubled = sorted(column for column, times in Counter(header).items() if times > 1)
    if doubled:
        raise BadLog(f"{name} has the column {listing(doubled)} twice. Rename or drop one of each.")


def _row_fault(row: list[str], header: list[str], place: int, wrong: dict[int, int], last: int) -> Issue | None:
    """Return why a row is no record, or None."""
    if wrong and any(line in wrong for line in range(place, last + 1)):
        message = f"Row at line {place} holds bytes that are not UTF-8. Save the file as UTF-8 and load it again."
        return Issue("not_utf8", "refused", message, place, excerpt=shorten(",".join(row)))
    if len(row) != len(header):
        message = (
            f"Row at line {place} has {len(row)} cells, the header has {len(header)}. Quote cells that hold commas."
        )
        return Issue("ragged_row", "refused", message, place, excerpt=shorten(",".join(row)))
    return None


def _text_block(header: list[str], rows: list[list[str]], places: list[int]) -> Block:
    columns = [
        pl.Series(name, cells, dtype=pl.String) for name, cells in zip(header, zip(*rows, strict=True), strict=True)
    ]
    return pl.DataFrame(columns), pl.Series("line", places, dtype=pl.Int64)


def _read_parquet(path: Path) -> Iterator[Block | Issue]:
    """Yield the rows of a Parquet file; a place is the number of the row, from 1."""
    try:
        with pq.ParquetFile(path) as file:
            check_levels(path.name, file.schema_arrow)
            place = 1
            for batch in file.iter_batches(batch_size=BLOCK_RECORDS):
                batch.validate(full=True)  # text that is not UTF-8 would fail only far from here
                frame = cast(pl.DataFrame, pl.from_arrow(batch))
                yield frame, pl.Series("line", range(place, place + frame.height), dtype=pl.Int64)
                place += frame.height
    except (pa.ArrowException, OSError, UnicodeDecodeError, pl.exceptions.PanicException) as error:
        # the last two: names that are not UTF-8
        raise BadLog(f"{path.name} is no whole Parquet file ({error}). Export it again.") from error


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the columns under plain names, structs opened as 'outer.inner'.

    Of two columns with one plain name the first value of each record counts.
    """
    columns: dict[str, pl.Series] = {}
    for series in frame:
        parts = {plain(series.name): series}
        if isinstance(series.dtype, pl.Struct):
            parts = {f"{plain(series.name)}.{plain(part.name)}": part for part in series.struct.unnest()}
        for name, values in parts.items():
            if name not in columns:
                columns[name] = values
            elif columns[name].dtype == values.dtype:
                columns[name] = _first(columns[name], values)
            else:
                columns[name] = _first(_text(columns[name]), _text(values))
    return pl.DataFrame([values.alias(name) for name, values in columns.items()])


def _text(series: pl.Series) -> pl.Series:
    """Return values as text; those of lists and objects, which no cast knows, as JSON."""
    return json_text(series) if series.dtype.is_nested() else series.cast(pl.String)


def json_text(series: pl.Series) -> pl.Series:
    """Return each value as JSON text; null stays null."""
    texts = [None if v is None else msgspec.json.encode(v, enc_hook=str).decode() for v in series.to_list()]
    return pl.Series(series.name, texts, dtype=pl.String)


def _first(one: pl.Series, other: pl.Series) -> pl.Series:
    return pl.DataFrame([one.alias("one"), other.alias("other")]).select(pl.coalesce("one", "other")).to_series()
