"""Leaderboard: which run earns most credit, raw and verified, and how sure is its place?"""

from __future__ import annotations

import numpy as np
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.numeric.moments import MOMENTS_ABOVE
from analytics.open_attempts import left_open
from analytics.placing import place
from analytics.policy import Policy
from analytics.questions import AVERAGE, LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.sums import sums

SMALL_N = 30
"""Below this number of items a row is flagged: a mean moves by more than three points with one item."""

RUNS = """
SELECT run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, regime, condition, scope,
       parser, complete, provenance, b.headline
FROM run_dims r JOIN benchmarks b ON b.benchmark = r.run_benchmark
"""


def leaderboard(
    cursor: Connection, chosen: Slice, policy: Policy, *, by: str, average: str, level: float, resamples: int, seed: int
) -> Answer:
    """Mean raw and verified credit of each run, with interval, rank, rank interval and tie group.

    One row per run, best first within its group. Runs of one benchmark, population, input regime and condition make a
    group; only models are ranked, human and control runs stand apart with a null rank. `raw` and `verified` are the
    mean that `average` names, in [0, 1]; the micro mean is over items, the macro mean is the unweighted mean over
    capabilities and null when a capability has no item with a credit. `n` counts items with a credit; `hidden`
    (the benchmark hides the answer), `failed` (no usable attempt; `absent` ones have no record), `unjudged` and
    `not_applicable` count the others.

    Interval: Wilson score (doi:10.2307/2276774) for a micro mean of single attempts worth 0 or 1 on items that share no
    cluster; else percentile bootstrap over items, or over clusters where items share one, with the same resamples for
    every run (Efron 1979, doi:10.1214/aos/1176344552); above 10,000 items the delta method on stored moments. A tie
    group holds the runs whose paired difference from the group's best has an interval that contains 0.
    Raises EmptySlice when no run has an item in the slice.
    """
    cells = sums(cursor, chosen, policy)
    if not cells.height:
        raise empty(chosen, needs="a run")
    runs = frame(cursor, RUNS)
    means = _means(cells).join(runs, on=["run_idx", "benchmark"], how="left")
    chosen_mean = pl.col("headline") if average == "declared" else pl.lit(average)
    means = means.with_columns(average=chosen_mean).with_columns(
        raw=pl.when(pl.col("average") == "macro").then("raw_macro").otherwise("raw_micro"),
        verified=pl.when(pl.col("average") == "macro").then("verified_macro").otherwise("verified_micro"),
    )
    placed, methods = place(cursor, chosen, policy, means, cells, by=by, level=level, resamples=resamples, seed=seed)
    table = placed.with_columns(
        small_n=pl.col("n") < SMALL_N, partial=(pl.col("failed") + pl.col("unjudged")) > 0, gap=_gap()
    ).sort(
        ["benchmark", "scope", "regime", "condition", pl.col("kind") != "model", by, "run"],
        descending=[False, False, False, False, False, True, False],
        nulls_last=True,
    )
    left_out = {
        "items whose answer the benchmark hides": int(table["hidden"].sum()),
        "items without a usable attempt": int(table["failed"].sum()),
        "items that nobody judged": int(table["unjudged"].sum()),
        "items that do not apply": int(table["not_applicable"].sum()),
    }
    table = mark(
        cursor, table, chosen, question="leaderboard", options={"average": average, "by": by}, column=by, policy=policy
    )
    notes = (*note(table), *_notes(table, policy), *left_open(cursor, chosen, policy))
    return Answer(table.select([c.name for c in COLUMNS]), "; ".join(methods), left_out, notes, seed)


def _gap() -> pl.Expr:
    """Raw minus verified of the same mean, over the items that have both."""
    paired = pl.when(pl.col("average") == "macro").then("paired_macro").otherwise("paired_micro")
    return paired - pl.col("verified")


def _means(cells: pl.DataFrame) -> pl.DataFrame:
    """Turn sums by run and capability into micro and macro means by run."""

    def share(total: str, n: str) -> pl.Expr:
        return pl.when(pl.col(n).sum() > 0).then(pl.col(total).sum() / pl.col(n).sum())

    def macro(total: str, n: str) -> pl.Expr:
        """Null unless every capability that has declared, unhidden items has a credit."""
        counted = pl.col("declared") > pl.col("hidden")
        each = (pl.col(total) / pl.col(n)).filter(counted)
        return pl.when((pl.col(n).filter(counted) > 0).all() & (counted.sum() > 0)).then(each.mean())

    totals = (
        "declared",
        "hidden",
        "failed",
        "unjudged",
        "not_applicable",
        "absent",
        "attempts",
        "usable",
        "correct",
        "n",
        "n_verified",
        "binary_n",
    )
    return cells.group_by("run_idx", "benchmark", maintain_order=True).agg(
        *[pl.col(name).sum() for name in totals],
        most_usable=pl.col("most_usable").max(),
        raw_micro=share("sum_raw", "n"),
        raw_macro=macro("sum_raw", "n"),
        verified_micro=share("sum_verified", "n_verified"),
        verified_macro=macro("sum_verified", "n_verified"),
        paired_micro=share("sum_raw_paired", "n_verified"),
        paired_macro=macro("sum_raw_paired", "n_verified"),
        tokens=share("sum_tokens", "n_tokens"),
    )


