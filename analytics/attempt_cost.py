"""Attempt cost: what do solved and failed attempts take in steps, tokens and time?"""

from __future__ import annotations

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.scores import GRADED
from analytics.slices import Slice, empty
from analytics.store import Connection, frame

COST = """
SELECT r.run_benchmark AS benchmark, r.run_id AS run, r.model, r.condition,
       CASE WHEN is_failed(g.status) THEN 'no usable answer' WHEN g.raw = 1 THEN 'solved' WHEN g.raw < 1 THEN 'failed'
            ELSE 'unjudged' END AS outcome,
       count(*)::BIGINT AS n,
       count(g.steps)::BIGINT AS n_steps, avg(g.steps)::DOUBLE AS steps, median(g.steps)::DOUBLE AS steps_median,
       count(g.tokens)::BIGINT AS n_tokens, avg(g.tokens)::DOUBLE AS tokens, median(g.tokens)::DOUBLE AS tokens_median,
       count(g.seconds)::BIGINT AS n_seconds, avg(g.seconds)::DOUBLE AS seconds,
       median(g.seconds)::DOUBLE AS seconds_median
FROM {graded} g
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE {where} AND ($attempt_rule = 'mean' OR g.attempt = 1)
GROUP BY ALL
HAVING bool_or(g.steps IS NOT NULL OR g.tokens IS NOT NULL OR g.seconds IS NOT NULL)
ORDER BY benchmark, run, outcome
"""


def attempt_cost(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Steps, tokens and time of attempts, by what became of them.

    One row per run and outcome: solved (full credit), failed (less), no usable answer, or unjudged. `steps`, `tokens`
    and `seconds` are means over the `n_steps`, `n_tokens` and `n_seconds` of the `n` attempts whose log has them, with
    medians beside. Every run of the slice counts, sweeps and agents too. Means are over attempts of different items: a
    difference between solved and failed is also one between easy and hard items.
    Source: means and medians of the store's rows. Raises EmptySlice where no log has steps, tokens or time.
    """
    where, params = chosen.where()
    rows = frame(cursor, COST.format(graded=GRADED, where=where), params | policy.params())
    if not rows.height:
        raise empty(chosen, needs="steps, tokens or seconds (table responses)")
    lacking = rows.select(
        pl.col("n").sum() - pl.col("n_tokens").sum(), steps=pl.col("n").sum() - pl.col("n_steps").sum()
    )
    table = mark(cursor, rows.select([c.name for c in COLUMNS[:-1]]), chosen, question="attempt_cost", options={})
    left_out = {"attempts without tokens": int(lacking["n"][0]), "attempts without steps": int(lacking["steps"][0])}
    return Answer(table, "means and medians over attempts", left_out, note(table))


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("condition", "text", "setting that was varied"),
    Result("outcome", "text", "solved, failed, no usable answer, or unjudged"),
    Result("n", "count", "attempts"),
    Result("steps", "number", "mean calls or turns"),
    Result("steps_median", "number", "median calls or turns"),
    Result("n_steps", "count", "attempts with steps"),
    Result("tokens", "tokens", "mean tokens written, reasoning included"),
    Result("tokens_median", "tokens", "median tokens written"),
    Result("n_tokens", "count", "attempts with tokens written"),
    Result("seconds", "seconds", "mean wall time"),
    Result("seconds_median", "seconds", "median wall time"),
    Result("n_seconds", "count", "attempts with a time"),
    COLUMN,
)

QUESTION = Question(
    name="attempt_cost",
    title="Steps and tokens, solved and failed",
    asks="What do solved and failed attempts take?",
    source="means and medians of the store's rows",
    needs="steps, tokens or seconds (table responses)",
    options=(),
    columns=COLUMNS,
    ask=attempt_cost,
)
