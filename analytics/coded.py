"""What runs said of items as matrices of integer codes: ten million answers are never read as texts.

DuckDB sends the number of each value, and NumPy puts it in its place. What a value is spelled like, and which values
count as one, is worked out once for each different value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from analytics.numeric.arrays import MISSING, BoolArray, CodeArray
from analytics.panel_runs import about_items
from analytics.policy import Policy
from analytics.scores import relation
from analytics.slices import Slice
from analytics.store import Connection, frame

ABSENT = -2
"""Code of an item that is not in the population of a run, or whose answer is hidden; MISSING is an item without a
value. Tables of codes have their values for the two at the end, where -2 and -1 look them up."""

BALLOT = "s.ballot"
BALLOT_OR_UNPARSED = "CASE WHEN s.status = 'invalid_format' THEN 'unparsed' ELSE s.ballot END"
CREDIT = "s.raw"

FEW = 64
"""Different values up to which DuckDB looks the number of a value up in a list; more are numbered here."""

_SMALL = 126  # codes that fit into int8
_BLOCK = 1 << 18  # rows put into their places at once: what they need stays in cache

CAST = """
FROM (SELECT * FROM {scores}) s
WHERE s.run_idx = ANY($members) AND NOT s.hidden AND {narrowed}
"""

VALUES = "SELECT DISTINCT {said} AS value {cast} AND {said} IS NOT NULL ORDER BY value LIMIT {most}"

NUMBERED = "SELECT s.run_idx, s.item_idx, coalesce(list_position($values, {said}) - 1, -1)::TINYINT AS code {cast}"

WRITTEN = "SELECT s.run_idx, s.item_idx, {said} AS value {cast}"

AMONG = "s.item_idx IN (SELECT i.item_idx FROM item_dims i WHERE {only} AND {where})"


@dataclass(frozen=True, slots=True)
class Coded:
    """Different values in order, and for each panel a matrix runs x items of places among them (or MISSING, ABSENT)."""

    values: pl.Series
    matrices: list[CodeArray]


def coded(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    panels: Sequence[tuple[pl.DataFrame, pl.DataFrame]],
    *,
    said: str,
    only: str,
    every: bool,
) -> Coded:
    """Return what the runs of each panel said of its items.

    A panel is runs (column run_idx) and items (column item_idx) of one benchmark version, each in the order of the
    matrix. `said` is BALLOT, BALLOT_OR_UNPARSED or CREDIT. Rows of other items are left aside: `only`, a predicate
    about `item_dims i`, spares reading them, unless the panels have `every` item of theirs.
    """
    where, params = about_items(chosen).where()
    beyond = [name for name, _ in about_items(chosen).choices if name != "benchmark"]
    narrowed = "TRUE" if every and not beyond else AMONG.format(only=only, where=where)
    cast = CAST.format(scores=relation(policy), narrowed=narrowed)
    members = [int(run) for runs, _ in panels for run in runs["run_idx"]]
    rows, values = _rows(cursor, params | policy.params() | {"members": members}, cast, said, once=not policy.stored)
    return Coded(values, _placed(rows, panels, np.int8 if len(values) <= _SMALL else np.int32))


def _rows(
    cursor: Connection, bound: dict[str, object], cast: str, said: str, *, once: bool
) -> tuple[pl.DataFrame, pl.Series]:
    """Return run, item and code of each row, and the values by code; `once`: the rows are costly to ask for twice."""
    if not once:
        found = frame(cursor, VALUES.format(said=said, cast=cast, most=FEW + 1), bound)["value"]
        if not len(found):
            sql = f"SELECT s.run_idx, s.item_idx, (-1)::TINYINT AS code {cast}"
            return frame(cursor, sql, bound), found
        if len(found) <= FEW:
            return frame(cursor, NUMBERED.format(said=said, cast=cast), bound | {"values": found.to_list()}), found
    rows = frame(cursor, WRITTEN.format(said=said, cast=cast), bound)
    found = rows["value"].drop_nulls().unique().sort()
    numbers = pl.DataFrame({"value": found, "code": np.arange(len(found), dtype=np.int32)})
    rows = rows.join(numbers, on="value", how="left", maintain_order="left")
    return rows.select("run_idx", "item_idx", pl.col("code").fill_null(MISSING)), found


def _placed(
    rows: pl.DataFrame, panels: Sequence[tuple[pl.DataFrame, pl.DataFrame]], kind: type[np.signedinteger]
) -> list[CodeArray]:
    """Put the codes into one flat array in which the matrices of the panels follow each other."""
    run, item, code = (rows[name].to_numpy() for name in ("run_idx", "item_idx", "code"))
    start = np.full(int(run.max(initial=-1)) + 1, -1, dtype=np.int64)  # of each run's row
    column = np.full(int(item.max(initial=-1)) + 1, -1, dtype=np.int64)
    ends = [0]
    for runs, items in panels:
        numbers, places = runs["run_idx"].to_numpy(), items["item_idx"].to_numpy()
        known, seen = numbers < len(start), places < len(column)
        start[numbers[known]] = (ends[-1] + np.arange(len(numbers)) * len(places))[known]
        column[places[seen]] = np.arange(len(places))[seen]
        ends.append(ends[-1] + len(numbers) * len(places))
    flat = np.full(ends[-1], ABSENT, dtype=kind)
    for begin in range(0, len(code), _BLOCK):
        part = slice(begin, begin + _BLOCK)
        at = column[item[part]]
        wanted = at >= 0
        at += start[run[part]]
        if wanted.all():
            flat[at] = code[part]
        else:
            flat[at[wanted]] = code[part][wanted]
    return [
        flat[begin:end].reshape(runs.height, items.height)
        for (runs, items), begin, end in zip(panels, ends[:-1], ends[1:], strict=True)
    ]


def labelled(
    matrix: CodeArray, spelled: Sequence[tuple[BoolArray, list[str | None]]], *, more: Sequence[str] = ()
) -> tuple[tuple[str, ...], CodeArray]:
    """Return the labels in use, in order, and the matrix as codes into them.

    `spelled` has, for some columns each, the label of every code, or None (or the empty text) where the value is none.
    `more` labels are in use beside those of the matrix.
    """
    used = set(more)
    for columns, names in spelled:
        used |= {name for code in _seen(matrix, columns, len(names)) if (name := names[code])}
    labels = tuple(sorted(used))
    place = {label: k for k, label in enumerate(labels)}
    tables = [
        (columns, [place.get(name, MISSING) if name else MISSING for name in names]) for columns, names in spelled
    ]
    return labels, recoded(matrix, tables, len(labels))


def _seen(matrix: CodeArray, columns: BoolArray, size: int) -> list[int]:
    """Return the codes that occur in these columns."""
    seen = np.zeros(size - ABSENT, dtype=np.bool_)
    for row in matrix:
        seen[row if columns.all() else row[columns]] = True
    return [int(code) for code in np.flatnonzero(seen[:size])]


def recoded(matrix: CodeArray, tables: Sequence[tuple[BoolArray, list[int]]], size: int) -> CodeArray:
    """Return the matrix with the codes of some columns each looked up in a table of codes below `size`."""
    kind = np.int8 if size <= _SMALL else np.int32
    out = matrix
    for columns, table in tables:
        if table == list(range(len(table))) and out.dtype == kind:
            continue
        if out is matrix:
            out = np.array(matrix, dtype=np.promote_types(kind, matrix.dtype))
        lookup = np.array([*table, ABSENT, MISSING], dtype=kind)
        for at, row in enumerate(matrix):
            if columns.all():
                out[at] = lookup[row]
            else:
                out[at, columns] = lookup[row[columns]]
    return out if out.dtype == kind else out.astype(kind)
