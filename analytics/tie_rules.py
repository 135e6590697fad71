"""Tie rules: what would the plurality be if ties were settled otherwise?"""

from __future__ import annotations

from typing import Any

import polars as pl

from analytics.determined import note
from analytics.panel_runs import SEPARATOR
from analytics.policy import Policy
from analytics.questions import Answer, Question
from analytics.slices import Slice
from analytics.store import Connection
from analytics.voting import QUESTION as VOTING
from analytics.voting import voting

RULES = ("share", "abstain", "random", "defer")


def tie_rules(
    cursor: Connection, chosen: Slice, policy: Policy, *, panel: str, defer_to: str, level: float, resamples: int,
    seed: int,
) -> Answer:  # fmt: skip
    """Plurality of a panel under every rule for ties, on all items of the slice.

    One row per benchmark version and rule: share (1/k of the credit when k answers tie and the right one is among
    them), abstain (nothing), random (one of them, drawn with the seed) and defer (the answer of `defer_to`, initially
    the best single run, if it is among them). Columns and intervals as in question voting. Source: question voting.
    Raises EmptySlice without ballots, UnknownValue for a panel or decider that is not there.
    """
    asked: dict[str, Any] = {"panel": panel, "level_of": "whole", "level": level, "resamples": resamples, "seed": seed}
    shared = voting(cursor, chosen, policy, tie_rule="share", defer_to="", **asked)
    decider = defer_to or str(shared.table["best"][0]).split(SEPARATOR)[0]
    found = [shared] + [
        voting(cursor, chosen, policy, tie_rule=rule, defer_to=decider if rule == "defer" else "", **asked)
        for rule in RULES[1:]
    ]
    table = pl.concat([answer.table for answer in found])
    notes = (*note(table), f"Where a run decides, it is {decider}.", policy.sentence())
    return Answer(table, shared.method, shared.left_out, notes, seed)


QUESTION = Question(
    name="tie_rules",
    title="Plurality under every rule for ties",
    asks="What would the vote reach if ties were settled otherwise?",
    source=VOTING.source,
    needs=VOTING.needs,
    options=tuple(option for option in VOTING.options if option.name not in ("level_of", "tie_rule")),
    columns=VOTING.columns,
    ask=tie_rules,
)
