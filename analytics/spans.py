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


def spans_from_sums(cells: pl.DataFrame, *, mean: str, level: float) -> pl.DataFrame:
    """Means with intervals of each run from its sums by capability (or one cell): for large logs.

    One row per run of `cells`, as `spans` gives it. The delta method treats items as independent.
    """
    rows = []
    for (run,), part in cells.group_by("run_idx", maintain_order=True):
        named: dict[str, object] = {"run_idx": run}
        counted = part.filter(pl.col("declared") > pl.col("hidden"))
        for name in METRICS:
            named |= _moments(counted, name, mean=mean, level=level)
        named |= {"n": int(part["n"].sum()), "n_verified": int(part["n_verified"].sum())}
        rows.append(named | {"interval": "delta method from stored moments"})
    kinds: dict[str, pl.DataType] = {"run_idx": pl.Int64(), "n": pl.Int64(), "n_verified": pl.Int64()}
    kinds |= {f"{name}{end}": pl.Float64() for name in METRICS for end in ("", "_low", "_high")}
    return nulls(pl.DataFrame(rows, schema=kinds | {"interval": pl.String()}))


def _moments(part: pl.DataFrame, metric: str, *, mean: str, level: float) -> dict[str, float]:
    """Estimate and interval of one metric of one run from its strata."""
    unknown = {metric: float("nan"), f"{metric}_low": float("nan"), f"{metric}_high": float("nan")}
    count = "n" if metric == "raw" else "n_verified"
    if not part.height or not part[count].sum():
        return unknown
    if metric != "raw" and part["sum_raw"].sum() and not part["sum_raw_paired"].sum():
        return unknown  # nobody labelled this run: its verified credit is known on wrong answers alone

    def of(name: str) -> FloatArray:
        return part[name].fill_null(0).cast(pl.Float64).to_numpy()[None, :]

    if metric in {"raw", "verified"}:
        span = mean_from_moments(of(count), of(f"sum_{metric}"), of(f"sum_{metric}2"), mean=mean, level=level)
    elif metric == "gap":
        span = difference_from_moments(
            of(count),
            total_a=of("sum_raw_paired"),
            total_b=of("sum_verified"),
            squares_a=of("sum_raw2_paired"),
            squares_b=of("sum_verified2"),
            products=of("sum_raw_verified"),
            mean=mean,
            level=level,
        )
    else:
        span = ratio_from_moments(
            of(count),
            denominator=of("sum_raw_paired"),
            numerator=of("sum_verified"),
            denominator_squares=of("sum_raw2_paired"),
            numerator_squares=of("sum_verified2"),
            products=of("sum_raw_verified"),
            mean=mean,
            level=level,
        )
    return {metric: float(span.estimate[0]), f"{metric}_low": float(span.low[0]), f"{metric}_high": float(span.high[0])}
