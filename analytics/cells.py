"""Cells: the interval of every run in every value of a slice key, where trials are independent."""

from __future__ import annotations

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.numeric.intervals import clopper_pearson, wilson
from analytics.panel_runs import about_items
from analytics.policy import Policy
from analytics.populations import NO_ITEMS, NOT_BINARY, NOT_INDEPENDENT, NOT_SINGLE, nulls, runs_of
from analytics.profiles import LEFT_OUT, LEVEL_OF
from analytics.questions import LEVEL, Answer, Option, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.sums import TAGGED, sums

SHARED = """
SELECT benchmark, {by} AS value, count(cluster) > count(DISTINCT cluster) AS shared
FROM {items} WHERE reference_known AND {where}
GROUP BY benchmark, {by}
"""

METHODS = {"wilson": "Wilson score", "exact": "Clopper-Pearson (exact)"}


def cells(cursor: Connection, chosen: Slice, policy: Policy, *, level_of: str, method: str, level: float) -> Answer:
    """Share of right answers of each run in each value of a slice key, with its interval.

    One row per run and value. `k` of `n` items are right, `rate` is k / n in [0, 1]. The interval is Wilson's (1927,
    doi:10.1080/01621459.1927.10502953) or Clopper and Pearson's (1934, doi:10.1093/biomet/26.4.404), as `method` says;
    both need independent trials worth 0 or 1. Where they are not (graded credit, several attempts per item, items of
    the cell that share a cluster, no item with a credit) `k` and the interval are null and `reason` says why; question
    profiles gives a bootstrap interval there. `hidden`, `failed`, `unjudged` and `not_applicable` items are left out.
    Raises EmptySlice when no run has an item with a value of the key.
    """
    counted = sums(cursor, chosen, policy, level_of).rename({level_of: "value"})
    if not counted.height:
        raise empty(chosen, needs=f"a run and a value of {level_of}")
    rows = counted.with_columns(pl.col("run_idx").cast(pl.Int64)).join(
        _shared(cursor, chosen, level_of), on=["benchmark", "value"], how="left"
    )
    reason = (
        pl.when(pl.col("n") == 0)
        .then(pl.lit(NO_ITEMS))
        .when(pl.col("most_usable") > 1)
        .then(pl.lit(NOT_SINGLE))
        .when(pl.col("binary_n") < pl.col("n"))
        .then(pl.lit(NOT_BINARY))
        .when(pl.col("shared").fill_null(value=False))
        .then(pl.lit(NOT_INDEPENDENT))
    )
    rows = rows.with_columns(
        reason=reason, rate=pl.when(pl.col("n") > 0).then(pl.col("sum_raw") / pl.col("n"))
    ).with_columns(k=pl.when(pl.col("reason").is_null()).then(pl.col("sum_raw").round()).cast(pl.Int64))
    k, n = rows["k"].fill_null(0).to_numpy(), rows["n"].to_numpy()
    low, high = (wilson if method == "wilson" else clopper_pearson)(k, n, level=level)
    fits = pl.col("k").is_not_null()
    rows = nulls(rows.with_columns(low=pl.Series(low), high=pl.Series(high))).with_columns(
        low=pl.when(fits).then("low"),
        high=pl.when(fits).then("high"),
        level_of=pl.lit(level_of),
        method=pl.when(fits).then(pl.lit(METHODS[method])),
    )
    table = rows.drop("benchmark").join(runs_of(cursor), on="run_idx", how="left")
    options = {"level_of": level_of, "method": method}
    table = mark(cursor, table, chosen, question="cells", options=options, column="low", policy=policy)
    table = table.sort(["benchmark", "scope", "regime", "condition", pl.col("kind") != "model", "run", "value"])
    table = table.select(column.name for column in COLUMNS)
    left_out = {says: int(table[name].sum()) for says, name in LEFT_OUT.items()}
    refused = table["reason"].count()
    notes = [*note(table), policy.sentence()]
    if refused:
        notes.append(f"{refused} of {table.height} cells have no such interval: see the column reason.")
    if level_of == "tag":
        notes.append("An item may have several tags: totals over tags may exceed n.")
    return Answer(table, f"{level:.0%} interval: {METHODS[method]}", left_out, tuple(notes))


def _shared(cursor: Connection, chosen: Slice, level_of: str) -> pl.DataFrame:
    """Return by benchmark and value whether items of the cell share a cluster."""
    where, params = about_items(chosen).where()
    items = f"{TAGGED} i" if level_of == "tag" else "item_dims"
    return frame(cursor, SHARED.format(by=level_of, items=items, where=where), params)


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "setting that was varied"),
    Result("scope", "text", "declared population, where it is not every item"),
    Result("level_of", "text", "slice key that value is a value of"),
    Result("value", "text", "value of the slice key"),
    Result("rate", "proportion", "mean raw credit; the share of right answers where credit is 0 or 1"),
    Result("low", "proportion", "lower end of its interval; null where trials are not independent or not 0 or 1"),
    Result("high", "proportion", "upper end of its interval"),
    Result("k", "count", "right answers; null where the interval is"),
    Result("n", "count", "items with a credit"),
    Result("declared", "count", "items of the declared population in this cell"),
    Result("hidden", "count", "items whose answer the benchmark hides"),
    Result("failed", "count", "items without a usable attempt"),
    Result("unjudged", "count", "items that nobody judged"),
    Result("not_applicable", "count", "items that the log says do not apply to the run"),
    Result("method", "text", "how the interval was made"),
    Result("reason", "text", "why there is no such interval"),
    Result("provenance", "text", "where the rows come from"),
    COLUMN,
)

QUESTION = Question(
    name="cells",
    title="Interval of every cell",
    asks="How sure is each run's share of right answers in each part of the benchmark?",
    source="Wilson 1927, doi:10.1080/01621459.1927.10502953; Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404",
    needs="runs with single attempts worth 0 or 1",
    options=(
        LEVEL_OF,
        Option("method", "choice", "wilson", "score interval, or exact (wider)", allowed=tuple(METHODS)),
        LEVEL,
    ),
    columns=COLUMNS,
    ask=cells,
)
