"""Rules: what was refused, doubted or noted while logs were read, by rule."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.slices import Slice
from analytics.store import Connection, frame

DOUBLES = (
    "duplicate_key", "conflicting_rows", "repeated_responses", "run_again", "same_run_twice", "same_file_twice",
)  # fmt: skip
"""Rules about a key, a run or a file that was met more than once."""

SQL = """
SELECT i.rule, i.severity, i.rule = ANY($doubles) AS doubled, sum(i.records)::BIGINT AS records,
       count(*)::BIGINT AS issues, count(DISTINCT i.source_id)::BIGINT AS sources,
       string_agg(DISTINCT s.loader, ', ' ORDER BY s.loader) AS loaders, arg_min(i.message, i.issue) AS example
FROM issues i LEFT JOIN sources s USING (source_id)
GROUP BY i.rule, i.severity
ORDER BY array_position(['refused', 'doubted', 'note'], i.severity), records DESC, i.rule
"""


def load_rules(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Count the records that each rule refused, doubted or noted.

    One row per rule and severity, refusals first. `records` counts records, 0 where a rule is about a whole file;
    `example` is the first message. Slice and policy do not apply to files.
    """
    del chosen, policy
    return Answer(frame(cursor, SQL, {"doubles": list(DOUBLES)}), "issues noted by the build, by rule", {})


QUESTION = Question(
    name="rules",
    title="Rules that refused or doubted",
    asks="Which rules refused or doubted how many records?",
    source="account of the build",
    needs="any log",
    options=(),
    columns=(
        Result("rule", "text", "rule that was broken"),
        Result("severity", "text", "refused: not kept; doubted: kept with a doubt; note: worth knowing"),
        Result("doubled", "boolean", "about a key, a run or a file that was met more than once"),
        Result("records", "count", "records that the rule stands for; 0 where it is about a whole file"),
        Result("issues", "count", "issues; many records may share one"),
        Result("sources", "count", "files"),
        Result("loaders", "text", "readers"),
        Result("example", "text", "message of the first"),
    ),
    ask=load_rules,
)
