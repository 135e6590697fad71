"""Power: what is the smallest difference that so many items can show?"""

from __future__ import annotations

import numpy as np

from analytics.determined import COLUMN, mark, note
from analytics.numeric.power import SIDES, detectable_graded, detectable_paired, detectable_unpaired, items_needed
from analytics.pairs import Pairs, Settings, pairs
from analytics.panel_runs import ALL, about_items, panel_runs
from analytics.policy import Policy
from analytics.questions import SEED, Answer, Option, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

GRID = (10, 30, 100, 300, 1_000, 3_000)

SIZES = """
SELECT benchmark, capability AS part, count(*)::BIGINT AS n FROM item_dims
WHERE reference_known AND {where} GROUP BY benchmark, capability
UNION ALL
SELECT benchmark, 'all' AS part, count(*)::BIGINT AS n FROM item_dims
WHERE reference_known AND {where} GROUP BY benchmark
ORDER BY benchmark, n, part
"""

NEVER = "the runs never differ"
TOO_FEW = "no difference can be shown with so few items"

Row = dict[str, object]


def power(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    per: str,
    runs_of: str,
    discordant: float,
    baseline: float,
    alpha: float,
    power: float,
    sides: str,
    seed: int,
) -> Answer:
    """Smallest difference of mean raw credit that is found with the stated power.

    Per "pair": one row per pair of runs as in question pairwise, from the items that they have in common; `discordant`
    is the share of items that exactly one gets right, `spread` the standard deviation of the items' differences.
    `detectable` is the smallest true difference that a test at `alpha` finds with probability `power`;
    `detectable_holm` the same at alpha / m, which the first of m pairs must pass; `needed` counts the items after which
    the difference seen would be found. Per "n": one row per capability of the slice, for all its items, and for round
    numbers, with the `discordant` share and the `baseline` rate that the options assume; `detectable_unpaired` is the
    smallest rise between two groups of n different items each. Null, with `reason`, where no difference can be shown.

    McNemar's test (Connor 1987, doi:10.2307/2531961) for single attempts worth 0 or 1; a normal approximation for other
    credit (Miller 2024, arXiv:2411.00640); arcsine scale for unpaired groups (Cohen 1988, section 6.4). Items count as
    independent. Raises EmptySlice when the slice has no pair of runs, or no item.
    """
    test = (alpha, power, sides)
    rows: list[Row] = []
    if per == "n":
        rows = _sizes(cursor, chosen, discordant, baseline, test)
    else:
        picked = panel_runs(cursor, chosen, panel=runs_of)
        # the interval is not used here, so its settings cost as little as they can
        settings = Settings("raw", "micro", 0.95, 1, seed)
        for found in pairs(cursor, chosen, policy, picked["run_idx"].to_list(), settings):
            rows += _pairs(found, test)
    if not rows:
        raise empty(chosen, needs="two runs of one benchmark version" if per == "pair" else "an item")
    table = table_of(rows, COLUMNS[:-1])
    if per == "n":
        table = table.with_columns(determined=True)  # numbers of items, no rows behind them
    else:
        table = mark(cursor, table, chosen, question="power", options={"per": per}, policy=policy)
    method = f"smallest difference found with probability {power:g} by a {sides} test at {alpha:g}"
    return Answer(table, method, {}, (*note(table), policy.sentence()))


def _pairs(found: Pairs, test: tuple[float, float, str]) -> list[Row]:
    """Return one row per pair of runs."""
    alpha, power_, sides = test
    names = found.runs["run"].to_list()
    m = max(len(found.n), 1)
    binary = (found.only_a >= 0) & (found.n > 0)
    share = np.where(binary, (found.only_a + found.only_b) / np.maximum(found.n, 1), np.nan)
    gap = found.mean_a - found.mean_b
    out: list[Row] = []
    for at, (i, j) in enumerate(zip(found.a, found.b, strict=True)):
        n, psi, spread = int(found.n[at]), float(share[at]), float(found.spread[at])
        row: Row = {"benchmark": found.benchmark, "a": names[i], "b": names[j], "n": n, "part": "common items"}
        row |= {"difference": gap[at], "discordant": psi, "spread": spread if n else None, "m": m}
        if n == 0:
            row["reason"] = "no common items"
        elif (psi if binary[at] else spread) == 0:
            row["reason"] = NEVER
        elif binary[at]:
            row["detectable"] = float(detectable_paired(n, discordant=psi, alpha=alpha, power=power_, sides=sides))
            holm = detectable_paired(n, discordant=psi, alpha=alpha / m, power=power_, sides=sides)
            need = items_needed(gap[at], discordant=psi, alpha=alpha, power=power_, sides=sides)
            row |= {"detectable_holm": float(holm), "needed": _whole(float(need)), "method": "exact McNemar"}
        else:
            row["detectable"] = float(detectable_graded(n, spread=spread, alpha=alpha, power=power_, sides=sides))
            holm = detectable_graded(n, spread=spread, alpha=alpha / m, power=power_, sides=sides)
            row |= {"detectable_holm": float(holm), "method": "paired difference of means"}
        out.append(_reasoned(row))
    return out


