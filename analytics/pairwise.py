"""Run against run on the same items: who is better, and could it be chance?"""

from __future__ import annotations

import numpy as np
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.numeric.adjust import Adjusted, holm
from analytics.numeric.contrasts import fisher_exact
from analytics.numeric.moments import MOMENTS_ABOVE
from analytics.numeric.paired import mcnemar, sign_flip
from analytics.pairs import Pairs, Settings, pairs
from analytics.panel_runs import ALL, panel_runs
from analytics.policy import Policy
from analytics.populations import BoolArray, FloatArray, IntArray
from analytics.questions import AVERAGE, LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection
from analytics.tables import table_of


def pairwise(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    runs_of: str,
    by: str,
    average: str,
    flips: int,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Compare every two runs on the items that both have a credit for.

    One row per pair of runs of one benchmark version; `runs_of` is "all" (main runs of models in the slice), an access,
    or runs and models joined by '|'. `n` items are common; `both`, `only_a`, `only_b`, `neither` count them by full
    credit. `p_mcnemar` is the exact two-sided McNemar test on the discordant counts (1947, doi:10.1007/BF02295996);
    where credit is not 0 or 1, items have several attempts or share clusters, it is null and `reason` says why, and
    `p_permutation` is the two-sided sign-flip test of the paired differences instead (Pitman 1937, doi:10.2307/2984124;
    differences of a cluster are flipped together; above 10,000 items the interval must do). Tests weigh every item
    alike, whatever mean is shown. Each is adjusted with Holm over all pairs of the benchmark in the slice for which it
    is defined; `m_*` is its size.
    `p_fisher` ignores the pairing: it is what some papers print, and is here for comparison with them alone.

    `difference` is the mean of a minus b over the common items, the mean that `average` names, in [-1, 1]. Interval:
    paired percentile bootstrap over items, or clusters where items share one; above 10,000 items the delta method.
    Raises EmptySlice when no benchmark has two such runs with common items, UnknownValue for a run that is not there.
    """
    picked = panel_runs(cursor, chosen, panel=runs_of)
    settings = Settings(by, average, level, resamples, seed)
    rows: list[dict[str, object]] = []
    methods: list[str] = []
    for found in pairs(cursor, chosen, policy, picked["run_idx"].to_list(), settings):
        rows += _rows(found, settings, flips)
        methods.append(found.method)
    if not rows:
        raise empty(chosen, needs="two runs of one benchmark version")
    table = table_of(rows, COLUMNS[:-1])
    table = mark(cursor, table, chosen, question="pairwise", options={"by": by}, policy=policy)
    unlike = table.filter(pl.col("n") < pl.col("n_either"))
    left_out = {"items that one run of the pair has no credit for": int((unlike["n_either"] - unlike["n"]).sum())}
    notes = (*note(table), "Fisher's test ignores that both runs answered the same items.", policy.sentence())
    return Answer(table, f"{level:.0%} interval: {'; '.join(dict.fromkeys(methods))}", left_out, notes, seed)


def _rows(found: Pairs, settings: Settings, flips: int) -> list[dict[str, object]]:
    """Return one row per pair of a benchmark version, tests adjusted over all of them."""
    tested = np.array([not reason for reason in found.reason], dtype=bool) & (found.n > 0)
    p = np.full(len(tested), np.nan)
    p[tested] = mcnemar(found.only_a[tested], found.only_b[tested], alternative="two-sided")
    unpaired = np.full(len(tested), np.nan)
    right_a, right_b = found.both + found.only_a, found.both + found.only_b
    unpaired[tested] = fisher_exact(
        right_a[tested],
        (found.n - right_a)[tested],
        right_b[tested],
        (found.n - right_b)[tested],
        alternative="two-sided",
    )
    flipped = _permuted(found, ~tested & (found.n > 0), settings, flips)
    adjusted = {"mcnemar": holm(p), "fisher": holm(unpaired), "permutation": holm(flipped)}
    either = _either(found, settings.by)
    names = found.runs["run"].to_list()
    conditions = found.runs["condition"].to_list()
    out: list[dict[str, object]] = []
    for at, (i, j) in enumerate(zip(found.a, found.b, strict=True)):
        row: dict[str, object] = {"benchmark": found.benchmark, "a": names[i], "b": names[j], "n": int(found.n[at])}
        row |= {"condition_a": conditions[i], "condition_b": conditions[j], "average": found.average}
        row |= {"mean_a": found.mean_a[at], "mean_b": found.mean_b[at], "n_either": int(either[at])}
        row |= {"difference": found.difference[at], "low": found.low[at], "high": found.high[at]}
        for name in ("both", "only_a", "only_b", "neither"):
            count = int(getattr(found, name)[at])
            row[name] = None if count < 0 else count
        row |= {"p_mcnemar": p[at], "p_fisher": unpaired[at], "p_permutation": flipped[at]}
        for name, family in adjusted.items():
            row |= _adjusted(name, family, at)
        row["reason"] = found.reason[at] or None
        row["method"] = found.method
        out.append(row)
    return out


def _adjusted(name: str, family: Adjusted, at: int) -> dict[str, object]:
    inside = not np.isnan(family.p[at])
    return {f"p_{name}_holm": family.p[at], f"m_{name}": family.m if inside else None}


def _permuted(found: Pairs, wanted: BoolArray, settings: Settings, flips: int) -> FloatArray:
    """Return the sign-flip p of pairs without an exact McNemar test; NaN for the others and above the item limit."""
    out = np.full(len(found.n), np.nan)
    population = found.population
    if population is None or not wanted.any() or len(population.panel.items) > MOMENTS_ABOVE:
        return out
    held = population.panel
    matrix = held.raw if settings.by == "raw" else held.verified
    gaps = matrix[found.a[wanted]] - matrix[found.b[wanted]]
    if held.clusters is not None:
        label = np.unique(held.clusters, return_inverse=True)[1]
        known = np.isfinite(gaps)
        summed = np.zeros((int(label.max()) + 1, len(gaps)))
        np.add.at(summed, label, np.where(known, gaps, 0.0).T)
        seen = np.zeros_like(summed)
        np.add.at(seen, label, known.T.astype(np.float64))
        gaps = np.where(seen > 0, summed, np.nan).T
    out[wanted] = sign_flip(gaps, alternative="two-sided", resamples=flips, seed=settings.seed).p
    return out


def _either(found: Pairs, by: str) -> IntArray:
    """Count the items that at least one run of each pair has a credit for; the common ones where that is not known."""
    if found.population is None:
        return found.n
    held = found.population.panel
    known = np.isfinite(held.raw if by == "raw" else held.verified)
    own = known.sum(axis=1)
    return np.asarray(own[found.a] + own[found.b] - found.n)


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("a", "text", "first run"),
    Result("b", "text", "second run"),
    Result("condition_a", "text", "setting that was varied in the first run"),
    Result("condition_b", "text", "setting that was varied in the second run"),
    Result("n", "count", "items that both runs have a credit for"),
    Result("both", "count", "both right; null where credit is not 0 or 1 from single attempts"),
    Result("only_a", "count", "only the first right"),
    Result("only_b", "count", "only the second right"),
    Result("neither", "count", "neither right"),
    Result("p_mcnemar", "p", "exact McNemar test, two-sided; null where undefined"),
    Result("p_mcnemar_holm", "p", "adjusted over the family"),
    Result("m_mcnemar", "count", "pairs in that family"),
    Result("average", "text", "mean that the difference is of: macro or micro"),
    Result("mean_a", "proportion", "first run's mean credit over the common items"),
    Result("mean_b", "proportion", "second run's mean credit over the common items"),
    Result("difference", "points", "mean credit of a minus b on common items, as the average says"),
    Result("low", "points", "lower end of its paired interval"),
    Result("high", "points", "upper end of its paired interval"),
    Result("p_permutation", "p", "sign-flip test, where McNemar's is undefined"),
    Result("p_permutation_holm", "p", "adjusted over the family"),
    Result("m_permutation", "count", "pairs in that family"),
    Result("p_fisher", "p", "Fisher's exact test, which ignores the pairing"),
    Result("p_fisher_holm", "p", "adjusted over the family"),
    Result("m_fisher", "count", "pairs in that family"),
    Result("n_either", "count", "items that one of the two runs at least has a credit for"),
    Result("method", "text", "how the interval of the difference was made"),
    Result("reason", "text", "why McNemar's test is undefined"),
    COLUMN,
)

QUESTION = Question(
    name="pairwise",
    title="Run against run",
    asks="Which of two runs is better on the same items, and could it be chance?",
    source="McNemar 1947, doi:10.1007/BF02295996; Holm 1979; Pitman 1937, doi:10.2307/2984124; Efron 1979",
    needs="two runs over common items",
    options=(
        Option("runs_of", "text", ALL, "all: main runs of models; an access; or runs and models joined by '|'"),
        Option("by", "choice", "raw", "credit whose means are compared", allowed=("raw", "verified")),
        AVERAGE,
        Option(
            "flips", "integer", 20_000, "random sign flips; p cannot fall below 1 / (1 + flips)", low=99, high=10**6
        ),
        LEVEL,
        RESAMPLES,
        SEED,
    ),
    columns=COLUMNS,
    ask=pairwise,
)
