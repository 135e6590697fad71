"""Voting, item by item: where is the plurality wrong while someone is right, and what do the wrong ones share?"""

from __future__ import annotations

import numpy as np

from analytics.ballots import Ballots, added, ballots
from analytics.determined import COLUMN, mark, note
from analytics.numeric.voting import outvoted, plurality, right_ballots
from analytics.panel_runs import PANEL, panel_runs
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection
from analytics.tables import table_of
from analytics.voting import NEEDS

WHICH = Option(
    "which",
    "choice",
    "outvoted",
    "items on which a member is right and the right answer is not first, tied ones, ones nobody solves, or every one",
    allowed=("outvoted", "tied", "unsolved", "every"),
)


def voting_items(cursor: Connection, chosen: Slice, policy: Policy, *, panel: str, which: str) -> Answer:
    """Votes of a panel on single items.

    One row per item. `first` are the answers in first place with `first_votes` ballots each; `right_votes` ballots are
    for the reference. `shared_wrong` is the wrong answer with most ballots (several joined by '|' where they tie) and
    `wrong_share` its share of the wrong ballots: near 1 where those who err make the same mistake, which no vote mends.
    Rows are in order of `wrong_votes`, most first. Ballots and items as in `voting`.
    Source: counts of ballots. Raises EmptySlice without ballots, UnknownValue for a panel that is not there.
    """
    found = ballots(cursor, chosen, policy, panel_runs(cursor, chosen, panel=panel))
    if not found:
        raise empty(chosen, needs=NEEDS)
    rows = [row for held in found for row in _items(held, which)]
    rows.sort(key=lambda row: (-int(str(row["wrong_votes"])), str(row["benchmark"]), str(row["item"])))
    table = mark(cursor, table_of(rows, COLUMNS[:-1]), chosen, question="voting_items", options={})
    looked = sum(held.items.height for held in found)
    method = f"counts of ballots; {table.height} of {looked} items are {which}"
    return Answer(table, method, added(*(held.left_out for held in found)), note(table))


def _items(held: Ballots, which: str) -> list[dict[str, object]]:
    vote = plurality(held.choices, held.correct, ties="share")
    right = right_ballots(held.choices, held.correct)
    wanted = {
        "outvoted": outvoted(held.choices, held.correct),
        "tied": vote.tie_size > 1,
        "unsolved": ~right.any(axis=0),
        "every": np.ones(held.items.height, dtype=bool),
    }[which]
    names = ("item", "capability", "media_type", "answer_type", "right")
    rows: list[dict[str, object]] = []
    for at in np.flatnonzero(wanted).tolist():
        about = held.items.select(names).row(at, named=True)
        codes, votes = np.unique(held.choices[held.choices[:, at] >= 0, at], return_counts=True)
        wrong = codes != held.correct[at]
        most = int(votes[wrong].max(initial=0))
        first = int(votes.max(initial=0))
        rows.append(
            {
                "benchmark": held.benchmark,
                "item": about["item"],
                "capability": about["capability"],
                "media_type": about["media_type"],
                "reference": about["right"],
                "first": "|".join(held.labels[code] for code in codes[votes == first]),
                "first_votes": first,
                "tie_size": vote.tie_size[at],
                "right_votes": int(right[:, at].sum()),
                "right_runs": "|".join(held.runs["run"][np.flatnonzero(right[:, at]).tolist()]),
                "wrong_votes": int(votes[wrong].sum()),
                "shared_wrong": "|".join(held.labels[code] for code in codes[wrong & (votes == most)]),
                "shared_votes": most,
                "wrong_share": most / int(votes[wrong].sum()) if wrong.any() else None,
                "credit": vote.credit[at],
                "ballots": vote.ballots[at],
                "members": held.runs.height,
            }
        )
    return rows


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("item", "text", "item"),
    Result("capability", "text", "primary slice"),
    Result("media_type", "text", "media type"),
    Result("reference", "text", "right answer"),
    Result("first", "text", "answers in first place, joined by '|'"),
    Result("first_votes", "count", "ballots for each of them"),
    Result("tie_size", "count", "how many answers share first place; 0 without ballots"),
    Result("right_votes", "count", "ballots for the right answer"),
    Result("right_runs", "text", "runs that gave it, joined by '|'"),
    Result("wrong_votes", "count", "ballots for wrong answers"),
    Result("shared_wrong", "text", "wrong answer with most ballots; several joined by '|' where they tie"),
    Result("shared_votes", "count", "ballots for it"),
    Result("wrong_share", "proportion", "its share of the wrong ballots"),
    Result("credit", "proportion", "credit of the plurality, tied answers sharing it"),
    Result("ballots", "count", "valid ballots"),
    Result("members", "count", "runs of the panel"),
    COLUMN,
)

QUESTION = Question(
    name="voting_items",
    title="Voting, item by item",
    asks="Where is the plurality wrong while someone is right?",
    source="counts of ballots",
    needs=NEEDS,
    options=(PANEL, WHICH),
    columns=COLUMNS,
    ask=voting_items,
)
