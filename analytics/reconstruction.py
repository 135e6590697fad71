"""Reconstruction: how many printed figures of each table the shipped reconstructed rows meet, and which they do not.

The account is made with the rows by `python -m logs.generate` and lies beside them in report.csv.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import polars as pl

from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection, frame

FOLDER = Path(__file__).resolve().parent.parent / "logs" / "reconstructed"
STATUSES = ("matched", "assumption", "unreachable", "outside", "mismatch")
NEEDS = "reconstructed rows, as they ship with the project"
SOURCE = "logs/reconstructed/report.csv, made with the rows"

HELD = "SELECT count(*) AS n FROM items WHERE provenance = 'reconstructed'"


@cache
def report() -> pl.DataFrame:
    """Return the shipped account, every column as text: one row per printed figure."""
    return pl.read_csv(FOLDER / "report.csv", infer_schema=False)


def held(cursor: Connection, chosen: Slice) -> None:
    """Raise EmptySlice where the store has no reconstructed rows, which alone the account is about."""
    if not frame(cursor, HELD)["n"][0]:
        raise empty(chosen, needs=NEEDS)


def reconstruction(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Count what became of the printed figures of each published table in the reconstructed rows.

    One row per document and table. `checked` figures are those that rows can carry: `matched` ones come out at the
    printed digits (half-widths of intervals within 0.2 points), `assumption` ones under an assumption that the document
    does not state, `unreachable` ones cannot come out together with the others. `outside` figures are about nothing
    that a row carries. Slice and policy do not apply. Raises EmptySlice without reconstructed rows.
    """
    del policy
    held(cursor, chosen)
    counts = [(pl.col("status") == status).sum().cast(pl.Int64).alias(status) for status in STATUSES]
    checked = (pl.col("status") != "outside").sum().cast(pl.Int64)
    by_table = report().group_by("document", "place", "file", maintain_order=True)
    table = by_table.agg(pl.len().cast(pl.Int64).alias("figures"), checked.alias("checked"), *counts)
    return Answer(table, "rows re-aggregated with exact fractions", {"figures outside": int(table["outside"].sum())})


QUESTION = Question(
    name="reconstruction",
    title="Reconstruction by table",
    asks="Which printed figures do the reconstructed rows meet?",
    source=SOURCE,
    needs=NEEDS,
    options=(),
    columns=(
        Result("document", "text", "document"),
        Result("place", "text", "table or figure of the document"),
        Result("file", "text", "CSV that holds it"),
        Result("figures", "count", "printed figures"),
        Result("checked", "count", "figures that rows can carry"),
        Result("matched", "count", "come out at the printed digits"),
        Result("assumption", "count", "come out under an assumption that the document does not state"),
        Result("unreachable", "count", "cannot come out together with the others"),
        Result("outside", "count", "about nothing that a row carries"),
        Result("mismatch", "count", "neither met nor on the committed lists"),
    ),
    ask=reconstruction,
)
