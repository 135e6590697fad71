"""Means of raw and verified credit, their gap and retention, with the interval that fits the data."""

from __future__ import annotations

import numpy as np
import polars as pl

from analytics.numeric.arrays import ratio
from analytics.numeric.bootstrap import mean_estimate, mean_replicates, percentile_interval
from analytics.numeric.intervals import wilson
from analytics.numeric.moments import difference_from_moments, mean_from_moments, ratio_from_moments
from analytics.numeric.resampling import resampling_units
from analytics.populations import FloatArray, Population, nulls
from analytics.questions import Result
from analytics.strata import stacked

MOMENTS = (
    "n", "n_verified", "sum_raw", "sum_raw2", "sum_verified", "sum_verified2", "sum_raw_paired", "sum_raw2_paired",
    "sum_raw_verified",
)  # fmt: skip

METRICS = ("raw", "verified", "gap", "retention")

SOURCE = "Wilson 1927, doi:10.2307/2276774; Efron 1979, doi:10.1214/aos/1176344552"

SPAN_COLUMNS = (
    Result("raw", "proportion", "mean raw credit"),
    Result("raw_low", "proportion", "lower end of its interval"),
    Result("raw_high", "proportion", "upper end of its interval"),
    Result("verified", "proportion", "mean verified credit; null where the log has no rationale labels"),
    Result("verified_low", "proportion", "lower end of its interval"),
    Result("verified_high", "proportion", "upper end of its interval"),
    Result("gap", "points", "raw minus verified, over items that have both"),
    Result("gap_low", "points", "lower end of its paired interval"),
    Result("gap_high", "points", "upper end of its paired interval"),
    Result("retention", "proportion", "verified mean over raw mean, on items that have both; null where raw is 0"),
    Result("retention_low", "proportion", "lower end of its interval"),
    Result("retention_high", "proportion", "upper end of its interval"),
    Result("n", "count", "items with a raw credit"),
    Result("n_verified", "count", "items with raw and verified credit"),
    Result("interval", "text", "how the interval of raw was made; the others are bootstrapped or from moments"),
)


def spans(population: Population, *, mean: str, level: float, resamples: int, seed: int) -> pl.DataFrame:
    """Means with intervals of each run of one declared population, all from one set of resamples.

    One row per run, in the population's order: `run_idx` and SPAN_COLUMNS. Raw takes Wilson's interval where its
    credits are single attempts worth 0 or 1 on independent items and the mean is micro; everything else takes a
    percentile bootstrap over items, or over clusters where items share one. `mean` is "micro" or "macro"; null where a
    macro mean lacks a capability.
    """
    held = population.panel
    macro = mean == "macro"
    strata = held.strata if macro else None
    paired = np.where(np.isnan(held.verified), np.nan, held.raw)
    stacked = np.vstack([held.raw, held.verified, paired])
    estimate = mean_estimate(stacked, mean=mean, strata=strata).reshape(3, -1)
    draws = mean_replicates(
        stacked, mean=mean, resamples=resamples, seed=seed, strata=strata, clusters=held.clusters
    ).reshape(resamples, 3, -1)
    if macro:
        estimate[:, population.lacking] = np.nan
    units = resampling_units(len(held.items), clusters=held.clusters, strata=strata).label
    method = f"percentile bootstrap over {units}, {resamples} resamples, seed {seed}"
    raw, verified, both = estimate
    points = {"raw": raw, "verified": verified, "gap": both - verified, "retention": ratio(verified, both)}
    drawn = {
        "raw": draws[:, 0],
        "verified": draws[:, 1],
        "gap": draws[:, 2] - draws[:, 1],
        "retention": ratio(draws[:, 1], draws[:, 2]),
    }
    ends: dict[str, FloatArray] = {}
    for name in METRICS:
        span = percentile_interval(drawn[name], points[name], level=level, seed=seed, method=method)
        ends |= {name: span.estimate, f"{name}_low": span.low, f"{name}_high": span.high}
    exact = np.array([not reason for reason in population.trials()], dtype=bool) & (not macro)
    n = (~np.isnan(held.raw)).sum(axis=1)
    right = np.nansum(held.raw, axis=1)
    low, high = wilson(np.where(exact, right, 0), np.where(exact, n, 1), level=level)
    ends["raw_low"] = np.where(exact, low, ends["raw_low"])
    ends["raw_high"] = np.where(exact, high, ends["raw_high"])
    counted = {"run_idx": held.runs, "n": n, "n_verified": (~np.isnan(paired)).sum(axis=1)}
    methods = ["Wilson score" if alone else method for alone in exact]
    return nulls(pl.DataFrame(counted | ends)).with_columns(interval=pl.Series(methods, dtype=pl.String))


def spans_from_sums(
    cells: pl.DataFrame, *, mean: str, level: float, per: tuple[str, ...] = ("run_idx",)
) -> pl.DataFrame:
    """Means with intervals of each run from its sums by capability (or one cell): for large logs.

    One row per run of `cells`, or per combination of the columns `per`, as `spans` gives it. The delta method treats
    items as independent.
    """
    counted = cells.filter(pl.col("declared") > pl.col("hidden"))
    parts = []
    for keys, moments in stacked(counted, per, MOMENTS):
        ends = {name: array for metric in METRICS for name, array in _moments(moments, metric, mean, level).items()}
        parts.append(keys.with_columns(**ends))
    kinds = {f"{name}{end}": pl.Float64() for name in METRICS for end in ("", "_low", "_high")}
    ends_of = pl.concat(
        [cells.clear().select(per).with_columns(pl.lit(None, k).alias(n) for n, k in kinds.items()), *parts]
    )
    whole = cells.group_by(per, maintain_order=True).agg(pl.col("n", "n_verified").sum().cast(pl.Int64))
    table = whole.join(ends_of, on=per, how="left", maintain_order="left")
    return nulls(table).select(*per, "n", "n_verified", *kinds, interval=pl.lit("delta method from stored moments"))


def _moments(of: dict[str, FloatArray], metric: str, mean: str, level: float) -> dict[str, FloatArray]:
    """Estimates and intervals of one metric from moments (run, stratum); NaN where no item has the credit."""
    n = of["n" if metric == "raw" else "n_verified"]
    if metric in {"raw", "verified"}:
        span = mean_from_moments(n, of[f"sum_{metric}"], of[f"sum_{metric}2"], mean=mean, level=level)
    elif metric == "gap":
        span = difference_from_moments(
            n,
            total_a=of["sum_raw_paired"],
            total_b=of["sum_verified"],
            squares_a=of["sum_raw2_paired"],
            squares_b=of["sum_verified2"],
            products=of["sum_raw_verified"],
            mean=mean,
            level=level,
        )
    else:
        span = ratio_from_moments(
            n,
            denominator=of["sum_raw_paired"],
            numerator=of["sum_verified"],
            denominator_squares=of["sum_raw2_paired"],
            numerator_squares=of["sum_verified2"],
            products=of["sum_raw_verified"],
            mean=mean,
            level=level,
        )
    unknown = n.sum(axis=1) == 0
    if metric != "raw":  # nobody labelled such a run: its verified credit is known on wrong answers alone
        unknown |= (of["sum_raw"].sum(axis=1) != 0) & (of["sum_raw_paired"].sum(axis=1) == 0)
    ends = {metric: span.estimate, f"{metric}_low": span.low, f"{metric}_high": span.high}
    return {name: np.where(unknown, np.nan, values) for name, values in ends.items()}
