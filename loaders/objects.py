"""Records of a file as objects with a place: of JSON lines, a JSON list, one JSON object or a CSV table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from analytics.errors import listing
from loaders.base import HEAD_BYTES, Issue, shorten
from loaders.gather import Gather
from loaders.json_text import LINE_BYTES, lines, load, number_or_none
from loaders.located import Located
from loaders.records import head_names, plain, read_records

Record = dict[str, Any]
Stamped = tuple[str, int, int]
"""Path, size and time of the last change of a file."""

_KEY = re.compile(rb'"([^"\\]{1,60})"\s*:')
SUFFIXES = (".jsonl", ".json", ".csv", ".tsv")


def keys_in(path: Path, head: bytes) -> frozenset[str]:
    """Return the plain names that the first bytes of a file use for fields: keys at any depth, or a CSV's header."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] in (b"{", b"["):
        return frozenset(plain(key.decode("utf-8", "replace")) for key in _KEY.findall(text))
    return head_names(path, head) if path.suffix.lower() in (".csv", ".tsv") else frozenset()


def objects(path: Path, name: str, lists: Sequence[str] = ()) -> Iterator[tuple[int, Record | Issue]]:
    """Yield (place, record) for each record of a file; what is no record is an issue in its place.

    A place is the line of JSON lines and CSV, and the running number in JSON lists. A JSON object is one record, or
    holds records in the lists that `lists` names. Raises BadLog when the file as a whole cannot be read.
    """
    with path.open("rb") as file:
        first = file.readline(LINE_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()
        more = bool(file.readline(LINE_BYTES).strip())
    if first[:1] not in (b"{", b"["):
        yield from _table(path)
        return
    by_line = path.suffix.lower() == ".jsonl" or (first[:1] == b"{" and more and _whole(first))
    yield from (_checked(place, found) for place, found in (lines(path) if by_line else _document(path, name, lists)))


def _whole(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def _document(path: Path, name: str, lists: Sequence[str]) -> Iterator[tuple[int, object]]:
    """Yield the records of a JSON file that is read as a whole."""
    whole = load(path, name)
    if isinstance(whole, list):
        yield from enumerate(whole, start=1)
        return
    held = [whole[key] for key in lists if isinstance(whole.get(key), list)]
    yield from enumerate([record for part in held for record in part] if held else [whole], start=1)


def _checked(place: int, found: object) -> tuple[int, Record | Issue]:
    if isinstance(found, Issue):
        return place, found
    if not isinstance(found, dict):
        message = f"A record must be an object with named fields and is {type(found).__name__}."
        return place, Issue("not_an_object", "refused", message, place, None, shorten(str(found)))
    return place, {plain(key): value for key, value in found.items()}


def _table(path: Path) -> Iterator[tuple[int, Record | Issue]]:
    """Yield the rows of a CSV table; an empty cell is no value."""
    for found in read_records(path, Located()):
        if isinstance(found, Issue):
            yield found.line or 0, found
            continue
        frame, places = found
        for place, row in zip(places, frame.iter_rows(named=True), strict=True):
            yield (
                place,
                {
                    key: value
                    for key, value in row.items()
                    if not (value is None or (isinstance(value, str) and not value.strip()))
                },
            )


def first_of(record: Record, *names: str) -> str | None:
    """Return the first of these fields that holds text or a number, as text without outer blanks; else None."""
    for name in names:
        value = record.get(name)
        if isinstance(value, (str, int, float)) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return None


def number_of(rows: Gather, record: Record, name: str, *, line: int) -> float | None:
    """Return a field as a number from 0; anything else that stands there is doubted and left out."""
    given = record.get(name)
    value = number_or_none(given)
    if value is None and isinstance(given, str):
        try:
            value = number_or_none(float(given))
        except ValueError:
            value = None
    if (value is None and given is not None) or (value is not None and value < 0):
        message = f"{name} is '{shorten(str(given), most=40)}'; allowed: a number from 0. It was left out."
        rows.doubt("wrong_type", message, line=line, column=name, excerpt=given)
        return None
    return value


def count_of(rows: Gather, record: Record, name: str, *, line: int) -> int | None:
    """Return a field as a whole number from 0; anything else that stands there is doubted and left out."""
    value = number_of(rows, record, name, line=line)
    if value is None or value == int(value):
        return None if value is None else int(value)
    rows.doubt("wrong_type", f"{name} is {value:g}; allowed: a whole number. It was left out.", line=line, column=name)
    return None


def attempt_of(record: Record) -> int | None:
    """Return the attempt's number, 1 where the record has none; None when it is no whole number from 1."""
    text = first_of(record, "attempt") if record.get("attempt") is not None else "1"
    return int(text) if text is not None and text.isdecimal() and int(text) >= 1 else None


def refuse(rule: str, message: str, line: int, column: str | None, record: object, *, records: int = 1) -> Issue:
    """Return the issue of a refused record."""
    return Issue(rule, "refused", message, line, column, shorten(str(record)), records)


def lacking(record: Record, line: int, *named: tuple[str, ...]) -> Issue | None:
    """Return why a record is refused that has none of the names of a field that it needs; None when it has all."""
    for names in named:
        if first_of(record, *names) is None:
            message = f"{names[0]} is missing. The record has: {listing(record)}."
            return refuse("required", message, line, names[0], record)
    return None


def beside(path: Path) -> list[Path]:
    """Return the other files of the same folder that may hold records, in the order of their names."""
    return [
        other
        for other in sorted(path.parent.iterdir())
        if other.suffix.lower() in SUFFIXES and other.is_file() and other.resolve() != path.resolve()
    ]


def claimed(path: Path, claims: Callable[[Path, bytes], bool]) -> bool:
    """Whether a reader claims a file by its first bytes; one that cannot be opened is reported in its own turn."""
    try:
        with path.open("rb") as file:
            return claims(path, file.read(HEAD_BYTES))
    except OSError:
        return False


def stamped(paths: Iterable[Path]) -> tuple[Stamped, ...]:
    """Return files by name, each with its size and the time of its last change: a key of what they say."""
    found = ((str(path), path.stat()) for path in sorted({path.resolve() for path in paths}))
    return tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in found)
