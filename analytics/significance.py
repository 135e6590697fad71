"""Significance: does a run do better on one group of items than on another?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.errors import UnknownValue, did_you_mean, listing
from analytics.groups import group_of, predicate, spell
from analytics.numeric.adjust import holm
from analytics.numeric.arrays import normal_quantile
from analytics.numeric.bootstrap import mean_replicates
from analytics.numeric.contrasts import ALTERNATIVES, fisher_exact, odds_ratio, risk_difference
from analytics.numeric.moments import MOMENTS_ABOVE
from analytics.numeric.resampling import percentiles
from analytics.panel_runs import SEPARATOR, runs_of
from analytics.policy import Policy
from analytics.populations import NO_ITEMS, NOT_BINARY, NOT_INDEPENDENT, NOT_SINGLE, populations
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.scores import settled
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

HALDANE = 0.5
"""Added to the cells of a table with a zero cell, for the odds ratio alone; Fisher's test takes counts as they are."""

IN_GROUPS = """
SELECT run_idx, item_idx, benchmark, coalesce(cluster, 'item ' || item_idx) AS unit, usable, hidden, raw,
       {first} AS in_first, {second} AS in_second
FROM ({settled})
"""

COUNTS = """
WITH settled AS ({settled})
SELECT run_idx::BIGINT AS run_idx,
       count(*) FILTER (in_first AND in_second)::BIGINT AS overlap,
       count(raw) FILTER (in_first)::BIGINT AS n_first, sum(raw) FILTER (in_first) AS sum_first,
       sum(raw * raw) FILTER (in_first) AS squares_first,
       count(raw) FILTER (in_second)::BIGINT AS n_second, sum(raw) FILTER (in_second) AS sum_second,
       sum(raw * raw) FILTER (in_second) AS squares_second,
       count(*) FILTER (hidden)::BIGINT AS hidden,
       count(*) FILTER (NOT hidden AND raw IS NULL)::BIGINT AS without,
       count(*) FILTER (raw NOT IN (0, 1))::BIGINT AS graded,
       max(usable) FILTER (raw IS NOT NULL)::BIGINT AS most_usable,
       count(raw) - count(DISTINCT unit) FILTER (raw IS NOT NULL) AS shared
FROM settled GROUP BY run_idx ORDER BY run_idx
"""

