"""A file of any shape as flat blocks: CSV, TSV, JSON, JSON Lines, Parquet, XLSX; nested records get dotted names.

Lines, rows of Parquet and CSV come block by block; a JSON document or a workbook is in memory as a whole, up to a
stated size. Records that are none come as refused issues with their place, so that all are accounted for.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from analytics.errors import BadLog, did_you_mean, listing
from loaders.base import HEAD_BYTES, Issue
from loaders.json_text import decode, load
from loaders.jsonlines import BLOCK_RECORDS, Block, as_text, column
from loaders.located import Located
from loaders.mapping_header import LOOKED, check_title, filled_cells, header_row, text_header, text_header_of
from loaders.mapping_lists import Lists, lists_of
from loaders.mapping_places import Place, places, records_at
from loaders.mapping_profile import POSITION
from loaders.records import read_named
from loaders.sheets import blank_rows, workbook

DOCUMENT_BYTES = 256 << 20
"""Largest JSON document that is opened; larger logs are read as JSON Lines, CSV or Parquet."""

MOST_COLUMNS = 2_000
"""Most columns of a file; more mean that ids or items were taken for fields."""


_UNNAMED = re.compile(r"(?:__UNNAMED__|_)\d+|")
"""Names that fastexcel gives to columns whose cell is empty."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that can be read: its format, its sheets, and the places of its records where it is a document."""

    path: Path
    name: str
    format: str
    sheets: tuple[str, ...]
    places: tuple[Place, ...]

    def header(self, sheet: str | None) -> int:
        """Return the row that seems to name the columns, from 1: the first, or one below a title."""
        if self.format in ("csv", "tsv"):
            return text_header(self.path)[0]
        return _sheet_header(workbook(self.path, self.name), sheet)[0] if self.format == "xlsx" else 1


def open_file(path: Path, name: str) -> Opened:
    """Return what a file is by its content; raises BadLog when it is of none of the formats or not whole."""
    kind = format_of(path)
    if kind is None:
        raise BadLog(f"{name} is no CSV, TSV, JSON, JSON Lines, Parquet or XLSX file. Save it as one of these.")
    found: tuple[Place, ...] = ()
    if kind == "json":
        found = tuple(places(_document(path, name)))
        if not found:
            raise BadLog(f"{name} is JSON without a list or an object of records. Save one record per line instead.")
    return Opened(path, name, kind, _sheets(path, name) if kind == "xlsx" else (), found)


