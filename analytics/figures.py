"""Figures: what the papers print, cell by cell."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.schema import FIGURES
from analytics.slices import Slice
from analytics.store import Connection, frame

SQL = """
SELECT document, file, place, row_key, column_name, printed, value, decimals, unit, n, meaning, provenance
FROM figures
WHERE ($document = '' OR document = $document) AND ($file = '' OR file = $file)
ORDER BY document, file, rowid
"""


def figures(cursor: Connection, chosen: Slice, policy: Policy, *, document: str, file: str) -> Answer:
    """Return published figures as they are printed.

    One row per printed cell; cells that the document leaves empty are not rows. `value` is the number printed, in the
    printed unit. Slice and policy do not apply: these are figures of the documents, not of the rows.
    """
    del chosen, policy
    return Answer(frame(cursor, SQL, {"document": document, "file": file}), "transcribed from the document", {})


MEANINGS = {column.name: column.meaning for column in FIGURES.columns}

QUESTION = Question(
    name="figures",
    title="Published figures",
    asks="What do the papers print?",
    source="the documents named in the column document",
    needs="a folder of published tables",
    options=(
        Option("document", "text", "", "one document only; empty takes all"),
        Option("file", "text", "", "one table only; empty takes all"),
    ),
    columns=tuple(
        Result(name, "count" if name in ("decimals", "n") else "number" if name == "value" else "text", MEANINGS[name])
        for name in (
            "document",
            "file",
            "place",
            "row_key",
            "column_name",
            "printed",
            "value",
            "decimals",
            "unit",
            "n",
            "meaning",
            "provenance",
        )
    ),
    ask=figures,
)
