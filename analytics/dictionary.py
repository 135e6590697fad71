"""Dictionary: every table and column of the store, in words."""

from __future__ import annotations

import polars as pl

from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.schema import TABLES
from analytics.slices import Slice
from analytics.store import Connection


def dictionary(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Return the data dictionary, made from the schema that the store is built from.

    One row per table and column. Slice and policy do not apply.
    """
    del cursor, chosen, policy
    rows = [
        {
            "table": table.name,
            "grain": table.grain,
            "column": column.name,
            "kind": column.kind,
            "key": column.name in table.key,
            "null": column.null,
            "unit": column.unit,
            "allowed": None if column.allowed is None else ", ".join(column.allowed),
            "meaning": column.meaning,
        }
        for table in TABLES.values()
        for column in table.columns
    ]
    return Answer(pl.DataFrame(rows, infer_schema_length=None), "the schema", {})


QUESTION = Question(
    name="dictionary",
    title="Data dictionary",
    asks="What does each column mean?",
    source="analytics/schema.py",
    needs="nothing",
    options=(),
    columns=(
        Result("table", "text", "table"),
        Result("grain", "text", "what one row is"),
        Result("column", "text", "column"),
        Result("kind", "text", "type"),
        Result("key", "boolean", "part of the key"),
        Result("null", "boolean", "may be null"),
        Result("unit", "text", "unit"),
        Result("allowed", "text", "closed vocabulary"),
        Result("meaning", "text", "what it holds"),
    ),
    ask=dictionary,
)
