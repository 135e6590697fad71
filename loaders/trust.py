"""One sentence per source: whether its numbers can be trusted, why, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

Connection = duckdb.DuckDBPyConnection

FACTS = """
WITH compared AS (SELECT run_a AS run_id FROM comparisons UNION SELECT run_b FROM comparisons),
answered AS (
    SELECT run_idx, count(*) FILTER (attempts = 0) AS absent, count(raw) AS credited FROM scores GROUP BY run_idx
),
of_runs AS (
    SELECT r.source_id, count(*) AS runs, count(*) FILTER (NOT r.complete) AS interrupted,
           count(*) FILTER (a.absent > 0) AS partial,
           count(*) FILTER (coalesce(a.credited, 0) = 0 AND r.run_id NOT IN (SELECT run_id FROM compared)) AS unscored,
           bool_or(r.provenance = 'reconstructed') AS simulated
    FROM runs r LEFT JOIN answered a USING (run_idx) GROUP BY r.source_id
),
of_issues AS (
    SELECT source_id, string_agg(DISTINCT rule, ', ' ORDER BY rule) FILTER (severity = 'refused') AS refusing,
           string_agg(DISTINCT rule, ', ' ORDER BY rule) FILTER (severity = 'doubted') AS doubting
    FROM issues GROUP BY source_id
)
SELECT s.source_id, s.role, s.seen, s.refused, s.doubted, coalesce(r.runs, 0), coalesce(r.interrupted, 0),
       coalesce(r.partial, 0), coalesce(r.unscored, 0), coalesce(r.simulated, FALSE), i.refusing, i.doubting
FROM sources s LEFT JOIN of_runs r USING (source_id) LEFT JOIN of_issues i USING (source_id)
"""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a build knows of one source. `refusing` and `doubting` name the rules, joined by commas."""

    role: str
    seen: int
    refused: int
    doubted: int
    runs: int
    interrupted: int
    partial: int
    unscored: int
    simulated: bool
    refusing: str | None
    doubting: str | None


def write_trust(con: Connection) -> None:
    """Write the sentence of every source into a build whose scores are there."""
    rows = con.execute(FACTS).fetchall()
    said = [(sentence(Facts(*row[1:])), row[0]) for row in rows]
    if said:
        con.executemany("UPDATE sources SET trust = ? WHERE source_id = ?", said)


def sentence(facts: Facts) -> str:
    """Return the sentence: the verdict, what it rests on, and the next step of the gravest of these."""
    if facts.role == "companion":
        return "It belongs to a log and holds no rows of its own: there is nothing to do."
    if facts.role == "refused":
        return f"Nothing was loaded from it ({facts.refusing or 'no row'}): see its issues, mend it and read it again."
    found = _findings(facts)
    verdict = "Use with care" if facts.refused or facts.unscored or facts.partial or facts.simulated else "Usable"
    if not found:
        return "Usable: every record was kept without a doubt; there is nothing to do."
    return f"{verdict}: {'; '.join(fact for fact, _ in found)}. {found[0][1]}"


def _findings(facts: Facts) -> list[tuple[str, str]]:
    """Return (what was found, what to do), the gravest first."""
    of = f"of its {facts.runs} runs"
    found = []
    if facts.simulated:
        found.append(("its rows are simulated", "Never cite a single result of them."))
    if facts.refused:
        fact = f"{facts.refused} of {facts.seen} records were refused ({facts.refusing})"
        found.append((fact, "See its issues, mend these records and read it again before you compare."))
    if facts.unscored:
        fact = f"{facts.unscored} {of} have no credit"
        found.append((fact, "Score them in their harness, or load the file with their verdicts."))
    if facts.partial:
        fact = f"{facts.partial} {of} lack items of the population"
        found.append((fact, "Compare runs on common items alone (question pairwise), or load the rest."))
    if facts.interrupted:
        found.append((f"{facts.interrupted} {of} were interrupted", "Load the finished run when there is one."))
    if facts.doubted:
        kept = "" if facts.refused else "every record was kept, "
        found.append((f"{kept}{facts.doubted} with a doubt ({facts.doubting})", "Read these issues before you cite."))
    return found
