"""Losses: which responses lose most credit between raw and verified?"""

from __future__ import annotations

from analytics.determined import COLUMN, mark, note
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.rubric import LABELS
from analytics.scores import GRADED
from analytics.slices import Slice, empty
from analytics.store import Connection, frame

SQL = """
WITH earned AS (
    SELECT i.benchmark, r.run_id AS run, r.model, r.provenance, i.item_id AS item, i.item_idx, i.capability, g.attempt,
           g.answer, g.raw, g.verified, g.raw - g.verified AS lost, g.coverage, g.evidence, g.logic,
           g.c AS coverage_factor, g.e AS evidence_factor, g.l AS logic_factor
    FROM (SELECT * FROM {graded}) g
    JOIN item_dims i USING (item_idx)
    JOIN run_dims r USING (run_idx)
    WHERE g.raw > 0 AND ($attempt_rule = 'mean' OR g.attempt = 1) AND {where}
),
wanted AS (
    SELECT * FROM earned
    WHERE verified IS NOT NULL AND lost > 1e-12 AND ($lost = 'any' OR verified = 0)
      AND ($evidence = 'any' OR evidence = ANY($labels))
)
SELECT benchmark, run, model, item, capability, attempt::BIGINT AS attempt, answer, raw, verified, lost,
       coverage::VARCHAR AS coverage, evidence::VARCHAR AS evidence, logic::VARCHAR AS logic, coverage_factor,
       evidence_factor, logic_factor, provenance, (SELECT count(*) FROM wanted)::BIGINT AS total,
       (SELECT count(*) FROM earned WHERE verified IS NULL)::BIGINT AS unlabelled,
       (SELECT count(verified) FROM earned)::BIGINT AS earned
FROM wanted ORDER BY lost DESC, benchmark, run, item_idx, attempt LIMIT $most
"""

LABELLED = """
SELECT count(*)::BIGINT AS n FROM (SELECT * FROM {graded}) g
JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx)
WHERE g.raw > 0 AND g.verified IS NOT NULL AND {where}
"""

EVIDENCE = {
    "any": [],
    **{label: [label] for label in LABELS["evidence"]},
    "weak_or_contradicted": ["weak", "contradicted"],
}


def losses(cursor: Connection, chosen: Slice, policy: Policy, *, lost: str, evidence: str, most: int) -> Answer:
    """Responses that earn raw credit and lose some or all of it once the reasoning is checked.

    One row per response, the largest loss first, at most `most` of them; `total` counts all of them, `earned` the
    responses with raw credit and labels among which they are. `lost` is raw minus verified credit, in [0, 1]. Option
    `lost` is "any" or "all" (nothing is left), `evidence` restricts to responses with that label. Responses with raw
    credit and a missing label are left out and counted. No row: no response lost credit so.

    Source: PsycheMME, scoring contract. Raises EmptySlice when no response of the slice has credit and every label.
    """
    where, params = chosen.where()
    bound = params | policy.params() | {"lost": lost, "evidence": evidence, "labels": EVIDENCE[evidence], "most": most}
    table = frame(cursor, SQL.format(graded=GRADED, where=where), bound)
    if not table.height and not frame(cursor, LABELLED.format(graded=GRADED, where=where), bound)["n"][0]:
        raise empty(chosen, needs="coverage, evidence and logic labels on a response that earns credit")
    unlabelled = table["unlabelled"].head(1).sum()  # the same count stands in every row
    left_out = {"responses with credit and without every label": int(unlabelled)}
    asked = {"lost": lost, "evidence": evidence}
    table = mark(cursor, table, chosen, question="losses", options=asked, policy=policy)
    table = table.select(column.name for column in COLUMNS)
    return Answer(table, "rows of the store, by credit lost", left_out, (*note(table), policy.sentence()))


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("item", "text", "item"),
    Result("capability", "text", "capability"),
    Result("attempt", "count", "attempt"),
    Result("answer", "text", "answer as parsed"),
    Result("raw", "proportion", "raw credit"),
    Result("verified", "proportion", "verified credit"),
    Result("lost", "points", "raw minus verified credit"),
    Result("coverage", "text", "rationale coverage"),
    Result("evidence", "text", "evidence support"),
    Result("logic", "text", "logical integrity"),
    Result("coverage_factor", "number", "factor used for coverage"),
    Result("evidence_factor", "number", "factor used for evidence"),
    Result("logic_factor", "number", "factor used for logic"),
    Result("total", "count", "responses that lose credit so, over all rows"),
    Result("earned", "count", "responses with raw credit and labels"),
    Result("provenance", "text", "where the row comes from"),
    COLUMN,
)

QUESTION = Question(
    name="losses",
    title="Responses that lose credit",
    asks="Which responses lose most credit between raw and verified?",
    source="PsycheMME, scoring contract; rows of the store",
    needs="rationale labels or factors",
    options=(
        Option("lost", "choice", "any", "some of the credit, or all of it", allowed=("any", "all")),
        Option("evidence", "choice", "any", "label of the evidence", allowed=tuple(EVIDENCE)),
        Option("most", "integer", 100, "rows at most", low=1, high=10_000),
    ),
    columns=COLUMNS,
    ask=losses,
)
