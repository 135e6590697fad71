"""Case verdicts: what each judge said of the responses to one item."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import KEYS, Slice
from analytics.store import Connection, frame

VERDICTS = """
SELECT r.run_id AS run, r.model, v.attempt, v.judge_id AS judge, j.judge_kind, v.criterion, v.on_judge,
       v.met, v.label, v.score, v.justification, v.status
FROM verdicts v
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
LEFT JOIN (SELECT judge_id, kind AS judge_kind FROM judges) j USING (judge_id)
WHERE i.benchmark = $benchmark AND i.item_id = $item AND {where}
ORDER BY r.kind DESC, r.model, r.run_id, v.attempt, v.judge_id, v.criterion, v.on_judge
"""


def case_verdicts(cursor: Connection, chosen: Slice, policy: Policy, *, benchmark: str, item: str) -> Answer:
    """Return the verdicts on the slice's responses to one item.

    One row per response, judge and criterion; `on_judge` names the judge whose verdict a person endorses. `met` and
    `score` are null where the judge abstained or failed: that is unjudged, not unmet.
    """
    del policy  # verdicts are shown as they were given
    about_runs = Slice.of(**{name: values for name, values in chosen.choices if KEYS[name].of == "run"})
    where, params = about_runs.where()
    table = frame(cursor, VERDICTS.format(where=where), params | {"benchmark": benchmark, "item": item})
    failed = int((table["status"] != "ok").sum())
    return Answer(table, "rows of the store", {"verdicts that did not come out": failed})


QUESTION = Question(
    name="case_verdicts",
    title="One case: the verdicts",
    asks="What did each judge say, and why?",
    source="rows of the store",
    needs="the item",
    options=(
        Option("benchmark", "text", "", "benchmark version of the item"),
        Option("item", "text", "", "item"),
    ),
    columns=(
        Result("run", "text", "run"),
        Result("model", "text", "system"),
        Result("attempt", "count", "attempt"),
        Result("judge", "text", "judge"),
        Result("judge_kind", "text", "person, model or program"),
        Result("criterion", "text", "criterion; 'answer' is the response as a whole"),
        Result("on_judge", "text", "judge whose verdict is endorsed"),
        Result("met", "boolean", "whether the criterion is met"),
        Result("label", "text", "verdict in words"),
        Result("score", "number", "verdict as a number"),
        Result("justification", "text", "why"),
        Result("status", "text", "whether a verdict came out"),
    ),
    ask=case_verdicts,
)
