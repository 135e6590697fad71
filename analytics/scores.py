"""Credits by run and item under a policy: the rows that every statistic on items starts from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.policy import Policy
from analytics.slices import Slice
from analytics.store import Connection, frame

WEIGHTS = (
    "CAST($weights AS STRUCT(present DOUBLE, absent DOUBLE, supported DOUBLE, weak DOUBLE, contradicted DOUBLE, "
    "sound DOUBLE, gap DOUBLE, broken DOUBLE))"
)

LIVE = f"scored($attempt_rule, $guessed_rule, $judge_rule, {WEIGHTS})"
GRADED = f"graded($judge_rule, $guessed_rule, {WEIGHTS})"

SETTLED = """
    SELECT r.*, i.*, s.hidden, s.attempts, s.usable, s.failed, s.unjudged, s.correct, s.status, s.ballot, s.tokens,
           settle(s.raw, s.usable, s.failed, rule) AS raw,
           CASE WHEN r.has_verified THEN settle(s.covered, s.usable, s.failed, rule) END AS covered,
           CASE WHEN r.has_verified THEN settle(s.evidenced, s.usable, s.failed, rule) END AS evidenced,
           CASE WHEN r.has_verified THEN settle(s.verified, s.usable, s.failed, rule) END AS verified
    FROM (SELECT * FROM {scores}) s
    JOIN {items} i USING (item_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE {where}
"""

SCORES = """
SELECT run_idx, item_idx, benchmark, capability, cluster, hidden, attempts, usable, failed, unjudged, correct, status,
       ballot, tokens, raw, covered, evidenced, verified
FROM ({settled}) ORDER BY run_idx, item_idx
"""


def relation(policy: Policy) -> str:
    """Return the relation with one row per run and declared item: the stored one, or the macro for other policies.

    The text holds no data: the macro's arguments are bound by `policy.params()`.
    """
    return "scores" if policy.stored else LIVE


def settled(policy: Policy, where: str, items: str = "item_dims") -> str:
    """Return the query that gives credits under a policy: one row per run of the slice and item of its population.

    Its columns are those of `run_dims` (with `rule`, the missing rule that counts), of `item_dims`, and of `scores`,
    where the four credits have the missing rule applied; the last three are null where the benchmark has no verified
    credit. `where` is a slice's predicate, about `r` (runs) and `i` (items); `items` another relation of items, which
    may give an item in several rows. Text of ours alone: values are bound by the slice and by `policy.params()`.
    """
    return SETTLED.format(scores=relation(policy), items=items, where=where)


def scores(cursor: Connection, chosen: Slice, policy: Policy) -> pl.DataFrame:
    """Credits by run and item.

    One row per run and item of its declared population. `raw`, `covered`, `evidenced`, `verified` are proportions, the
    item's mean over usable attempts after the missing policy; null where hidden, unjudged, left out, or (the last
    three) where the log has no rationale labels. `ballot` is the answer of the first attempt if it was valid.
    """
    where, params = chosen.where()
    return frame(cursor, SCORES.format(settled=settled(policy, where)), params | policy.params())


@dataclass(frozen=True, slots=True)
class Panel:
    """Credits as runs x items; NaN where a run has no credit for an item, or does not have the item."""

    runs: npt.NDArray[np.int64]
    items: npt.NDArray[np.int64]
    raw: npt.NDArray[np.float64]
    verified: npt.NDArray[np.float64]
    strata: npt.NDArray[np.int64]
    clusters: npt.NDArray[np.int64] | None


def panel(rows: pl.DataFrame) -> Panel:
    """Return rows of `scores` as matrices. Strata are capabilities; clusters are None when no two items share one.

    Items that no run has a credit for are left out.
    """
    held = rows.filter(pl.col("raw").is_not_null())
    runs = rows["run_idx"].unique().sort().to_numpy()
    items = held.select("item_idx", "benchmark", "capability", "cluster").unique("item_idx").sort("item_idx")
    numbers = items["item_idx"].to_numpy()
    matrix = np.full((2, len(runs), len(numbers)), np.nan)
    at = (np.searchsorted(runs, held["run_idx"].to_numpy()), np.searchsorted(numbers, held["item_idx"].to_numpy()))
    matrix[0][at] = held["raw"].to_numpy()
    matrix[1][at] = held["verified"].cast(pl.Float64).to_numpy()
    strata = items.select(pl.struct("benchmark", "capability").rank("dense").cast(pl.Int64)).to_series().to_numpy()
    return Panel(runs, numbers, matrix[0], matrix[1], strata, clusters_of(items))


def clusters_of(items: pl.DataFrame) -> npt.NDArray[np.int64] | None:
    """Return cluster numbers, an item without one being its own; None when every item stands alone."""
    if items["cluster"].null_count() == items.height == items["item_idx"].n_unique():
        return None
    named = items.with_columns(
        cluster=pl.coalesce("cluster", pl.format("item {}", "item_idx")), alone=pl.col("cluster").is_null()
    )
    codes = named.select(pl.struct("benchmark", "alone", "cluster").rank("dense").cast(pl.Int64)).to_series()
    return codes.to_numpy() if codes.n_unique() < items.height else None
