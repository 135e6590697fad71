"""From staged rows to a served build: integer keys, sort orders, views, scores, the cube."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable
from pathlib import Path

import duckdb

from analytics.schema import LOG_TABLES, STORE_VERSION, TABLES
from loaders.pairs import fill_pairs
from loaders.scores import create_scores
from loaders.stage import count
from loaders.trust import write_trust

Connection = duckdb.DuckDBPyConnection

ROOT = Path(__file__).resolve().parent.parent
ASKED = ROOT / "analytics" / "asked.sql"
VIEWS = ROOT / "analytics" / "views.sql"
CUBE = ROOT / "analytics" / "cube.sql"
RUBRIC = ROOT / "logs" / "rubric.toml"

PLAIN = ("benchmarks", "item_tags", "criteria", "option_types", "judges", "comparisons", "figures", "claims", "sources")
"""Tables that keep their text keys: nothing large joins them."""

SORTED_ROWS = 2_000_000
"""Up to so many responses the large tables are sorted; more lie about as their logs have them: sorting takes
more memory than all the rest, and finds a case no sooner than a scan does. Nothing relies on the order."""

STEPS = 6
"""Long steps of writing a build."""

ENUMS = {"status": "status_enum", "coverage": "coverage_enum", "evidence": "evidence_enum", "logic": "logic_enum"}

CELLS = """
CREATE TABLE cells AS
SELECT (row_number() OVER (ORDER BY benchmark, capability, subcapability, axis, media_type, answer_type,
       tier) - 1)::INTEGER AS cell_idx, * FROM (
    SELECT DISTINCT benchmark, coalesce(capability, 'none') AS capability,
           coalesce(subcapability, 'none') AS subcapability, coalesce(axis, 'none') AS axis,
           coalesce(media_type, 'none') AS media_type, answer_type, coalesce(tier, 'none') AS tier
    FROM stage.log.items)
"""

ITEMS = """
CREATE TABLE items AS
SELECT (row_number() OVER (ORDER BY i.benchmark, i.item_id) - 1)::INTEGER AS item_idx, c.cell_idx, i.*
FROM stage.log.items i
JOIN cells c ON c.benchmark = i.benchmark AND c.capability = coalesce(i.capability, 'none')
  AND c.subcapability = coalesce(i.subcapability, 'none') AND c.axis = coalesce(i.axis, 'none')
  AND c.media_type = coalesce(i.media_type, 'none') AND c.answer_type = i.answer_type
  AND c.tier = coalesce(i.tier, 'none')
ORDER BY item_idx
"""

RUNS = """
CREATE TABLE runs AS
SELECT (row_number() OVER (ORDER BY benchmark, run_id) - 1)::INTEGER AS run_idx, *
FROM stage.log.runs ORDER BY run_idx
"""

DIMENSIONS = """
CREATE TABLE dimensions AS
WITH item_values AS (
    UNPIVOT (SELECT item_idx, benchmark, benchmark AS benchmark_value, capability, subcapability, axis, media_type,
                    answer_type, tier FROM item_dims)
    ON benchmark_value, capability, subcapability, axis, media_type, answer_type, tier INTO NAME key VALUE value
),
run_values AS (
    UNPIVOT (SELECT run_idx, run_benchmark AS benchmark, run_id AS run, model, vendor, access, kind, regime, condition,
                    provenance FROM run_dims)
    ON run, model, vendor, access, kind, regime, condition, provenance INTO NAME key VALUE value
)
SELECT replace(key, 'benchmark_value', 'benchmark') AS key, value, benchmark,
       count(DISTINCT item_idx) AS items, 0::BIGINT AS runs
