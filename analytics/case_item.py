"""Case item: one item in full, with its neighbours in the slice."""

from __future__ import annotations

import polars as pl

from analytics.errors import UnknownValue
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import KEYS, Slice
from analytics.store import Connection, frame

ITEM = """
SELECT item_idx, benchmark, item_id AS item, capability, subcapability, axis, media_type, answer_type, tier, cluster,
       prompt, options, reference, reference_known, media_path, chance, provenance,
       (SELECT list(kind || ': ' || tag ORDER BY kind, tag) FROM item_tags t
        WHERE t.benchmark = items.benchmark AND t.item_id = items.item_id) AS tags,
       (SELECT list(option || ': ' || type ORDER BY option) FROM option_types o
        WHERE o.benchmark = items.benchmark AND o.item_id = items.item_id) AS option_types,
       (SELECT list(criterion || ': ' || coalesce(description, '') ORDER BY criterion) FROM criteria c
        WHERE c.benchmark = items.benchmark AND c.item_id = items.item_id) AS criteria
FROM items WHERE benchmark = $benchmark AND item_id = $item
"""

NEIGHBOURS = """
SELECT max(item_idx) FILTER (item_idx < $at) AS before, min(item_idx) FILTER (item_idx > $at) AS after
FROM item_dims WHERE {where}
"""

NAMES = "SELECT item_idx, item_id FROM items WHERE item_idx = ANY($numbers)"


def case_item(cursor: Connection, chosen: Slice, policy: Policy, *, benchmark: str, item: str) -> Answer:
    """Return one item with everything that is known of it.

    One row. `previous` and `next` are its neighbours among the items of the slice, null at either end; keys of the
    slice that are about runs do not restrict items. Raises UnknownValue when the benchmark has no such item.
    """
    del policy
    table = frame(cursor, ITEM, {"benchmark": benchmark, "item": item})
    if not table.height:
        raise UnknownValue(f"Benchmark '{benchmark}' has no item '{item}'. Choose one from the list of cases.")
    kept = Slice.of(**{name: values for name, values in chosen.choices if KEYS[name].of != "run"})
    where, params = kept.with_choice("benchmark", [benchmark]).where()
    sides = frame(cursor, NEIGHBOURS.format(where=where), params | {"at": int(table["item_idx"][0])}).row(0)
    names = dict(frame(cursor, NAMES, {"numbers": [n for n in sides if n is not None]}).iter_rows())
    before, after = (None if side is None else str(names[side]) for side in sides)
    table = table.drop("item_idx").with_columns(
        previous=pl.lit(before, dtype=pl.String), next=pl.lit(after, dtype=pl.String)
    )
    return Answer(table, "rows of the store", {})


QUESTION = Question(
    name="case_item",
    title="One case: the item",
    asks="What was asked?",
    source="rows of the store",
    needs="the item",
    options=(
        Option("benchmark", "text", "", "benchmark version of the item"),
        Option("item", "text", "", "item"),
    ),
    columns=(
        Result("benchmark", "text", "benchmark version"),
        Result("item", "text", "item"),
        Result("capability", "text", "primary slice"),
        Result("subcapability", "text", "finer level"),
        Result("axis", "text", "second axis"),
        Result("media_type", "text", "media type"),
        Result("answer_type", "text", "how it is answered"),
        Result("tier", "text", "tier"),
        Result("cluster", "text", "episode, video or passage shared with other items"),
        Result("prompt", "text", "what the system was asked"),
        Result("options", "text", "options in stored order"),
        Result("reference", "text", "correct answer"),
        Result("reference_known", "boolean", "false where the benchmark hides it"),
        Result("media_path", "text", "image, video or audio"),
        Result("chance", "proportion", "credit that guessing earns"),
        Result("provenance", "text", "where the item comes from"),
        Result("tags", "text", "multi-valued labels"),
        Result("option_types", "text", "correct and trap types of the options"),
        Result("criteria", "text", "criteria of its rubric"),
        Result("previous", "text", "item before it in the slice"),
        Result("next", "text", "item after it in the slice"),
    ),
    ask=case_item,
)