def _notes(table: pl.DataFrame, policy: Policy) -> tuple[str, ...]:
    """Return what a reader must know before comparing rows."""
    notes = [policy.sentence(), *without_record(table)]
    if table["n"].n_unique() > 1:
        notes.append("Runs differ in n: compare two runs on the items that both have (question pairwise).")
    if table.group_by("benchmark").agg(pl.col("regime").n_unique())["regime"].max() > 1:  # type: ignore[operator]
        notes.append("Runs of different input regimes are ranked apart.")
    if table.group_by("benchmark").agg(pl.col("parser").n_unique())["parser"].max() > 1:  # type: ignore[operator]
        notes.append("Runs whose answers were read by different parsers stand in one ranking: the parser may decide.")
    if (table["n"] > MOMENTS_ABOVE).any() and np.any(table["clustered"].to_numpy()):
        notes.append("Above 10,000 items intervals treat items as independent although some share a cluster.")
    return tuple(notes)


def without_record(table: pl.DataFrame) -> list[str]:
    """Return the sentence about items that the log of a run says nothing of: were they asked at all?"""
    lacking = table.filter(pl.col("absent") > 0)
    if not lacking.height:
        return []
    first = lacking.sort("absent", descending=True).row(0, named=True)
    return [
        f"{lacking.height} of {table.height} runs have no record of some items of their benchmark, most of all "
        f"{first['run']}: {first['absent']} of {first['declared']}. Such an item is missing, and a benchmark whose "
        "missing items count as 0 counts it so. If these runs were never given the items, leave missing ones out "
        "(What counts), or compare on common items (pairwise)."
    ]


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("vendor", "text", "who makes it"),
    Result("access", "text", "proprietary, open-weight ..."),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "setting that was varied"),
    Result("scope", "text", "declared population, where it is not every item"),
    Result("average", "text", "mean that raw and verified are: macro or micro"),
    Result("rank", "rank", "place within the group, 1 is best; ties share the best place"),
    Result("rank_low", "rank", "lower end of the rank interval"),
    Result("rank_high", "rank", "upper end of the rank interval"),
    Result("tie_group", "count", "runs that the data cannot tell apart from the group's best share a number"),
    Result("raw", "proportion", "mean raw credit"),
    Result("raw_low", "proportion", "lower end of its interval"),
    Result("raw_high", "proportion", "upper end of its interval"),
    Result("verified", "proportion", "mean verified credit; null where the log has no rationale labels"),
    Result("verified_low", "proportion", "lower end of its interval"),
    Result("verified_high", "proportion", "upper end of its interval"),
    Result("gap", "points", "raw minus verified, over items that have both"),
    Result("raw_micro", "proportion", "mean raw credit over items"),
    Result("raw_macro", "proportion", "mean of the capabilities' mean raw credits"),
    Result("verified_micro", "proportion", "mean verified credit over items"),
    Result("verified_macro", "proportion", "mean of the capabilities' mean verified credits"),
    Result("n", "count", "items with a credit"),
    Result("correct", "count", "attempts with full credit"),
    Result("usable", "count", "attempts with a credit"),
    Result("attempts", "count", "attempts logged"),
    Result("declared", "count", "items of the declared population"),
    Result("hidden", "count", "items whose answer the benchmark hides"),
    Result("failed", "count", "items without a usable attempt"),
    Result("unjudged", "count", "items that nobody judged"),
    Result("not_applicable", "count", "items that the log says do not apply to the run"),
    Result("absent", "count", "failed items of which the run's log has no record at all"),
    Result("n_verified", "count", "items with a verified credit"),
    Result(
        "tokens", "tokens", "mean tokens written per attempt, reasoning included; read ones stand in question tokens"
    ),
    Result("interval", "text", "how the interval was made"),
    Result("small_n", "boolean", "fewer than 30 items: one item moves the mean by more than three points"),
    Result("partial", "boolean", "some declared items have no credit"),
    Result("complete", "boolean", "false for an interrupted run"),
    Result("provenance", "text", "where the rows come from"),
    COLUMN,
)

QUESTION = Question(
    name="leaderboard",
    title="Leaderboard",
    asks="Which run earns most credit, and how sure is its place?",
    source="Wilson 1927, doi:10.2307/2276774; Efron 1979, doi:10.1214/aos/1176344552",
    needs="a run with judged responses",
    options=(
        Option("by", "choice", "raw", "credit that ranks", allowed=("raw", "verified")),
        AVERAGE,
        LEVEL,
        RESAMPLES,
        SEED,
    ),
    columns=COLUMNS,
    ask=leaderboard,
)
