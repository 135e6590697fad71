"""JSON as other tools write it: with NaN and Infinity, a byte order mark, cut off in the middle, or too large.

Python's writers put NaN and Infinity into JSON, which the standard forbids; both are read here as floats.
"""

from __future__ import annotations

import codecs
import json
import mmap
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from analytics.errors import BadLog
from loaders.base import Issue, shorten

WHOLE_BYTES = 1 << 30
"""Largest JSON file that is decoded in one piece."""

LINE_BYTES = 64 << 20
"""Longest line of a JSON lines file that is decoded."""

T = TypeVar("T")


def decode(raw: bytes | mmap.mmap, kind: type[T]) -> T:
    """Return JSON text as `kind`; raises ValueError with line and column where the text is broken."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _lenient(bytes(raw), kind)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _lenient(raw: bytes, kind: type[T]) -> T:
    """Decode with the standard library, which takes NaN and Infinity and says where text is broken."""
    try:
        plain = json.loads(raw.removeprefix(codecs.BOM_UTF8).decode("utf-8"))
        if _SURROGATE.search(raw):
            plain = _whole_text(plain)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at line {error.lineno}, column {error.colno}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start} is not UTF-8") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if kind in (Any, object):
        return plain  # type: ignore[no-any-return]
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error


_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def _whole_text(value: Any) -> Any:  # noqa: ANN401 - JSON is any of its types
    """Return the value with the replacement character for each half of a character, as cut text has them."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {_whole_text(key): _whole_text(part) for key, part in value.items()}
    return [_whole_text(part) for part in value] if isinstance(value, list) else value


def load(path: Path, name: str) -> Any:  # noqa: ANN401 - JSON is any of its types
    """Return a whole JSON file; raises BadLog with the place when it is broken, cut off or too large."""
    size = path.stat().st_size
    if size > WHOLE_BYTES:
        raise BadLog(f"{name} has {size:,} bytes; JSON up to {WHOLE_BYTES:,} is read. Split it, or use JSON lines.")
    try:
        return decode(path.read_bytes(), object)
    except ValueError as error:
        raise BadLog(f"{name} is no complete JSON: {error}. Export it again, or repair that place.") from error


def lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield (line number, value) of a JSON lines file; a line that cannot be read is an `Issue` in its place."""
    with path.open("rb") as file:
        number = 0
        while raw := file.readline(LINE_BYTES + 1):
            number += 1
            if len(raw) > LINE_BYTES:
                while raw and not raw.endswith(b"\n"):
                    raw = file.readline(LINE_BYTES)
                message = f"The line is longer than {LINE_BYTES:,} bytes. Split the record."
                yield number, Issue("line_too_long", "refused", message, line=number)
                continue
            if not raw.strip():
                continue
            try:
                yield number, decode(raw, object)
            except ValueError as error:
                message = f"The line is no complete JSON: {error}. Export it again, or repair the line."
                yield number, Issue("broken_json", "refused", message, line=number, excerpt=shorten(raw))


def text_or_none(value: object) -> str | None:
    """Return a JSON value as text: a string as it is, null as None, anything else as JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def number_or_none(value: object) -> float | None:
    """Return a finite JSON number or None; booleans are no numbers."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) < float("inf") else None


def count_or_none(value: object) -> int | None:
    """Return a JSON number as a whole count from 0, or None."""
    number = number_or_none(value)
    return int(number) if number is not None and number >= 0 else None
