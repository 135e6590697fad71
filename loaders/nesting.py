"""How deep records are nested: Arrow and Polars answer thousands of levels with a crash of the whole process."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from analytics.errors import BadLog
from loaders.base import shorten

LEVELS = 64
"""Deepest nesting of a record that is read."""

_STEP = np.zeros(256, dtype=np.int8)
_STEP[[ord("{"), ord("[")]] = 1
_STEP[[ord("}"), ord("]")]] = -1


def may_be_deep(block: bytes, data: npt.NDArray[np.uint8], count: int) -> bool:
    """Whether one of the `count` lines of a block may be nested deeper than LEVELS; `data` are the same bytes.

    Brackets within texts count too: such a line is only looked at more closely.
    """
    if block.count(b"{") + block.count(b"[") - count < LEVELS:
        return False  # not one line can have so many
    steps = _STEP[data]
    depth = np.cumsum(steps, dtype=np.int32)
    starts = np.concatenate(([0], np.flatnonzero(data[:-1] == ord("\n")) + 1))
    return bool((np.maximum.reduceat(depth, starts) - (depth[starts] - steps[starts])).max() > LEVELS)


def levels(value: object) -> int:
    """Return how deep a JSON value is nested: 1 for a flat record."""
    deepest, row = 0, [value]
    while row := [part for part in row if isinstance(part, (dict, list))]:
        deepest += 1
        row = [inner for part in row for inner in (part.values() if isinstance(part, dict) else part)]
    return deepest


def check_levels(name: str, schema: pa.Schema) -> None:
    """Raise BadLog for a column of an Arrow schema that is nested deeper than LEVELS."""
    for field in schema:
        kinds, depth = [field.type], 0
        while kinds := [inner for kind in kinds for inner in _inner(kind)]:
            depth += 1
        if depth > LEVELS:
            column = shorten(field.name, most=60)
            raise BadLog(f"{name} has the column '{column}' nested {depth} levels deep; up to {LEVELS} are read.")


def _inner(kind: pa.DataType) -> list[pa.DataType]:
    return [kind.field(k).type for k in range(kind.num_fields)]
