"""Intervals, ranks and tie groups of a leaderboard: one set of resamples for all runs of a population."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.numeric.bootstrap import mean_replicates
from analytics.numeric.intervals import wilson
from analytics.numeric.moments import MOMENTS_ABOVE, difference_from_moments, mean_from_moments
from analytics.numeric.ranks import rank_intervals, ranks
from analytics.numeric.resampling import percentiles
from analytics.policy import Policy
from analytics.scores import Panel, panel, scores
from analytics.slices import Slice
from analytics.store import Connection, frame
from analytics.strata import stacked
from analytics.sums import cubed

FloatArray = npt.NDArray[np.float64]

GROUP = ("benchmark", "scope", "regime", "condition", "kind")
"""Runs that agree in all of these are ranked together."""

PAIRS = """
SELECT p.run_a, p.run_b, k.capability, sum(p.n)::BIGINT AS n, sum(sum_raw_a)::DOUBLE AS a, sum(sum_raw_b)::DOUBLE AS b,
       sum(sum_raw2_a)::DOUBLE AS aa, sum(sum_raw2_b)::DOUBLE AS bb, sum(sum_raw_raw)::DOUBLE AS ab
FROM cube_pairs p JOIN cells k USING (cell_idx) JOIN run_dims r ON r.run_idx = p.run_a
WHERE {where}
GROUP BY p.run_a, p.run_b, k.capability ORDER BY p.run_a, p.run_b, k.capability
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """What every interval of one answer is made with."""

    by: str
    level: float
    resamples: int
    seed: int


def place(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    means: pl.DataFrame,
    cells: pl.DataFrame,
    *,
    by: str,
    level: float,
    resamples: int,
    seed: int,
) -> tuple[pl.DataFrame, list[str]]:
    """Add interval, rank, rank interval and tie group to one row per run; return it with the methods used."""
    settings = Settings(by, level, resamples, seed)
    parts: list[pl.DataFrame] = []
    for (benchmark, scope), part in means.group_by(["benchmark", "scope"], maintain_order=True):
        if part["declared"].max() > MOMENTS_ABOVE:  # type: ignore[operator]
            parts.append(_by_moments(cursor, chosen, policy, part, cells=cells, settings=settings))
        else:
            here = chosen.with_choice("benchmark", [str(benchmark)]).with_choice("run", part["run"].to_list())
            parts.append(_by_items(panel(scores(cursor, here, policy)), part, settings))
        del scope
    placed = pl.concat(parts)
    methods = placed["interval"].drop_nulls().unique(maintain_order=True).to_list()
    return placed, [f"{level:.0%} interval: {method}" for method in methods]


def _by_items(held: Panel, part: pl.DataFrame, settings: Settings) -> pl.DataFrame:
    """Place the runs of one population from their credits by item."""
    rows = np.searchsorted(held.runs, part["run_idx"].to_numpy())
    own = _wilson(part, clustered=held.clusters is not None)
    columns: dict[str, object] = {"clustered": [held.clusters is not None] * part.height}
    unit = "items" if held.clusters is None else "clusters of items"
    lone = bool(held.strata.size) and int(np.unique_counts(held.strata).counts.min()) < 2
    for metric, matrix in (("raw", held.raw), ("verified", held.verified)):
        low, high = np.full(part.height, np.nan), np.full(part.height, np.nan)
        replicates = np.full((settings.resamples, part.height), np.nan)
        for mean in ("macro", "micro"):
            wanted = np.flatnonzero((part["average"] == mean).to_numpy())
            if not wanted.size or np.isnan(matrix[rows[wanted]]).all() or (mean == "macro" and lone):
                continue
            replicates[:, wanted] = mean_replicates(
                matrix[rows[wanted]],
                mean=mean,
                resamples=settings.resamples,
                seed=settings.seed,
                strata=held.strata if mean == "macro" else None,
                clusters=held.clusters,
            )
        estimate = part[metric].cast(pl.Float64).to_numpy()
        tail = (1 - settings.level) / 2
        known = ~np.isnan(estimate)
        low[known], high[known] = (end[known] for end in percentiles(replicates, (tail, 1 - tail)))
        if metric == "raw":
            k = part["correct"].to_numpy()
            exact_low, exact_high = wilson(
                np.where(own, k, 0), np.where(own, part["n"].to_numpy(), 1), level=settings.level
            )
            low, high = np.where(own, exact_low, low), np.where(own, exact_high, high)
        columns[f"{metric}_low"], columns[f"{metric}_high"] = low, high
        if metric == settings.by:
            columns |= _ranked(part, replicates, estimate, settings)
    columns["interval"] = [
        _method(alone, mean, unit, settings, lone=lone) for alone, mean in zip(own, part["average"], strict=True)
    ]
    return _attach(part, columns)


