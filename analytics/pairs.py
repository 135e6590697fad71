"""Pairs of runs on the items that both have a credit for: counts, sums and differences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from analytics.numeric.arrays import ratio
from analytics.numeric.bootstrap import difference_interval
from analytics.numeric.intervals import Interval
from analytics.numeric.moments import MOMENTS_ABOVE, difference_from_moments
from analytics.numeric.paired import pair_counts
from analytics.panel_runs import about_items
from analytics.policy import Policy
from analytics.populations import (
    NO_ITEMS,
    NOT_BINARY,
    NOT_INDEPENDENT,
    NOT_SINGLE,
    BoolArray,
    FloatArray,
    IntArray,
    Population,
    populations,
    runs_of,
)
from analytics.slices import Slice
from analytics.store import Connection, frame
from analytics.sums import cubed, sums

NO_COMMON = "no common items"

COUNTABLE = ("", NOT_INDEPENDENT)
"""Reasons that leave right and wrong to count: dependent items have counts, though no exact test."""

STORED = """
SELECT p.run_a::BIGINT AS run_a, p.run_b::BIGINT AS run_b, k.capability, sum(p.n)::BIGINT AS n,
       sum(sum_raw_a)::DOUBLE AS a, sum(sum_raw_b)::DOUBLE AS b, sum(sum_raw2_a)::DOUBLE AS aa,
       sum(sum_raw2_b)::DOUBLE AS bb, sum(sum_raw_raw)::DOUBLE AS ab,
       sum(only_a)::BIGINT AS only_a, sum(only_b)::BIGINT AS only_b
FROM cube_pairs p JOIN cells k USING (cell_idx) JOIN run_dims r ON r.run_idx = p.run_a
WHERE p.run_a = ANY($runs) AND p.run_b = ANY($runs) AND {where}
GROUP BY p.run_a, p.run_b, k.capability ORDER BY p.run_a, p.run_b, k.capability
"""

SHARING = """
SELECT benchmark, count(cluster) > count(DISTINCT cluster) AS shared
FROM item_dims WHERE reference_known AND {where}
GROUP BY benchmark
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """How differences of means are taken and their intervals made."""

    by: str
    average: str
    level: float
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of runs of one benchmark version; a cell of every array is a pair (a, b), a before b in the store.

    `n` items have a credit in both runs (of the kind asked for); means and sums run over these. `both`, `only_a`,
    `only_b` and `neither` count items by full raw credit, -1 where `reason` says why the pair has no such count.
    `difference` is the mean of a minus b, with its paired interval; `spread` the standard deviation of the items'
    differences.
    """

    benchmark: str
    runs: pl.DataFrame
    a: IntArray
    b: IntArray
    n: IntArray
    mean_a: FloatArray
    mean_b: FloatArray
    both: IntArray
    only_a: IntArray
    only_b: IntArray
    neither: IntArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    spread: FloatArray
    reason: tuple[str, ...]
    average: str
    method: str
    population: Population | None


def pairs(cursor: Connection, chosen: Slice, policy: Policy, runs: list[int], settings: Settings) -> Iterator[Pairs]:
    """Yield the pairs of these runs within each benchmark version; versions with fewer than two runs have none.

    Above 10,000 items sums come from the cube where it can answer under the policy, and the interval from them.
    """
    described = runs_of(cursor).filter(pl.col("run_idx").is_in(runs))
    counted = sums(cursor, chosen, policy).filter(pl.col("run_idx").is_in(runs))
    for (benchmark,), part in counted.group_by("benchmark", maintain_order=True):
        own = described.filter((pl.col("benchmark") == benchmark) & pl.col("run_idx").is_in(part["run_idx"].to_list()))
        if own.height < 2:
            continue
        here = chosen.with_choice("benchmark", [str(benchmark)]).with_choice("run", own["run"].to_list())
        declared = part.group_by("run_idx").agg(pl.col("declared").sum())["declared"]
        mean = str(own["headline"][0]) if settings.average == "declared" else settings.average
        large = bool((declared > MOMENTS_ABOVE).any())
        if large and settings.by == "raw" and _stored(chosen, policy, own, part):
            yield _from_cube(cursor, here, own, part, mean=mean, level=settings.level)
            continue
        for population in populations(cursor, here, policy):
            if population.runs.height > 1:
                yield _from_items(population, mean, settings, large=large)


def _stored(chosen: Slice, policy: Policy, own: pl.DataFrame, counted: pl.DataFrame) -> bool:
    """Whether the cube's cross-products hold under the policy: they leave missing attempts out."""
    rule = own["missing_policy"][0] if policy.missing == "declared" else policy.missing
    return cubed(chosen, policy) and (rule == "exclude" or not int(counted["failed"].sum()))


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sums over the common items of each pair, by stratum on the last axis: n, a, b, their squares and product."""

    n: FloatArray
    a: FloatArray
    b: FloatArray
    aa: FloatArray
    bb: FloatArray
    ab: FloatArray

    def difference(self, mean: str, level: float) -> Interval:
        """Return the mean of a minus b with the delta method's interval."""
        return difference_from_moments(
            self.n,
            total_a=self.a,
            total_b=self.b,
            squares_a=self.aa,
            squares_b=self.bb,
            products=self.ab,
            mean=mean,
            level=level,
        )


