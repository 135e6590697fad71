"""Claims: what the documents say in numbers, recomputed, with a status and the reason."""

from __future__ import annotations

import polars as pl

from analytics.audit.kind import STATUSES
from analytics.audit.report import claims_frame
from analytics.audit.run import audit
from analytics.audit.tables import embedded
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import Slice
from analytics.store import Connection

METHOD = (
    "interval arithmetic over the rounding of the printed inputs; rows of the store where a claim asks for them; "
    "reproduced: from the inputs as printed; consistent: only the intervals meet; conditional: under a departure that "
    "the document allows; contradicted: under none"
)

STATUS = Option("status", "choice", "every", "one status only", allowed=("every", *STATUSES))
DOCUMENT = Option("document", "text", "", "one document only; empty takes all")


def chosen_rows(table: pl.DataFrame, *, document: str, status: str) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return the rows that a reader chose, and how many were left out by that choice."""
    kept = table
    if document:
        kept = kept.filter(pl.col("document") == document)
    if status != "every":
        kept = kept.filter(pl.col("status") == status)
    left = table.height - kept.height
    return kept, {"of another document or status": left} if left else {}


def claims(cursor: Connection, chosen: Slice, policy: Policy, *, document: str, status: str) -> Answer:
    """Check every claim of the published documents.

    One row per claim. `printed` is the text; `recomputed`, `low` and `high` are in the printed unit, null where a claim
    has no single number. Slice and policy do not apply: a claim names its own rows.
    """
    del chosen, policy
    found = audit(embedded(), claims=None, cursor=cursor)
    table, left = chosen_rows(claims_frame(found), document=document, status=status)
    return Answer(table, METHOD, left)


QUESTION = Question(
    name="claims",
    title="Claims",
    asks="Which statements of the papers follow from their own figures and from the rows?",
    source="GRIM: Brown and Heathers 2017, doi:10.1177/1948550616673876; statcheck: Nuijten et al. 2016, "
    "doi:10.3758/s13428-015-0664-2",
    needs="nothing; rows for the claims that ask for them",
    options=(DOCUMENT, STATUS),
    columns=(
        Result("id", "text", "short name of the claim"),
        Result("document", "text", "document that makes it"),
        Result("place", "text", "where in the document"),
        Result("statement", "text", "what is said, in our words"),
        Result("status", "text", "reproduced, consistent, conditional, contradicted or not_checkable"),
        Result("printed", "text", "the figure as printed"),
        Result("recomputed", "number", "the recomputed number, in the printed unit"),
        Result("low", "number", "least number that the printed inputs allow"),
        Result("high", "number", "greatest number that the printed inputs allow"),
        Result("off", "number", "by how much it fails, in the printed unit; null where it holds"),
        Result("unit", "text", "unit of the printed figure"),
        Result("n", "count", "cases behind it, where printed"),
        Result("kind", "text", "kind of check"),
        Result("why", "text", "formula, inputs and assumption"),
    ),
    ask=claims,
)
