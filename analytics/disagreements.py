"""Disagreements: which units do two raters see differently?"""

from __future__ import annotations

import polars as pl

from analytics.confusion import pair_of
from analytics.determined import COLUMN, mark, note
from analytics.errors import UnknownValue
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.ratings import RATING_OPTIONS, Ratings, all_left_out, ratings
from analytics.slices import NONE, Slice
from analytics.store import Connection, frame
from analytics.tables import table_of

NAMES = "SELECT item_idx, item_id AS item FROM item_dims WHERE benchmark = $benchmark"
RUNS = "SELECT run_idx, run_id AS run FROM run_dims WHERE run_benchmark = $benchmark"


def disagreements(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    a: str,
    b: str,
    most: int,
    raters: str,
    unit: str,
    on: str,
    unparsed: str,
    letters: str,
    among: str,
    order: str,
) -> Answer:
    """List the units on which two raters differ.

    One row per unit that both rated with unlike labels, in the store's order of items and runs, at most `most` of the
    `total`. `part` is the criterion, or what else tells units of an item apart; `run` is null where the raters are
    those who answered. Without `a` and `b` the first two raters are meant. Units that one of the two left without a
    rating are no disagreement and are counted. Source: rows of the store.
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
    found: list[dict[str, object]] = []
    paired = lacking = 0
    for group in groups:
        pair = pair_of(group, a, b)
        if pair is None:
            continue
        paired += 1
        first, second = group.codes[pair[0]], group.codes[pair[1]]
        lacking += int(((first >= 0) != (second >= 0)).sum())
        found += _rows(cursor, group, pair)
    if not paired:
        known = ", ".join(rater for group in groups for rater in group.raters)
        raise UnknownValue(f"No two raters called '{a or 'first'}' and '{b or 'second'}'; the slice has: {known}.")
    rows = [row | {"total": len(found)} for row in found[:most]]
    table = mark(cursor, table_of(rows, COLUMNS[:-1]), chosen, question="disagreements", options={})
    left_out = all_left_out(groups) | {"units that one of the two raters left without a rating": lacking}
    return Answer(table, "units that both rated with unlike labels", left_out, note(table))


def _rows(cursor: Connection, group: Ratings, pair: tuple[int, int]) -> list[dict[str, object]]:
    """Return one row per unit of a group on which the pair differs."""
    first, second = group.codes[pair[0]], group.codes[pair[1]]
    at = ((first >= 0) & (second >= 0) & (first != second)).nonzero()[0]
    items = frame(cursor, NAMES, {"benchmark": group.benchmark})
    runs = frame(cursor, RUNS, {"benchmark": group.benchmark}).cast({"run_idx": pl.Int64})
    units = group.units[at.tolist()].with_columns(
        label_a=pl.Series([group.labels[code] for code in first[at]], dtype=pl.String),
        label_b=pl.Series([group.labels[code] for code in second[at]], dtype=pl.String),
        run_idx=pl.col("run_idx").cast(pl.Int64),
        item_idx=pl.col("item_idx").cast(items["item_idx"].dtype),
    )
    named = units.join(items, on="item_idx", how="left", maintain_order="left")
    named = named.join(runs, on="run_idx", how="left", maintain_order="left")
    shared = {
        "benchmark": group.benchmark,
        "condition": group.condition or NONE,
        "rater_a": group.raters[pair[0]],
        "rater_b": group.raters[pair[1]],
    }
    kept = named.select("item", "run", "attempt", "part", "label_a", "label_b")
    return [shared | row for row in kept.iter_rows(named=True)]


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("condition", "text", "setting of the annotators; none for other raters"),
    Result("item", "text", "item"),
    Result("run", "text", "run whose response was judged; null where the raters are those who answered"),
    Result("attempt", "count", "attempt that was judged"),
    Result("part", "text", "criterion, or what else tells units of an item apart"),
    Result("rater_a", "text", "first rater"),
    Result("label_a", "text", "its label"),
    Result("rater_b", "text", "second rater"),
    Result("label_b", "text", "its label"),
    Result("total", "count", "units on which the two differ"),
    COLUMN,
)

QUESTION = Question(
    name="disagreements",
    title="Disagreements of two raters",
    asks="Which units do two raters see differently?",
    source="rows of the store",
    needs="ratings by two raters",
    options=(
        Option("a", "text", "", "first rater; the first of the slice when empty"),
        Option("b", "text", "", "second rater; the next one when empty"),
        Option("most", "integer", 200, "rows to list at most", low=1, high=100_000),
        *RATING_OPTIONS,
    ),
    columns=COLUMNS,
    ask=disagreements,
)
