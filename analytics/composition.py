"""Composition: how many items of which capability, media type and answer type."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.slices import KEYS, Slice
from analytics.store import Connection, frame

COMPOSITION = """
SELECT benchmark, capability, media_type, answer_type, count(*)::BIGINT AS items,
       count(*) FILTER (NOT reference_known)::BIGINT AS hidden
FROM item_dims
WHERE {where}
GROUP BY benchmark, capability, media_type, answer_type
ORDER BY benchmark, capability, media_type, answer_type
"""


def composition(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Return the number of items by benchmark, capability, media type and answer type.

    One row per combination that occurs. Keys of the slice that are about runs do not restrict items and are left aside.
    """
    del policy  # counts of items do not depend on it
    about_items = Slice.of(**{name: values for name, values in chosen.choices if KEYS[name].of != "run"})
    where, params = about_items.where()
    table = frame(cursor, COMPOSITION.format(where=where), params)
    return Answer(table, "counts of items", {"items whose answer the benchmark hides": int(table["hidden"].sum() or 0)})


QUESTION = Question(
    name="composition",
    title="Composition",
    asks="What is the benchmark made of?",
    source="counts of the store's rows",
    needs="items",
    options=(),
    columns=(
        Result("benchmark", "text", "benchmark version"),
        Result("capability", "text", "primary slice"),
        Result("media_type", "text", "media type"),
        Result("answer_type", "text", "how the item is answered"),
        Result("items", "count", "items"),
        Result("hidden", "count", "items whose answer the benchmark hides"),
    ),
    ask=composition,
)
