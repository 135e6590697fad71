"""Majority agreement: how often does a judge say what most people say?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analytics.determined import COLUMN, mark, note
from analytics.errors import UnknownValue
from analytics.numeric.arrays import ratio
from analytics.numeric.intervals import wilson
from analytics.numeric.resampling import percentiles, resampled_sums
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.ratings import ON, UNIT, Ratings, all_left_out, ratings
from analytics.slices import Slice
from analytics.store import Connection, frame
from analytics.tables import table_of

PEOPLE = "SELECT judge_id AS judge FROM judges WHERE kind = 'person'"
WHO = Option(
    "raters", "choice", "judges", "judges of responses, or of pairs of responses", allowed=("judges", "preferences")
)


def majority_agreement(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    raters: str,
    unit: str,
    on: str,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Share of units on which a judge gives the label that most people give.

    One row per judge that is no person. The people's majority of a unit is the label that more than half of those who
    rated it give; `no_majority` units have none and are left out, as are those that the judge left without a verdict
    (`missing`). `agree` of `n`. Interval: Wilson score (doi:10.2307/2276774) where each unit is an item of its own,
    else percentile bootstrap over items (Efron 1979, doi:10.1214/aos/1176344552).
    Raises EmptySlice without verdicts, UnknownValue where no person, or nobody but people, judged.
    """
    groups = ratings(
        cursor,
        chosen,
        policy,
        raters=raters,
        unit=unit,
        on=on,
        unparsed="missing",
        letters="stored",
        among="all",
        order="",
    )
    people = set(frame(cursor, PEOPLE)["judge"])
    rows: list[dict[str, object]] = []
    for group in groups:
        rows += _against_people(group, people, level=level, resamples=resamples, seed=seed)
    if not rows:
        known = ", ".join(rater for group in groups for rater in group.raters)
        raise UnknownValue(f"A majority of people needs judges of kind 'person' beside others; the slice has: {known}.")
    table = mark(cursor, table_of(rows, COLUMNS[:-1]), chosen, question="majority_agreement", options={})
    methods = "; ".join(table["interval"].unique(maintain_order=True))
    return Answer(table, f"{level:.0%} interval: {methods}", all_left_out(groups), note(table), seed)


def _against_people(
    group: Ratings, people: set[str], *, level: float, resamples: int, seed: int
) -> list[dict[str, object]]:
    persons = [k for k, rater in enumerate(group.raters) if rater in people]
    if not persons:
        return []
    votes = np.stack([(group.codes[persons] == code).sum(axis=0) for code in range(len(group.labels))])
    rated = votes.sum(axis=0)
    majority = np.where(votes.max(axis=0) * 2 > rated, votes.argmax(axis=0), -1)
    rows: list[dict[str, object]] = []
    for k, rater in enumerate(group.raters):
        if k in persons:
            continue
        used = (group.codes[k] >= 0) & (majority >= 0)
        agree = (group.codes[k] == majority) & used
        low, high, interval = _interval(group, used, agree, level=level, resamples=resamples, seed=seed)
        n = int(used.sum())
        rows.append(
            {
                "benchmark": group.benchmark,
                "judge": rater,
                "people": len(persons),
                "agree": agree.sum(),
                "n": n,
                "agreement": agree.sum() / n if n else None,
                "low": low,
                "high": high,
                "no_majority": ((majority < 0) & (rated > 0)).sum(),
                "missing": ((group.codes[k] < 0) & (majority >= 0)).sum(),
                "interval": interval,
            }
        )
    return rows


def _interval(
    group: Ratings,
    used: npt.NDArray[np.bool_],
    agree: npt.NDArray[np.bool_],
    *,
    level: float,
    resamples: int,
    seed: int,
) -> tuple[float, float, str]:
    if group.clusters is None:
        low, high = wilson(int(agree.sum()), int(used.sum()), level=level)
        return float(low), float(high), "Wilson score"
    drawn = resampled_sums(
        np.column_stack([agree, used]).astype(np.float64), clusters=group.clusters, resamples=resamples, seed=seed
    )
    tail = (1 - level) / 2
    ends = percentiles(ratio(drawn[:, 0], drawn[:, 1])[:, None], (tail, 1 - tail))[:, 0]
    return float(ends[0]), float(ends[1]), f"percentile bootstrap over items, {resamples} resamples, seed {seed}"


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("judge", "text", "judge that is no person"),
    Result("people", "count", "people whose majority is meant"),
    Result("agree", "count", "units on which the judge gives the majority's label"),
    Result("n", "count", "units with a majority and a verdict of the judge"),
    Result("agreement", "proportion", "agree over n"),
    Result("low", "proportion", "lower end of its interval"),
    Result("high", "proportion", "upper end of its interval"),
    Result("no_majority", "count", "units that people rated without a majority"),
    Result("missing", "count", "units with a majority that the judge left without a verdict"),
    Result("interval", "text", "how the interval was made"),
    COLUMN,
)

QUESTION = Question(
    name="majority_agreement",
    title="Judges against the majority of people",
    asks="How often does a judge say what most people say?",
    source="Wilson 1927, doi:10.2307/2276774; Efron 1979, doi:10.1214/aos/1176344552",
    needs="verdicts or comparisons by people and by another judge on the same units",
    options=(WHO, UNIT, ON, LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=majority_agreement,
)
