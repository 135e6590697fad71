"""The table `scores` of a build: the macro `scored` under the declared policy, without its grouping where it can be.

A run whose responses all have one attempt number has one response per item at most: its means over attempts are the
response itself, so that nothing needs to be grouped. A test holds both roads to the same rows.
"""

# ruff: noqa: S608 - the texts hold no data
from __future__ import annotations

import duckdb

Connection = duckdb.DuckDBPyConnection

WEIGHTS = (
    "CAST(NULL AS STRUCT(present DOUBLE, absent DOUBLE, supported DOUBLE, weak DOUBLE, contradicted DOUBLE, "
    "sound DOUBLE, gap DOUBLE, broken DOUBLE))"
)
MACRO = f"scored('mean', 'as_logged', 'logged', {WEIGHTS})"

# Runs with one attempt number on the whole of their benchmark; `lacking` where some items have no response.
KINDS = """
CREATE TEMP TABLE run_kinds AS
SELECT r.run_idx, r.scope IS NULL AND coalesce(t.first = t.last, TRUE) AS single, coalesce(t.n, 0) < p.n AS lacking
FROM runs r
JOIN (SELECT benchmark, count(*) AS n FROM items GROUP BY benchmark) p USING (benchmark)
LEFT JOIN (SELECT run_idx, min(attempt) AS first, max(attempt) AS last, count(*) AS n FROM responses GROUP BY run_idx) t
  USING (run_idx)
"""

SINGLE = f"""
SELECT run_idx, item_idx, NOT reference_known AS hidden, 1::INTEGER AS attempts,
       (raw IS NOT NULL)::INTEGER AS usable,
       (reference_known AND is_failed(status))::INTEGER AS failed,
       (reference_known AND raw IS NULL AND NOT is_failed(status) AND status <> 'not_applicable')::INTEGER AS unjudged,
       coalesce(raw = 1, FALSE)::INTEGER AS correct,
       raw::DOUBLE AS raw,
       CASE WHEN raw IS NOT NULL THEN covered END::DOUBLE AS covered,
       CASE WHEN raw IS NOT NULL THEN evidenced END::DOUBLE AS evidenced,
       CASE WHEN raw IS NOT NULL THEN verified END::DOUBLE AS verified,
       status,
       CASE WHEN attempt = 1 AND status = 'ok' THEN answer END AS ballot,
       tokens::DOUBLE AS tokens
FROM graded('logged', 'as_logged', {WEIGHTS})
WHERE run_idx IN (SELECT run_idx FROM run_kinds WHERE single)
"""

LACKING = """
SELECT r.run_idx, i.item_idx, NOT i.reference_known AS hidden, 0::INTEGER AS attempts, 0::INTEGER AS usable,
       i.reference_known::INTEGER AS failed, 0::INTEGER AS unjudged, 0::INTEGER AS correct, NULL::DOUBLE AS raw,
       NULL::DOUBLE AS covered, NULL::DOUBLE AS evidenced, NULL::DOUBLE AS verified, 'missing' AS status,
       NULL::VARCHAR AS ballot, NULL::DOUBLE AS tokens
FROM (SELECT * FROM runs JOIN run_kinds USING (run_idx) WHERE single AND lacking) r
JOIN items i ON i.benchmark = r.benchmark
ANTI JOIN responses t ON t.run_idx = r.run_idx AND t.item_idx = i.item_idx
"""

SEVERAL = f"SELECT * FROM {MACRO} WHERE run_idx IN (SELECT run_idx FROM run_kinds WHERE NOT single)"


def create_scores(con: Connection, *, order: str) -> None:
    """Create `scores`, one row per run and item of its declared population; `order` may be empty."""
    con.execute(KINDS)
    roads = [SINGLE]
    rows = con.execute("SELECT count(*) FILTER (NOT single), count(*) FILTER (single AND lacking) FROM run_kinds")
    several, lacking = rows.fetchall()[0]
    roads += [SEVERAL] if several else []
    roads += [LACKING] if lacking else []
    con.execute(f"CREATE TABLE scores AS {' UNION ALL BY NAME '.join(roads)} {order}")
    con.execute("DROP TABLE run_kinds")
