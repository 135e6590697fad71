"""Runs over the items of one benchmark version as matrices, and the intervals that all questions share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.panel_runs import about_items
from analytics.policy import Policy
from analytics.scores import Panel, panel, scores
from analytics.slices import KEYS, Slice
from analytics.store import Connection, frame

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

LEVELS = ("capability", "subcapability", "axis", "media_type", "answer_type", "tier", "tag")
"""Slice keys of items by whose values an answer can be split; a tag is multi-valued."""

NOT_INDEPENDENT = "items share clusters"
NOT_BINARY = "credit is not 0 or 1"
NOT_SINGLE = "several attempts per item"
NO_ITEMS = "no item with a credit"

RUNS = """
SELECT run_idx::BIGINT AS run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, regime,
       condition, scope, provenance, r.missing_policy, b.headline
FROM run_dims r JOIN benchmarks b ON b.benchmark = r.run_benchmark
ORDER BY run_idx
"""

VALUES = """
SELECT item_idx, {column} AS value, chance FROM item_dims WHERE {where}
"""

TAGS = """
SELECT item_idx, t.tag AS value, chance
FROM item_dims i JOIN item_tags t USING (benchmark, item_id)
WHERE t.kind <> 'scope' AND {where}
"""

CHANCES = """
SELECT value, CASE WHEN count(chance) = count(*) THEN avg(chance) END AS chance FROM ({values}) GROUP BY value
"""


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """Credits of the runs of one benchmark version; row r of every matrix is row r of `runs`.

    `usable` counts the attempts behind each credit. `panel.items` numbers the columns, `named` says their capability.
    `lacking` marks runs without any credit in a capability that they declare: their macro mean is undefined.
    """

    benchmark: str
    runs: pl.DataFrame
    panel: Panel
    usable: IntArray
    lacking: BoolArray
    named: tuple[str, ...]

    def at(self, items: IntArray, rows: IntArray | None = None) -> Population:
        """Return the population over the columns of these items alone, and over some of its rows."""
        held = self.panel
        kept = np.flatnonzero(np.isin(held.items, items))
        if rows is not None:
            runs, raw, verified = held.runs[rows], held.raw[rows], held.verified[rows]
            held = Panel(runs, held.items, raw, verified, held.strata, held.clusters)
        else:
            rows = np.arange(len(held.runs))
        clusters = None if held.clusters is None else held.clusters[kept]
        if clusters is not None and np.unique(clusters).size == clusters.size:
            clusters = None
        part = Panel(
            held.runs, held.items[kept], held.raw[:, kept], held.verified[:, kept], held.strata[kept], clusters
        )
        usable = self.usable[np.ix_(rows, kept)]
        named = tuple(self.named[column] for column in kept)
        return Population(self.benchmark, self.runs[rows], part, usable, self.lacking[rows], named)

    def scopes(self) -> Iterator[Population]:
        """Yield the runs of each declared population apart, over the items that some run of it has a credit for."""
        scope = self.runs["scope"].to_list()
        for name in dict.fromkeys(scope):
            rows = np.array([row for row, own in enumerate(scope) if own == name], dtype=np.int64)
            seen = np.isfinite(self.panel.raw[rows]).any(axis=0)
            yield self.at(self.panel.items[seen], rows)

    def capabilities(self) -> Iterator[tuple[str, IntArray]]:
        """Yield each capability with its items."""
        for name in sorted(set(self.named)):
            columns = np.array([own == name for own in self.named])
            yield name, self.panel.items[columns]

    def trials(self) -> list[str]:
        """Say by run why its credits are no independent trials worth 0 or 1; an empty text where they are."""
        raw = self.panel.raw
        held: BoolArray = np.isfinite(raw)
        graded: BoolArray = np.asarray((held & ~np.isin(raw, (0.0, 1.0))).any(axis=1))
        several: BoolArray = np.asarray((held & (self.usable > 1)).any(axis=1))
        reasons = []
        for run in range(len(raw)):
            if not bool(held[run].any()):
                reasons.append(NO_ITEMS)
            elif several[run]:
                reasons.append(NOT_SINGLE)
            elif graded[run]:
                reasons.append(NOT_BINARY)
            else:
                reasons.append("" if self.panel.clusters is None else NOT_INDEPENDENT)
        return reasons


def runs_of(cursor: Connection) -> pl.DataFrame:
    """Return what the store tells of each run, one row per run."""
    return frame(cursor, RUNS)


def populations(cursor: Connection, chosen: Slice, policy: Policy) -> Iterator[Population]:
    """Yield the population of each benchmark version in the slice, in the order of their names.

    Items that no run has a credit for are no columns. A benchmark whose runs have no credit at all is passed over.
    A run without any label on an item that earns credit has no verified credit.
    """
    rows = scores(cursor, chosen, policy)
    described = runs_of(cursor)
    for (name,), part in rows.group_by("benchmark", maintain_order=True):
        held = part.filter(pl.col("raw").is_not_null())
        if not held.height:
            continue
        matrix = panel(held)
        usable = np.zeros(matrix.raw.shape, dtype=np.int64)
        at = (
            np.searchsorted(matrix.runs, held["run_idx"].to_numpy()),
            np.searchsorted(matrix.items, held["item_idx"].to_numpy()),
        )
        usable[at] = held["usable"].to_numpy()
        order = pl.DataFrame({"run_idx": matrix.runs}).cast(pl.Int64)
        runs = order.join(described, on="run_idx", how="left", maintain_order="left")
        _unlabelled(matrix)
        bare = part.filter(~pl.col("hidden")).group_by("run_idx", "capability").agg(pl.col("raw").count() == 0)
        lacking = np.isin(matrix.runs, bare.filter("raw")["run_idx"].to_numpy())
        named = held.unique("item_idx").sort("item_idx")["capability"].to_list()
        yield Population(str(name), runs, matrix, usable, lacking, tuple(named))


def _unlabelled(held: Panel) -> None:
    """Clear the verified credit of runs without any label on an item that earns credit.

    An item without raw credit is worth 0 verified whatever its labels, so that a run that nobody labelled would look
    as if it kept nothing: its verified credit is known on the items that it got wrong alone.
    """
    earning = held.raw > 0
    labelled = (earning & np.isfinite(held.verified)).any(axis=1)
    held.verified[earning.any(axis=1) & ~labelled] = np.nan


def item_values(cursor: Connection, chosen: Slice, level_of: str) -> pl.DataFrame:
    """Return the value of one slice key for each item of the slice.

    One row per item and value: `item_idx`, `value`, `chance` (credit that guessing earns). Items without a tag have
    no row for a tag; every other key has exactly one value per item, 'none' where the log states nothing.
    """
    sql, params = _values(chosen, level_of)
    return frame(cursor, sql, params)


def chances(cursor: Connection, chosen: Slice, level_of: str) -> pl.DataFrame:
    """Return the mean credit that guessing earns on the items of each value of one slice key.

    One row per value: `value`, `chance` (null unless it is known for every item of the value).
    """
    sql, params = _values(chosen, level_of)
    return frame(cursor, CHANCES.format(values=sql), params)


def _values(chosen: Slice, level_of: str) -> tuple[str, dict[str, Any]]:
    where, params = about_items(chosen).where()
    sql = TAGS.format(where=where) if level_of == "tag" else VALUES.format(column=KEYS[level_of].column, where=where)
    return sql, params


def grouped(values: pl.DataFrame) -> Iterator[tuple[str, IntArray]]:
    """Yield each value of `item_values` with its items."""
    for (value,), part in values.sort("value", "item_idx").group_by("value", maintain_order=True):
        yield str(value), part["item_idx"].cast(pl.Int64).to_numpy()


def nulls(table: pl.DataFrame) -> pl.DataFrame:
    """Turn NaN, which NumPy needs for 'no value', into null in every column."""
    return table.with_columns(pl.selectors.float().fill_nan(None))
