"""Preferences: which of two runs do judges prefer, and how often?"""

from __future__ import annotations

import numpy as np
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.numeric.arrays import ratio
from analytics.numeric.intervals import wilson
from analytics.numeric.resampling import percentiles, resampled_sums
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Question, Result
from analytics.rating_rows import NEEDS, compared
from analytics.slices import Slice, empty
from analytics.store import Connection
from analytics.tables import table_of

WORTH = {"A": 0.0, "tie": 0.5, "B": 1.0}


def preferences(
    cursor: Connection, chosen: Slice, policy: Policy, *, level: float, resamples: int, seed: int
) -> Answer:
    """Comparisons of two runs by each judge.

    One row per judge and pair of runs, as the log orders them. `a_better`, `b_better`, `ties` and `neither` count the
    `n` verdicts that came out; `failed` ones are in none of them. `win_rate` is run B's, a tie worth one half and
    'neither' left out, with a percentile bootstrap interval over items. `b_share` is `b_better` over `n`, with Wilson's
    interval (doi:10.2307/2276774), one verdict per item being an independent trial. `mean_score` is on the judge's own
    scale. Runs of one model with the same output for an item are one output.
    Sources: Wilson 1927; Efron 1979, doi:10.1214/aos/1176344552. Raises EmptySlice without comparisons.
    """
    del policy  # comparisons are taken as they were given
    rows = compared(cursor, chosen)
    if not rows.height:
        raise empty(chosen, needs=NEEDS["preferences"])
    found = []
    for (benchmark, judge, a, b), part in rows.group_by(["benchmark", "rater", "run_a", "run_b"], maintain_order=True):
        known = part.filter(pl.col("label").is_not_null())
        times = {label: known.filter(pl.col("label") == label).height for label in ("A", "B", "tie", "none")}
        single = known["item_idx"].n_unique() == known.height
        low, high = wilson(times["B"], known.height, level=level) if single else (np.nan, np.nan)
        found.append(
            {
                "benchmark": benchmark,
                "judge": judge,
                "run_a": a,
                "run_b": b,
                "n": known.height,
                "a_better": times["A"],
                "b_better": times["B"],
                "ties": times["tie"],
                "neither": times["none"],
                "failed": part.height - known.height,
                "b_share": times["B"] / known.height if known.height else None,
                "b_share_low": float(low),
                "b_share_high": float(high),
                "mean_score": known["score"].mean(),
            }
            | _win_rate(known, level=level, resamples=resamples, seed=seed)
        )
    table = mark(cursor, table_of(found, COLUMNS[:-1]), chosen, question="preferences", options={})
    method = (
        f"{level:.0%} interval: Wilson score for b_share; percentile bootstrap over items for win_rate, "
        f"{resamples} resamples, seed {seed}"
    )
    return Answer(table, method, {"comparisons without a verdict": int(table["failed"].sum())}, note(table), seed)


def _win_rate(known: pl.DataFrame, *, level: float, resamples: int, seed: int) -> dict[str, object]:
    """Return run B's win rate, ties half, over items drawn with all their verdicts."""
    decided = known.filter(pl.col("label") != "none")
    if not decided.height:
        return {}
    worth = decided["label"].replace_strict(WORTH, return_dtype=pl.Float64).to_numpy()
    features = np.column_stack([worth, np.ones(len(worth))])
    drawn = resampled_sums(features, clusters=decided["item_idx"].to_numpy(), resamples=resamples, seed=seed)
    tail = (1 - level) / 2
    low, high = percentiles(ratio(drawn[:, 0], drawn[:, 1])[:, None], (tail, 1 - tail))[:, 0]
    return {"win_rate": worth.mean(), "win_rate_low": low, "win_rate_high": high}


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("judge", "text", "judge"),
    Result("run_a", "text", "first run"),
    Result("run_b", "text", "second run"),
    Result("n", "count", "verdicts that came out"),
    Result("a_better", "count", "verdicts for the first run"),
    Result("b_better", "count", "verdicts for the second run"),
    Result("ties", "count", "verdicts that call them equal"),
    Result("neither", "count", "verdicts that accept neither"),
    Result("failed", "count", "comparisons without a verdict"),
    Result("win_rate", "proportion", "second run's win rate, ties worth one half, 'neither' left out"),
    Result("win_rate_low", "proportion", "lower end of its interval"),
    Result("win_rate_high", "proportion", "upper end of its interval"),
    Result("b_share", "proportion", "verdicts for the second run over n"),
    Result("b_share_low", "proportion", "lower end of its interval; null where items were judged several times"),
    Result("b_share_high", "proportion", "upper end of its interval"),
    Result("mean_score", "number", "mean preference on the judge's own scale, where the log has one"),
    COLUMN,
)

QUESTION = Question(
    name="preferences",
    title="Preferences between two runs",
    asks="Which of two runs do judges prefer?",
    source="Wilson 1927, doi:10.2307/2276774; Efron 1979, doi:10.1214/aos/1176344552",
    needs="comparisons of two responses (table comparisons)",
    options=(LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=preferences,
)