def format_of(path: Path) -> str | None:
    """Return csv, tsv, json, jsonl, parquet or xlsx by a file's content, None for anything else.

    A table under a title is told by its name as well: prose has commas too.
    """
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"PK\x03\x04"):
        return "xlsx" if _is_workbook(path) else None
    if not text or b"\0" in head:
        return None
    if text[:1] in (b"[", b"{"):
        return "jsonl" if text[:1] == b"{" and _is_lines(path, text) else "json"
    below = text_header_of(head)[0] if path.suffix.lower() in (".csv", ".tsv") else 1
    return _delimited(head if below > 1 else head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \r\n"), below)


def _delimited(text: bytes, row: int) -> str | None:
    """Return csv or tsv when the row that names the columns has separators."""
    first = (text.splitlines()[row - 1 : row] or [b""])[0]
    if not any(mark in first for mark in (b",", b";", b"\t")):
        return None
    return "tsv" if first.count(b"\t") > max(first.count(b","), first.count(b";")) else "csv"


def _is_workbook(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as file:
            return "xl/workbook.xml" in file.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False


def _is_lines(path: Path, text: bytes) -> bool:
    """Whether the first line is an object by itself, with another after it or a name that says lines."""
    first, end, rest = text.partition(b"\n")
    if not end and len(text) >= HEAD_BYTES:
        return path.suffix.lower() in (".jsonl", ".ndjson")
    try:
        decode(first, dict)
    except ValueError:
        return path.suffix.lower() in (".jsonl", ".ndjson")
    return bool(rest.strip()) or path.suffix.lower() in (".jsonl", ".ndjson")


def blocks(
    path: Path,
    name: str,
    kind: str,
    located: Located,
    *,
    records: Sequence[str] | None,
    sheet: str | None,
    header_row: int | None = None,
    lists: Lists | None = None,
) -> Iterator[Block | Issue]:
    """Yield the records as flat blocks with the line, row or number of each, and an issue for each that is none.

    Every block has the column `position` beside the file's own, unless the file has one. `lists` are the elements of
    lists that become columns. Raises BadLog when the file as a whole cannot be read, or seems to name its columns
    below a title and `header_row` does not say where.
    """
    lists = lists_of(()) if lists is None else lists
    if kind == "json":
        found = _document_blocks(path, name, records or (), located)
    elif kind == "xlsx":
        found = _sheet_blocks(path, name, sheet, header_row)
    elif kind in ("csv", "tsv"):
        if header_row is None:
            check_title(name, *text_header(path))
        found = read_named(path, "csv", located, header_row=header_row or 1)
    else:
        found = read_named(path, kind, located)
    for each in found:
        if isinstance(each, Issue):
            yield each
            continue
        frame = flat(each[0], name, lists)
        if POSITION not in frame.columns:
            frame = frame.with_columns(each[1].alias(POSITION))
        yield frame, each[1]
    yield from lists.unread()


def _document(path: Path, name: str) -> Any:  # noqa: ANN401 - JSON is any of its types
    size = path.stat().st_size
    if size > DOCUMENT_BYTES:
        raise BadLog(
            f"{name} is one JSON document of {size:,} bytes; up to {DOCUMENT_BYTES:,} are opened. Save its records as "
            "JSON Lines (one per line), CSV or Parquet."
        )
    return load(path, name)


def _document_blocks(path: Path, name: str, steps: Sequence[str], located: Located) -> Iterator[Block | Issue]:
    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    for number, record in records_at(_document(path, name), steps, name):
        if isinstance(record, Issue):
            yield from located.one(record)
            continue
        rows.append(record)
        lines.append(number)
        if len(rows) == BLOCK_RECORDS:
            yield _block(rows, lines)
            rows, lines = [], []
    if rows:
        yield _block(rows, lines)


def _block(rows: list[dict[str, Any]], lines: list[int]) -> Block:
    names = dict.fromkeys(name for row in rows for name in row)
    columns = [column(name, [row.get(name) for row in rows]) for name in names]
    return pl.DataFrame(columns), pl.Series("line", lines, dtype=pl.Int64)


def _sheets(path: Path, name: str) -> tuple[str, ...]:
    return tuple(workbook(path, name).sheet_names)


def _sheet_header(book: Any, sheet: str | None) -> tuple[int, str]:  # noqa: ANN401 - the library has no types
    """Return (row that seems to name the columns of a sheet, first cell of its first row)."""
    filled: list[int] = []
    title = ""
    for row in range(LOOKED):
        try:
            loaded = book.load_sheet(sheet or book.sheet_names[0], dtypes="string", header_row=row, n_rows=1)
        except ValueError:  # below the last row; fastexcel's own errors are one of these or none
            break
        except Exception:  # noqa: BLE001 - a sheet that cannot be read is reported when it is
            break
        names = [column.name for column in loaded.available_columns()]
        names = ["" if _UNNAMED.fullmatch(name.strip()) else name for name in names]
        filled.append(filled_cells(names))
        title = title or next(filter(None, names), "")
        if filled[row] > 1 and (row == 0 or filled[row - 1] > 1):
            break
    return header_row(filled), title


def _sheet_blocks(path: Path, name: str, sheet: str | None, header: int | None) -> Iterator[Block | Issue]:
    """Yield the rows of one sheet as text; a place is the row as a spreadsheet counts it."""
    import fastexcel  # noqa: PLC0415 - opened just before

    book = workbook(path, name)
    wanted = book.sheet_names[0] if sheet is None else sheet
    if wanted not in book.sheet_names:
        near = did_you_mean(wanted, book.sheet_names)
        raise BadLog(f"{name} has no sheet '{wanted}'; it has {listing(book.sheet_names)}.{near}")
    try:
        if header is None:
            check_title(name, *_sheet_header(book, wanted))
        frame = book.load_sheet(wanted, dtypes="string", header_row=(header or 1) - 1).to_polars()
        above = blank_rows(book, wanted) if frame.height else 0
    except fastexcel.FastExcelError as error:
        raise BadLog(f"{name} has a sheet that cannot be read ({error}). Copy or export it again.") from error
    first = header + 1 if header is not None and header > 1 else above + 2
    lines = pl.Series("line", range(first, frame.height + first), dtype=pl.Int64)
    if frame.height:
        yield frame, lines


def flat(frame: pl.DataFrame, name: str, lists: Lists | None = None) -> pl.DataFrame:
    """Return the frame with records opened into dotted names, lists of texts kept, other lists as JSON text.

    Elements of `lists` are columns beside them: `answers[0]`, or `answers[0].text` where they are records.
    Raises BadLog for more than MOST_COLUMNS columns, or two of one name.
    """
    columns: dict[str, pl.Series] = {}
    waiting = list(frame)[::-1]
    while waiting:
        series = waiting.pop()
        if isinstance(series.dtype, pl.Struct):
            parts = series.struct.unnest()
            waiting += [part.alias(f"{series.name}.{part.name}") for part in reversed(parts.get_columns())]
            continue
        if lists is not None:
            waiting += lists.elements(series, (*columns, *frame.columns))[::-1]
        title = series.name or f"column {len(columns) + 1}"
        if title in columns:
            raise BadLog(f"{name} has two columns called '{title}' once its records are opened. Rename one.")
        columns[title] = _plain(series).alias(title)
        if len(columns) > MOST_COLUMNS:
            raise BadLog(
                f"{name} has more than {MOST_COLUMNS:,} columns: its ids seem to be field names. Choose a place where "
                "the records are keyed by them, or save one record per line."
            )
    return pl.DataFrame(list(columns.values()))


def _plain(series: pl.Series) -> pl.Series:
    """Return a column as text, numbers, truth values or lists of texts; empty text is null."""
    if series.dtype == pl.String:
        return series.set(series.str.strip_chars() == "", None)
    if isinstance(series.dtype, pl.List):
        if series.dtype.inner == pl.String:
            return series
        if not series.dtype.inner.is_nested():
            return series.cast(pl.List(pl.String))
        return pl.Series(series.name, [as_text(value) for value in series.to_list()], dtype=pl.String)
    if series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null):
        return series.cast(pl.String) if series.dtype == pl.Null else series
    return series.cast(pl.String, strict=False) if series.dtype != pl.Binary else _no_text(series)


def _no_text(series: pl.Series) -> pl.Series:
    """Return bytes that are no text as null: pictures stand in such columns."""
    return pl.Series(series.name, [None], dtype=pl.String).new_from_index(0, series.len())


def as_json_list(text: str) -> list[str] | None:
    """Return a JSON list in a cell as texts, or None when the cell holds none."""
    if not text.lstrip().startswith("["):
        return None
    try:
        found = json.loads(text)
    except ValueError:
        return None
    if not isinstance(found, list):
        return None
    return [part if isinstance(part, str) else as_text(part) or "" for part in found]
