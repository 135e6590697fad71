"""The last word on each source before a build: rows that belong to nothing, rubrics without weights."""

from __future__ import annotations

from pathlib import Path

import duckdb

from loaders.finish import orphans, unknown_rubrics
from loaders.parts import SPLIT, gather
from loaders.stage import count

Connection = duckdb.DuckDBPyConnection

NUMBERED = """
UPDATE stage.log.issues i SET issue = o.number FROM (
    SELECT issue, row_number() OVER (ORDER BY s.turn NULLS LAST, i.issue) AS number
    FROM stage.log.issues i LEFT JOIN stage.log.sources s USING (source_id)) o
WHERE o.issue = i.issue
"""
"""Issues in the order of their sources, whenever these were read."""


def attach(con: Connection, stage: Path) -> None:
    """Attach a finished staging file as `stage`, with one view on all rows of each split table."""
    con.execute("SET enable_progress_bar = false")
    con.execute(f"ATTACH '{str(stage).replace(chr(39), chr(39) * 2)}' AS stage")
    gather(con)


def settle(stage: Path) -> None:
    """Write into the staging file what is known of its sources only when all of them are read."""
    con = duckdb.connect()
    try:
        attach(con, stage)
        for table in SPLIT:
            for source_id, n, example in orphans(con, table):
                _orphans(con, table, source_id, n, example)
        for benchmark, rubric in unknown_rubrics(con):
            _unknown_rubric(con, benchmark, rubric)
        for benchmark, counts in mixed_provenances(con):
            _mixed(con, benchmark, counts)
        con.execute(NUMBERED)
    finally:
        con.close()


def _orphans(con: Connection, table: str, source_id: str | None, n: int, example: str) -> None:
    """Refuse staged rows that name a run or an item that no source described, and correct their source's account."""
    message = (
        f"{n} rows of {table} name a run or an item that no loaded file describes, e.g. {example}. "
        "Load the file with the items or the runs together with this one."
    )
    number = count(con, "SELECT coalesce(max(issue), 0) + 1 FROM stage.log.issues")
    con.execute(
        "INSERT INTO stage.log.issues VALUES (?, ?, NULL, ?, 'unknown_item', 'refused', ?, ?, NULL)",
        [number, source_id, table, n, message],
    )
    if table == "responses":
        con.execute(
            "UPDATE stage.log.sources SET kept = kept - ?, refused = refused + ? WHERE source_id = ?", [n, n, source_id]
        )


def mixed_provenances(con: Connection) -> list[tuple[str, str]]:
    """Return (benchmark, items by provenance) of benchmarks that hold simulated items beside others."""
    rows = con.execute(
        "SELECT benchmark, string_agg(n || ' ' || provenance, ' and ' ORDER BY n DESC, provenance) FROM ("
        "SELECT benchmark, provenance, count(*) AS n FROM stage.log.items GROUP BY benchmark, provenance) "
        "GROUP BY benchmark HAVING count(*) > 1 AND bool_or(provenance = 'reconstructed') ORDER BY benchmark"
    ).fetchall()
    return [(str(benchmark), str(counts)) for benchmark, counts in rows]


def _mixed(con: Connection, benchmark: str, counts: str) -> None:
    """Doubt a benchmark whose population is simulated items and others together: none of its means is one of either."""
    message = (
        f"The benchmark {benchmark} holds {counts} items: their population is that of neither log. Give your log a "
        "`benchmark` of its own, or build a store without the reconstructed one."
    )
    number = count(con, "SELECT coalesce(max(issue), 0) + 1 FROM stage.log.issues")
    con.execute(
        "INSERT INTO stage.log.issues "
        "VALUES (?, NULL, NULL, 'items.provenance', 'mixed_provenance', 'doubted', 0, ?, NULL)",
        [number, message],
    )


def _unknown_rubric(con: Connection, benchmark: str, rubric: str) -> None:
    """Doubt a benchmark whose rubric has no weights here: its verified credit is unknown."""
    message = (
        f"The benchmark {benchmark} names the rubric '{rubric}', whose weights logs/rubric.toml does not have: its "
        "verified credit is left unknown. Describe the rubric there and build again."
    )
    number = count(con, "SELECT coalesce(max(issue), 0) + 1 FROM stage.log.issues")
    con.execute(
        "INSERT INTO stage.log.issues "
        "VALUES (?, NULL, NULL, 'benchmarks.rubric', 'unknown_rubric', 'doubted', 0, ?, NULL)",
        [number, message],
    )