def _from_items(population: Population, mean: str, settings: Settings, *, large: bool) -> Pairs:
    """Return the pairs of one population from its credits."""
    held = population.panel
    matrix = held.raw if settings.by == "raw" else held.verified
    a, b = np.triu_indices(len(matrix), k=1)
    reasons = population.trials()
    binary = np.array([reason in COUNTABLE for reason in reasons])
    counted = pair_counts(np.where(binary[:, None], held.raw, np.nan))
    counts = (counted.both[a, b], counted.first_only[a, b], counted.second_only[a, b])
    totals = crossed(matrix, held.strata, a, b)
    if large:
        span, method = totals.difference(mean, settings.level), "paired delta method from moments"
    else:
        span, _ = difference_interval(
            matrix,
            a,
            b,
            mean=mean,
            level=settings.level,
            resamples=settings.resamples,
            seed=settings.seed,
            strata=held.strata if mean == "macro" else None,
            clusters=held.clusters,
        )
        method = f"{span.method}, {settings.resamples} resamples, seed {settings.seed}"
    if mean == "macro":
        bare = population.lacking[a] | population.lacking[b]
        span = replace(span, estimate=_masked(span.estimate, bare), low=_masked(span.low, bare))
        span = replace(span, high=_masked(span.high, bare))
    fits = binary[a] & binary[b]
    return _pairs(population.runs, totals, span, counts, fits, reasons, average=mean, method=method, items=population)


def _masked(values: FloatArray, where: BoolArray) -> FloatArray:
    return np.where(where, np.nan, values)


def crossed(matrix: FloatArray, strata: IntArray, a: IntArray, b: IntArray) -> Sums:
    """Return the sums of each pair of rows over the columns of each stratum."""
    known = np.isfinite(matrix)
    filled = np.where(known, matrix, 0.0)
    parts = []
    for stratum in np.unique(strata):
        value, mask = filled[:, strata == stratum], known[:, strata == stratum].astype(np.float64)
        total, squares = value @ mask.T, value**2 @ mask.T
        crossed = (mask @ mask.T, total, total.T, squares, squares.T, value @ value.T)
        parts.append([part[a, b] for part in crossed])
    return Sums(*[np.stack(column, axis=-1) for column in zip(*parts, strict=True)])


def _pairs(  # noqa: PLR0917 - the parts of one record
    runs: pl.DataFrame,
    totals: Sums,
    span: Interval,
    counts: tuple[IntArray, IntArray, IntArray],
    fits: BoolArray,
    reasons: list[str],
    *,
    average: str,
    method: str,
    items: Population | None,
) -> Pairs:
    """Put the record together."""
    a, b = np.triu_indices(runs.height, k=1)
    n, sum_a, sum_b, aa, bb, ab = (getattr(totals, name).sum(axis=-1) for name in ("n", "a", "b", "aa", "bb", "ab"))
    size = n.astype(np.int64)
    mean_a, mean_b = ratio(sum_a, n), ratio(sum_b, n)
    both, only_a, only_b = (np.where(fits, count, -1) for count in counts)
    said = [reasons[i] or reasons[j] for i, j in zip(a, b, strict=True)]
    return Pairs(
        benchmark=str(runs["benchmark"][0]),
        runs=runs,
        a=a,
        b=b,
        n=size,
        mean_a=mean_a,
        mean_b=mean_b,
        both=both,
        only_a=only_a,
        only_b=only_b,
        neither=np.where(fits, size - both - only_a - only_b, -1),
        difference=span.estimate,
        low=span.low,
        high=span.high,
        spread=np.sqrt(np.maximum(ratio(aa + bb - 2 * ab, n) - (mean_a - mean_b) ** 2, 0.0)),
        reason=tuple(text or ("" if count else NO_COMMON) for text, count in zip(said, size, strict=True)),
        average=average,
        method=method,
        population=items,
    )


def _from_cube(
    cursor: Connection, here: Slice, own: pl.DataFrame, counted: pl.DataFrame, *, mean: str, level: float
) -> Pairs:
    """Return the pairs of one large benchmark from the cube's cross-products."""
    where, params = here.where()
    rows = frame(cursor, STORED.format(where=where), params | {"runs": own["run_idx"].to_list()})
    text, bound = about_items(here).where()
    shared = bool(frame(cursor, SHARING.format(where=text), bound)["shared"].any())
    a, b = np.triu_indices(own.height, k=1)
    place = {int(run): at for at, run in enumerate(own["run_idx"])}
    pair = {(int(i), int(j)): at for at, (i, j) in enumerate(zip(a, b, strict=True))}
    names = sorted(rows["capability"].unique())
    stacked = np.zeros((6, len(a), max(len(names), 1)))
    only = np.zeros((2, len(a)), dtype=np.int64)
    for row in rows.iter_rows(named=True):
        at = pair[place[row["run_a"]], place[row["run_b"]]]
        stacked[:, at, names.index(row["capability"])] = [row[name] for name in ("n", "a", "b", "aa", "bb", "ab")]
        only[:, at] += row["only_a"], row["only_b"]
    totals = Sums(*stacked)
    reasons = _reasons(own, counted, shared=shared)
    binary = np.array([said in COUNTABLE for said in reasons])
    both = np.round(totals.ab.sum(axis=-1)).astype(np.int64)
    span = totals.difference(mean, level)
    method = "paired delta method from stored moments"
    fits = binary[a] & binary[b]
    return _pairs(own, totals, span, (both, only[0], only[1]), fits, reasons, average=mean, method=method, items=None)


def _reasons(own: pl.DataFrame, counted: pl.DataFrame, *, shared: bool) -> list[str]:
    """Say by run why its credits are no independent trials worth 0 or 1, from sums."""
    totals = counted.group_by("run_idx").agg(pl.col("n", "binary_n").sum(), pl.col("most_usable").max())
    said = {}
    for run, n, binary, usable in totals.select("run_idx", "n", "binary_n", "most_usable").iter_rows():
        fault = NO_ITEMS if not n else NOT_SINGLE if usable > 1 else NOT_BINARY if binary < n else ""
        said[int(run)] = fault or (NOT_INDEPENDENT if shared else "")
    return [said.get(int(run), NO_ITEMS) for run in own["run_idx"]]
