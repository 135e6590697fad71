"""Statuses: what became of the attempts of each run."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.slices import Slice
from analytics.store import Connection, frame
from analytics.sums import cubed

FROM_CUBE = """
SELECT r.run_benchmark AS benchmark, r.run_id AS run, l.status, sum(l.n)::BIGINT AS responses
FROM cube_levels l JOIN cells k USING (cell_idx) JOIN run_dims r USING (run_idx)
WHERE {where}
GROUP BY r.run_benchmark, r.run_id, l.status
"""

FROM_RESPONSES = """
SELECT r.run_benchmark AS benchmark, r.run_id AS run, a.status::VARCHAR AS status, count(*)::BIGINT AS responses
FROM responses a JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx)
WHERE {where}
GROUP BY r.run_benchmark, r.run_id, a.status
"""

UNANSWERED = """
SELECT r.run_benchmark AS benchmark, r.run_id AS run, 'no row' AS status, count(*)::BIGINT AS responses
FROM scores s JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx)
WHERE s.attempts = 0 AND {where}
GROUP BY r.run_benchmark, r.run_id
"""


def statuses(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Count the responses of each run by status.

    One row per run and status that occurs. 'no row' counts declared items that the log has no response for at all.
    Statuses are as logged: no policy changes them.
    """
    del policy
    where, params = chosen.where()
    counted = FROM_CUBE if cubed(chosen, Policy()) else FROM_RESPONSES
    sql = f"{counted} UNION ALL {UNANSWERED} ORDER BY benchmark, run, status".format(where=where)
    table = frame(cursor, sql, params)
    return Answer(table, "counts of responses by logged status", {})


QUESTION = Question(
    name="statuses",
    title="Statuses",
    asks="What became of the attempts of each run?",
    source="counts of the store's rows",
    needs="responses",
    options=(),
    columns=(
        Result("benchmark", "text", "benchmark version"),
        Result("run", "text", "run"),
        Result("status", "text", "logged status; 'no row' where the log has no response"),
        Result("responses", "count", "responses, or items without one"),
    ),
    ask=statuses,
)
