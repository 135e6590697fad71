"""Records of JSON Lines and JSON lists: whole blocks at once, and line by line where a block has a fault.

The fast road reads a block with Arrow, which is strict about types, half lines and doubled keys. A block that it does
not take, or takes in a way that loses something, goes through msgspec line by line, so that every fault has a place.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.json as pajson

from analytics.errors import BadLog
from loaders.base import Issue, shorten
from loaders.json_text import LINE_BYTES
from loaders.located import Located
from loaders.nesting import LEVELS, levels, may_be_deep

BLOCK_BYTES = 16 << 20
"""How much of a file is in memory as text at a time."""

BLOCK_RECORDS = 100_000
WHOLE = 1 << 53
"""Whole numbers from here on are not exact as floating-point numbers."""

LIST_BYTES = 1 << 30
"""Largest JSON list that is read: unlike lines it has to be in memory as a whole."""

Block = tuple[pl.DataFrame, pl.Series]
"""Records as columns under the log's own names, and the line (or place in the list) of each."""

_ANY = msgspec.json.Decoder()
_BOM = b"\xef\xbb\xbf"
_BLANK = np.frombuffer(b"\n\r ", dtype=np.uint8)
_GAP = re.compile(r"[\s,]*")
_NO_NUMBER = object()


def read_lines(path: Path, located: Located) -> Iterator[Block | Issue]:
    """Yield the records of a JSON Lines file block by block, and an issue for each line that is no record.

    The next block is read while the caller works on the last one.
    """
    with path.open("rb") as file, ThreadPoolExecutor(1) as ahead:
        if file.read(3) != _BOM:
            file.seek(0)
        line = 1
        strings: frozenset[str] = frozenset()
        waiting: deque[tuple[bytes, Future[tuple[int, pl.DataFrame | None]]]] = deque()
        for block in _blocks(file):
            if not strings:
                strings = _string_keys(block)
            waiting.append((block, ahead.submit(_whole, block, strings)))
            if len(waiting) > 1:
                line += yield from _block(*waiting.popleft(), line, located)
        while waiting:
            line += yield from _block(*waiting.popleft(), line, located)


def _block(
    block: bytes, read: Future[tuple[int, pl.DataFrame | None]], line: int, located: Located
) -> Generator[Block | Issue, None, int]:
    """Yield what one block holds, `line` being its first line; return how many lines it has."""
    count, frame = read.result()
    if frame is not None:
        yield frame, pl.Series("line", np.arange(line, line + count), dtype=pl.Int64)
    else:
        yield from _one_by_one(block.removesuffix(b"\n").split(b"\n"), range(line, line + count), located)
    return count


def read_list(path: Path, located: Located) -> Iterator[Block | Issue]:
    """Yield the records of a JSON list; a place is the number of the record in the list, from 1.

    Raises BadLog for a list larger than LIST_BYTES: it would have to be in memory as a whole.
    """
    if path.stat().st_size > LIST_BYTES:
        raise BadLog(f"{path.name} is a JSON list of more than 1 GiB. Save it as JSON Lines (.jsonl) or Parquet.")
    data = path.read_bytes().removeprefix(_BOM)
    broken: Issue | None = None
    try:
        parts = [bytes(part) for part in msgspec.json.decode(data, type=list[msgspec.Raw])]
    except (msgspec.DecodeError, RecursionError):
        parts, broken = _salvage(data, path.name)
    for start in range(0, len(parts), BLOCK_RECORDS):
        chunk = parts[start : start + BLOCK_RECORDS]
        yield from _one_by_one(chunk, range(start + 1, start + len(chunk) + 1), located)
    if broken is not None:
        yield from located.one(broken)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """Yield the rest of the file in pieces that end with a line; of a line beyond LINE_BYTES only its start."""
    while block := file.read(BLOCK_BYTES):
        if not block.endswith(b"\n"):
            block += file.readline(LINE_BYTES)
        if not block.endswith(b"\n"):
            while (rest := file.readline(BLOCK_BYTES)) and not rest.endswith(b"\n"):
                pass
            block += b"\n" if rest else b""
        yield block


def _string_keys(block: bytes) -> frozenset[str]:
    """Return the keys that hold text in the first readable line: Arrow must not take dates in them for times."""
    for line in block[: 1 << 20].splitlines()[:20]:
        try:
            row = _ANY.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if isinstance(row, dict):
            return frozenset(key for key, value in row.items() if isinstance(value, str))
    return frozenset()


