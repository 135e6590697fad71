"""The row that names the columns of a table: the first, or one below a title, which the profile must say."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from analytics.errors import BadLog
from loaders.base import HEAD_BYTES, shorten

LOOKED = 20
"""Rows in which the names of the columns are sought."""

_MARKS = ("\t", ",", ";")


def text_header(path: Path) -> tuple[int, str]:
    """Return (row that seems to name the columns of a CSV or TSV file, the first row as it stands)."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    return text_header_of(head)


def text_header_of(head: bytes) -> tuple[int, str]:
    """Return (row that seems to name the columns, first row) of a table by its first bytes."""
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = text.splitlines()[: LOOKED + 1]
    lines = lines[:-1] if len(lines) > LOOKED or (len(head) >= HEAD_BYTES and len(lines) > 1) else lines
    mark = max(_MARKS, key=lambda mark: max((len(row) for row in _rows(lines, mark)), default=0))
    return header_row([_filled(row) for row in _rows(lines, mark)]), lines[0] if lines else ""


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


def _filled(row: Iterable[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _rows(lines: Sequence[str], mark: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=mark))
    except csv.Error:
        return []
