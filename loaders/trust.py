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


NEXT = {
    "same_run_twice": "its run was read from another file, so there is nothing to do.",
    "unknown_format": "map it on the Data page or by a profile, or leave it out.",
    "empty_file": "export it again, or leave it out.",
    "two_readers": "name the file after its format and read it again.",
}
"""What to do with a file of which nothing was loaded, by rule; for every other rule, mend it."""

STALE = {
    "replacement_unreadable": "its file changed and cannot be read any more, so its old rows are kept",
    "not_read_again": "it could not be read again when a log of its benchmark left, so the two are still merged",
}
"""Rules by which a source's rows are not what its file would give now."""


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
        step = NEXT.get(facts.refusing or "", "see its issues, mend it and read it again.")
        return f"Nothing was loaded from it ({facts.refusing or 'no row'}): {step}"
    found = _findings(facts)
    grave = facts.refused or facts.unscored or facts.partial or facts.simulated or _stale(facts)
    verdict = "Use with care" if grave else "Usable"
    if not found:
        return "Usable: every record was kept without a doubt; there is nothing to do."
    return f"{verdict}: {'; '.join(fact for fact, _ in found)}. {found[0][1]}"


def _stale(facts: Facts) -> list[str]:
    """Return why the source's rows are not what its file would give now."""
    rules = f"{facts.refusing or ''}, {facts.doubting or ''}".split(", ")
    return [words for rule, words in STALE.items() if rule in rules]


def _findings(facts: Facts) -> list[tuple[str, str]]:
    """Return (what was found, what to do), the gravest first."""
    of = f"of its {facts.runs} runs"
    found = []
    found += [(words, "Mend the file and add it again, or remove the source.") for words in _stale(facts)]
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