ITEMS = "SELECT DISTINCT item_idx::BIGINT AS item_idx, in_first FROM ({settled})"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the intervals of differences are made with."""

    level: float
    resamples: int
    seed: int


def significance(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    first: str,
    second: str,
    alternative: str,
    without: str,
    alpha: float,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Contrast two groups of items within each run.

    One row per run: main runs of models and people in the slice (a varied run counts when the slice names its
    condition). `first` and `second` spell the groups as key=value|value; they must not share an item. `rate_*` are mean
    raw credits over the `n_*` items of a group, in [0, 1]; `difference` is first minus second. `p` is Fisher's exact
    test (doi:10.2307/2342435) where items are independent and credits single attempts worth 0 or 1; otherwise it is
    null and `reason` says why. `p_holm` adjusts it over the stated family (Holm 1979,
    https://www.jstor.org/stable/4615733): the models of the benchmark in the slice whose test is defined, except those
    that `without` names; `m` is its size. Human rows stay outside, unadjusted. `alternative` "greater" asks whether
    the first group's rate is higher.

    Interval of the difference: Newcombe where Fisher is defined (Newcombe 1998, method 10), else percentile bootstrap
    over items or clusters, above 10,000 items the delta method. Odds ratio: Woolf, 0.5 added to a table with a zero
    cell. Raises EmptySlice when no run of the slice has an item of the groups, UnknownName and UnknownValue for groups
    that cannot be read, that no item has, or that overlap.
    """
    groups = group_of(first, option="first"), group_of(second, option="second")
    runs = runs_of(cursor, chosen, kinds=("model", "human"))
    outside = _outside(without, runs)
    settled, bound = _settled(cursor, chosen, policy, groups, runs["run_idx"].to_list())
    counted = frame(cursor, COUNTS.format(settled=settled), bound)
    if not counted.height:
        raise empty(chosen, needs=f"a main run and an item of {spell(groups[0])} or {spell(groups[1])}")
    shared = int(counted.select(pl.col("overlap").max()).item())
    if shared:
        raise UnknownValue(f"first and second share {shared} items; a contrast needs groups of different items.")
    rows = counted.join(runs.cast({"run_idx": pl.Int64}), on="run_idx", how="left")
    rows = _tested(rows, alternative, level)
    settings = Settings(level, resamples, seed)
    rows = _graded(cursor, chosen, policy, rows, query=settled, bound=bound, settings=settings)
    rows = _family(rows, outside, alpha)
    rows = rows.with_columns(
        first=pl.lit(spell(groups[0])), second=pl.lit(spell(groups[1])), alternative=pl.lit(alternative)
    ).sort(["benchmark", pl.col("kind") != "model", "run"])
    keys = ", ".join(sorted({name for group in groups for name, _ in group.choices}))
    table = table_of(rows.with_columns(keys=pl.lit(keys)).to_dicts(), COLUMNS[:-1])
    table = mark(cursor, table, chosen, question="significance", options={}, column="p", policy=policy)
    left_out = {
        "items whose answer the benchmark hides": int(counted["hidden"].sum()),
        "items without a credit": int(counted["without"].sum()),
    }
    methods = "; ".join(table["method"].drop_nulls().unique(maintain_order=True))
    families = [f"Holm over {m}" for m in table["family"].drop_nulls().unique(maintain_order=True)]
    notes = (*note(table), *families, policy.sentence())
    drawn = any("bootstrap" in text for text in table["method"].drop_nulls())
    return Answer(table, f"{methods}; {alternative}", left_out, notes, seed if drawn else None)


def _outside(without: str, runs: pl.DataFrame) -> set[int]:
    """Return the runs that leave the family; raises UnknownValue for a name that the slice does not have."""
    left: set[int] = set()
    for name in filter(None, (part.strip() for part in without.split(SEPARATOR))):
        found = runs.filter((pl.col("run") == name) | (pl.col("model") == name))
        if not found.height:
            known = [*runs["run"], *runs["model"].unique(maintain_order=True)]
            raise UnknownValue(
                f"without names '{name}', which the slice does not have.{did_you_mean(name, known)} "
                f"It has: {listing(known)}."
            )
        left |= set(found["run_idx"].to_list())
    return left


def _settled(
    cursor: Connection, chosen: Slice, policy: Policy, groups: tuple[Slice, Slice], runs: list[int]
) -> tuple[str, dict[str, object]]:
    """Return the query of settled credits in either group, and its bound values."""
    where, params = chosen.where()
    in_first, first = predicate(cursor, groups[0], prefix="first")
    in_second, second = predicate(cursor, groups[1], prefix="second")
    narrowed = f"{where} AND r.run_idx = ANY($runs) AND ({in_first} OR {in_second})"
    sql = IN_GROUPS.format(settled=settled(policy, narrowed), first=in_first, second=in_second)
    return sql, params | first | second | policy.params() | {"runs": runs}


