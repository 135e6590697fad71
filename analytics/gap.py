"""Raw-Verified gap: how much credit is left once the reasoning is checked?"""

from __future__ import annotations

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.numeric.moments import MOMENTS_ABOVE
from analytics.policy import Policy
from analytics.populations import Population, populations, runs_of
from analytics.questions import AVERAGE, LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.slices import Slice, empty
from analytics.spans import SOURCE, SPAN_COLUMNS, spans, spans_from_sums
from analytics.store import Connection
from analytics.sums import sums

WHOLE = "all"

PER = Option(
    "per",
    "choice",
    "run",
    "one row per run, or per run and capability",
    allowed=("run", "run_capability"),
)


def gap(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    per: str,
    average: str,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Gap (raw minus verified) and retention (verified over raw) of each run.

    One row per run, or per run and capability. `gap` is in [0, 1]; `retention` is the ratio of the two means, null
    where raw is 0. Both are over the `n_verified` items that have raw and verified credit, `raw` and `verified` over
    all that have the one; per run they are the mean that `average` names (macro: unweighted over capabilities, null
    when a capability has no item with a credit), per capability they are means over its items. `unlabelled` counts
    items with a raw credit and no verified one: their labels are missing, which is no loss of credit.

    Interval: paired, percentile bootstrap over items, or over clusters where items share one (within capability for a
    macro mean); above 10,000 items the delta method on stored moments.
    Efron 1979, doi:10.1214/aos/1176344552. Raises EmptySlice when no item of the slice has a verified credit.
    """
    cells = sums(cursor, chosen, policy).with_columns(pl.col("run_idx").cast(pl.Int64))
    # a run that nobody labelled has verified credit on its wrong answers alone, where it is 0 whatever the labels
    labelled = pl.col("sum_raw_paired").sum().over("run_idx") > 0
    nothing = (pl.col("n_verified").sum().over("run_idx") > 0) & (pl.col("sum_raw").sum().over("run_idx") == 0)
    cells = cells.filter(labelled | nothing)
    if not cells.height:
        raise empty(chosen, needs="a verified credit (rationale labels or factors)")
    described = runs_of(cursor)
    mean_of = pl.col("headline") if average == "declared" else pl.lit(average)
    described = described.with_columns(average=pl.lit("micro") if per == "run_capability" else mean_of)
    sizes = cells.group_by("benchmark", "run_idx").agg(pl.col("declared").sum())
    large = sizes.filter(pl.col("declared") > MOMENTS_ABOVE)["benchmark"].unique().to_list()
    parts = [_from_sums(part, described, per, level) for part in _each(cells, large, per)]
    small = [name for name in cells["benchmark"].unique() if name not in large]
    for population in populations(cursor, chosen.with_choice("benchmark", small), policy) if small else ():
        parts += _by_items(population, described, per, level=level, resamples=resamples, seed=seed)
    placed = pl.concat(parts, how="vertical_relaxed").filter(pl.col("n_verified") > 0)
    table = placed.join(described, on="run_idx", how="left").with_columns(unlabelled=pl.col("n") - pl.col("n_verified"))
    asked = {"per": per, "average": average}
    table = mark(cursor, table, chosen, question="gap", options=asked, column="gap", policy=policy)
    table = table.sort(["benchmark", "scope", "regime", "condition", pl.col("kind") != "model", "run", "capability"])
    table = table.select(column.name for column in COLUMNS)
    left_out = {"items with a raw credit and no verified one": int(table["unlabelled"].sum())}
    methods = ", ".join(table["interval"].unique(maintain_order=True))
    return Answer(table, f"{level:.0%} paired interval: {methods}", left_out, (*note(table), policy.sentence()), seed)


def _each(cells: pl.DataFrame, benchmarks: list[str], per: str) -> list[pl.DataFrame]:
    """Return the sums of large benchmarks, as one frame per capability, or one for all."""
    part = cells.filter(pl.col("benchmark").is_in(benchmarks))
    if not part.height:
        return []
    return [part] if per == "run" else part.partition_by("capability")


def _from_sums(cells: pl.DataFrame, described: pl.DataFrame, per: str, level: float) -> pl.DataFrame:
    """Return spans of large benchmarks from stored moments."""
    capability = WHOLE if per == "run" else cells["capability"][0]
    means = cells.select("run_idx").unique().join(described.select("run_idx", "average"), on="run_idx")
    parts = [
        spans_from_sums(cells.join(part, on="run_idx", how="semi"), mean=str(mean), level=level)
        for (mean,), part in means.group_by("average")
    ]
    return pl.concat(parts).with_columns(capability=pl.lit(capability))


def _by_items(
    population: Population, described: pl.DataFrame, per: str, *, level: float, resamples: int, seed: int
) -> list[pl.DataFrame]:
    """Return spans of one benchmark from its items."""
    mean = str(described.filter(pl.col("benchmark") == population.benchmark)["average"][0])
    parts = []
    for scope in population.scopes():
        if per == "run":
            found = spans(scope, mean=mean, level=level, resamples=resamples, seed=seed)
            parts.append(found.with_columns(capability=pl.lit(WHOLE)))
            continue
        for name, items in scope.capabilities():
            found = spans(scope.at(items), mean="micro", level=level, resamples=resamples, seed=seed)
            parts.append(found.with_columns(capability=pl.lit(name)))
    return parts


def _how(column: Result) -> Result:
    return Result("interval", "text", "how the paired interval was made") if column.name == "interval" else column


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "setting that was varied"),
    Result("scope", "text", "declared population, where it is not every item"),
    Result("capability", "text", "capability; 'all' for a row per run"),
    Result("average", "text", "mean that every figure of the row is: macro or micro"),
    *(_how(column) for column in SPAN_COLUMNS),
    Result("unlabelled", "count", "items with a raw credit and no verified one"),
    Result("provenance", "text", "where the rows come from"),
    COLUMN,
)

QUESTION = Question(
    name="gap",
    title="Raw-Verified gap",
    asks="How much credit is left once the reasoning is checked?",
    source=SOURCE,
    needs="rationale labels or factors",
    options=(PER, AVERAGE, LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=gap,
)