def _whole(block: bytes, strings: frozenset[str]) -> tuple[int, pl.DataFrame | None]:
    """Return how many lines the block has, and it as a frame, or None when it needs a closer look."""
    data = np.frombuffer(block, dtype=np.uint8)
    ends = np.flatnonzero(data == ord("\n"))
    count = len(ends) + (not block.endswith(b"\n"))
    starts = data[ends[: -1 if count == len(ends) else None] + 1]
    # A line that does not begin with a record may be blank, and Arrow would not count it.
    odd = data[0] in _BLANK or np.isin(starts, _BLANK).any()
    return count, None if odd or may_be_deep(block, data, count) else _frame(block, count, strings)


def _frame(block: bytes, count: int, strings: frozenset[str]) -> pl.DataFrame | None:
    """Return the block as a frame, or None when Arrow does not take all of it as it stands."""
    try:
        if not block.isascii():
            block.decode()
        table = pajson.read_json(
            pa.BufferReader(block),
            read_options=pajson.ReadOptions(block_size=1 << 20),
            parse_options=pajson.ParseOptions(explicit_schema=pa.schema([(key, pa.string()) for key in strings])),
        )
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    if table.num_rows != count or any(pa.types.is_temporal(kind) for kind in table.schema.types):
        return None
    frame = cast(pl.DataFrame, pl.from_arrow(table))
    floats = [frame[name] for name, dtype in frame.schema.items() if dtype == pl.Float64]
    odd = any(not values.is_finite().all() or (values.abs() >= WHOLE).any() for values in floats)
    nested = any(isinstance(dtype, pl.Struct) for dtype in frame.dtypes) and (b"NaN" in block or b"Infinity" in block)
    return None if odd or nested else frame


def _one_by_one(parts: Sequence[bytes], places: range, located: Located) -> Iterator[Block | Issue]:
    """Yield the records that can be read as one block, and an issue for each that cannot."""
    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    for part, line in zip(parts, places, strict=True):
        if not part.strip():
            continue
        row, issues = _record(part, line)
        for issue in issues:
            yield from located.one(issue)
        if row is not None:
            rows.append(row)
            lines.append(line)
    if rows:
        names = dict.fromkeys(name for row in rows for name in row)
        columns = [column(name, [row.get(name) for row in rows]) for name in names]
        yield pl.DataFrame(columns), pl.Series("line", lines, dtype=pl.Int64)


def _record(part: bytes, line: int) -> tuple[dict[str, Any] | None, list[Issue]]:
    """Return one record, or None and why it is none; NaN and infinity become null with a doubt."""
    row, issues = _decoded(part, line)
    if any(issue.severity == "refused" for issue in issues):
        return None, issues
    if not isinstance(row, dict):
        message = (
            f"Record {line} is a {type(row).__name__}, not an object with named fields; write one object per line."
        )
        return None, [Issue("not_a_record", "refused", message, line, excerpt=shorten(part))]
    if not row:
        return None, [Issue("empty_record", "refused", f"Record {line} has no field at all.", line)]
    if levels(row) > LEVELS:
        return None, [_too_deep(part, line)]
    if part.count(b'":') + part.count(b'" :') > len(row) and (doubled := _doubled(part)):
        message = (
            f"Record {line} has the key '{shorten(doubled, most=60)}' twice; which one counts is not said. Keep one."
        )
        return None, [Issue("doubled_json_key", "refused", message, line, column=doubled, excerpt=shorten(part))]
    return row, issues


def _decoded(part: bytes, line: int) -> tuple[object, list[Issue]]:
    """Return the JSON value of one record, or None and why there is none."""
    if len(part) > LINE_BYTES:
        message = f"Record {line} is longer than {LINE_BYTES:,} bytes. Split it."
        return None, [Issue("line_too_long", "refused", message, line, excerpt=shorten(part))]
    try:
        return _ANY.decode(part), []
    except RecursionError:
        return None, [_too_deep(part, line)]
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        return _second_look(part, line, error)


