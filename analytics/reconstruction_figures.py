"""Reconstruction, figure by figure: printed beside reached, and why not where they differ."""

from __future__ import annotations

import polars as pl

from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.reconstruction import NEEDS, SOURCE, STATUSES, held, report
from analytics.slices import Slice
from analytics.store import Connection


def reconstruction_figures(cursor: Connection, chosen: Slice, policy: Policy, *, status: str) -> Answer:
    """Return printed figures beside what the reconstructed rows give.

    One row per figure. `reached` is rounded as printed where it matches, with two more digits where it does not, and
    null where rows carry nothing of the kind. `exceptions` are those that are unreachable or met under an assumption.
    Slice and policy do not apply. Raises EmptySlice without reconstructed rows.
    """
    del policy
    held(cursor, chosen)
    wanted = {"exceptions": ["assumption", "unreachable", "mismatch"], "all": [*STATUSES]}.get(status, [status])
    table = report().filter(pl.col("status").is_in(wanted))
    return Answer(
        table, "rows re-aggregated with exact fractions", {"figures of another outcome": report().height - table.height}
    )


QUESTION = Question(
    name="reconstruction_figures",
    title="Reconstruction by figure",
    asks="Which value do the reconstructed rows give for each printed figure?",
    source=SOURCE,
    needs=NEEDS,
    options=(Option("status", "choice", "exceptions", "which figures", allowed=("exceptions", *STATUSES, "all")),),
    columns=(
        Result("document", "text", "document"),
        Result("place", "text", "table or figure of the document"),
        Result("file", "text", "CSV that holds it"),
        Result("row", "text", "row of the table"),
        Result("column", "text", "column of the table"),
        Result("printed", "text", "text as printed"),
        Result("reached", "text", "value that the rows give"),
        Result("status", "text", "what became of it"),
        Result("reason", "text", "assumption, or why rows cannot give it"),
    ),
    ask=reconstruction_figures,
)
