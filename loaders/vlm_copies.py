"""Circular copies: one item asked several times with its options turned, scored once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from loaders.vlm_rows import whole
from loaders.vlm_tables import Row

TURN = 1_000_000
"""VLMEvalKit adds this to the index of an item for every turn of its options."""

Placed = tuple[int, Row]


def groups(table: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Yield the rows of each item together, its own row first; without circular copies every row is by itself.

    Copies are told by `g_index`, or, where that is absent, by indices that are an item's plus a multiple of TURN.
    """
    found: dict[str, list[Placed]] = {}
    own = {whole(row["index"] or "") for _, row in table}
    seen: set[str] = set()
    for place, (line, row) in enumerate(table):
        index = whole(row["index"] or "")
        base = _base(row, index, own)
        key = index if base is None else base
        if index in seen:
            key = f"{index}\0{place}"  # the same index twice is a fault, not a copy: the caller refuses it
        seen.add(index)
        found.setdefault(key, []).append((line, row))
    for key, rows in found.items():
        yield sorted(rows, key=lambda each: whole(each[1]["index"] or "") != key)


def _base(row: Row, index: str, own: set[str]) -> str | None:
    """Return the item that a row is a copy of, itself included; None when it is no part of a circular set."""
    given = row.get("g-index")
    if given is not None:
        return whole(given)
    if index.isdigit() and int(index) >= TURN and str(int(index) % TURN) in own:
        return str(int(index) % TURN)
    return None
