"""Table checks: every printed cell in every identity that it takes part in."""

from __future__ import annotations

import polars as pl

from analytics.audit.report import cells_frame
from analytics.audit.run import audit
from analytics.audit.tables import embedded
from analytics.claims import DOCUMENT, METHOD, STATUS, chosen_rows
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import Slice
from analytics.store import Connection


def table_checks(
    cursor: Connection, chosen: Slice, policy: Policy, *, document: str, status: str, file: str, role: str
) -> Answer:
    """Check every identity of the published tables.

    One row per printed cell and check. `role` says whether the check recomputes the cell (target) or rests on it
    (input). All cells of a contradiction carry it, since numbers alone do not tell which of them is wrong. Slice and
    policy do not apply: an identity names its own cells and rows.
    """
    del chosen, policy
    found = audit(embedded(), claims=[], cursor=cursor)
    table, left = chosen_rows(cells_frame(found), document=document, status=status)
    if file:
        table = table.filter(pl.col("file") == file)
    if role != "every":
        table = table.filter(pl.col("role") == role)
    return Answer(table, METHOD, left)


QUESTION = Question(
    name="table_checks",
    title="Checks of the printed tables",
    asks="Do the printed tables obey the sums, means, counts and intervals that they should?",
    source="GRIM: Brown and Heathers 2017, doi:10.1177/1948550616673876",
    needs="nothing; rows for the values that are recomputed from them",
    options=(
        DOCUMENT,
        STATUS,
        Option("file", "text", "", "one table only; empty takes all"),
        Option(
            "role",
            "choice",
            "target",
            "recomputed cells, cells that checks rest on, or every",
            ("target", "input", "every"),
        ),
    ),
    columns=(
        Result("document", "text", "document that prints the table"),
        Result("file", "text", "CSV that holds the table"),
        Result("place", "text", "table or figure of the document"),
        Result("row", "text", "key columns of the row, joined with ' / '"),
        Result("column", "text", "column of the CSV"),
        Result("check", "text", "identity that the cell takes part in"),
        Result("kind", "text", "kind of check"),
        Result("role", "text", "target: recomputed; input: rested on"),
        Result("status", "text", "reproduced, consistent, conditional, contradicted or not_checkable"),
        Result("printed", "text", "the cell as printed"),
        Result("recomputed", "number", "the recomputed number, in the printed unit"),
        Result("low", "number", "least number that the printed inputs allow"),
        Result("high", "number", "greatest number that the printed inputs allow"),
        Result("off", "number", "by how much it fails, in the printed unit; null where it holds"),
        Result("why", "text", "formula, inputs and assumption"),
    ),
    ask=table_checks,
)
