"""Coverage: which part of its items each run has answered."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import Slice
from analytics.store import Connection, frame

SQL = """
WITH sized AS (
    SELECT benchmark, min(item_idx) AS first, least($bins, count(*)) AS bins, count(*) AS size
    FROM items GROUP BY benchmark
),
counted AS (
    SELECT s.run_idx, ((i.item_idx - z.first) * z.bins // z.size)::INTEGER AS bin,
           count(*) AS items, count(*) FILTER (s.attempts > 0) AS answered,
           min(i.item_idx) AS first_idx, max(i.item_idx) AS last_idx
    FROM scores s JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx) JOIN sized z USING (benchmark)
    WHERE {where}
    GROUP BY s.run_idx, bin
)
SELECT r.run_benchmark AS benchmark, r.run_id AS run, r.model, r.scope, r.complete, c.bin::BIGINT + 1 AS bin,
       f.item_id AS first_item, l.item_id AS last_item, c.items::BIGINT AS items, c.answered::BIGINT AS answered,
       (c.items - c.answered)::BIGINT AS missing, c.answered / c.items AS share, r.provenance
FROM counted c JOIN run_dims r USING (run_idx)
JOIN items f ON f.item_idx = c.first_idx JOIN items l ON l.item_idx = c.last_idx
ORDER BY benchmark, run, bin
"""


def coverage(cursor: Connection, chosen: Slice, policy: Policy, *, bins: int) -> Answer:
    """Count the items of its declared population that each run has a response to, over the population in order.

    One row per run and bin: items in the order of their ids, cut into at most `bins` parts of equal size, so that a map
    of 400,000 items is as small as one of 400. `answered` counts items with a response of any status, `missing` those
    without; with bins=1 a row is a whole run. Policy does not apply: a response is there or not.
    """
    del policy
    where, params = chosen.where()
    table = frame(cursor, SQL.format(where=where), params | {"bins": bins})
    return Answer(table, "counts of items with a response", {"items without a response": int(table["missing"].sum())})


QUESTION = Question(
    name="coverage",
    title="Runs by items",
    asks="Which items has each run answered, and which are missing?",
    source="counts of the store's rows",
    needs="runs and items",
    options=(Option("bins", "integer", 60, "most parts that the items are cut into", low=1, high=400),),
    columns=(
        Result("benchmark", "text", "benchmark version"),
        Result("run", "text", "run"),
        Result("model", "text", "system"),
        Result("scope", "text", "declared population, where it is not every item"),
        Result("complete", "boolean", "false for an interrupted run"),
        Result("bin", "rank", "part of the population, from 1"),
        Result("first_item", "text", "first item of the part"),
        Result("last_item", "text", "last item of the part"),
        Result("items", "count", "items of the part"),
        Result("answered", "count", "of these, with a response"),
        Result("missing", "count", "of these, without one"),
        Result("share", "proportion", "answered of items"),
        Result("provenance", "text", "where the rows come from"),
    ),
    ask=coverage,
)