def _tested(rows: pl.DataFrame, alternative: str, level: float) -> pl.DataFrame:
    """Add rates, Fisher's p, odds ratio and Newcombe's interval; a reason where the test is undefined."""
    reason = (
        pl.when((pl.col("n_first") == 0) | (pl.col("n_second") == 0))
        .then(pl.lit(f"{NO_ITEMS} in one of the groups"))
        .when(pl.col("most_usable") > 1)
        .then(pl.lit(NOT_SINGLE))
        .when(pl.col("graded") > 0)
        .then(pl.lit(NOT_BINARY))
        .when(pl.col("shared") > 0)
        .then(pl.lit(NOT_INDEPENDENT))
    )
    rows = rows.with_columns(
        reason=reason,
        rate_first=pl.when(pl.col("n_first") > 0).then(pl.col("sum_first") / pl.col("n_first")),
        rate_second=pl.when(pl.col("n_second") > 0).then(pl.col("sum_second") / pl.col("n_second")),
    ).with_columns(difference=pl.col("rate_first") - pl.col("rate_second"))
    tested = rows.filter(pl.col("reason").is_null())
    if not tested.height:
        nothing = dict.fromkeys(("p", "odds_ratio", "odds_low", "odds_high", "low", "high"), pl.lit(None, pl.Float64))
        return rows.with_columns(**nothing, k_first=pl.lit(None, pl.Int64), k_second=pl.lit(None, pl.Int64))
    a, c = (tested[f"sum_{name}"].round().cast(pl.Int64).to_numpy() for name in ("first", "second"))
    b, d = tested["n_first"].to_numpy() - a, tested["n_second"].to_numpy() - c
    odds = odds_ratio(a, b, c, d, level=level, correction=HALDANE)
    risk = risk_difference(a, b, c, d, level=level)
    found = pl.DataFrame(
        {
            "run_idx": tested["run_idx"],
            "k_first": a,
            "k_second": c,
            "p": fisher_exact(a, b, c, d, alternative=alternative),
            "odds_ratio": odds.estimate,
            "odds_low": odds.low,
            "odds_high": odds.high,
            "low": risk.low,
            "high": risk.high,
            "method": "Fisher's exact test; Newcombe interval of the difference",
        }
    )
    return rows.join(found, on="run_idx", how="left")


def _graded(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    rows: pl.DataFrame,
    *,
    query: str,
    bound: dict[str, object],
    settings: Settings,
) -> pl.DataFrame:
    """Add an interval of the difference where Fisher is undefined and both groups have items."""
    todo = rows.filter(pl.col("reason").is_not_null() & pl.col("difference").is_not_null())
    if not todo.height:
        return rows if "method" in rows.columns else rows.with_columns(method=pl.lit(None, pl.String))
    large = todo.filter(pl.col("n_first") + pl.col("n_second") > MOMENTS_ABOVE)
    ends = [_by_moments(row, settings) for row in large.iter_rows(named=True)]
    small = todo.join(large, on="run_idx", how="anti")
    if small.height:
        items = frame(cursor, ITEMS.format(settled=query), bound)
        here = chosen.with_choice("run", small["run"].to_list())
        for population in populations(cursor, here, policy):
            part = population.at(items["item_idx"].to_numpy())
            in_first = np.isin(part.panel.items, items.filter("in_first")["item_idx"].to_numpy())
            raw = part.panel.raw
            grouped = np.vstack([np.where(in_first, raw, np.nan), np.where(in_first, np.nan, raw)])
            draws = mean_replicates(
                grouped, mean="micro", resamples=settings.resamples, seed=settings.seed, clusters=part.panel.clusters
            )
            tail = (1 - settings.level) / 2
            count = len(raw)
            low, high = percentiles(draws[:, :count] - draws[:, count:], (tail, 1 - tail))
            unit = "items" if part.panel.clusters is None else "clusters"
            method = f"percentile bootstrap over {unit}, {settings.resamples} resamples, seed {settings.seed}"
            ends += [
                {"run_idx": int(run), "low": float(low[at]), "high": float(high[at]), "method": method}
                for at, run in enumerate(part.panel.runs)
            ]
    kinds = {"run_idx": pl.Int64(), "low": pl.Float64(), "high": pl.Float64(), "method": pl.String()}
    added = pl.DataFrame(ends, schema=kinds)
    if "method" not in rows.columns:
        rows = rows.with_columns(method=pl.lit(None, pl.String))
    rows = rows.join(added, on="run_idx", how="left", suffix="_new")
    return rows.with_columns(pl.coalesce(f"{name}_new", name).alias(name) for name in ("low", "high", "method"))


