"""A profile tried on the first records of a file, by the same checks as a build; nothing is stored."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from loaders.mapping_apply import own_source, read, reader_of
from loaders.mapping_profile import Profile
from loaders.stage import open_stage, take

TRIAL_ROWS = 5_000
"""Rows of the file that a trial reads."""

PREVIEW = """
SELECT f.run_id AS run, f.item_id AS item, f.attempt, f.status, f.credit, f.answer, i.reference, i.capability,
       i.answer_type, i.prompt, f.response, f.rationale, i.options, i.chance,
       f.line
FROM log.responses f LEFT JOIN log.runs r USING (run_id)
LEFT JOIN log.items i ON i.benchmark = r.benchmark AND i.item_id = f.item_id
ORDER BY f.line, f.run_id LIMIT ?
"""

RUNS = """
SELECT f.run_id AS run, count(*) AS responses, count(f.credit) AS judged, avg(f.credit) AS mean_credit,
       count(*) FILTER (f.status = 'invalid_format') AS invalid, count(*) FILTER (f.status = 'missing') AS missing
FROM log.responses f GROUP BY f.run_id ORDER BY f.run_id
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of the first records: seen = kept + refused.

    `whole` says whether they are all records of the file. One row of `preview` is a response as it would be stored, of
    `runs` a run, of `rules` a rule with how many records broke it and the first message.
    """

    seen: int
    kept: int
    refused: int
    doubted: int
    items: int
    whole: bool
    preview: pl.DataFrame
    runs: pl.DataFrame
    rules: pl.DataFrame


def try_profile(profile: Profile, path: Path, *, rows: int = TRIAL_ROWS, shown: int = 10) -> Trial:
    """Return what a profile makes of the first `rows` rows of a file; a file that cannot be read is refused whole."""
    cut = replace(reader_of(profile), read=lambda source: read(source, profile, most=rows))
    con = open_stage(":memory:")
    try:
        tally = take(con, cut, own_source(path), source_id="trial", provenance="imported", on_rows=lambda _: None)
        preview = con.sql(PREVIEW, params=[shown]).pl()
        runs = con.sql(RUNS).pl()
        ((items,),) = con.execute("SELECT count(*) FROM log.items").fetchall()
    finally:
        con.close()
    counts = Counter[tuple[str, str]]()
    first: dict[tuple[str, str], str] = {}
    for issue in tally.issues:
        counts[issue.severity, issue.rule] += issue.records
        first.setdefault((issue.severity, issue.rule), issue.message)
    rules = [{"severity": s, "rule": r, "records": n, "example": first[s, r]} for (s, r), n in counts.items()]
    schema = {"severity": pl.String, "rule": pl.String, "records": pl.Int64, "example": pl.String}
    per_row = max(1, len(profile.runs))
    return Trial(
        seen=tally.seen,
        kept=tally.kept,
        refused=tally.refused,
        doubted=tally.doubted,
        items=int(items),
        whole=tally.seen < rows * per_row,
        preview=preview,
        runs=runs,
        rules=pl.DataFrame(rules, schema=schema),
    )
