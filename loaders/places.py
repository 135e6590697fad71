"""What a place in a file is called: a line, a row of a table, or a record of a list."""

from __future__ import annotations

from pathlib import Path

import msgspec

HEAD = 1 << 20
"""Bytes from which lines of JSON are told from one whole JSON text."""

LINED = (".csv", ".tsv", ".txt")


def places_of(path: Path) -> str:
    """Return 'line', 'row' or 'record': what the place of an issue in this file counts.

    A JSON list or object has records, JSON Lines have lines, a table without lines has rows; told by content.
    """
    if not path.is_file():  # a folder; or a pipe, which would never end
        return "record"
    if path.suffix.lower() in LINED:
        return "line"
    with path.open("rb") as file:
        head = file.read(HEAD)
    if head.startswith(b"PAR1") or (head.startswith(b"PK") and path.suffix.lower() != ".eval"):
        return "row"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text.startswith(b"{"):
        return "record"
    first, ended, _ = text.partition(b"\n")
    return "line" if ended and _whole(first) else "record"


def _whole(text: bytes) -> bool:
    """Whether this is one JSON value by itself."""
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True
