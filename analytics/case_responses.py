"""Case responses: every run's answer to one item."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.scores import GRADED
from analytics.slices import KEYS, Slice
from analytics.store import Connection, frame

RESPONSES = """
SELECT r.run_id AS run, r.model, r.kind, r.condition, r.provenance, a.attempt, a.answer, a.response, a.rationale,
       g.raw, g.verified, a.coverage::VARCHAR AS coverage, a.evidence::VARCHAR AS evidence, a.logic::VARCHAR AS logic,
       g.c AS coverage_factor, g.e AS evidence_factor, g.l AS logic_factor, a.order_shown, a.confidence,
       a.input_tokens, a.output_tokens, a.steps, a.seconds, a.status::VARCHAR AS status, a.status_note,
       s.path AS source, a.line
FROM responses a
JOIN {graded} g USING (run_idx, item_idx, attempt)
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
LEFT JOIN (SELECT source_id AS read_from, path FROM sources) s ON s.read_from = a.source_id
WHERE i.benchmark = $benchmark AND i.item_id = $item AND {where}
ORDER BY r.kind DESC, r.model, r.run_id, a.attempt
"""


def case_responses(cursor: Connection, chosen: Slice, policy: Policy, *, benchmark: str, item: str) -> Answer:
    """Return the responses of the slice's runs to one item.

    One row per run and attempt. `raw` and `verified` are the response's credit under the policy, in [0, 1], null where
    it failed, is unjudged or hidden. Keys of the slice that are about items do not apply: the item is given.
    """
    about_runs = Slice.of(**{name: values for name, values in chosen.choices if KEYS[name].of == "run"})
    where, params = about_runs.where()
    sql = RESPONSES.format(graded=GRADED, where=where)
    table = frame(cursor, sql, params | policy.params() | {"benchmark": benchmark, "item": item})
    return Answer(table, "rows of the store", {"responses without a credit": table["raw"].null_count()})


QUESTION = Question(
    name="case_responses",
    title="One case: the responses",
    asks="What did each run answer?",
    source="rows of the store",
    needs="the item",
    options=(
        Option("benchmark", "text", "", "benchmark version of the item"),
        Option("item", "text", "", "item"),
    ),
    columns=(
        Result("run", "text", "run"),
        Result("model", "text", "system"),
        Result("kind", "text", "model, human or control"),
        Result("condition", "text", "setting that was varied"),
        Result("provenance", "text", "where the row comes from"),
        Result("attempt", "count", "attempt"),
        Result("answer", "text", "answer as parsed"),
        Result("response", "text", "whole response"),
        Result("rationale", "text", "reasoning given"),
        Result("raw", "proportion", "raw credit"),
        Result("verified", "proportion", "verified credit"),
        Result("coverage", "text", "rationale coverage"),
        Result("evidence", "text", "evidence support"),
        Result("logic", "text", "logical integrity"),
        Result("coverage_factor", "number", "factor used for coverage"),
        Result("evidence_factor", "number", "factor used for evidence"),
        Result("logic_factor", "number", "factor used for logic"),
        Result("order_shown", "text", "options in the order shown"),
        Result("confidence", "proportion", "confidence as stated"),
        Result("input_tokens", "tokens", "tokens read"),
        Result("output_tokens", "tokens", "tokens written"),
        Result("steps", "count", "calls or turns"),
        Result("seconds", "seconds", "wall time"),
        Result("status", "text", "what became of the attempt"),
        Result("status_note", "text", "the log's own words"),
        Result("source", "text", "file"),
        Result("line", "count", "line, row or member of the file"),
    ),
    ask=case_responses,
)
