"""Rubric score: how many criteria does a run meet, beside meeting all of them?"""

from __future__ import annotations

import numpy as np
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.numeric.bootstrap import mean_estimate, mean_replicates, percentile_interval
from analytics.policy import Policy
from analytics.populations import FloatArray, runs_of
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Question, Result
from analytics.scores import GRADED, clusters_of, settled
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

SMALL_N = 30
WHOLE = "answer"
"""Criterion of a verdict on the response as a whole."""

# Shares are thirds and fifths: their sums are taken in one order, so that an answer has the same bits each time.
SHARES = """
WITH credited AS ({settled}),
ruled AS (
    SELECT run_idx, item_idx, attempt, criterion,
           CASE WHEN $judge_rule = 'any' THEN CASE WHEN sum(met::INTEGER) > 0 THEN 1.0 WHEN count(met) = count(*) THEN 0.0 END
                WHEN $judge_rule = 'all' THEN CASE WHEN sum((NOT met)::INTEGER) > 0 THEN 0.0 WHEN count(met) = count(*) THEN 1.0 END
                WHEN $judge_rule = 'majority' THEN CASE WHEN 2 * sum(met::INTEGER) > count(met) THEN 1.0
                                                        WHEN 2 * sum(met::INTEGER) < count(met) THEN 0.0 END
                ELSE avg(met::INTEGER) END AS met
    FROM verdicts
    WHERE on_judge = '' AND criterion <> $whole AND ($judge_rule IN ('logged', 'majority', 'any', 'all') OR judge_id = $judge_rule)
      AND ($attempt_rule = 'mean' OR attempt = 1)
    GROUP BY run_idx, item_idx, attempt, criterion
),
usable AS (
    SELECT run_idx, item_idx, attempt FROM {graded} WHERE raw IS NOT NULL
),
shared AS (
    SELECT run_idx, ruled.item_idx, attempt, count(*) AS criteria,
           CASE WHEN any_value(u.attempt) IS NOT NULL AND count(met) = count(*)
                     AND count(*) >= coalesce(max(a.criteria), 0) THEN avg(met ORDER BY criterion) END AS share
    FROM ruled LEFT JOIN usable u USING (run_idx, item_idx, attempt)
    LEFT JOIN asked_criteria a ON a.item_idx = ruled.item_idx AND a.judge_id = $judge_rule
    GROUP BY run_idx, ruled.item_idx, attempt
),
by_item AS (
    SELECT run_idx, item_idx, max(criteria) AS criteria, count(share) AS judged, avg(share ORDER BY attempt) AS share
    FROM shared GROUP BY run_idx, item_idx
)
SELECT c.run_idx::BIGINT AS run_idx, c.item_idx, c.benchmark, c.cluster, c.raw,
       max(b.criteria) OVER (PARTITION BY c.item_idx)::BIGINT AS criteria,
       CASE WHEN c.usable > 0 AND b.judged IS DISTINCT FROM c.usable THEN NULL
            ELSE settle(b.share, c.usable, c.failed, c.rule) END AS share
FROM credited c LEFT JOIN by_item b USING (run_idx, item_idx)
WHERE NOT c.hidden
ORDER BY run_idx, item_idx
"""  # noqa: E501

PARTS = ("every item", "one criterion", "several criteria")


def criteria(cursor: Connection, chosen: Slice, policy: Policy, *, level: float, resamples: int, seed: int) -> Answer:
    """Mean share of criteria that a run meets, beside the mean of its raw credit on the same items.

    One row per run and part: every item, items with one criterion, items with several. A response's share is the number
    of its criteria met over the number judged; null where a judge left one open, in a row without a verdict, or under
    `judge=NAME` for want of a row: of several judges it is not known who was asked for it. Shares are averaged over the
    usable attempts of an item (those with a raw credit, each of which must have a share), then over the `n` items that
    have both a share and a raw credit; failed attempts count as the missing policy says. Where several judges ruled on
    a criterion it counts as the share of them that say it is met, or as the policy's rule for judges settles it, while
    the credit is the log's own. `unjudged` items have a raw credit and no share; `criteria` is the mean number of
    criteria of the n items. `difference` is share minus credit.

    Interval: percentile bootstrap over items, or over clusters where items share one, the same resamples for both
    (Efron 1979, doi:10.1214/aos/1176344552). Raises EmptySlice where no item of the slice has verdicts by criterion.
    """
    where, params = chosen.where()
    sql = SHARES.format(settled=settled(policy, where), graded=GRADED)
    rows = frame(cursor, sql, params | policy.params() | {"whole": WHOLE})
    rows = rows.filter(pl.col("criteria").is_not_null())
    if not rows.height:
        raise empty(chosen, needs="verdicts by criterion (table verdicts)")
    described = runs_of(cursor)
    out: list[dict[str, object]] = []
    for _, part in rows.group_by("benchmark", maintain_order=True):
        kinds = {PARTS[0]: part, PARTS[1]: part.filter(pl.col("criteria") == 1),
                 PARTS[2]: part.filter(pl.col("criteria") > 1)}  # fmt: skip
        for name, items in kinds.items():
            out += [{"part": name} | row for row in _means(items, level=level, resamples=resamples, seed=seed)]
    if not out:
        raise empty(chosen, needs="an item with a credit whose criteria were all judged (table verdicts)")
    merged = pl.DataFrame(out, infer_schema_length=None).join(described, on="run_idx", how="left")
    merged = merged.with_columns(place=pl.col("part").replace_strict({name: at for at, name in enumerate(PARTS)}))
    order = ["benchmark", "scope", "regime", "condition", "place", pl.col("kind") != "model", "share", "run"]
    merged = merged.sort(order, descending=[False] * 6 + [True, False], nulls_last=True)
    table = table_of(merged.to_dicts(), COLUMNS[:-1])
    table = mark(cursor, table, chosen, question="criteria", options={}, policy=policy)
    open_ones = rows.filter(pl.col("raw").is_not_null() & pl.col("share").is_null())
    left_out = {"items with a credit whose criteria were not all judged": open_ones.height}
    method = f"{level:.0%} interval: percentile bootstrap over items or their clusters, {resamples} resamples"
    return Answer(table, f"{method}, seed {seed}", left_out, (*note(table), policy.sentence()), seed)