def _sizes(
    cursor: Connection, chosen: Slice, discordant: float, baseline: float, test: tuple[float, float, str]
) -> list[Row]:
    """Return one row per number of items."""
    alpha, power_, sides = test
    where, params = about_items(chosen).where()
    sizes = frame(cursor, SIZES.format(where=where), params)
    numbered = [*sizes.iter_rows(), *((name, "any", n) for name in sizes["benchmark"].unique().sort() for n in GRID)]
    out: list[Row] = []
    for benchmark, part, n in numbered:
        paired = detectable_paired(n, discordant=discordant, alpha=alpha, power=power_, sides=sides)
        apart = detectable_unpaired(n, n, baseline=baseline, alpha=alpha, power=power_, sides=sides)
        row: Row = {"benchmark": benchmark, "part": part, "n": n, "discordant": discordant, "baseline": baseline}
        row |= {"detectable": float(paired), "detectable_unpaired": float(apart), "method": "exact McNemar"}
        out.append(_reasoned(row))
    return out


def _whole(value: float) -> int | None:
    return None if np.isnan(value) else int(value)


def _reasoned(row: Row) -> Row:
    lost = isinstance(row.get("detectable"), float) and np.isnan(float(str(row["detectable"])))
    return row | {"reason": TOO_FEW} if lost else row


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("a", "text", "first run; null where a row is about a number of items"),
    Result("b", "text", "second run"),
    Result("part", "text", "what n counts: a capability, 'all' items, 'any' round number, or the pair's common items"),
    Result("n", "count", "items"),
    Result("detectable", "points", "smallest paired difference that is found with the stated power"),
    Result("detectable_holm", "points", "the same after Holm, for the first of m pairs"),
    Result("detectable_unpaired", "points", "smallest rise between two groups of n different items each"),
    Result("difference", "points", "difference seen"),
    Result("needed", "count", "items after which the difference seen would be found"),
    Result("discordant", "proportion", "share of items that exactly one of the two runs gets right, seen or assumed"),
    Result("spread", "number", "standard deviation of the items' differences"),
    Result("baseline", "proportion", "rate of the lower group, assumed"),
    Result("m", "count", "pairs in the family"),
    Result("method", "text", "test that is planned for"),
    Result("reason", "text", "why there is no such difference"),
    COLUMN,
)

QUESTION = Question(
    name="power",
    title="Smallest difference that can be shown",
    asks="What is the smallest difference that so many items can show?",
    source="Connor 1987, doi:10.2307/2531961; Cohen 1988, section 6.4; Miller 2024, arXiv:2411.00640",
    needs="two runs over common items, or items",
    options=(
        Option("per", "choice", "pair", "one row per pair of runs, or per number of items", allowed=("pair", "n")),
        Option("runs_of", "text", ALL, "all: main runs of models; an access; or runs and models joined by '|'"),
        Option("discordant", "number", 0.3, "share of items that exactly one run gets right, per n", low=0.001, high=1),
        Option("baseline", "number", 0.5, "rate of the lower group, per n", low=0, high=1),
        Option("alpha", "number", 0.05, "error rate of the test", low=0.0001, high=0.5),
        Option("power", "number", 0.8, "wanted probability of finding the difference", low=0.5, high=0.999),
        Option("sides", "choice", "two-sided", "sidedness of the test", allowed=SIDES),
        SEED,
    ),
    columns=COLUMNS,
    ask=power,
)