def _method(alone: bool, mean: str, unit: str, settings: Settings, *, lone: bool) -> str:
    if alone:
        return "Wilson score for raw"
    if mean == "macro" and lone:
        # A single item resampled within its capability is always drawn: the interval would have no width.
        return "undefined: a capability has a single item, so that nothing tells how much its mean varies"
    where = " within capability" if mean == "macro" else ""
    return f"percentile bootstrap over {unit}{where}, {settings.resamples} resamples, seed {settings.seed}"


def _wilson(part: pl.DataFrame, *, clustered: bool) -> npt.NDArray[np.bool_]:
    """Which rows are a micro mean of single attempts worth 0 or 1 on independent items, at least one of them."""
    fits = part.select(
        (pl.col("average") == "micro")
        & (pl.col("n") > 0)
        & (pl.col("binary_n") == pl.col("n"))
        & (pl.col("most_usable") <= 1)
        & (pl.col("correct") == (pl.col("raw_micro") * pl.col("n")).round().cast(pl.Int64))
    ).to_series()
    return fits.fill_null(value=False).to_numpy() & (not clustered)


def _ranked(part: pl.DataFrame, replicates: FloatArray, estimate: FloatArray, settings: Settings) -> dict[str, object]:
    """Ranks, rank intervals and tie groups within each group of comparable models."""
    rank, low, high = (np.full(part.height, np.nan) for _ in range(3))
    ties = np.full(part.height, np.nan)
    for members in _groups(part):
        placed = rank_intervals(replicates[:, members], estimate[members], level=settings.level)
        rank[members], low[members], high[members] = placed.rank, placed.low, placed.high
        ties[members] = _tied(replicates[:, members], estimate[members], settings.level)
    return {"rank": rank, "rank_low": low, "rank_high": high, "tie_group": ties}


def _groups(part: pl.DataFrame) -> list[npt.NDArray[np.int64]]:
    """Row numbers of each group of models that are ranked together."""
    numbered = part.with_row_index("row").filter(pl.col("kind") == "model")
    return [
        group["row"].cast(pl.Int64).to_numpy()
        for _, group in numbered.group_by([name for name in GROUP if name != "kind"], maintain_order=True)
    ]


def _tied(replicates: FloatArray, estimate: FloatArray, level: float) -> FloatArray:
    """Number the tie groups from the best: a run joins while its paired difference from the group's best may be 0."""
    order = np.argsort(-estimate, kind="stable")
    groups = np.full(len(estimate), np.nan)
    number, best = 0, -1
    tail = (1 - level) / 2
    for run in order:
        if np.isnan(estimate[run]):
            continue
        if np.isnan(replicates[:, run]).all():
            continue  # without resamples nothing tells which runs are tied
        if best >= 0:
            difference = (replicates[:, best] - replicates[:, run])[:, None]
            low, high = percentiles(difference, (tail, 1 - tail))
            if low[0] <= 0 <= high[0]:
                groups[run] = number
                continue
        number, best = number + 1, int(run)
        groups[run] = number
    return groups


