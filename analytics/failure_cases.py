"""Failures of one cause: which responses are they?"""

from __future__ import annotations

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.failure_rows import LABELLER, NEEDS, failure_rows, notes_of
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection

CAUSE = Option("cause", "text", "", "cause or family of causes; empty: every labelled failure")
MOST = Option("most", "integer", 500, "failures that are listed", low=1, high=100_000)


def failure_cases(cursor: Connection, chosen: Slice, policy: Policy, *, cause: str, labeller: str, most: int) -> Answer:
    """List the labelled failures of main runs that have one cause, or a cause of one family.

    One row per failed response and labeller, items on which most runs have it first: `alike` runs fail on the item for
    that cause, of the `failing` runs with a labelled failure there. `total` counts the failures found, of which the
    first `most` are listed. Source: counts of the store's rows. Raises EmptySlice without such a failure, UnknownValue
    for a labeller that is not there.
    """
    rows, left_out = failure_rows(cursor, chosen, policy, labeller=labeller, main=True)
    rows = rows.with_columns(failing=pl.col("run_idx").n_unique().over("item_idx"))
    if cause:
        rows = rows.filter((pl.col("cause") == cause) | (pl.col("family") == cause))
    if not rows.height:
        raise empty(chosen, needs=f"failures with the cause or family '{cause}'")
    found = rows.with_columns(alike=pl.col("run_idx").n_unique().over("item_idx"), total=pl.len())
    found = found.sort(-pl.col("alike").cast(pl.Int64), "item_idx", "run_idx", "attempt", "labeller").head(most)
    found = found.with_columns(pl.col(name).cast(pl.Int64) for name in ("attempt", "alike", "failing", "total"))
    table = found.select([column.name for column in COLUMNS[:-1]])
    table = mark(cursor, table, chosen, question="failure_cases", options={})
    left_out |= {f"failures beyond the first {most}": rows.height - table.height}
    return Answer(table, "labels as logged", left_out, (*notes_of(rows), *note(table)))


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("item", "text", "item"),
    Result("capability", "text", "primary slice"),
    Result("subcapability", "text", "finer slice"),
    Result("media_type", "text", "media type"),
    Result("run", "text", "run that failed"),
    Result("model", "text", "system"),
    Result("attempt", "count", "attempt"),
    Result("family", "text", "family of the cause"),
    Result("cause", "text", "cause"),
    Result("labeller", "text", "who named it"),
    Result("alike", "count", "runs that fail on the item for the cause asked for"),
    Result("failing", "count", "runs with a labelled failure on the item"),
    Result("total", "count", "failures found"),
    COLUMN,
)

QUESTION = Question(
    name="failure_cases",
    title="Failures of one cause",
    asks="Which responses failed for this cause?",
    source="counts of the store's rows",
    needs=NEEDS,
    options=(CAUSE, LABELLER, MOST),
    columns=COLUMNS,
    ask=failure_cases,
)
