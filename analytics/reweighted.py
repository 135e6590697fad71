"""Reweighted: what would the leaderboard be under other weights of the rubric?"""

from __future__ import annotations

import dataclasses

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.policy import Policy
from analytics.populations import runs_of
from analytics.questions import AVERAGE, Answer, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection
from analytics.sums import sums

RANKED_WITHIN = ("benchmark", "scope", "regime", "condition")


def reweighted(cursor: Connection, chosen: Slice, policy: Policy, *, average: str) -> Answer:
    """Verified credit, gap and rank of each run under the policy's rubric, beside those under the declared one.

    One row per run. `verified` and `gap` (raw minus verified, over the `n_verified` items that have both) are the mean
    that `average` names, in [0, 1]: micro over items, macro the unweighted mean over capabilities, null when a
    capability has no item with a verified credit. Columns that end in `_declared` hold the same under the rubric that
    each benchmark declares; `change` is their difference. `rank` compares models of one declared population, input
    regime and condition by verified credit; ties share the best place; human and control runs have none. Raw credit
    does not depend on the rubric. Factors that a log carries as numbers hold under the declared rubric and give way to
    the weights of their labels. Items with a raw credit and no verified one are left out and counted.

    Source: PsycheMME, scoring contract. Raises EmptySlice when no item of the slice has a verified credit.
    """
    declared = dataclasses.replace(policy, rubric="declared")
    after = _means(sums(cursor, chosen, policy), runs_of(cursor), average)
    if not after["n_verified"].sum():
        raise empty(chosen, needs="a verified credit (rationale labels or factors)")
    before = _means(sums(cursor, chosen, declared), runs_of(cursor), average)
    held = ("verified", "gap", "rank")
    before = before.select("run_idx", **{f"{name}_declared": pl.col(name) for name in held})
    table = after.filter(pl.col("n_verified") > 0).join(before, on="run_idx", how="left")
    table = table.with_columns(
        change=pl.col("verified") - pl.col("verified_declared"),
        rank_change=pl.col("rank") - pl.col("rank_declared"),
        unlabelled=pl.col("n") - pl.col("n_verified"),
    )
    table = mark(cursor, table, chosen, question="reweighted", options={"average": average}, policy=policy)
    table = table.sort(
        [*RANKED_WITHIN, pl.col("kind") != "model", "verified", "run"],
        descending=[False, False, False, False, False, True, False],
        nulls_last=True,
    ).select(column.name for column in COLUMNS)
    left_out = {"items with a raw credit and no verified one": int(table["unlabelled"].sum())}
    return Answer(table, "means under both rubrics, no resampling", left_out, (*note(table), policy.sentence()))


def _means(cells: pl.DataFrame, described: pl.DataFrame, average: str) -> pl.DataFrame:
    """Turn sums by run and capability into raw, verified, gap and rank by run."""
    mean_of = pl.col("headline") if average == "declared" else pl.lit(average)
    runs = described.with_columns(average=mean_of)
    cells = cells.with_columns(pl.col("run_idx").cast(pl.Int64)).join(
        runs.select("run_idx", "average"), on="run_idx", how="left"
    )
    counted = pl.col("declared") > pl.col("hidden")
    macro = pl.col("average").first() == "macro"

    def mean(total: str) -> pl.Expr:
        """Null unless there is an item, and for a macro mean one in every capability that counts."""
        whole = (pl.col("n_verified").filter(counted) > 0).all()
        each = pl.when(whole).then((pl.col(total) / pl.col("n_verified")).filter(counted).mean())
        pooled = pl.when(pl.col("n_verified").sum() > 0).then(pl.col(total).sum() / pl.col("n_verified").sum())
        return pl.when(macro).then(each).otherwise(pooled)

    means = cells.group_by("run_idx", maintain_order=True).agg(
        pl.col("n", "n_verified").sum(), raw=mean("sum_raw_paired"), verified=mean("sum_verified")
    )
    means = means.join(runs, on="run_idx", how="left").with_columns(gap=pl.col("raw") - pl.col("verified"))
    # 12 decimals: equal sums in another order differ by 1e-16
    place = pl.col("verified").round(12).rank("min", descending=True).over([*RANKED_WITHIN, "kind"]).cast(pl.Int64)
    return means.with_columns(rank=pl.when(pl.col("kind") == "model").then(place))


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "setting that was varied"),
    Result("scope", "text", "declared population, where it is not every item"),
    Result("average", "text", "mean that every figure of the row is: macro or micro"),
    Result("rank_declared", "rank", "place by verified credit under the declared rubric"),
    Result("rank", "rank", "place under the policy's rubric"),
    Result("rank_change", "number", "places lost (above 0) or won (below 0)"),
    Result("raw", "proportion", "mean raw credit over the items that have a verified one"),
    Result("verified_declared", "proportion", "mean verified credit under the declared rubric"),
    Result("verified", "proportion", "mean verified credit under the policy's rubric"),
    Result("change", "points", "verified minus verified_declared"),
    Result("gap_declared", "points", "raw minus verified under the declared rubric"),
    Result("gap", "points", "raw minus verified under the policy's rubric"),
    Result("n", "count", "items with a raw credit"),
    Result("n_verified", "count", "items with raw and verified credit"),
    Result("unlabelled", "count", "items with a raw credit and no verified one"),
    Result("provenance", "text", "where the rows come from"),
    COLUMN,
)

QUESTION = Question(
    name="reweighted",
    title="Leaderboard under other weights",
    asks="What would the leaderboard be under other weights of the rubric?",
    source="PsycheMME, scoring contract; the weights are the reader's",
    needs="rationale labels",
    options=(AVERAGE,),
    columns=COLUMNS,
    ask=reweighted,
)