def _by_moments(
    cursor: Connection, chosen: Slice, policy: Policy, part: pl.DataFrame, *, cells: pl.DataFrame, settings: Settings
) -> pl.DataFrame:
    """Place the runs of one large population from sums: its cost does not grow with the number of responses."""
    columns: dict[str, object] = {"clustered": [False] * part.height}
    for metric, n, total, squares in (
        ("raw", "n", "sum_raw", "sum_raw2"),
        ("verified", "n_verified", "sum_verified", "sum_verified2"),
    ):
        low, high = np.full(part.height, np.nan), np.full(part.height, np.nan)
        known = part[metric].is_not_null().to_numpy()
        of_run = {int(run): row for row, run in enumerate(part["run_idx"]) if known[row]}
        for keys, moments in stacked(cells.filter(pl.col(n) > 0), ("run_idx",), (n, total, squares)):
            rows = np.array([of_run.get(int(run), -1) for run in keys["run_idx"]])
            for mean in ("macro", "micro"):
                span = mean_from_moments(*moments.values(), mean=mean, level=settings.level)
                own = (rows >= 0) & (part["average"].to_numpy()[rows] == mean)
                low[rows[own]], high[rows[own]] = span.low[own], span.high[own]
        columns[f"{metric}_low"], columns[f"{metric}_high"] = low, high
    estimate = part[settings.by].cast(pl.Float64).to_numpy()
    columns |= _ranked_by_pairs(cursor, chosen, policy, part, estimate=estimate, settings=settings)
    columns["interval"] = ["delta method from stored moments"] * part.height
    return _attach(part, columns)


def _ranked_by_pairs(
    cursor: Connection, chosen: Slice, policy: Policy, part: pl.DataFrame, *, estimate: FloatArray, settings: Settings
) -> dict[str, object]:
    """Ranks from paired intervals: a rank may rise past every run that is not separably better, and fall likewise."""
    # Stored products are over items that both runs have: they fit the means only where no item is left out, and no
    # rule or tag asks for other rows than the build counted.
    whole = not part.filter((pl.col("failed") > 0) | (pl.col("unjudged") > 0)).height
    fits = settings.by == "raw" and whole and cubed(chosen, policy)
    where, params = chosen.where()
    pairs = frame(cursor, PAIRS.format(where=where), params) if fits else None
    rank, low, high, ties = (np.full(part.height, np.nan) for _ in range(4))
    numbers = part["run_idx"].to_numpy()
    for members in _groups(part):
        rank[members] = ranks(estimate[members])
        if pairs is None:
            continue
        better = _separable(pairs, numbers[members], part["average"][int(members[0])], settings.level)
        low[members] = 1 + better.sum(axis=0)
        high[members] = len(members) - better.sum(axis=1)
        order = np.argsort(-estimate[members], kind="stable")
        number, best = 0, -1
        for run in order:
            if best < 0 or better[best, run]:
                number, best = number + 1, int(run)
            ties[members[run]] = number
    return {"rank": rank, "rank_low": low, "rank_high": high, "tie_group": ties}


def _separable(pairs: pl.DataFrame, runs: npt.NDArray[np.int64], mean: str, level: float) -> npt.NDArray[np.bool_]:
    """Matrix: whether the row's run is better than the column's by an interval that excludes 0."""
    better = np.zeros((len(runs), len(runs)), dtype=bool)
    at = {int(run): k for k, run in enumerate(runs)}
    among = pairs.filter(pl.col("run_a").is_in(list(at)) & pl.col("run_b").is_in(list(at)))
    for keys, of in stacked(among, ("run_a", "run_b"), ("n", "a", "b", "aa", "bb", "ab")):
        span = difference_from_moments(
            of["n"], total_a=of["a"], total_b=of["b"], squares_a=of["aa"], squares_b=of["bb"], products=of["ab"],
            mean=mean, level=level,
        )  # fmt: skip
        i, j = (np.array([at[int(run)] for run in keys[name]]) for name in ("run_a", "run_b"))
        better[i, j], better[j, i] = span.low > 0, span.high < 0
    return better


def _attach(part: pl.DataFrame, columns: dict[str, object]) -> pl.DataFrame:
    """Add columns to the rows; NaN, which NumPy needs for 'no value', becomes null."""
    added = pl.DataFrame(columns)
    added = added.with_columns(pl.selectors.float().fill_nan(None))
    places = [c for c in ("rank", "rank_low", "rank_high", "tie_group") if c in added.columns]
    added = added.with_columns(pl.col(places).cast(pl.Int64))
    order = ["clustered", "raw_low", "raw_high", "verified_low", "verified_high"]
    order += ["rank", "rank_low", "rank_high", "tie_group", "interval"]
    return part.hstack(added.select(order))
