"""Traps: which wrong option does a run fall for?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.ballots import LEVEL_OF, Ballots, added, ballots, levels
from analytics.determined import COLUMN, mark, note
from analytics.numeric.failures import trap_fall_rates
from analytics.panel_runs import runs_of
from analytics.policy import Policy
from analytics.questions import LEVEL, Answer, Question, Result
from analytics.schema import RUN_KINDS
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

NEEDS = "types of the wrong options (table option_types) and answers of runs (table responses)"

TYPES = """
SELECT o.benchmark, i.item_idx, o.option, o.type
FROM option_types o JOIN item_dims i ON i.benchmark = o.benchmark AND i.item_id = o.item_id
WHERE o.benchmark = ANY($benchmarks) AND o.type <> 'correct'
ORDER BY o.benchmark, o.type, i.item_idx, o.option
"""


def traps(cursor: Connection, chosen: Slice, policy: Policy, *, level_of: str, level: float) -> Answer:
    """Trap fall rate TFR(k): among wrong answers that chose an option, the share that chose a trap of type k.

    One row per main run (of a model, a person or a control), level and trap type. `fallen` of `wrong` choices; `rate`
    with Wilson's interval (doi:10.2307/2276774), null without wrong choices. `invalid` answers chose no option and are
    beside the rate; `untyped` wrong options have no declared type and stay in the denominator. First attempts and
    single-choice items with declared types alone; the others are left out and counted.
    Source: SocialReasonBench, equation 1. Raises EmptySlice without option types or answers.
    """
    runs = runs_of(cursor, chosen, kinds=RUN_KINDS)
    types = frame(cursor, TYPES, {"benchmarks": runs["benchmark"].unique().to_list()})
    if not runs.height or not types.height:
        raise empty(chosen, needs=NEEDS)
    rows: list[dict[str, object]] = []
    left_out: dict[str, int] = {}
    for held in _panels(cursor, chosen, policy, runs, types["benchmark"].unique().to_list()):
        own = types.filter(pl.col("benchmark") == held.benchmark)
        single = (held.items["answer_type"] == "single_choice") & held.items["item_idx"].is_in(
            own["item_idx"].implode()
        )
        left_out = added(left_out, {"items without option types": held.items.height - int(single.sum())}, held.left_out)
        for name, at in levels(held.items, level_of):
            rows += _rows(held, own, at[single.to_numpy()[at]], level_of=level_of, name=name, level=level)
    if not rows:
        raise empty(chosen, needs=NEEDS)
    table = mark(cursor, table_of(rows, COLUMNS[:-1]), chosen, question="traps", options={})
    return Answer(table, f"shares of wrong choices; {level:.0%} interval: Wilson score", left_out, note(table))


def _panels(
    cursor: Connection, chosen: Slice, policy: Policy, runs: pl.DataFrame, benchmarks: list[str]
) -> list[Ballots]:
    """Return the ballots of runs with one population together, so that none shrinks another's items."""
    found: list[Ballots] = []
    for _, members in runs.filter(pl.col("benchmark").is_in(benchmarks)).group_by(
        ["benchmark", "scope"], maintain_order=True
    ):
        found += ballots(cursor, chosen, policy, members)
    return found


def _rows(
    held: Ballots, types: pl.DataFrame, at: npt.NDArray[np.int64], *, level_of: str, name: str, level: float
) -> list[dict[str, object]]:
    """Return one row per run and trap type on the items at these places."""
    names = types["type"].unique(maintain_order=True).to_list()
    code = {label: k for k, label in enumerate(held.labels)}
    kinds = np.full((len(at), len(held.labels)), -1, dtype=np.int64)
    place = {int(item): k for k, item in enumerate(held.items["item_idx"][at.tolist()])}
    for item, option, kind in types.select("item_idx", "option", "type").iter_rows():
        if item in place and option in code:
            kinds[place[item], code[option]] = names.index(kind)
    found = trap_fall_rates(held.choices[:, at], held.correct[at], kinds, types=len(names), level=level)
    return [
        {
            "benchmark": held.benchmark,
            "run": held.runs["run"][run],
            "model": held.runs["model"][run],
            "kind": held.runs["kind"][run],
            "level_of": level_of,
            "level": name,
            "trap": kind,
            "fallen": found.fallen[run, k],
            "wrong": found.wrong[run],
            "rate": found.rate[run, k],
            "low": found.low[run, k],
            "high": found.high[run, k],
            "invalid": found.invalid[run],
            "untyped": found.untyped[run],
            "n": len(at),
        }
        for run in range(held.runs.height)
        for k, kind in enumerate(names)
    ]


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("level_of", "text", "what the rows split items by"),
    Result("level", "text", "slice of items"),
    Result("trap", "text", "type of wrong option"),
    Result("fallen", "count", "wrong answers that chose it"),
    Result("wrong", "count", "wrong answers that chose an option"),
    Result("rate", "proportion", "fallen over wrong"),
    Result("low", "proportion", "lower end of its interval"),
    Result("high", "proportion", "upper end of its interval"),
    Result("invalid", "count", "items without a valid answer"),
    Result("untyped", "count", "wrong answers whose option has no declared type"),
    Result("n", "count", "items"),
    COLUMN,
)

QUESTION = Question(
    name="traps",
    title="Trap fall rates",
    asks="Which wrong option does a run fall for?",
    source="SocialReasonBench, equation 1; Wilson 1927, doi:10.2307/2276774",
    needs=NEEDS,
    options=(LEVEL_OF, LEVEL),
    columns=COLUMNS,
    ask=traps,
)
