"""Crossed cells: one share of right answers per run in each pair of values of two slice keys."""

from __future__ import annotations

import polars as pl

from analytics.cells import COLUMNS as CELLS
from analytics.cells import QUESTION as OF_CELLS
from analytics.cells import cells
from analytics.determined import mark, note
from analytics.errors import EmptySlice, UnknownValue
from analytics.policy import Policy
from analytics.populations import LEVELS
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import NONE, Slice, dimensions, empty
from analytics.store import Connection

SMALL_N = 30


def crossed(
    cursor: Connection, chosen: Slice, policy: Policy, *, level_of: str, across: str, method: str, level: float
) -> Answer:
    """Share of right answers of each run in each pair of values of two slice keys, with its interval.

    One row per run, value of `level_of` and value of `across` (`other`); pairs without an item have no row, and items
    that state nothing for `across` are left out. Everything else is as in question cells, asked for each value of
    `across` in turn: `rate` is k / n in [0, 1], and where trials are not independent or not worth 0 or 1 the interval
    is null with a `reason`. Source: question cells. Raises EmptySlice when no pair has an item, UnknownValue when both
    keys are the same.
    """
    if level_of == across:
        raise UnknownValue(f"across is '{across}', which level_of names already. Name another slice key.")
    known = dimensions(cursor, benchmarks=chosen.values("benchmark") or None)
    values = known.filter((pl.col("key") == across) & (pl.col("value") != NONE))["value"].to_list()
    wanted = [value for value in values if not chosen.values(across) or value in chosen.values(across)]
    parts, left_out = [], dict.fromkeys(("items whose answer the benchmark hides",), 0)
    for value in wanted:
        try:
            part = cells(
                cursor, chosen.with_choice(across, [value]), policy, level_of=level_of, method=method, level=level
            )
        except EmptySlice:
            continue
        parts.append(part.table.with_columns(across=pl.lit(across), other=pl.lit(value)))
        left_out = {says: left_out.get(says, 0) + n for says, n in part.left_out.items()}
        how = part.method
    if not parts:
        raise empty(chosen, needs=f"a run and a value of {across}")
    table = pl.concat(parts).with_columns(small_n=pl.col("n") < SMALL_N)
    options = {"level_of": level_of, "across": across}
    table = mark(cursor, table.drop("determined"), chosen, question="crossed", options=options, policy=policy)
    order = ["benchmark", "scope", "regime", "condition", pl.col("kind") != "model", "run", "value", "other"]
    table = table.sort(order).select(column.name for column in COLUMNS)
    return Answer(table, how, left_out, (*note(table), policy.sentence()))


COLUMNS = (
    *CELLS[: [column.name for column in CELLS].index("value") + 1],
    Result("across", "text", "slice key that other is a value of"),
    Result("other", "text", "value of the second slice key"),
    *CELLS[[column.name for column in CELLS].index("value") + 1 : -2],
    Result("small_n", "boolean", "fewer than 30 items"),
    *CELLS[-2:],
)

QUESTION = Question(
    name="crossed",
    title="Two splits crossed",
    asks="How well does each run do where two properties of the items meet?",
    source=OF_CELLS.source,
    needs="items that state both keys, and runs with credit on them",
    options=(
        *OF_CELLS.options[:1],
        Option("across", "choice", "axis", "second slice key", allowed=LEVELS),
        *OF_CELLS.options[1:],
    ),
    columns=COLUMNS,
    ask=crossed,
)
