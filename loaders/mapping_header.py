"""The row that names the columns of a table: the first, or one below a title, which the profile must say."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from analytics.errors import BadLog
from loaders.base import HEAD_BYTES, shorten

LOOKED = 20
"""Rows in which the names of the columns are sought."""

_MARKS = ("\t", ",", ";")


def text_header(path: Path) -> tuple[int, str]:
    """Return (line that seems to name the columns of a CSV or TSV file, the title above it)."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    return text_header_of(head)


def text_header_of(head: bytes) -> tuple[int, str]:
    """Return (line that seems to name the columns, title above it) of a table by its first bytes.

    Lines are counted as the file has them, as the reader does: a quoted title may go over several.
    """
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = text.split("\n")[: LOOKED + 1]
    lines = lines[:-1] if len(lines) > LOOKED or (len(head) >= HEAD_BYTES and len(lines) > 1) else lines
    mark = max(_MARKS, key=lambda mark: max((len(row) for _, row in _rows(lines, mark)), default=0))
    rows = _rows(lines, mark)
    at = header_row([filled_cells(row) for _, row in rows])
    title = next((cell for _, row in rows[: at - 1] for cell in row if cell.strip()), "")
    return (rows[at - 1][0] if rows else 1), " ".join(title.split())


def header_row(filled: Sequence[int]) -> int:
    """Return the row, from 1, that seems to name the columns, by how many cells of each row are filled.

    A title fills one cell: rows before the first that fills two are none of the table, if the next row does so too.
    """
    first = next((number for number, cells in enumerate(filled, start=1) if cells > 1), 1)
    return first if first < len(filled) and filled[first] > 1 else 1


def check_title(name: str, row: int, title: str) -> None:
    """Raise BadLog where the columns seem to be named below the first row and the profile does not say where."""
    if row > 1:
        raise BadLog(
            f"{name} begins with a title ('{shorten(title, most=60)}'): its columns seem to be named in row {row}. "
            f"Write header_row = {row} into [file] of the profile, or header_row = 1 where the first row names them."
        )


def filled_cells(row: Sequence[str]) -> int:
    """Return how many cells of a row are filled; an empty first cell before a filled one counts with them.

    A title stands in the first cell. A row without one names the columns beside an index that has no name.
    """
    after = sum(bool(cell.strip()) for cell in row[1:])
    return after + 1 if after else int(bool(row and row[0].strip()))


def _rows(lines: Sequence[str], mark: str) -> list[tuple[int, list[str]]]:
    """Return (its first line, its cells) of each row."""
    reader = csv.reader([f"{line}\n" for line in lines], delimiter=mark)
    found = []
    try:
        while True:
            first = reader.line_num + 1
            found.append((first, next(reader)))
    except StopIteration:
        return found
    except csv.Error:
        return []
