"""Rank agreement: do judges put the runs in the same order?"""

from __future__ import annotations

from analytics.determined import COLUMN, mark, note
from analytics.judge_scores import SCALE, judge_scores
from analytics.leniency import left_out
from analytics.numeric.leniency import rank_agreement as by_rank
from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.ratings import UNIT, pairs_of
from analytics.slices import Slice
from analytics.store import Connection
from analytics.tables import table_of


def rank_agreement(cursor: Connection, chosen: Slice, policy: Policy, *, unit: str, on: str) -> Answer:
    """Rank correlation of two judges' mean scores of the same runs.

    One row per pair of judges of a benchmark version: Spearman's rho and Kendall's tau-b over the `runs` that both
    scored, each mean over the units that every judge of the run judged. Null, with a `reason`, for fewer than two runs
    or constant scores. With few runs a correlation is rough, and no interval is given.
    Sources: Spearman 1904, doi:10.2307/1412159; Kendall 1945, doi:10.1093/biomet/33.3.239.
    Raises EmptySlice without verdicts, UnknownValue where scores lie outside [0, 1].
    """
    found = judge_scores(cursor, chosen, policy, unit=unit, on=on)
    rows = []
    for held in found:
        result = by_rank(held.scores)
        rows += [
            {
                "benchmark": held.benchmark,
                "judge_a": held.judges[i],
                "judge_b": held.judges[j],
                "spearman": result.spearman[i, j],
                "kendall": result.kendall[i, j],
                "runs": result.n[i, j],
                "reason": str(result.reason[i, j]),
            }
            for i, j in pairs_of(len(held.judges))
        ]
    table = mark(
        cursor,
        table_of(rows, COLUMNS[:-1]),
        chosen,
        question="rank_agreement",
        column="spearman",
        options={"unit": unit},
    )
    method = "Spearman's rho and Kendall's tau-b of the judges' mean scores of runs"
    return Answer(table, method, left_out(found), note(table))


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("judge_a", "text", "first judge"),
    Result("judge_b", "text", "second judge"),
    Result("spearman", "number", "Spearman's rho; null where undefined"),
    Result("kendall", "number", "Kendall's tau-b; null where undefined"),
    Result("runs", "count", "runs that both judges scored"),
    Result("reason", "text", "why it is undefined; empty where it is defined"),
    COLUMN,
)

QUESTION = Question(
    name="rank_agreement",
    title="Rank agreement of judges",
    asks="Do judges put the runs in the same order?",
    source="Spearman 1904, doi:10.2307/1412159; Kendall 1945, doi:10.1093/biomet/33.3.239",
    needs="verdicts of two judges on the same responses of two runs or more",
    options=(UNIT, SCALE),
    columns=COLUMNS,
    ask=rank_agreement,
)
