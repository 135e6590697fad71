"""Cases: which items, how runs did on each, one page at a time."""

from __future__ import annotations

from typing import Any

from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.schema import STATUSES
from analytics.scores import settled
from analytics.slices import KEYS, Slice
from analytics.store import Connection, frame

FOUND = """
SELECT item_idx FROM items WHERE prompt ILIKE $pattern{escape} OR reference ILIKE $pattern{escape}
   OR item_id ILIKE $pattern{escape}
UNION
SELECT item_idx FROM responses WHERE answer ILIKE $pattern{escape} OR response ILIKE $pattern{escape}
   OR rationale ILIKE $pattern{escape}
"""

ESCAPE = " ESCAPE '\\'"

GROUPED = """
    SELECT item_idx, count(*) AS runs, count(raw) AS n, avg(raw) AS raw, avg(verified) AS verified,
           min(raw) AS lowest, max(raw) AS highest, bool_or({has_status}) AS has_status
    FROM judged GROUP BY item_idx
"""

HAS_STATUS = """status = $status OR (run_idx, item_idx) IN
           (SELECT (a.run_idx, a.item_idx) FROM responses a WHERE a.status::VARCHAR = $status)"""

SHOWN = """
SELECT i.benchmark, i.item_id AS item, coalesce(i.capability, 'none') AS capability,
       coalesce(i.media_type, 'none') AS media_type, i.answer_type, i.prompt, i.reference, i.reference_known,
       w.runs::BIGINT AS runs, w.n::BIGINT AS n, w.raw, w.verified, w.lowest < w.highest AS differ, w.total
FROM wanted w JOIN items i USING (item_idx)
ORDER BY CASE WHEN $order = 'hardest' THEN w.raw END NULLS LAST,
         CASE WHEN $order = 'easiest' THEN -w.raw END NULLS LAST, w.item_idx
"""

CASES = """
WITH found AS ({found}),
judged AS ({settled}),
grouped AS ({grouped}),
wanted AS (
    SELECT g.*, count(*) OVER ()::BIGINT AS total
    FROM grouped g
    WHERE ($differ = 'no' OR g.lowest < g.highest)
      AND ($status = 'every' OR g.has_status)
      AND ($credit = 'any' OR ($credit = 'nobody' AND g.highest = 0) OR ($credit = 'everybody' AND g.lowest = 1)
           OR ($credit = 'somebody' AND g.highest > 0))
    ORDER BY CASE WHEN $order = 'hardest' THEN g.raw END NULLS LAST,
             CASE WHEN $order = 'easiest' THEN -g.raw END NULLS LAST, g.item_idx
    LIMIT $per_page OFFSET $start
)
{shown}
"""

# Without filter or order by credit the page is known before any credit is looked at: an item is listed when a run of
# the slice has it in its population, and a search finds it.
PLAIN = """
WITH populations AS (SELECT DISTINCT run_benchmark, scope FROM run_dims WHERE {of_runs}),
listed AS (
    SELECT item_idx FROM item_dims i
    WHERE {of_items} AND (
        i.benchmark IN (SELECT run_benchmark FROM populations WHERE scope = 'none')
        OR (i.benchmark, i.item_id) IN (
            SELECT (t.benchmark, t.item_id) FROM item_tags t
            JOIN populations p ON p.run_benchmark = t.benchmark AND p.scope = t.tag WHERE t.kind = 'scope'))
),
found AS (
    SELECT item_idx, count(*) OVER ()::BIGINT AS total FROM listed
    WHERE {searched} ORDER BY item_idx LIMIT $per_page OFFSET $start
),
judged AS ({settled}),
grouped AS ({grouped}),
wanted AS (SELECT g.*, f.total FROM grouped g JOIN found f USING (item_idx))
{shown}
"""


