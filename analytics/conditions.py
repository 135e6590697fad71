"""Conditions: what does one changed setting do to a system?"""

from __future__ import annotations

import re

import numpy as np
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.numeric.bootstrap import difference_interval, mean_estimate
from analytics.numeric.moments import MOMENTS_ABOVE
from analytics.pairs import crossed
from analytics.panel_runs import about_items, about_runs
from analytics.policy import Policy
from analytics.populations import LEVELS, FloatArray, Population, grouped, item_values, populations, runs_of
from analytics.questions import AVERAGE, LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.slices import NONE, Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

MAIN, LOWEST, WHOLE = "main", "lowest", "all"

LADDER = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
"""Levels of reasoning effort from lowest to highest, as vendors spell them; numbers order themselves."""

VARIANTS = """
SELECT run_idx::BIGINT AS run_idx FROM run_dims
WHERE condition <> $none AND ($benchmarks IS NULL OR run_benchmark = ANY($benchmarks)) AND {where}
"""

Row = dict[str, object]


def conditions(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    base: str,
    level_of: str,
    average: str,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Compare the runs of one system that differ in a setting with its base run, on the items that both have.

    One row per varied run and base run (and per value of the slice key `level_of`, unless it is "none"). A condition is
    written dimension=value. `base` is "main" (the system's run without a varied setting), "lowest" (the lowest value of
    the dimension, where values are numbers or levels of effort), or a value of the dimension. The base stands in the
    table too, with `is_base` and its means over the items of the runs compared with it. The slice chooses varied runs;
    base runs are looked up beside it.

    `raw` and `verified` are means over the run's own items, `difference` and `verified_difference` the mean of run
    minus base over the `n` common items, in [-1, 1]: the mean that `average` names for the whole, micro within a value.
    Null, with a `reason`, where the system has no base run or no common item. `place` orders the values of a dimension
    from the lowest, null where they have no order; `best` marks the highest raw mean of a curve (system, dimension and
    value of the key), and `best_is_highest` tells whether the curve's best, ties included, stands at its highest value.

    Interval: paired percentile bootstrap over items, or clusters where items share one (Efron 1979,
    doi:10.1214/aos/1176344552); above 10,000 items the delta method. Raises EmptySlice when no run of the slice has a
    varied setting.
    """
    where, params = about_runs(chosen).where()
    bound = params | {"none": NONE, "benchmarks": list(chosen.values("benchmark")) or None}
    varied = frame(cursor, VARIANTS.format(where=where), bound)["run_idx"].to_list()
    every = _split(runs_of(cursor))
    items = about_items(chosen)
    kept = every.filter(pl.col("run_idx").is_in(varied))
    rows: list[Row] = []
    how: list[str] = []
    for (benchmark,), variants in kept.group_by("benchmark", maintain_order=True):
        of_models = every.filter(
            (pl.col("benchmark") == benchmark) & pl.col("model").is_in(variants["model"].unique().to_list())
        )
        here = items.with_choice("benchmark", [str(benchmark)]).with_choice("run", of_models["run"].to_list())
        mean = str(of_models["headline"][0]) if average == "declared" else average
        own = mean if level_of == "none" else "micro"
        for population in populations(cursor, here, policy):
            large = len(population.panel.items) > MOMENTS_ABOVE
            for value, part in _parts(cursor, here, population, level_of):
                for (_,), scoped in variants.group_by("scope", maintain_order=True):
                    pairs = _based(scoped, of_models, base)
                    same = _answered(part, scoped["run_idx"].to_list())
                    found, method = _compared(
                        same, pairs, own, large=large, level=level, resamples=resamples, seed=seed
                    )
                    rows += [row | {"level_of": level_of, "value": value, "average": own} for row in found]
                    how.append(method)
    if not rows:
        raise empty(chosen, needs="a varied setting (condition) and a credit")
    table = _curves(pl.DataFrame(rows, infer_schema_length=None).join(every, on="run_idx", how="left"))
    table = table.sort("benchmark", "model", "dimension", "value", "place", "run", "base", nulls_last=True)
    table = table_of(table.to_dicts(), COLUMNS[:-1])
    options = {"base": base, "level_of": level_of, "average": average}
    table = mark(cursor, table, chosen, question="conditions", options=options, column="difference", policy=policy)
    alone = table.filter(pl.col("reason").is_not_null()).height
    left_out = {"rows without a base run or a common item": alone}
    method = f"{level:.0%} interval: {'; '.join(dict.fromkeys(filter(None, how)))}"
    return Answer(table, method, left_out, (*note(table), policy.sentence()), seed)


def _split(runs: pl.DataFrame) -> pl.DataFrame:
    """Add dimension and setting of each run's condition, and the setting's place where settings have an order."""
    condition = pl.col("condition")
    keyed = condition.str.contains("=", literal=True)
    runs = runs.with_columns(
        dimension=pl.when(condition == NONE).then(None).when(keyed).then(condition.str.extract(r"^([^=]*)=")).otherwise(
            pl.lit("condition")
        ),
        setting=pl.when(condition == NONE).then(pl.lit(MAIN)).when(keyed).then(
            condition.str.extract(r"^[^=]*=(.*)$")
        ).otherwise(condition),
    )  # fmt: skip
    keys = [_key(text) for text in runs["setting"]]
    ordered = runs.with_columns(key=pl.Series(keys, dtype=pl.Float64))
    curve = ["benchmark", "model", "dimension"]
    known = pl.col("key").is_not_null().all().over(curve) & pl.col("dimension").is_not_null()
    return ordered.with_columns(place=pl.when(known).then(pl.col("key").rank("dense").over(curve)).cast(pl.Int64))


def _key(setting: str) -> float | None:
    """Return what orders a setting: its number, or its step on the ladder of effort."""
    if setting in LADDER:
        return float(LADDER.index(setting))
    number = re.fullmatch(r"(\d+(?:\.\d+)?)\D*", setting)
    return float(number.group(1)) if number else None


def _based(variants: pl.DataFrame, of_models: pl.DataFrame, base: str) -> list[tuple[int, int | None, str]]:
    """Return (run, base run or None, dimension) of each comparison; a base stands in the list with itself."""
    pairs: list[tuple[int, int | None, str]] = []
    for (model, dimension), part in variants.group_by("model", "dimension", maintain_order=True):
        own = of_models.filter(pl.col("model") == model)
        same = own.filter(pl.col("dimension") == dimension)
        if base == MAIN:
            found = own.filter((pl.col("condition") == NONE) & (pl.col("kind").is_in(part["kind"].unique().to_list())))
            found = found if found.height else own.filter(pl.col("condition") == NONE)
        elif base == LOWEST:
            found = same.filter(pl.col("place") == 1)
        else:
            found = same.filter(pl.col("setting") == base)
        bases = found["run_idx"].to_list()
        pairs += [(one, one, str(dimension)) for one in bases]
        for run in part["run_idx"]:
            pairs += [(run, one, str(dimension)) for one in bases if run not in bases]
            pairs += [(run, None, str(dimension))] if not bases else []
    return pairs


def _parts(cursor: Connection, chosen: Slice, population: Population, level_of: str) -> list[tuple[str, Population]]:
    """Return the population whole, or by value of the slice key."""
    if level_of == "none":
        return [(WHOLE, population)]
    values = item_values(cursor, about_items(chosen), level_of)
    parts = [(value, population.at(items)) for value, items in grouped(values)]
    return [(value, part) for value, part in parts if part.panel.items.size]


def _answered(population: Population, runs: list[int]) -> Population:
    """Return the population over the items that some of these runs has a credit for."""
    rows = np.isin(population.panel.runs, runs)
    seen = np.isfinite(population.panel.raw[rows]).any(axis=0)
    return population.at(population.panel.items[seen])


def _compared(
    population: Population,
    pairs: list[tuple[int, int | None, str]],
    mean: str,
    *,
    large: bool,
    level: float,
    resamples: int,
    seed: int,
) -> tuple[list[Row], str]:
    """Return one row per comparison within one part of the items, and how the intervals were made."""
    held = population.panel
    at = {int(run): row for row, run in enumerate(held.runs)}
    names = dict(population.runs.select("run_idx", "run").iter_rows())
    strata = held.strata if mean == "macro" else None
    metrics = (("raw", held.raw, ""), ("verified", held.verified, "verified_"))
    own = {name: _means(matrix, population, mean) for name, matrix, _ in metrics}
    known = [(run, one, dimension) for run, one, dimension in pairs if run in at]
    tested = [k for k, (run, one, _) in enumerate(known) if one in at and one != run]
    first = np.array([at[known[k][0]] for k in tested], dtype=np.int64)
    second = np.array([at[int(known[k][1] or 0)] for k in tested], dtype=np.int64)
    rows: list[Row] = []
    for run, one, dimension in known:
        row: Row = {"run_idx": run, "of_dimension": dimension, "base": None if one is None else names.get(one)}
        row |= {name: values[at[run]] for name, values in own.items()}
        row |= {"is_base": run == one, "n_run": int(np.isfinite(held.raw[at[run]]).sum()), "n": None}
        row["reason"] = "no base run" if one is None else None if one in at else "the base run has none of these items"
        rows.append(row)
    known_metrics = [(matrix, prefix) for _, matrix, prefix in metrics if tested and np.isfinite(matrix).any()]
    method = ""
    if known_metrics:
        stacked = np.vstack([matrix for matrix, _ in known_metrics])
        offsets = np.arange(len(known_metrics))[:, None] * len(held.runs)
        left, right = (offsets + first).ravel(), (offsets + second).ravel()
        if large:
            span, method = crossed(stacked, held.strata, left, right).difference(mean, level), "paired delta method"
        else:
            span, _ = difference_interval(
                stacked, left, right, mean=mean, level=level, resamples=resamples, seed=seed, strata=strata,
                clusters=held.clusters,
            )  # fmt: skip
            method = f"{span.method}, {resamples} resamples, seed {seed}"
        sizes = np.isfinite(stacked[left] - stacked[right]).sum(axis=1)
        for place, (k, prefix) in enumerate((k, prefix) for _, prefix in known_metrics for k in tested):
            row = rows[k]
            ends = {"difference": span.estimate, "low": span.low, "high": span.high}
            row |= {f"{prefix}{name}": values[place] for name, values in ends.items()}
            if prefix == "":
                row |= {"n": int(sizes[place]), "reason": None if sizes[place] else "no common items"}
    return rows, method


def _means(matrix: FloatArray, population: Population, mean: str) -> FloatArray:
    """Return each run's mean over its own items; a macro mean is over the capabilities that the run declares."""
    out = np.full(len(matrix), np.nan)
    for row, values in enumerate(matrix):
        held = np.isfinite(population.panel.raw[row])
        if held.any() and not (mean == "macro" and population.lacking[row]):
            strata = population.panel.strata[held] if mean == "macro" else None
            out[row] = mean_estimate(values[None, held], mean=mean, strata=strata)[0]
    return out


def _curves(table: pl.DataFrame) -> pl.DataFrame:
    """Mark the best setting of each curve, and whether it stands at the highest value."""
    table = table.with_columns(dimension="of_dimension")
    curve = ["benchmark", "model", "dimension", "value"]
    raw = pl.col("raw").fill_nan(None).round(12)
    top = (raw == raw.max()).over(curve)
    ordered = pl.col("place").is_not_null()
    highest = pl.col("place") == pl.col("place").max().over(curve)
    several = pl.col("place").n_unique().over(curve) > 1
    # of an ordered dimension only its own values make the curve: the main run has no place on it
    placed = (raw == pl.when(ordered).then(raw).max().over(curve)) & ordered
    at_top = (placed & highest).any().over(curve)
    return table.with_columns(
        best=pl.when(ordered.any().over(curve)).then(placed).otherwise(top),
        best_is_highest=pl.when(ordered.any().over(curve) & several).then(at_top),
    )


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("model", "text", "system"),
    Result("dimension", "text", "setting that was varied"),
    Result("setting", "text", "its value; 'main' for the run without a varied setting"),
    Result("place", "count", "place of the value from the lowest; null where values have no order"),
    Result("run", "text", "run"),
    Result("base", "text", "run that it is compared with"),
    Result("is_base", "boolean", "the row is the base itself"),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "the run's condition as logged"),
    Result("level_of", "text", "slice key that value is a value of; none for the whole"),
    Result("value", "text", "value of the slice key; 'all' for the whole"),
    Result("average", "text", "mean that the figures are: macro or micro"),
    Result("raw", "proportion", "mean raw credit over the run's own items"),
    Result("verified", "proportion", "mean verified credit over the run's own items"),
    Result("difference", "points", "mean raw credit of run minus base, over common items"),
    Result("low", "points", "lower end of its paired interval"),
    Result("high", "points", "upper end of its paired interval"),
    Result("verified_difference", "points", "mean verified credit of run minus base, over common items"),
    Result("verified_low", "points", "lower end of its paired interval"),
    Result("verified_high", "points", "upper end of its paired interval"),
    Result("n", "count", "items that run and base have in common; null for the base itself"),
    Result("n_run", "count", "items of the run with a credit"),
    Result("best", "boolean", "highest raw mean of its curve"),
    Result("best_is_highest", "boolean", "the curve's best stands at its highest value; null without an order"),
    Result("reason", "text", "why there is no difference"),
    COLUMN,
)

QUESTION = Question(
    name="conditions",
    title="Conditions",
    asks="What does one changed setting do to a system?",
    source="Efron 1979, doi:10.1214/aos/1176344552",
    needs="runs of one system under several settings (condition)",
    options=(
        Option("base", "text", MAIN, "main, lowest, or a value of the varied setting"),
        Option("level_of", "choice", "none", "slice key whose values split the items", allowed=("none", *LEVELS)),
        AVERAGE,
        LEVEL,
        RESAMPLES,
        SEED,
    ),
    columns=COLUMNS,
    ask=conditions,
)
