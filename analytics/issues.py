"""Issues: which records were refused or doubted, where, and by which rule."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.schema import ISSUES, SEVERITIES
from analytics.slices import Slice
from analytics.store import Connection, frame

SQL = """
SELECT i.issue, s.path, s.places || ' ' || i.line AS place, i.line, i.column_name,
       i.rule, i.severity, i.records, i.message, i.excerpt, i.source_id
FROM issues i LEFT JOIN sources s USING (source_id)
WHERE ($severity = 'every' OR i.severity = $severity) AND ($rule = '' OR i.rule = $rule)
ORDER BY i.issue
"""


def issues(cursor: Connection, chosen: Slice, policy: Policy, *, severity: str, rule: str) -> Answer:
    """Return the issues of the build.

    One row per issue; `records` is how many records it stands for. Slice and policy do not apply.
    """
    del chosen, policy
    return Answer(frame(cursor, SQL, {"severity": severity, "rule": rule}), "issues noted by the build", {})


MEANINGS = {column.name: column.meaning for column in ISSUES.columns} | {
    "path": "file, relative to its argument",
    "place": "where in it: line of text, row of a table, or record of a list",
}

QUESTION = Question(
    name="issues",
    title="Issues",
    asks="Which records were refused or doubted, and why?",
    source="account of the build",
    needs="any log",
    options=(
        Option("severity", "choice", "every", "what was done with the record", allowed=("every", *SEVERITIES)),
        Option("rule", "text", "", "one rule only; empty takes all"),
    ),
    columns=tuple(
        Result(name, "count" if name in ("issue", "line", "records") else "text", MEANINGS[name])
        for name in (
            "issue",
            "path",
            "place",
            "line",
            "column_name",
            "rule",
            "severity",
            "records",
            "message",
            "excerpt",
            "source_id",
        )
    ),
    ask=issues,
)