def _by_moments(row: dict[str, object], settings: Settings) -> dict[str, object]:
    """Normal interval of the difference of two independent means, from sums over many items."""
    variance = 0.0
    for name in ("first", "second"):
        n, total, squares = (float(str(row[f"{of}_{name}"])) for of in ("n", "sum", "squares"))
        variance += (squares / n - (total / n) ** 2) / n
    half = normal_quantile((1 - settings.level) / 2) * max(variance, 0.0) ** 0.5
    gap = float(str(row["difference"]))
    return {
        "run_idx": row["run_idx"],
        "low": gap - half,
        "high": gap + half,
        "method": "delta method, items taken as independent",
    }


def _family(rows: pl.DataFrame, outside: set[int], alpha: float) -> pl.DataFrame:
    """Add Holm's values over each benchmark's family, its size and its description."""
    inside = (pl.col("kind") == "model") & ~pl.col("run_idx").is_in(list(outside)) & pl.col("p").is_not_null()
    parts = []
    for (benchmark,), part in rows.filter(inside).group_by("benchmark", maintain_order=True):
        adjusted = holm(part["p"].to_numpy())
        named = f"{adjusted.m} model runs of {benchmark} in the slice" + (", some left out" if outside else "")
        parts.append(
            part.select("run_idx").with_columns(
                p_holm=pl.Series(adjusted.p), m=pl.lit(adjusted.m, pl.Int64), family=pl.lit(named)
            )
        )
    kinds = {"run_idx": pl.Int64(), "p_holm": pl.Float64(), "m": pl.Int64(), "family": pl.String()}
    found = pl.concat([pl.DataFrame(schema=kinds), *parts])
    return rows.join(found, on="run_idx", how="left").with_columns(significant=pl.col("p_holm") <= alpha)


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model or human"),
    Result("condition", "text", "setting that was varied"),
    Result("first", "text", "first group of items"),
    Result("second", "text", "second group of items"),
    Result("keys", "text", "slice keys that the groups are spelled with"),
    Result("rate_first", "proportion", "mean raw credit on the first group"),
    Result("rate_second", "proportion", "mean raw credit on the second group"),
    Result("difference", "points", "first minus second"),
    Result("low", "points", "lower end of its interval"),
    Result("high", "points", "upper end of its interval"),
    Result("odds_ratio", "number", "odds of full credit, first over second"),
    Result("odds_low", "number", "lower end of its interval"),
    Result("odds_high", "number", "upper end of its interval"),
    Result("p", "p", "unadjusted p-value; null where the test is undefined"),
    Result("p_holm", "p", "p-value adjusted over the family; null outside it"),
    Result("significant", "boolean", "adjusted p-value at most alpha; null outside the family"),
    Result("m", "count", "size of the family"),
    Result("family", "text", "what the p-value is adjusted over"),
    Result("alternative", "text", "two-sided; greater: the first rate is higher; less"),
    Result("n_first", "count", "items of the first group with a credit"),
    Result("k_first", "count", "of these, right; null where credit is not 0 or 1"),
    Result("n_second", "count", "items of the second group with a credit"),
    Result("k_second", "count", "of these, right; null where credit is not 0 or 1"),
    Result("method", "text", "how test and interval were made"),
    Result("reason", "text", "why the test is undefined"),
    COLUMN,
)

QUESTION = Question(
    name="significance",
    title="Contrast of two groups of items",
    asks="Does a run do better on one group of items than on another?",
    source="Fisher 1935, doi:10.2307/2342435; Holm 1979, https://www.jstor.org/stable/4615733; Newcombe 1998",
    needs="runs with single attempts worth 0 or 1 on items of both groups",
    options=(
        Option("first", "text", "", "first group of items, as key=value|value"),
        Option("second", "text", "", "second group of items, as key=value|value"),
        Option("alternative", "choice", "two-sided", "greater: the first rate is higher", allowed=ALTERNATIVES),
        Option("without", "text", "", "runs or models that leave the family, joined by '|'"),
        Option("alpha", "number", 0.05, "adjusted p-values up to this are significant", low=0.0001, high=0.5),
        LEVEL,
        RESAMPLES,
        SEED,
    ),
    columns=COLUMNS,
    ask=significance,
)