FROM item_values GROUP BY ALL
UNION ALL
SELECT 'tag', tag, benchmark, count(DISTINCT item_id), 0 FROM item_tags GROUP BY tag, benchmark
UNION ALL
SELECT key, value, benchmark, 0, count(DISTINCT run_idx) FROM run_values GROUP BY ALL
ORDER BY key, value, benchmark
"""


def orphans(con: Connection, table: str) -> list[tuple[str | None, int, str]]:
    """Return (source_id, rows, example) of staged rows whose run or item no source described."""
    rows = con.execute(
        f"SELECT f.source_id, count(*), min(f.run_id || ' / ' || f.item_id) FROM staged_{table} f "
        "LEFT JOIN stage.log.runs r ON r.run_id = f.run_id "
        "LEFT JOIN stage.log.items i ON i.benchmark = r.benchmark AND i.item_id = f.item_id "
        "WHERE i.item_id IS NULL GROUP BY f.source_id ORDER BY f.source_id"
    ).fetchall()
    return [(row[0], int(row[1]), str(row[2])) for row in rows]


def finish(con: Connection, *, on_step: Callable[[int, int], None]) -> dict[str, int]:
    """Build every table and view of a served store in `con`, whose attached database `stage` holds the rows.

    `on_step` is told, before each of the long steps, which of how many it is; what it raises ends the build.
    Returns the number of rows by table. Up to SORTED_ROWS responses are sorted for the case page (item, run, attempt),
    scores for the leaderboard (run, item).
    """
    con.execute("SET preserve_insertion_order = true")
    con.execute("SET enable_external_file_cache = false")  # each part is read once
    on_step(0, STEPS)
    for column, name in ENUMS.items():
        allowed = LOG_TABLES["responses"].column(column).allowed or ()
        con.execute(f"CREATE TYPE {name} AS ENUM ({', '.join(repr(word) for word in allowed)})")
    con.execute(CELLS)
    con.execute(ITEMS)
    con.execute(RUNS)
    for name in PLAIN:
        order = ", ".join(TABLES[name].key)
        con.execute(f"CREATE TABLE {name} AS SELECT * FROM stage.log.{name} ORDER BY {order}")
    con.execute("CREATE TABLE issues AS SELECT * FROM stage.log.issues ORDER BY issue")
    many = count(con, "SELECT count(*) FROM staged_responses") > SORTED_ROWS
    con.execute(f"SET preserve_insertion_order = {not many}")  # keeping it holds many rows in memory
    on_step(1, STEPS)
    _indexed(con, "responses", "" if many else "ORDER BY item_idx, run_idx, attempt")
    on_step(2, STEPS)
    _indexed(con, "verdicts", "" if many else "ORDER BY item_idx, run_idx, attempt, judge_id, criterion")
    _indexed(con, "failure_labels", "ORDER BY item_idx, run_idx, attempt, labeller")
    on_step(3, STEPS)
    _rubrics(con)
    con.execute("SET preserve_insertion_order = true")
    con.execute(ASKED.read_text(encoding="utf-8"))
    con.execute(VIEWS.read_text(encoding="utf-8"))
    create_scores(con, order="" if many else "ORDER BY run_idx, item_idx")
    on_step(4, STEPS)
    _cube(con)
    on_step(5, STEPS)
    con.execute(DIMENSIONS)
    write_trust(con)
    rows = {
        name: count(con, f"SELECT count(*) FROM {name}")
        for name in (*TABLES, "scores", "cube", "cube_levels", "cube_pairs")
    }
    con.execute("CREATE TABLE meta (key VARCHAR, value VARCHAR)")
    con.execute("INSERT INTO meta VALUES ('schema_version', ?), ('data_hash', ?)", [str(STORE_VERSION), data_hash(con)])
    return rows


def _cube(con: Connection) -> None:
    """Create the tables of the cube by its portable statements, the last of them without rows: see `pairs`."""
    sums, mark, pairs = CUBE.read_text(encoding="utf-8").partition("CREATE TABLE cube_pairs AS")
    con.execute(sums)
    con.execute(f"{mark} {pairs.rstrip().removesuffix(';')} LIMIT 0")
    fill_pairs(con)


def _indexed(con: Connection, name: str, order: str) -> None:
    """Create one large table with integer keys instead of text keys, and the view that gives the text back."""
    columns = [column for column in LOG_TABLES[name].names() if column not in ("run_id", "item_id")]
    picked = ", ".join(
        f"CAST(f.{c} AS {ENUMS[c]}) AS {c}" if name == "responses" and c in ENUMS else f"f.{c}" for c in columns
    )
    con.execute(
        f"CREATE TABLE {name} AS SELECT r.run_idx, i.item_idx, {picked} FROM staged_{name} f "
        "JOIN runs r ON r.run_id = f.run_id JOIN items i ON i.benchmark = r.benchmark AND i.item_id = f.item_id "
        f"{order}"
    )
    given = ", ".join(f"f.{c}::VARCHAR AS {c}" if name == "responses" and c in ENUMS else f"f.{c}" for c in columns)
    con.execute(
        f"CREATE VIEW log_{name} AS SELECT r.run_id, i.item_id, {given} FROM {name} f "
        "JOIN runs r USING (run_idx) JOIN items i USING (item_idx)"
    )


def unknown_rubrics(con: Connection) -> list[tuple[str, str]]:
    """Return (benchmark, rubric) of staged benchmarks whose rubric logs/rubric.toml does not describe."""
    known = list(tomllib.loads(RUBRIC.read_text(encoding="utf-8")))
    found = con.execute(
        "SELECT benchmark, rubric FROM stage.log.benchmarks WHERE rubric IS NOT NULL AND rubric <> ALL(?) ORDER BY 1",
        [known],
    ).fetchall()
    return [(str(benchmark), str(rubric)) for benchmark, rubric in found]


def _rubrics(con: Connection) -> None:
    """Store the weights of every rubric, one row per rubric and label."""
    con.execute("BEGIN")  # one commit instead of one for each row
    con.execute("CREATE TABLE rubric_weights (rubric VARCHAR, label VARCHAR, weight DOUBLE)")
    raw = tomllib.loads(RUBRIC.read_text(encoding="utf-8"))
    rows = [
        (name, label, float(weight))
        for name, entry in raw.items()
        for part in ("coverage", "evidence", "logic")
        for label, weight in entry[part].items()
    ]
    con.executemany("INSERT INTO rubric_weights VALUES (?, ?, ?)", rows)
    con.execute("COMMIT")


def data_hash(con: Connection) -> str:
    """Return the digest of all that numbers rest on: files, their readers and provenance, and the rubrics' weights."""
    read = con.execute("SELECT sha256, loader, loader_version, path, provenance FROM sources ORDER BY ALL").fetchall()
    weights = con.execute("SELECT rubric, label, weight FROM rubric_weights ORDER BY ALL").fetchall()
    return hashlib.sha256(repr((read, weights)).encode()).hexdigest()[:16]
