"""Endorsements: how many verdicts of a judge do people endorse?"""

from __future__ import annotations

import numpy as np
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.numeric.arrays import ratio
from analytics.numeric.intervals import wilson
from analytics.numeric.resampling import percentiles, resampled_sums
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Question, Result
from analytics.scores import clusters_of
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

EVERYONE = "all"

REVIEWED = """
SELECT r.run_benchmark AS benchmark, v.on_judge AS judge, v.judge_id AS reviewer, v.item_idx, i.cluster,
       CASE WHEN v.status = 'ok' THEN v.met END AS endorsed
FROM verdicts v
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE v.on_judge <> '' AND {where}
ORDER BY benchmark, judge, reviewer, v.item_idx
"""


def endorsements(
    cursor: Connection, chosen: Slice, policy: Policy, *, level: float, resamples: int, seed: int
) -> Answer:
    """Share of a judge's verdicts that reviewers endorse.

    One row per judge and reviewer of a benchmark version, and one for all reviewers. `endorsed` of `n` decisions that
    came out; `missing` ones did not and are in neither. Interval: Wilson score (doi:10.2307/2276774) where each
    decision is about an item of its own; else percentile bootstrap over items, or what items share, with all their
    decisions (Efron 1979, doi:10.1214/aos/1176344552): several reviewers of one verdict are not independent trials.
    Raises EmptySlice without verdicts on verdicts.
    """
    del policy  # a review is of the verdicts as they were given
    where, params = chosen.where()
    rows = frame(cursor, REVIEWED.format(where=where), params)
    if not rows.height:
        raise empty(chosen, needs="verdicts on a judge's verdicts (table verdicts, column on_judge)")
    found: list[dict[str, object]] = []
    for (benchmark, judge), part in rows.group_by(["benchmark", "judge"], maintain_order=True):
        about = {"benchmark": benchmark, "judge": judge}
        by_reviewer = part.group_by(["reviewer"], maintain_order=True)
        for reviewer, own in ((EVERYONE, part), *((name, own) for (name,), own in by_reviewer)):
            share = _share(own, level=level, resamples=resamples, seed=seed)
            found.append(about | {"reviewer": reviewer} | share)
    table = mark(cursor, table_of(found, COLUMNS[:-1]), chosen, question="endorsements", column="share", options={})
    methods = "; ".join(table["interval"].unique(maintain_order=True))
    left_out = {"decisions that did not come out": int(rows["endorsed"].null_count())}
    return Answer(table, f"{level:.0%} interval: {methods}", left_out, note(table), seed)


def _share(part: pl.DataFrame, *, level: float, resamples: int, seed: int) -> dict[str, object]:
    """Return the share of endorsed decisions with the interval that fits them."""
    known = part.filter(pl.col("endorsed").is_not_null())
    n, k = known.height, int(known["endorsed"].sum())
    items = known.select("item_idx", "benchmark", "cluster")
    shared = clusters_of(items)
    if known["item_idx"].n_unique() == n and shared is None:
        low, high = (float(end) for end in wilson(k, n, level=level))
        interval = "Wilson score"
    else:
        cluster = known["item_idx"].to_numpy() if shared is None else shared
        features = np.column_stack([known["endorsed"].cast(pl.Float64).to_numpy(), np.ones(n)])
        drawn = resampled_sums(features, clusters=cluster, resamples=resamples, seed=seed)
        tail = (1 - level) / 2
        low, high = percentiles(ratio(drawn[:, 0], drawn[:, 1])[:, None], (tail, 1 - tail))[:, 0].tolist()
        interval = f"percentile bootstrap over items with all their decisions, {resamples} resamples, seed {seed}"
    return {
        "endorsed": k,
        "n": n,
        "share": k / n if n else None,
        "low": low,
        "high": high,
        "missing": part.height - n,
        "interval": interval,
    }


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("judge", "text", "judge whose verdicts are reviewed"),
    Result("reviewer", "text", "who reviewed; 'all' pools them"),
    Result("endorsed", "count", "decisions that endorse the verdict"),
    Result("n", "count", "decisions that came out"),
    Result("share", "proportion", "endorsed over n"),
    Result("low", "proportion", "lower end of its interval"),
    Result("high", "proportion", "upper end of its interval"),
    Result("missing", "count", "decisions that did not come out"),
    Result("interval", "text", "how the interval was made"),
    COLUMN,
)

QUESTION = Question(
    name="endorsements",
    title="Human review of judges",
    asks="How many verdicts of a judge do people endorse?",
    source="Wilson 1927, doi:10.2307/2276774; Efron 1979, doi:10.1214/aos/1176344552",
    needs="verdicts on a judge's verdicts (column on_judge)",
    options=(LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=endorsements,
)
