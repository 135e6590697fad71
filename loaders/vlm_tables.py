"""Tables as VLMEvalKit writes them: xlsx, csv, tsv or a JSON list, every cell as text.

Cells are never guessed into types, so that option texts such as 'None', 'NA', 'TRUE' or '1' stay what they are.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from xml.sax.saxutils import unescape

from analytics.errors import BadLog
from loaders.base import HEAD_BYTES, Issue, shorten
from loaders.json_text import load, text_or_none
from loaders.sheets import blank_rows, workbook

CELL_BYTES = 16 << 20
COLUMNS = 10_000
EXCEL_CELL = 32_767
"""Characters that a spreadsheet cell holds; longer text was cut when it was written."""

_STRINGS, _SHEET = "xl/sharedStrings.xml", "xl/worksheets/sheet1.xml"
_TEXT = re.compile(r"<t(?:\s[^>]*)?>(.*?)</t>", re.DOTALL)
_CELL = re.compile(r"<c\s([^>]*?)(?:/>|>(.*?)</c>)", re.DOTALL)
_KEY = re.compile(rb'"([^"\\]{1,80})"\s*:')

Row = dict[str, str | None]


def plain(name: str) -> str:
    """Return a column name in lower case; a single capital is an option and stays."""
    name = name.strip()
    return name if re.fullmatch(r"[A-Z]", name) else name.lower().replace("_", "-")


def header(path: Path, head: bytes) -> frozenset[str]:
    """Return the plain column names of a table; empty when it is none."""
    if head.startswith(b"PK\x03\x04"):
        names = _xlsx_header(path)
    elif head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"["):
        names = list(dict.fromkeys(key.decode("utf-8", "replace") for key in _KEY.findall(head)))
    elif path.suffix.lower() in (".csv", ".tsv"):
        first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
        names = []
        with suppress(csv.Error):  # no header of a table
            names = next(csv.reader([first], delimiter="\t" if path.suffix.lower() == ".tsv" else ","), [])
    else:
        names = []
    return frozenset(plain(name) for name in names)


def _xlsx_header(path: Path) -> list[str]:
    """Return the first row of the first sheet, from the first bytes of its parts."""
    with (
        suppress(OSError, zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError),
        zipfile.ZipFile(path) as file,
    ):
        with file.open(_SHEET) as part:
            row = part.read(HEAD_BYTES).decode("utf-8", "replace").partition("</row>")[0]
        shared: list[str] = []
        if _STRINGS in file.namelist():
            with file.open(_STRINGS) as part:
                text = part.read(4 * HEAD_BYTES).decode("utf-8", "replace")
            shared = ["".join(_TEXT.findall(entry)) for entry in re.split(r"</si>", text)]
        names = []
        for attributes, inner in _CELL.findall(row):
            value = re.search(r"<v>(\d+)</v>", inner)
            if 't="s"' in attributes and value is not None and int(value.group(1)) < len(shared):
                names.append(unescape(shared[int(value.group(1))]))
            else:
                names.append(unescape("".join(_TEXT.findall(inner))))
        return names
    return []


def rows(path: Path, name: str) -> Iterator[tuple[int, Row | Issue]]:
    """Yield (row number as a spreadsheet shows it, or record number) and the row under plain names.

    Raises BadLog when the table as a whole cannot be read.
    """
    with path.open("rb") as file:
        start = file.read(4)
    if start == b"PK\x03\x04":
        yield from _xlsx_rows(path, name)
    elif path.suffix.lower() in (".csv", ".tsv"):
        yield from _text_rows(path, "\t" if path.suffix.lower() == ".tsv" else ",")
    else:
        records = load(path, name)
        if not isinstance(records, list):
            raise BadLog(f"{name} must hold a list of records.")
        for number, record in enumerate(records, start=1):
            if isinstance(record, dict):
                yield number, {plain(str(key)): _clean(text_or_none(value)) for key, value in record.items()}
            else:
                yield number, Issue("not_an_object", "refused", "A record must be an object.", number)


def _xlsx_rows(path: Path, name: str) -> Iterator[tuple[int, Row | Issue]]:
    book = workbook(path, name)
    import fastexcel  # noqa: PLC0415 - opened just before

    try:
        frame = book.load_sheet(0, dtypes="string").to_polars()
        above = blank_rows(book, 0) if frame.height else 0
    except fastexcel.FastExcelError as error:
        raise BadLog(f"{name} is no whole spreadsheet ({error}). Copy or export it again.") from error
    names = [plain(column) for column in frame.columns]
    for number, values in enumerate(frame.iter_rows(), start=above + 2):
        yield number, {key: _clean(value) for key, value in zip(names, values, strict=True)}


def _text_rows(path: Path, delimiter: str) -> Iterator[tuple[int, Row | Issue]]:
    csv.field_size_limit(CELL_BYTES)
    with path.open("rb") as binary, io.TextIOWrapper(binary, "utf-8-sig", errors="replace", newline="") as file:
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        try:
            names = [plain(name) for name in next(reader, [])]
        except csv.Error as error:
            raise BadLog(
                f"The header of {path.name} is no row of a table ({error}). Check its quotation marks."
            ) from error
        if len(names) > COLUMNS:
            raise BadLog(f"{path.name} has {len(names):,} columns; up to {COLUMNS:,} are read. Write it as long rows.")
        while True:
            number = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                message = f"The row is no row of a table ({error}). Check its quotation marks."
                yield number, Issue("broken_row", "refused", message, number)
                continue
            if not cells:
                continue
            if len(cells) != len(names):
                message = f"The row has {len(cells)} cells, the header {len(names)}. Quote cells that hold separators."
                yield number, Issue("ragged_row", "refused", message, number, None, shorten(delimiter.join(cells)))
                continue
            yield number, {key: _clean(cell) for key, cell in zip(names, cells, strict=True)}


def _clean(text: str | None) -> str | None:
    """Return the cell, or None where it is empty."""
    return None if text is None or not text.strip() else text
