"""Opening a spreadsheet without being overrun by it: what it unpacks to and how far its cells spread are bounded."""

from __future__ import annotations

import functools
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analytics.errors import BadLog

SHEET_BYTES = 1 << 30
"""Bytes that the members of a workbook may unpack to."""

MOST_CELLS = 40_000_000
"""Cells of the rectangle around a sheet's values. The parser holds all of it, at 32 bytes a cell, and ends the process
where that fails: two cells in opposite corners of a sheet stand for 17 thousand million."""

_OPEN = rb"""<(?:[^\s<>/:"'=]{1,99}:)?(row|c)(?=[\s/>])"""
_TAG = re.compile(_OPEN + rb"""([^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*)>""")
"""A row or a cell with its attributes, in the ways in which XML may write them."""

_BEGUN = re.compile(_OPEN)
_NAME = 200
"""Bytes in which the name of a tag ends."""

_PLACE = re.compile(rb"""(?:^|\s)r\s*=\s*["']([^"']*)["']""")
_CELL = re.compile(rb"([A-Za-z]{1,3})([0-9]{1,7})")
_ROW = re.compile(rb"[0-9]{1,7}")
"""No sheet has more than three letters of columns, or seven digits of rows; the parser counts on and wraps around."""

_LONGEST = 1 << 20
"""Bytes of one tag beyond which a sheet is refused: a tag of a row or a cell has some fifty."""

_CHUNK = 1 << 20


def workbook(path: Path, name: str) -> Any:  # noqa: ANN401 - the library has no types
    """Return the opened workbook. Raises BadLog where it is broken, too large, or its cells spread too far."""
    try:
        import fastexcel  # noqa: PLC0415 - an extra: without it every other format is still read
    except ImportError as error:
        raise BadLog(f"{name} is a spreadsheet: install scoreproof[xlsx] to read it, or save it as CSV.") from error
    try:
        with zipfile.ZipFile(path) as file:
            size = sum(info.file_size for info in file.infolist())
            if size > SHEET_BYTES:
                raise BadLog(f"{name} would unpack to {size:,} bytes; up to {SHEET_BYTES:,} are read. Save it as CSV.")
            for member in file.namelist():
                if member.lower().startswith("xl/worksheets/") and member.lower().endswith(".xml"):
                    _check_spread(file, member, name)
        return fastexcel.read_excel(path)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, fastexcel.FastExcelError) as error:
        raise BadLog(f"{name} is no whole spreadsheet ({error}). Copy or export it again.") from error


def blank_rows(book: Any, sheet: str | int) -> int:  # noqa: ANN401 - the library has no types
    """Return how many blank rows stand above the first with a value: the parser passes over them without a word."""
    from_top = {"dtypes": "string", "header_row": None, "skip_rows": 0}
    rows = 16
    while True:
        frame = book.load_sheet(sheet, n_rows=rows, **from_top).to_polars()
        for number, row in enumerate(frame.iter_rows()):
            if any(cell is not None for cell in row):
                return number
        if frame.height < rows:
            return 0
        rows *= 64


def _check_spread(file: zipfile.ZipFile, member: str, name: str) -> None:
    """Raise BadLog where the rectangle from the first row to the last cell with a value is larger than can be held.

    Blank rows above count: the parser holds them where a header is sought, or their number.
    """
    columns: set[int] = set()
    bottom, last = 0, None
    for row, column in _cells(file, member, name):
        columns.add(column)
        if row != last:
            bottom, last = max(bottom, row), row
    if not columns:
        return
    wide, long = max(columns) - min(columns) + 1, bottom
    if wide * long > MOST_CELLS:
        raise BadLog(
            f"{name} has values spread over {long:,} rows by {wide:,} columns ({member}); up to {MOST_CELLS:,} cells "
            "are read. Remove the stray cell, or save the table as CSV."
        )


def _cells(file: zipfile.ZipFile, member: str, name: str) -> Iterator[tuple[int, int]]:
    """Yield row and column of every cell that may hold a value; one that names no place stands behind the last."""
    row, column = 0, 0
    for kind, attributes in _tags(file, member, name):
        found = _PLACE.search(attributes)
        if kind == b"row":
            row, column = _row(found[1], member, name) if found else row + 1, 0
            continue
        if found:
            place = _CELL.fullmatch(found[1])
            if place is None:
                raise _nowhere(found[1], member, name)
            row, column = int(place[2]), _number(place[1])
        else:
            column += 1
        if attributes[-1:] != b"/":
            yield row or 1, column


def _tags(file: zipfile.ZipFile, member: str, name: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the attributes of every row and cell of a sheet."""
    rest = b""
    with file.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            text, end, tag = rest + chunk, 0, None
            for tag in _TAG.finditer(text):
                yield tag[1], tag[2]
            if tag is not None:
                end = tag.end()
            last = text.rfind(b"<", end)
            rest = b"" if last < 0 else text[last:]
            if len(rest) > _NAME and not _BEGUN.match(rest):  # a tag of another name, with its text
                rest = b""
            if len(rest) > _LONGEST:
                raise BadLog(f"{name} has a tag of more than {_LONGEST:,} bytes ({member}). Save the table as CSV.")


def _row(place: bytes, member: str, name: str) -> int:
    if not _ROW.fullmatch(place):
        raise _nowhere(place, member, name)
    return int(place)


def _nowhere(place: bytes, member: str, name: str) -> BadLog:
    said = place[:40].decode("utf-8", "replace")
    return BadLog(f"{name} has a cell or row at '{said}' ({member}), a place that no sheet has. Export it again.")


@functools.cache
def _number(letters: bytes) -> int:
    """Return the number of a column: A is 1, Z 26, AA 27."""
    found = 0
    for letter in letters.upper():
        found = found * 26 + letter - ord("A") + 1
    return found
