"""Self-preference: does a judge favour models of its own vendor, beyond its leniency to all?"""

from __future__ import annotations

import numpy as np

from analytics.determined import COLUMN, mark, note
from analytics.judge_scores import SCALE, JudgeScores, judge_scores, judges_of
from analytics.leniency import ONE_JUDGE, left_out
from analytics.numeric.leniency import leniency as judge_leniency
from analytics.numeric.resampling import percentiles
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Question, Result
from analytics.ratings import UNIT
from analytics.slices import NONE, Slice
from analytics.store import Connection
from analytics.tables import table_of


def self_preference(
    cursor: Connection, chosen: Slice, policy: Policy, *, unit: str, on: str, level: float, resamples: int, seed: int
) -> Answer:
    """Score of each judge for each run against the other judges, less the judge's leniency.

    One row per judge and run. `difference` is the judge's mean score of the run minus the mean of the other judges';
    `residual` that minus the judge's leniency; a judge's residuals add up to 0. `relation` says whether the judge and
    the run's model are the same system, of one vendor, of two, or whether a vendor is not stated. A residual above 0
    for a judge's own vendor is what self-preference would look like: it is no proof of it.
    Only units that every judge of the run judged count (`n`). Interval: percentile bootstrap over items with all their
    verdicts. Source: Humanity's Sixth Sense, appendix I; Efron 1979, doi:10.1214/aos/1176344552.
    Raises EmptySlice without verdicts, UnknownValue where scores lie outside [0, 1].
    """
    found = judge_scores(cursor, chosen, policy, unit=unit, on=on)
    known = judges_of(cursor)
    rows = [row for held in found for row in _rows(held, known, level=level, resamples=resamples, seed=seed)]
    table = mark(
        cursor,
        table_of(rows, COLUMNS[:-1]),
        chosen,
        question="self_preference",
        column="residual",
        options={"unit": unit},
    )
    method = f"{level:.0%} interval: percentile bootstrap over items, {resamples} resamples, seed {seed}"
    return Answer(table, method, left_out(found), note(table), seed)


def _rows(
    held: JudgeScores, known: dict[str, tuple[str, str | None]], *, level: float, resamples: int, seed: int
) -> list[dict[str, object]]:
    result = judge_leniency(held.scores)
    tail = (1 - level) / 2
    low, high = (np.full(held.scores.shape, np.nan) for _ in range(2))
    if len(held.judges) > 1:
        drawn = held.replicates(resamples=resamples, seed=seed)[1].reshape(resamples, -1)
        low, high = (end.reshape(held.scores.shape) for end in percentiles(drawn, (tail, 1 - tail)))
    rows: list[dict[str, object]] = []
    for j, judge in enumerate(held.judges):
        vendor, version = known.get(judge, (NONE, None))
        for m, (_, run, model, made_by) in enumerate(held.runs.iter_rows()):
            if np.isnan(held.scores[j, m]):
                continue
            rows.append(
                {
                    "benchmark": held.benchmark,
                    "judge": judge,
                    "judge_vendor": vendor,
                    "run": run,
                    "model": model,
                    "vendor": made_by,
                    "relation": _relation(judge, version, vendor, model, made_by),
                    "score": held.scores[j, m],
                    "difference": result.difference[j, m],
                    "residual": result.residual[j, m],
                    "low": low[j, m],
                    "high": high[j, m],
                    "n": held.n[m],
                    "reason": ONE_JUDGE if np.isnan(result.residual[j, m]) else "",
                }
            )
    return rows


def _relation(judge: str, version: str | None, vendor: str, model: str, made_by: str) -> str:
    if model in (judge, version):
        return "itself"
    if NONE in (vendor, made_by):
        return "not stated"
    return "same vendor" if vendor.lower() == made_by.lower() else "other vendor"


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("judge", "text", "judge"),
    Result("judge_vendor", "text", "who makes the judge"),
    Result("run", "text", "run judged"),
    Result("model", "text", "its system"),
    Result("vendor", "text", "who makes it"),
    Result("relation", "text", "itself, same vendor, other vendor, or not stated"),
    Result("score", "proportion", "the judge's mean score of the run"),
    Result("difference", "points", "score minus the mean of the other judges' scores"),
    Result("residual", "points", "difference minus the judge's leniency"),
    Result("low", "points", "lower end of the residual's interval"),
    Result("high", "points", "upper end of the residual's interval"),
    Result("n", "count", "units that every judge of the run judged"),
    Result("reason", "text", "why there is no residual; empty where there is"),
    COLUMN,
)

QUESTION = Question(
    name="self_preference",
    title="Self-preference of judges",
    asks="Does a judge favour models of its own vendor?",
    source="Humanity's Sixth Sense, appendix I; Efron 1979, doi:10.1214/aos/1176344552",
    needs="verdicts of two judges on the same responses, vendors of judges and runs",
    options=(UNIT, SCALE, LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=self_preference,
)
