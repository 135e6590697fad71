"""Capability profiles: what is each run good at, against the best run and against people?"""

from __future__ import annotations

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.leaderboard import SMALL_N
from analytics.numeric.moments import MOMENTS_ABOVE
from analytics.policy import Policy
from analytics.populations import LEVELS, chances, grouped, item_values, populations, runs_of
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.slices import Slice, empty
from analytics.spans import SOURCE, SPAN_COLUMNS, spans, spans_from_sums
from analytics.store import Connection
from analytics.sums import sums

GROUP = ("benchmark", "scope", "regime", "condition")
"""Models that agree in all of these are compared within a cell; people are looked up by benchmark and condition."""

LEVEL_OF = Option("level_of", "choice", "capability", "slice key whose values are the columns", allowed=LEVELS)

LEFT_OUT = {
    "items whose answer the benchmark hides": "hidden",
    "items without a usable attempt": "failed",
    "items that nobody judged": "unjudged",
    "items that do not apply": "not_applicable",
}


def profiles(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    level_of: str,
    by: str,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Mean raw and verified credit of each run in each value of a slice key.

    One row per run and value (a cell). Means are over the cell's items, in [0, 1]; `gap` and `retention` over its
    items that have both credits. `n` counts items with a credit; `hidden`, `failed`, `unjudged` and `not_applicable`
    those without one and why. `chance` is the mean credit that guessing earns on the cell's items, null unless it is
    known for all.
    `rank`, `best` and `to_best` compare models of one declared population, input regime and condition by the credit
    that `by` names; `to_human` is the difference to the mean over the human runs of the benchmark under the same
    condition, null when there is none. A tag is multi-valued: its cells may add up to more than the items.

    Interval of raw: Wilson score for single attempts worth 0 or 1 on independent items (doi:10.2307/2276774); of
    everything else a percentile bootstrap over items, or clusters where items of the cell share one (Efron 1979,
    doi:10.1214/aos/1176344552); above 10,000 items the delta method on stored moments.
    Raises EmptySlice when no run has an item with a value of the key.
    """
    cells = (
        sums(cursor, chosen, policy, level_of)
        .rename({level_of: "value"})
        .with_columns(pl.col("run_idx").cast(pl.Int64))
    )
    if not cells.height:
        raise empty(chosen, needs=f"a run and a value of {level_of}")
    placed = _spans(cursor, chosen, policy, cells, level_of, level=level, resamples=resamples, seed=seed)
    chance = chances(cursor, chosen, level_of)
    accounts = cells.select("run_idx", "value", "declared", *LEFT_OUT.values())
    table = (
        accounts.join(placed, on=["run_idx", "value"], how="left")
        .join(runs_of(cursor), on="run_idx", how="left")
        .join(chance, on="value", how="left")
        .with_columns(pl.col("n", "n_verified").fill_null(0), level_of=pl.lit(level_of))
    )
    table = _compared(table, by).with_columns(small_n=pl.col("n") < SMALL_N)
    asked = {"level_of": level_of}
    table = mark(cursor, table, chosen, question="profiles", options=asked, column=by, policy=policy)
    table = table.sort(["benchmark", "scope", "regime", "condition", pl.col("kind") != "model", "run", "value"])
    table = table.select(column.name for column in COLUMNS)
    left_out = {says: int(table[name].sum()) for says, name in LEFT_OUT.items()}
    labelled = table.filter(pl.col("n_verified") > 0)
    left_out["items with a raw credit and no verified one"] = int((labelled["n"] - labelled["n_verified"]).sum())
    methods = ", ".join(table["interval"].drop_nulls().unique(maintain_order=True))
    return Answer(table, f"{level:.0%} interval: {methods}", left_out, _notes(table, level_of, policy), seed)


def _spans(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    cells: pl.DataFrame,
    level_of: str,
    *,
    level: float,
    resamples: int,
    seed: int,
) -> pl.DataFrame:
    """Return means and intervals by run and value, from items where the benchmark is small enough, else from sums."""
    sizes = cells.group_by("benchmark", "run_idx").agg(pl.col("declared").sum()).group_by("benchmark").max()
    large = sizes.filter(pl.col("declared") > MOMENTS_ABOVE)["benchmark"].to_list()
    small = [name for name in sizes["benchmark"].to_list() if name not in large]
    stored = cells.filter(pl.col("benchmark").is_in(large))
    parts = [spans_from_sums(stored, mean="micro", level=level, per=("run_idx", "value"))]
    of_small = chosen.with_choice("benchmark", small)
    values = list(grouped(item_values(cursor, of_small, level_of))) if small else []
    for population in populations(cursor, of_small, policy) if small else ():
        for value, items in values:
            here = population.at(items)
            for scope in here.scopes() if here.panel.items.size else ():
                if not scope.panel.items.size:
                    continue
                found = spans(scope, mean="micro", level=level, resamples=resamples, seed=seed)
                parts.append(found.with_columns(value=pl.lit(value)))
    return pl.concat(parts, how="diagonal_relaxed").filter(pl.col("n") > 0)


def _compared(table: pl.DataFrame, by: str) -> pl.DataFrame:
    """Add rank, best run and the differences to the best and to people, within each cell."""
    model = pl.col("kind") == "model"
    within = [*GROUP, "value"]
    # 12 decimals: equal sums in another order differ by 1e-16
    own = pl.col(by).round(12)
    ranked = table.filter(model).with_columns(
        rank=own.rank("min", descending=True).over(within).cast(pl.Int64),
        best=pl.col("run").sort_by([own, "run"], descending=[True, False], nulls_last=True).first().over(within),
        to_best=pl.col(by) - pl.col(by).max().over(within),
    )
    ranked = ranked.with_columns(best=pl.when(pl.col("rank").is_not_null()).then("best"))
    people = (
        table.filter(pl.col("kind") == "human").group_by("benchmark", "condition", "value").agg(human=pl.col(by).mean())
    )
    places = ranked.select("run_idx", "value", "rank", "best", "to_best")
    table = table.join(places, on=["run_idx", "value"], how="left")
    table = table.join(people, on=["benchmark", "condition", "value"], how="left")
    return table.with_columns(to_human=pl.when(pl.col("kind") != "human").then(pl.col(by) - pl.col("human")))


def _notes(table: pl.DataFrame, level_of: str, policy: Policy) -> tuple[str, ...]:
    notes = [*note(table), policy.sentence()]
    if level_of == "tag":
        notes.append("An item may have several tags: totals over tags may exceed n.")
    if table.group_by("benchmark", "value").agg(pl.col("n").n_unique())["n"].max() > 1:  # type: ignore[operator]
        notes.append("Runs differ in n within a cell: compare two runs on their common items (question pairwise).")
    return tuple(notes)


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
    *SPAN_COLUMNS[:-3],
    Result("n", "count", "items with a raw credit"),
    Result("n_verified", "count", "items with raw and verified credit"),
    Result("declared", "count", "items of the declared population in this cell"),
    Result("hidden", "count", "items whose answer the benchmark hides"),
    Result("failed", "count", "items without a usable attempt"),
    Result("unjudged", "count", "items that nobody judged"),
    Result("not_applicable", "count", "items that the log says do not apply to the run"),
    Result("chance", "proportion", "mean credit that guessing earns here; null unless known for every item"),
    Result("rank", "rank", "place among comparable models in this cell, 1 is best; ties share the best place"),
    Result("best", "text", "best comparable model run in this cell; the first by name of equals"),
    Result("to_best", "points", "difference to the best run"),
    Result("to_human", "points", "difference to the mean of the human runs; null when there is none"),
    Result("interval", "text", "how the interval of raw was made; the others are bootstrapped or from moments"),
    Result("small_n", "boolean", "fewer than 30 items: one item moves the mean by more than three points"),
    Result("provenance", "text", "where the rows come from"),
    COLUMN,
)

QUESTION = Question(
    name="profiles",
    title="Capability profiles",
    asks="What is each run good at, against the best run and against people?",
    source=SOURCE,
    needs="a run with judged responses",
    options=(
        LEVEL_OF,
        Option("by", "choice", "raw", "credit that ranks and compares", allowed=("raw", "verified")),
        LEVEL,
        RESAMPLES,
        SEED,
    ),
    columns=COLUMNS,
    ask=profiles,
)
