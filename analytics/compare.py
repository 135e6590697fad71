"""Two runs item by item: what did the second fix, and what did it break?"""

from __future__ import annotations

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.errors import UnknownValue, listing
from analytics.panel_runs import panel_runs
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.scores import scores
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

OUTCOMES = ("fixed", "broken", "both right", "both wrong", "equal partial credit")

NAMES = "SELECT item_idx, item_id AS item FROM item_dims"


def compare(cursor: Connection, chosen: Slice, policy: Policy, *, a: str, b: str, show: str) -> Answer:
    """Compare two runs on the items that both have a credit for.

    With `show` "counts", one row per outcome with the number and share of common items; with "items", one row per
    common item, changed ones first. Outcomes by raw credit: "fixed" (b earns more than a), "broken" (less), "both
    right" (full credit), "both wrong" (none), "equal partial credit". `share` is over the `n` common items; `change` is
    b's credit minus a's. Items that one of the runs has no credit for are left out and counted. `a` and `b` are runs,
    or models with one main run.
    Source: counts of the store's rows; for a test see question pairwise. Raises UnknownValue when `a` or `b` names no
    run or several, EmptySlice when they have no item in common.
    """
    picked = [_one(cursor, chosen, name, option) for name, option in ((a, "a"), (b, "b"))]
    names = [str(row["run"]) for row in picked]
    rows = scores(cursor, chosen.with_choice("run", names), policy)
    kept = ("item_idx", "benchmark", "capability", "raw", "ballot", "hidden")
    sides = [rows.filter(pl.col("run_idx") == row["run_idx"]).select(kept) for row in picked]
    joined = sides[0].join(sides[1], on="item_idx", how="full", coalesce=True, suffix="_b")
    joined = joined.with_columns(pl.coalesce("hidden", "hidden_b").alias("hidden"))
    common = joined.filter(pl.col("raw").is_not_null() & pl.col("raw_b").is_not_null())
    if not common.height:
        raise empty(chosen, needs=f"an item that {names[0]} and {names[1]} have in common")
    judged = common.with_columns(change=(pl.col("raw_b") - pl.col("raw")).round(12)).with_columns(outcome=_outcome())
    judged = judged.with_columns(a=pl.lit(names[0]), b=pl.lit(names[1]), n=pl.lit(common.height, pl.Int64))
    shown = _counts(judged) if show == "counts" else _items(cursor, judged)
    table = table_of(shown.to_dicts(), COLUMNS[:-1])
    table = mark(cursor, table, chosen, question="compare", options={"show": show}, policy=policy)
    one = pl.col("raw").is_null() != pl.col("raw_b").is_null()
    left_out = {
        "items whose answer the benchmark hides": int(joined["hidden"].sum()),
        f"items that only {names[0]} has a credit for": joined.filter(one & pl.col("raw").is_not_null()).height,
        f"items that only {names[1]} has a credit for": joined.filter(one & pl.col("raw_b").is_not_null()).height,
        "items that neither has a credit for": joined.filter(
            pl.col("raw").is_null() & pl.col("raw_b").is_null() & ~pl.col("hidden")
        ).height,
    }
    return Answer(table, "raw credit of two runs on their common items", left_out, (*note(table), policy.sentence()))


def _one(cursor: Connection, chosen: Slice, name: str, option: str) -> dict[str, object]:
    """Return the one run that a name stands for."""
    if not name:
        main = panel_runs(cursor, chosen, panel="all")
        raise UnknownValue(f"{option} is empty: name a run or a model, such as {listing(main['run'], most=5)}.")
    found = panel_runs(cursor, chosen, panel=name)
    if found.height != 1:
        raise UnknownValue(
            f"{option} is '{name}', which stands for {found.height} runs: {listing(found['run'])}. Name one."
        )
    return found.row(0, named=True)


def _outcome() -> pl.Expr:
    change, raw = pl.col("change"), pl.col("raw")
    return (
        pl.when(change > 0).then(pl.lit("fixed"))
        .when(change < 0).then(pl.lit("broken"))
        .when(raw == 1).then(pl.lit("both right"))
        .when(raw == 0).then(pl.lit("both wrong"))
        .otherwise(pl.lit("equal partial credit"))
    )  # fmt: skip


def _counts(judged: pl.DataFrame) -> pl.DataFrame:
    """Return one row per outcome and benchmark version, outcomes that do not occur with a count of 0."""
    every = judged.select("benchmark", "a", "b", "n").unique().join(pl.DataFrame({"outcome": OUTCOMES}), how="cross")
    counted = judged.group_by("outcome").agg(items=pl.len().cast(pl.Int64), change=pl.col("change").mean())
    order = {name: at for at, name in enumerate(OUTCOMES)}
    table = every.join(counted, on="outcome", how="left").with_columns(pl.col("items").fill_null(0))
    table = table.with_columns(share=pl.col("items") / pl.col("n"), order=pl.col("outcome").replace_strict(order))
    return table.sort("benchmark", "order")


def _items(cursor: Connection, judged: pl.DataFrame) -> pl.DataFrame:
    """Return one row per item, changed items first."""
    order = {name: at for at, name in enumerate(OUTCOMES)}
    named = judged.join(frame(cursor, NAMES), on="item_idx", how="left").with_columns(
        order=pl.col("outcome").replace_strict(order), items=pl.lit(1, pl.Int64)
    )
    named = named.rename({"raw": "raw_a", "ballot": "answer_a", "ballot_b": "answer_b"})
    return named.sort("order", "capability", "item")


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("a", "text", "first run"),
    Result("b", "text", "second run"),
    Result("outcome", "text", "fixed, broken, both right, both wrong, or equal partial credit"),
    Result("items", "count", "items with the outcome"),
    Result("share", "proportion", "share of the common items; null in the listing"),
    Result("n", "count", "items that both runs have a credit for"),
    Result("item", "text", "item; null in the counts"),
    Result("capability", "text", "its capability"),
    Result("raw_a", "proportion", "first run's credit"),
    Result("raw_b", "proportion", "second run's credit"),
    Result("change", "points", "b minus a; the mean over the outcome's items in the counts"),
    Result("answer_a", "text", "first run's answer at its first attempt, if valid"),
    Result("answer_b", "text", "second run's answer at its first attempt, if valid"),
    COLUMN,
)

QUESTION = Question(
    name="compare",
    title="Two runs item by item",
    asks="What did the second run fix, and what did it break?",
    source="counts of the store's rows",
    needs="two runs over common items",
    options=(
        Option("a", "text", "", "first run, or a model with one main run"),
        Option("b", "text", "", "second run, or a model with one main run"),
        Option("show", "choice", "counts", "counts of outcomes, or every item", allowed=("counts", "items")),
    ),
    columns=COLUMNS,
    ask=compare,
)
