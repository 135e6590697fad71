"""Confusion: which labels does one rater give where another gives which?"""

from __future__ import annotations

import numpy as np

from analytics.determined import COLUMN, mark, note
from analytics.errors import UnknownValue
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.ratings import RATING_OPTIONS, Ratings, all_left_out, ratings
from analytics.slices import Slice
from analytics.store import Connection
from analytics.tables import table_of


def confusion(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    a: str,
    b: str,
    raters: str,
    unit: str,
    on: str,
    unparsed: str,
    letters: str,
    among: str,
    order: str,
) -> Answer:
    """Cross-table of two raters over the units that both rated.

    One row per pair of labels, of one benchmark version and setting: `units` counts units that `rater_a` calls
    `label_a` and `rater_b` calls `label_b`; `share` is over the `n` common units. Without `a` and `b` the first two
    raters are meant. Units that one of the two left without a rating are left out and counted.
    Raises EmptySlice without ratings, UnknownValue when a or b is no rater, or where there is one rater alone.
    """
    named = "all" if raters == "runs" and among == "all" and not (a and b) else among
    if raters == "runs" and a and b:
        named = f"{a}|{b}"
    groups = ratings(
        cursor,
        chosen,
        policy,
        raters=raters,
        unit=unit,
        on=on,
        unparsed=unparsed,
        letters=letters,
        among=named,
        order=order,
    )
    rows: list[dict[str, object]] = []
    lacking = 0
    for group in groups:
        pair = pair_of(group, a, b)
        if pair is None:
            continue
        first, second = (group.codes[k].astype(np.int64) for k in pair)
        both = (first >= 0) & (second >= 0)
        lacking += int(((first >= 0) != (second >= 0)).sum())
        size = len(group.labels)
        table = np.bincount(first[both] * size + second[both], minlength=size * size).reshape(size, size)
        n = int(both.sum())
        rows += [
            {
                "benchmark": group.benchmark,
                "condition": group.condition,
                "rater_a": group.raters[pair[0]],
                "label_a": group.labels[i],
                "rater_b": group.raters[pair[1]],
                "label_b": group.labels[j],
                "units": table[i, j],
                "share": table[i, j] / n if n else None,
                "n": n,
            }
            for i in range(size)
            for j in range(size)
        ]
    if not rows:
        known = ", ".join(rater for group in groups for rater in group.raters)
        raise UnknownValue(f"No two raters called '{a or 'first'}' and '{b or 'second'}'; the slice has: {known}.")
    found = mark(cursor, table_of(rows, COLUMNS[:-1]), chosen, question="confusion", options={})
    left_out = all_left_out(groups) | {"units that one of the two raters left without a rating": lacking}
    return Answer(found, "counts of common units", left_out, note(found))


def pair_of(group: Ratings, a: str, b: str) -> tuple[int, int] | None:
    """Return the rows of the two raters in a group; None where the group lacks one of them."""
    free = [k for k, rater in enumerate(group.raters) if rater not in (a, b)]
    first = group.raters.index(a) if a in group.raters else free[0] if not a and free else None
    rest = [k for k in free if k != first]
    second = group.raters.index(b) if b in group.raters else rest[0] if not b and rest else None
    return None if first is None or second is None or first == second else (first, second)


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("condition", "text", "setting of the annotators; none for other raters"),
    Result("rater_a", "text", "first rater"),
    Result("label_a", "text", "its label"),
    Result("rater_b", "text", "second rater"),
    Result("label_b", "text", "its label"),
    Result("units", "count", "units with these two labels"),
    Result("share", "proportion", "their share of the common units"),
    Result("n", "count", "units that both rated"),
    COLUMN,
)

QUESTION = Question(
    name="confusion",
    title="Confusion of two raters",
    asks="Where one rater says this, what does the other say?",
    source="counts of the store's rows",
    needs="ratings by two raters",
    options=(
        Option("a", "text", "", "first rater; the first of the slice when empty"),
        Option("b", "text", "", "second rater; the next one when empty"),
        *RATING_OPTIONS,
    ),
    columns=COLUMNS,
    ask=confusion,
)
