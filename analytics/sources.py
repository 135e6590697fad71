"""Sources: which files were read, by which reader, and what was kept of them."""

from __future__ import annotations

import polars as pl

from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.schema import SOURCES
from analytics.slices import Slice
from analytics.store import Connection, frame

SQL = """
SELECT source_id, path, argument, loader, loader_version, role, provenance, seen, kept, refused, doubted, trust,
       array_to_string(benchmarks, ', ') AS benchmarks, turn, places, bytes, modified, sha256
FROM sources ORDER BY argument, path
"""


def sources(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Return the load report.

    One row per file or log folder: records seen = kept + refused. Slice and policy do not apply to files.
    """
    del chosen, policy
    table = frame(cursor, SQL)
    left = {
        "records refused": int(table["refused"].sum() or 0),
        "files refused": table.filter(pl.col("role") == "refused").height,
    }
    return Answer(table, "account of the build", left)


MEANINGS = {column.name: column.meaning for column in SOURCES.columns}
COUNTS = ("turn", "seen", "kept", "refused", "doubted", "bytes")

QUESTION = Question(
    name="sources",
    title="Sources",
    asks="Which files were read, and what was kept of them?",
    source="account of the build",
    needs="any log",
    options=(),
    columns=tuple(
        Result(name, "count" if name in COUNTS else "number" if name == "modified" else "text", MEANINGS[name])
        for name in (
            "source_id",
            "path",
            "argument",
            "loader",
            "loader_version",
            "role",
            "provenance",
            "seen",
            "kept",
            "refused",
            "doubted",
            "trust",
            "benchmarks",
            "turn",
            "places",
            "bytes",
            "modified",
            "sha256",
        )
    ),
    ask=sources,
)
