"""Leniency: which judge scores higher than the others do?"""

from __future__ import annotations

import numpy as np

from analytics.determined import COLUMN, mark, note
from analytics.judge_scores import SCALE, JudgeScores, judge_scores
from analytics.numeric.leniency import leniency as judge_leniency
from analytics.numeric.resampling import percentiles
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Question, Result
from analytics.ratings import UNIT
from analytics.slices import Slice
from analytics.store import Connection
from analytics.tables import table_of

ONE_JUDGE = "one judge"


def leniency(
    cursor: Connection, chosen: Slice, policy: Policy, *, unit: str, on: str, level: float, resamples: int, seed: int
) -> Answer:
    """Mean score of each judge, and how much it is above the mean of the other judges on the same responses.

    One row per judge of a benchmark version. `mean` is the mean over `runs` of the judge's mean score of each;
    `leniency` the mean over runs of its score minus the mean of the other judges' scores, in the score's own unit (for
    met, a proportion). Only units that every judge of a run judged count; the others are left out and counted. Null,
    with a `reason`, for a judge alone. Interval: percentile bootstrap over items with all their verdicts.
    Source: Humanity's Sixth Sense, appendix I; Efron 1979, doi:10.1214/aos/1176344552.
    Raises EmptySlice without verdicts, UnknownValue where scores lie outside [0, 1].
    """
    found = judge_scores(cursor, chosen, policy, unit=unit, on=on)
    rows = [row for held in found for row in _rows(held, level=level, resamples=resamples, seed=seed)]
    table = mark(
        cursor, table_of(rows, COLUMNS[:-1]), chosen, question="leniency", column="leniency", options={"unit": unit}
    )
    method = f"{level:.0%} interval: percentile bootstrap over items, {resamples} resamples, seed {seed}"
    return Answer(table, method, left_out(found), note(table), seed)


def left_out(found: list[JudgeScores]) -> dict[str, int]:
    """Return how many units did not enter the judges' means."""
    return {"units without a verdict of every judge of the run": sum(int(held.left_out.sum()) for held in found)}


def _rows(held: JudgeScores, *, level: float, resamples: int, seed: int) -> list[dict[str, object]]:
    result = judge_leniency(held.scores)
    tail = (1 - level) / 2
    if len(held.judges) > 1:
        low, high = percentiles(held.replicates(resamples=resamples, seed=seed)[0], (tail, 1 - tail))
    else:
        low = high = np.full(1, np.nan)
    judged = ~np.isnan(held.scores)
    return [
        {
            "benchmark": held.benchmark,
            "judge": judge,
            "mean": np.nanmean(held.scores[row]) if judged[row].any() else None,
            "leniency": result.leniency[row],
            "low": low[row],
            "high": high[row],
            "runs": result.n[row],
            "n": held.n[judged[row]].sum(),
            "reason": "" if result.n[row] else ONE_JUDGE,
        }
        for row, judge in enumerate(held.judges)
    ]


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("judge", "text", "judge"),
    Result("mean", "proportion", "mean over runs of the judge's mean score"),
    Result("leniency", "points", "its scores minus the mean of the other judges' scores, mean over runs"),
    Result("low", "points", "lower end of its interval"),
    Result("high", "points", "upper end of its interval"),
    Result("runs", "count", "runs that the judge and another judge scored"),
    Result("n", "count", "units that enter the judge's means"),
    Result("reason", "text", "why there is no leniency; empty where there is"),
    COLUMN,
)

QUESTION = Question(
    name="leniency",
    title="Leniency of judges",
    asks="Which judge scores higher than the others do?",
    source="Humanity's Sixth Sense, appendix I; Efron 1979, doi:10.1214/aos/1176344552",
    needs="verdicts of two judges on the same responses",
    options=(UNIT, SCALE, LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=leniency,
)