def like(text: str) -> str:
    """Return the pattern that finds `text` anywhere, its own % and _ taken as they stand."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _part(chosen: Slice, *of: str) -> str:
    """Return the predicate of the slice's keys that are attributes of these things."""
    return Slice(tuple(choice for choice in chosen.choices if KEYS[choice[0]].of in of)).where()[0]


def cases(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    search: str,
    differ: str,
    status: str,
    credit: str,
    order: str,
    page: int,
    per_page: int,
) -> Answer:
    """Return one page of the items of the slice, with how its runs did on each.

    One row per item. `raw` and `verified` are means over the runs of the slice that have a credit for it (`n` of
    `runs`), in [0, 1]; `total` is the number of items over all pages, 0 rows when the page is past the end. The search
    looks for the text as it stands in prompt, reference, item id, answers, responses and rationales, in any case. With
    `status`, an item is listed when any attempt of a run at it has the status, not the first one alone.
    """
    where, params = chosen.where()
    searched, pattern = bool(search.strip()), like(search.strip())
    plain = (differ, status, credit, order) == ("no", "every", "any", "item")
    narrowed = "s.item_idx IN (SELECT item_idx FROM found)" if plain or searched else "TRUE"
    # An ESCAPE clause makes the search half as slow again: it is there only where the pattern has an escape.
    found = FOUND.format(escape=ESCAPE if "\\" in pattern else "")
    sql = (PLAIN if plain else CASES).format(
        settled=settled(policy, f"{where} AND {narrowed}"),
        grouped=GROUPED.format(has_status="TRUE" if status == "every" else HAS_STATUS),
        shown=SHOWN,
        found=found,
        searched=f"item_idx IN ({found})" if searched else "TRUE",
        of_runs=_part(chosen, "run"),
        of_items=_part(chosen, "item", "tag"),
    )
    bound: dict[str, Any] = {
        "pattern": pattern,
        "differ": differ,
        "status": status,
        "credit": credit,
        "order": order,
        "per_page": per_page,
        "start": (page - 1) * per_page,
    }
    table = frame(cursor, sql, params | policy.params() | bound)
    return Answer(
        table, "means over the runs of the slice", {"runs without a credit": int((table["runs"] - table["n"]).sum())}
    )


QUESTION = Question(
    name="cases",
    title="Cases",
    asks="Which items, and how did the runs do on each?",
    source="rows of the store",
    needs="items with runs",
    options=(
        Option("search", "text", "", "words to look for in prompt, reference, answers, responses and rationales"),
        Option("differ", "choice", "no", "only items where runs earn different credit", allowed=("no", "yes")),
        Option(
            "status",
            "choice",
            "every",
            "only items where any attempt of a run has this status",
            allowed=("every", *STATUSES),
        ),
        Option(
            "credit",
            "choice",
            "any",
            "only items that nobody, somebody or everybody earns credit for",
            allowed=("any", "nobody", "somebody", "everybody"),
        ),
        Option("order", "choice", "item", "order of the items", allowed=("item", "hardest", "easiest")),
        Option("page", "integer", 1, "page, from 1", low=1, high=10_000_000),
        Option("per_page", "integer", 25, "items on a page", low=1, high=1000),
    ),
    columns=(
        Result("benchmark", "text", "benchmark version"),
        Result("item", "text", "item"),
        Result("capability", "text", "primary slice"),
        Result("media_type", "text", "media type"),
        Result("answer_type", "text", "how it is answered"),
        Result("prompt", "text", "what the system was asked"),
        Result("reference", "text", "correct answer"),
        Result("reference_known", "boolean", "false where the benchmark hides it"),
        Result("runs", "count", "runs of the slice whose population has the item"),
        Result("n", "count", "runs with a credit for it"),
        Result("raw", "proportion", "mean raw credit over these runs"),
        Result("verified", "proportion", "mean verified credit over these runs"),
        Result("differ", "boolean", "runs earn different credit"),
        Result("total", "count", "items over all pages"),
    ),
    ask=cases,
)