def _second_look(part: bytes, line: int, error: Exception) -> tuple[object, list[Issue]]:
    """Return what Python's own parser makes of NaN and Infinity, or None and the reason for the refusal."""
    try:
        text = part.decode()
    except UnicodeDecodeError as wrong:
        message = (
            f"Record {line} has the byte 0x{part[wrong.start]:02x} at {wrong.start}, which is not UTF-8. Save the "
            "file as UTF-8 and load it again."
        )
        return None, [Issue("not_utf8", "refused", message, line, excerpt=shorten(part))]
    words: list[str] = []

    def constant(word: str) -> object:
        words.append(word)
        return _NO_NUMBER

    try:
        row = json.loads(text, parse_constant=constant)
    except RecursionError:
        return None, [_too_deep(part, line)]
    except ValueError:
        words = []
    if not words:
        message = f"Record {line} is not whole JSON ({str(error).removeprefix('JSON is malformed: ')}). Write it again."
        return None, [Issue("broken_json", "refused", message, line, excerpt=shorten(part))]
    places: list[str] = []
    row = _without_constants(row, "", places)
    message = (
        f"Record {line} has {', '.join(sorted(set(words)))}, which is no number; the value was left out. Write null."
    )
    return row, [Issue("not_finite", "doubted", message, line, places[0] or None, shorten(part))]


def _too_deep(part: bytes, line: int) -> Issue:
    message = f"Record {line} is nested more than {LEVELS} levels deep. Write its values as text, or flatten them."
    return Issue("too_deep", "refused", message, line, excerpt=shorten(part))


def _without_constants(value: object, place: str, places: list[str]) -> object:
    """Return the value with null for each NaN or infinity, whose keys are added to `places`."""
    if value is _NO_NUMBER:
        places.append(place)
        return None
    if isinstance(value, dict):
        return {key: _without_constants(part, f"{place}.{key}".lstrip("."), places) for key, part in value.items()}
    if isinstance(value, list):
        return [_without_constants(part, place, places) for part in value]
    return value


def _doubled(part: bytes) -> str | None:
    """Return a key that one object of the record holds twice."""
    found: list[str] = []

    def note(pairs: list[tuple[str, object]]) -> None:
        names = [key for key, _ in pairs]
        if len(set(names)) < len(names):
            found.extend(key for k, key in enumerate(names) if key in names[:k])

    json.loads(part, object_pairs_hook=note)
    return found[0] if found else None


def _salvage(data: bytes, name: str) -> tuple[list[bytes], Issue | None]:
    """Return the records of a list before the place where it breaks, and the issue that says where."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadLog(f"{name} is not UTF-8 at byte {error.start}. Save it as UTF-8 and load it again.") from error
    decoder = json.JSONDecoder()
    parts: list[bytes] = []
    at = text.index("[") + 1
    while True:
        gap = _GAP.match(text, at)
        at = gap.end() if gap else at
        if text[at : at + 1] == "]":
            return parts, _trailing(text, at + 1, name, len(parts))
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            line = text.count("\n", 0, at) + 1
            message = (
                f"{name} breaks off in record {len(parts) + 1} of its list, on line {line}; the records before it were "
                "read, what follows is lost. Export the file again."
            )
            return parts, Issue("broken_json", "refused", message, len(parts) + 1, excerpt=shorten(text[at : at + 300]))
        parts.append(text[at:end].encode())
        at = end


def _trailing(text: str, end: int, name: str, records: int) -> Issue | None:
    """Return the issue for what stands behind the end of a list, or None where nothing does."""
    rest = text[end:].strip()
    if not rest:
        return None
    line = text.count("\n", 0, end) + 1
    message = f"{name} goes on behind the end of its list, on line {line}; that was not read. Write one list."
    return Issue("broken_json", "refused", message, records + 1, excerpt=shorten(rest[:300]))


def column(name: str, values: list[Any]) -> pl.Series:
    """Return one column in the narrowest type that holds every value; values of several types become text."""
    kinds = set(map(type, values)) - {type(None)}
    if kinds <= {str}:
        return pl.Series(name, values, dtype=pl.String)
    if kinds == {bool}:
        return pl.Series(name, values, dtype=pl.Boolean)
    largest = WHOLE if float in kinds else 1 << 63  # larger whole numbers are kept as text: they may be names
    if kinds <= {int, float} and all(type(v) is not int or -largest <= v < largest for v in values):
        return pl.Series(name, values, dtype=pl.Float64 if float in kinds else pl.Int64, strict=False)
    if kinds == {list} and all(type(v) is str for value in values if value for v in value):
        return pl.Series(name, values, dtype=pl.List(pl.String))
    if kinds == {dict}:
        keys = dict.fromkeys(key for value in values if value for key in value)
        parts = [column(key, [value.get(key) if value else None for value in values]) for key in keys]
        return pl.DataFrame(parts).to_struct(name) if parts else pl.Series(name, [None] * len(values), dtype=pl.String)
    return pl.Series(name, [as_text(value) for value in values], dtype=pl.String)


def as_text(value: object) -> str | None:
    """Return a JSON value as text: text as it is, the rest as JSON."""
    if value is None or isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()
