"""Shared wrong choice: do those who err choose the same wrong answer?"""

from __future__ import annotations

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.panel_runs import ALL
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import Slice
from analytics.store import Connection
from analytics.tables import table_of
from analytics.voting_items import QUESTION as ITEMS
from analytics.voting_items import WHICH, voting_items

LEVELS = ("whole", "capability", "media_type")


def shared_wrong(cursor: Connection, chosen: Slice, policy: Policy, *, panel: str, which: str, level_of: str) -> Answer:
    """Share of the wrong ballots that go to an item's most chosen wrong answer, by slice.

    One row per benchmark version and level. On the `items` that `which` names, `wrong` ballots are for a wrong answer
    and `shared` of them for the wrong answer with most ballots of its item, one answer where several tie; `share` is
    shared / wrong, null where nobody erred. `alone` items have one wrong ballot, which shares its answer with nobody:
    they raise the share and say nothing of a common mistake. Ballots as in question voting_items.
    Source: counts of ballots. Raises EmptySlice without ballots, UnknownValue for a panel that is not there.
    """
    answer = voting_items(cursor, chosen, policy, panel=panel, which=which)
    levels = pl.lit("whole") if level_of == "whole" else pl.col(level_of)
    rows = answer.table.with_columns(level=levels).group_by("benchmark", "level").agg(
        items=pl.len(), wrong=pl.col("wrong_votes").sum(), shared=pl.col("shared_votes").sum(),
        alone=(pl.col("wrong_votes") == 1).sum(), ballots=pl.col("ballots").sum(),
    )  # fmt: skip
    rows = rows.with_columns(
        level_of=pl.lit(level_of), share=pl.when(pl.col("wrong") > 0).then(pl.col("shared") / pl.col("wrong"))
    ).sort("benchmark", -pl.col("wrong").cast(pl.Int64), "level")
    table = table_of(rows.to_dicts(), COLUMNS[:-1])
    table = mark(cursor, table, chosen, question="shared_wrong", options={"which": which}, policy=policy)
    return Answer(table, answer.method, answer.left_out, (*note(table), policy.sentence()))


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("level_of", "text", "slice key that level is a value of"),
    Result("level", "text", "value of the slice key, or whole"),
    Result("share", "proportion", "share of wrong ballots that are for their item's most chosen wrong answer"),
    Result("shared", "count", "ballots for it"),
    Result("wrong", "count", "wrong ballots"),
    Result("alone", "count", "items with a single wrong ballot"),
    Result("items", "count", "items looked at"),
    Result("ballots", "count", "valid ballots on them"),
    COLUMN,
)

QUESTION = Question(
    name="shared_wrong",
    title="Shared wrong choice",
    asks="Do the runs that err choose the same wrong answer?",
    source="counts of ballots",
    needs=ITEMS.needs,
    options=(
        Option("panel", "text", ALL, ITEMS.option("panel").meaning),
        WHICH,
        Option("level_of", "choice", "capability", "slice key whose values are the rows", allowed=LEVELS),
    ),
    columns=COLUMNS,
    ask=shared_wrong,
)
