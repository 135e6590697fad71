"""With and without some items: does a run's mean rest on one tier, capability or media type?"""

from __future__ import annotations

from typing import Any

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.errors import UnknownValue, listing
from analytics.leaderboard import SMALL_N, leaderboard
from analytics.policy import Policy
from analytics.populations import LEVELS
from analytics.questions import AVERAGE, LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.slices import Slice, dimensions
from analytics.store import Connection

KEYS = tuple(key for key in LEVELS if key != "tag")


def without(
    cursor: Connection, chosen: Slice, policy: Policy, *, key: str, value: str, by: str, average: str, level: float,
    resamples: int, seed: int,
) -> Answer:  # fmt: skip
    """Mean credit of each run on every item of the slice, and on the items that are left without one value of a key.

    One row per run. `credit` is the mean over the `n` items of the slice with a credit, `rest` the mean over the
    `n_rest` of them whose `key` is not `value`; `change` is rest minus credit. Both means are the leaderboard's, with
    its intervals; the two sets of items overlap, so that their intervals are not a test of the change. An empty
    `value` takes the last value of the key by name. Source: question leaderboard, asked twice. Raises EmptySlice when
    no run has an item, UnknownValue when the key has no such value here or no other.
    """
    known = dimensions(cursor, benchmarks=chosen.values("benchmark") or None)
    values = known.filter((pl.col("key") == key) & (pl.col("items") > 0))["value"].to_list()
    held = [one for one in values if not chosen.values(key) or one in chosen.values(key)]
    left = value or max(held, default="")
    if left not in held or len(held) < 2:
        raise UnknownValue(
            f"value is '{value}'; {key} has here: {listing(held) or 'no value'}. Name one, and keep another."
        )
    asked: dict[str, Any] = {"by": by, "average": average, "level": level, "resamples": resamples, "seed": seed}
    whole = leaderboard(cursor, chosen, policy, **asked)
    rest = leaderboard(cursor, chosen.with_choice(key, [one for one in held if one != left]), policy, **asked)
    ends = ("", "_low", "_high")
    sides = [
        answer.table.select("run", **{f"{name}{end}": pl.col(f"{by}{end}") for end in ends}, **{n: pl.col("n")})
        for answer, name, n in ((whole, "credit", "n"), (rest, "rest", "n_rest"))
    ]
    about = whole.table.select(
        "benchmark", "run", "model", "kind", "regime", "condition", "scope", "average", "provenance"
    )
    table = about.join(sides[0], on="run", how="left", maintain_order="left")
    table = table.join(sides[1], on="run", how="left", maintain_order="left").with_columns(
        pl.col("n_rest").fill_null(0), key=pl.lit(key), value=pl.lit(left), by=pl.lit(by),
        change=pl.col("rest") - pl.col("credit"),
    )  # fmt: skip
    table = table.with_columns(small_n=pl.col("n_rest") < SMALL_N)
    options = {"key": key, "value": left, "by": by, "average": average}
    table = mark(cursor, table, chosen, question="without", options=options, column="rest", policy=policy)
    table = table.select(column.name for column in COLUMNS)
    return Answer(table, whole.method, whole.left_out, (*note(table), policy.sentence()), whole.seed)


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "setting that was varied"),
    Result("scope", "text", "declared population, where it is not every item"),
    Result("key", "text", "slice key of the items that are left out"),
    Result("value", "text", "its value that is left out"),
    Result("by", "text", "credit that is averaged: raw or verified"),
    Result("average", "text", "mean that both are: macro or micro"),
    Result("credit", "proportion", "mean on every item of the slice"),
    Result("credit_low", "proportion", "lower end of its interval"),
    Result("credit_high", "proportion", "upper end of its interval"),
    Result("rest", "proportion", "mean on the items that are left"),
    Result("rest_low", "proportion", "lower end of its interval"),
    Result("rest_high", "proportion", "upper end of its interval"),
    Result("change", "points", "rest minus credit"),
    Result("n", "count", "items with a credit"),
    Result("n_rest", "count", "those of them that are left"),
    Result("small_n", "boolean", "fewer than 30 items are left"),
    Result("provenance", "text", "where the rows come from"),
    COLUMN,
)

QUESTION = Question(
    name="without",
    title="With and without some items",
    asks="What does each run earn when the items of one tier, capability or media type are left out?",
    source="question leaderboard: Wilson 1927, doi:10.1080/01621459.1927.10502953; Efron 1979",
    needs="items that state the key",
    options=(
        Option("key", "choice", "tier", "slice key of the items that are left out", allowed=KEYS),
        Option("value", "text", "", "its value that is left out; empty: the last one by name"),
        Option("by", "choice", "raw", "credit that is averaged", allowed=("raw", "verified")),
        AVERAGE,
        LEVEL,
        RESAMPLES,
        SEED,
    ),
    columns=COLUMNS,
    ask=without,
)
