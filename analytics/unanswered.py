"""Unanswered: the items that a run has no response to."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import Slice
from analytics.store import Connection, frame

SQL = """
SELECT r.run_benchmark AS benchmark, r.run_id AS run, i.item_id AS item, i.capability, i.media_type,
       count(*) OVER ()::BIGINT AS every
FROM scores s JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx)
WHERE s.attempts = 0 AND {where}
ORDER BY s.run_idx, s.item_idx LIMIT $most
"""


def unanswered(cursor: Connection, chosen: Slice, policy: Policy, *, most: int) -> Answer:
    """List the items of its declared population that a run has no response to.

    One row per run and item, the first `most` of them; how many more there are is left out and counted. Policy does not
    apply: a response is there or not.
    """
    del policy
    where, params = chosen.where()
    table = frame(cursor, SQL.format(where=where), params | {"most": most})
    every = int(table["every"][0]) if table.height else 0
    return Answer(table.drop("every"), "items without a response", {"rows beyond the first": every - table.height})


QUESTION = Question(
    name="unanswered",
    title="Missing responses",
    asks="Which items has a run no response to?",
    source="the store's rows",
    needs="runs and items",
    options=(Option("most", "integer", 1000, "rows that are listed", low=1, high=1_000_000),),
    columns=(
        Result("benchmark", "text", "benchmark version"),
        Result("run", "text", "run"),
        Result("item", "text", "item without a response"),
        Result("capability", "text", "its capability"),
        Result("media_type", "text", "its media type"),
    ),
    ask=unanswered,
)
