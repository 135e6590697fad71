"""Raters: who rated what, of all that agreement can be asked about?"""

from __future__ import annotations

from analytics.panel_runs import about_items, about_runs
from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.slices import Slice
from analytics.store import Connection, frame

COUNTED = """
WITH held AS (
    SELECT r.run_benchmark AS benchmark, CASE WHEN v.on_judge = '' THEN 'judges' ELSE 'reviewers' END AS raters,
           'none' AS condition, v.judge_id AS rater
    FROM verdicts v JOIN run_dims r USING (run_idx) JOIN item_dims i USING (item_idx) WHERE {both}
    UNION ALL
    SELECT r.run_benchmark, 'annotators', r.condition, a.run_idx || ' ' || a.attempt
    FROM responses a JOIN run_dims r USING (run_idx) JOIN item_dims i USING (item_idx)
    WHERE r.kind = 'human' AND a.answer IS NOT NULL AND i.reference_known AND i.answer_type <> 'open' AND {both}
    UNION ALL
    SELECT r.run_benchmark, 'runs', 'none', r.run_id
    FROM run_dims r
    WHERE r.kind = 'model' AND r.condition = 'none' AND {runs} AND r.run_benchmark IN
          (SELECT benchmark FROM item_dims WHERE reference_known AND answer_type <> 'open' AND {items})
    UNION ALL
    SELECT c.benchmark, 'preferences', 'none', c.judge_id
    FROM comparisons c WHERE c.benchmark IN (SELECT benchmark FROM item_dims WHERE {items})
),
grouped AS (
    SELECT benchmark, raters, condition, count(DISTINCT rater)::BIGINT AS size, count(*)::BIGINT AS rows
    FROM held GROUP BY benchmark, raters, condition
)
SELECT benchmark, raters, max(size)::BIGINT AS size, count(*)::BIGINT AS groups, sum(rows)::BIGINT AS rows
FROM grouped GROUP BY benchmark, raters ORDER BY benchmark, raters
"""


def raters(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Count raters by what they are: judges of responses, reviewers of a judge, people or models who answered.

    One row per benchmark version and kind of rater that the slice has. `size` is the number of raters in the largest
    group that can be compared: annotators of one setting, else all of a kind. Agreement needs two. Source: counts of
    rows.
    """
    del policy  # who rated does not depend on what counts
    both, params = chosen.where()
    runs, of_runs = about_runs(chosen).where()
    items, of_items = about_items(chosen).where()
    sql = COUNTED.format(both=both, runs=runs, items=items)
    return Answer(frame(cursor, sql, params | of_runs | of_items), "counts of rows", {})


QUESTION = Question(
    name="raters",
    title="Raters",
    asks="Who rated what, and how many raters are there to compare?",
    source="counts of the store's rows",
    needs="verdicts of judges, answers of people or runs, or comparisons",
    options=(),
    columns=(
        Result("benchmark", "text", "benchmark version"),
        Result("raters", "text", "judges, reviewers, annotators, runs or preferences, as question judges has them"),
        Result("size", "count", "raters in the largest group that can be compared"),
        Result("groups", "count", "groups: settings of annotators, else 1"),
        Result("rows", "count", "verdicts, answers, runs or comparisons"),
    ),
    ask=raters,
)
