"""The judge's output of Humanity's Sixth Sense, held to the schema of appendix C.6: one verdict per criterion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analytics.errors import did_you_mean, listing
from loaders import hss_terms as terms
from loaders.base import Issue
from loaders.gather import Gather
from loaders.hss_survey import met_of, output_of
from loaders.objects import Record, first_of, refuse

WHOLE = "answer"
"""Criterion of a failed verdict on a task whose rubric is not at hand."""


def verdicts_of(
    rows: Gather, record: Record, rubric: Sequence[str] | None, *, line: int
) -> Iterator[dict[str, object] | Issue]:
    """Yield one verdict per criterion of one record, or why a verdict is refused.

    A criterion of the rubric without a verdict, and every one of an output that cannot be read, is a failure of the
    judge. `rubric` is None where the task is not at hand: then the criteria are taken as they come.
    """
    output = output_of(record)
    criteria = None if output is None else output.get("criteria")
    if output is None or not isinstance(criteria, list):
        message = "The judge's output has no list `criteria`: a grading failure, which is no zero."
        rows.doubt("judge_failed", message, line=line, column="criteria", excerpt=record.get("output"))
        yield from (_failed(name) for name in rubric or (WHOLE,))
        return
    extra = sorted(set(output) - terms.JUDGE_OUTPUT)
    if extra:
        message = f"The judge's output has {listing(extra)}, which its schema does not know; it was not read."
        rows.doubt("unknown_field", message, line=line, column=extra[0])
    comment = first_of(output, "overall_comment", "overall comment")
    if comment is None and "criterion" not in record:
        rows.doubt("missing_field", "The judge's output has no overall comment.", line=line, column="overall_comment")
    found: list[dict[str, object]] = []
    for part in criteria:
        one = _verdict(rows, part, rubric, record, line=line)
        if isinstance(one, Issue):
            yield one
        else:
            found.append(one)
    if comment is not None and found:
        why = found[-1]["justification"]
        found[-1]["justification"] = f"{why}\n[overall comment] {comment}" if why else f"[overall comment] {comment}"
    yield from found
    if "criterion" in record:  # a table gives the other criteria on other rows
        return
    lacking = [name for name in rubric or () if name not in {one["criterion"] for one in found}]
    for name in lacking:
        message = (
            f"The judge gave no verdict on criterion {name} of the rubric: a grading failure of it, which is no zero."
        )
        rows.doubt("criterion_not_judged", message, line=line, column="criteria[].id", excerpt=record)
        yield _failed(name)


def _failed(criterion: str) -> dict[str, object]:
    return {"criterion": criterion, "met": None, "justification": None, "status": "judge_failed"}


def _verdict(
    rows: Gather, part: object, rubric: Sequence[str] | None, record: Record, *, line: int
) -> dict[str, object] | Issue:
    """Return one verdict, or why it is refused."""
    if not isinstance(part, dict):
        message = f"A criterion must be an object with id, met and justification and is {type(part).__name__}."
        return refuse("wrong_type", message, line, "criteria[]", record)
    name, met = first_of(part, "id"), met_of(part)
    if name is None:
        return refuse("required", "A verdict has no id of its criterion.", line, "criteria[].id", part)
    if rubric is not None and name not in rubric:
        message = f"The rubric has no criterion '{name}'; it has: {listing(rubric)}.{did_you_mean(name, rubric)}"
        return refuse("unknown_criterion", message, line, "criteria[].id", part)
    if met is None:
        message = f"met is {part.get('met')!r}; allowed: true or false."
        return refuse("wrong_type", message, line, "criteria[].met", part)
    extra = sorted(set(part) - terms.CRITERION)
    if extra:
        message = f"A verdict has {listing(extra)}, which its schema does not know; it was not read."
        rows.doubt("unknown_field", message, line=line, column=f"criteria[].{extra[0]}")
    why = first_of(part, "justification")
    if why is None:
        message = f"The verdict on criterion {name} has no justification."
        rows.doubt("missing_field", message, line=line, column="criteria[].justification")
    return {"criterion": name, "met": met, "justification": why, "status": "ok"}