def _means(items: pl.DataFrame, *, level: float, resamples: int, seed: int) -> list[dict[str, object]]:
    """Return one row per run: share and credit on the items that have both, with intervals."""
    known = items.filter(pl.col("raw").is_not_null() & pl.col("share").is_not_null())
    if not known.height:
        return []
    runs, numbers = (known[name].unique().sort() for name in ("run_idx", "item_idx"))
    at = (np.searchsorted(runs.to_numpy(), known["run_idx"].to_numpy()),
          np.searchsorted(numbers.to_numpy(), known["item_idx"].to_numpy()))  # fmt: skip
    values: FloatArray = np.full((2, len(runs), len(numbers)), np.nan)
    values[0][at], values[1][at] = known["share"].to_numpy(), known["raw"].to_numpy()
    stacked = values.reshape(-1, len(numbers))
    clusters = clusters_of(known.unique("item_idx").sort("item_idx").select("item_idx", "benchmark", "cluster"))
    estimate = mean_estimate(stacked, mean="micro").reshape(2, -1)
    drawn = mean_replicates(stacked, mean="micro", resamples=resamples, seed=seed, clusters=clusters)
    drawn = drawn.reshape(resamples, 2, -1)
    points = {"share": estimate[0], "credit": estimate[1], "difference": estimate[0] - estimate[1]}
    draws = {"share": drawn[:, 0], "credit": drawn[:, 1], "difference": drawn[:, 0] - drawn[:, 1]}
    ends: dict[str, FloatArray] = {}
    for name, point in points.items():
        span = percentile_interval(draws[name], point, level=level, seed=seed, method="")
        ends |= {name: span.estimate, f"{name}_low": span.low, f"{name}_high": span.high}
    credited = items.filter(pl.col("raw").is_not_null()).group_by("run_idx").len()
    counted = known.group_by("run_idx").agg(pl.len().alias("n"), pl.col("criteria").mean())
    table = pl.DataFrame({"run_idx": runs} | ends).join(counted, on="run_idx", how="left")
    table = table.join(credited, on="run_idx", how="left").with_columns(
        unjudged=pl.col("len").cast(pl.Int64) - pl.col("n").cast(pl.Int64), small_n=pl.col("n") < SMALL_N
    )
    return table.to_dicts()


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "setting that was varied"),
    Result("scope", "text", "declared population, where it is not every item"),
    Result("part", "text", "every item, those with one criterion, or those with several"),
    Result("share", "proportion", "mean share of criteria met"),
    Result("share_low", "proportion", "lower end of its interval"),
    Result("share_high", "proportion", "upper end of its interval"),
    Result("credit", "proportion", "mean raw credit on the same items"),
    Result("credit_low", "proportion", "lower end of its interval"),
    Result("credit_high", "proportion", "upper end of its interval"),
    Result("difference", "points", "share minus credit"),
    Result("difference_low", "points", "lower end of its paired interval"),
    Result("difference_high", "points", "upper end of its paired interval"),
    Result("n", "count", "items with a share and a credit"),
    Result("small_n", "boolean", "fewer than 30 items"),
    Result("unjudged", "count", "items with a credit whose criteria were not all judged"),
    Result("criteria", "number", "mean number of criteria of the n items"),
    Result("provenance", "text", "where the rows come from"),
    COLUMN,
)

QUESTION = Question(
    name="criteria",
    title="Rubric score beside credit",
    asks="What share of the criteria does a run meet, and how far is that from meeting all of them?",
    source="means of the store's verdicts; Efron 1979, doi:10.1214/aos/1176344552",
    needs="verdicts by criterion (table verdicts)",
    options=(LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=criteria,
)
