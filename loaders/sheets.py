"""Opening a spreadsheet without being overrun by it: what it unpacks to and how far its cells spread are bounded."""

from __future__ import annotations

import re
import zipfile
import zlib
from pathlib import Path
from typing import Any

from analytics.errors import BadLog

SHEET_BYTES = 1 << 30
"""Bytes that the members of a workbook may unpack to."""

MOST_CELLS = 40_000_000
"""Cells of the rectangle around a sheet's values. The parser holds all of it, at 32 bytes a cell, and ends the process
where that fails: two cells in opposite corners of a sheet stand for 17 thousand million."""

_CELL = re.compile(rb'<(?:\w{1,20}:)?c\b[^<>]{0,150}?\br="([A-Za-z]{1,9})(\d{1,12})"[^<>]{0,150}(?<!/)>')
_TAIL = 400
"""Bytes of a tag that may be cut by the end of a chunk."""

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


def _check_spread(file: zipfile.ZipFile, member: str, name: str) -> None:
    """Raise BadLog where the rectangle around the cells with a value is larger than can be held."""
    columns, rows = [1, 1], [1, 1]
    first, tail = True, b""
    with file.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            for letters, digits in _CELL.findall(tail + chunk):
                column, row = _number(letters), int(digits)
                columns = [column, column] if first else [min(columns[0], column), max(columns[1], column)]
                rows = [row, row] if first else [min(rows[0], row), max(rows[1], row)]
                first = False
            tail = chunk[-_TAIL:]
    wide, long = columns[1] - columns[0] + 1, rows[1] - rows[0] + 1
    if wide * long > MOST_CELLS:
        raise BadLog(
            f"{name} has values spread over {long:,} rows by {wide:,} columns ({member}); up to {MOST_CELLS:,} cells "
            "are read. Remove the stray cell, or save the table as CSV."
        )


def _number(letters: bytes) -> int:
    """Return the number of a column: A is 1, Z 26, AA 27."""
    found = 0
    for letter in letters.upper():
        found = found * 26 + letter - ord("A") + 1
    return found
