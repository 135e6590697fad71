"""Rows of an existing build carried into the staging of the next one, and rows of a source taken out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from analytics.schema import TABLES

Connection = duckdb.DuckDBPyConnection

INDEXED = ("responses", "verdicts", "failure_labels")


def carry(con: Connection, build: Path) -> None:
    """Copy every row of the finished build at `build` into `log`, text keys restored.

    Issues of the store as a whole stay behind: the next build finds them again where they still hold.
    """
    con.execute(f"ATTACH '{str(build).replace(chr(39), chr(39) * 2)}' AS old (READ_ONLY)")
    for name, table in TABLES.items():
        columns = ", ".join(table.names())
        origin = f"log_{name}" if name in INDEXED else name
        con.execute(f"INSERT INTO log.{name} BY NAME SELECT {columns} FROM old.{origin}")
    con.execute("DELETE FROM log.issues WHERE source_id IS NULL")
    con.execute("DETACH old")


def forget(con: Connection, source_ids: Sequence[str]) -> None:
    """Take the rows of these sources out of `log`, and all that no other source says something about.

    What another source still uses stays as the two were merged.
    """
    gone = list(source_ids)
    for name in ("responses", "verdicts", "failure_labels", "comparisons", "figures", "claims", "issues", "sources"):
        con.execute(f"DELETE FROM log.{name} WHERE source_id = ANY(?)", [gone])
    for name in ("runs", "items", "item_tags", "criteria", "option_types", "benchmarks"):
        con.execute(f"DELETE FROM log.{name} WHERE benchmark NOT IN (SELECT unnest(benchmarks) FROM log.sources)")
    con.execute(
        "DELETE FROM log.runs WHERE source_id = ANY(?) AND run_id NOT IN (SELECT run_id FROM log.responses) "
        "AND run_id NOT IN (SELECT run_a FROM log.comparisons UNION ALL SELECT run_b FROM log.comparisons)",
        [gone],
    )
    con.execute(
        "DELETE FROM log.judges WHERE source_id = ANY(?) AND judge_id NOT IN (SELECT judge_id FROM log.verdicts) "
        "AND judge_id NOT IN (SELECT judge_id FROM log.comparisons)",
        [gone],
    )
