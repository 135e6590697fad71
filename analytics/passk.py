"""Repeated attempts: how often is one of k attempts right, and how often are all?"""

from __future__ import annotations

import numpy as np
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.errors import UnknownValue
from analytics.numeric.arrays import ratio
from analytics.numeric.bootstrap import percentile_interval
from analytics.numeric.items import pass_at_k, pass_hat_k
from analytics.numeric.resampling import resampled_sums
from analytics.policy import Policy
from analytics.populations import FloatArray, IntArray, runs_of
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.scores import settled
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

TRIED = """
WITH tried AS (
    SELECT run_idx::BIGINT AS run_idx, item_idx, coalesce(cluster, 'item ' || item_idx) AS unit, hidden,
           correct AS c, CASE WHEN rule = 'zero' THEN usable + failed ELSE usable END AS n
    FROM ({settled})
)
"""

# Units (items, or clusters of items) with the same attempts are drawn alike, so only how many there are matters.
PATTERNS = """
SELECT run_idx, dense_rank() OVER (ORDER BY pattern)::BIGINT AS pattern_id, pattern, count(*)::BIGINT AS times
FROM (SELECT run_idx, unit, list_sort(list(struct_pack(n := n::BIGINT, c := c::BIGINT))) AS pattern
      FROM tried WHERE NOT hidden AND n > 0 GROUP BY run_idx, unit)
GROUP BY run_idx, pattern ORDER BY run_idx, pattern_id
"""

ACCOUNTS = """
SELECT run_idx, count(*) FILTER (hidden)::BIGINT AS hidden,
       count(*) FILTER (NOT hidden AND n = 0)::BIGINT AS without
FROM tried GROUP BY run_idx
"""


def passk(
    cursor: Connection, chosen: Slice, policy: Policy, *, k: str, level: float, resamples: int, seed: int
) -> Answer:
    """Chance that at least one of k attempts at an item is right (pass@k), and that all k are (pass^k).

    One row per run and k. An attempt is right when it earns full credit. Both are estimated item by item from all its
    attempts (m), 1 - C(m-c, k) / C(m, k) and C(c, k) / C(m, k) with c right ones, and averaged over the `n` items that
    have k attempts or more (Chen et al. 2021, arXiv:2107.03374; Yao et al. 2024, arXiv:2406.12045). `too_few` items
    have fewer than k attempts: nothing is said of them, and both are null, with a `reason`, where that is every item.
    A failed attempt is a wrong one where missing attempts count as zero, and none at all where they are left out;
    `without` items have no attempt that counts, `hidden` ones no known answer.

    Interval: percentile bootstrap over items, or clusters where items share one; not over attempts.
    Raises EmptySlice when no run has an attempt, UnknownValue when `k` is no list of whole numbers from 1.
    """
    sizes = _sizes(k)
    where, params = chosen.where()
    tried = TRIED.format(settled=settled(policy, where))
    bound = params | policy.params()
    accounts = frame(cursor, tried + ACCOUNTS, bound)
    patterns = frame(cursor, tried + PATTERNS, bound)
    if not patterns.height:
        raise empty(chosen, needs="an attempt with a credit")
    rows: list[dict[str, object]] = []
    for (run,), part in patterns.group_by("run_idx", maintain_order=True):
        found = _of_run(part, sizes, level=level, resamples=resamples, seed=seed)
        rows += [{"run_idx": run} | row for row in found]
    merged = pl.DataFrame(rows, infer_schema_length=None).join(accounts, on="run_idx", how="left")
    merged = merged.join(runs_of(cursor), on="run_idx", how="left")
    merged = merged.sort(["benchmark", "scope", "regime", "condition", pl.col("kind") != "model", "run", "k"])
    table = table_of(merged.to_dicts(), COLUMNS[:-1])
    table = mark(cursor, table, chosen, question="passk", options={"k": k}, policy=policy)
    left_out = {
        "items whose answer the benchmark hides": int(accounts["hidden"].sum()),
        "items without an attempt that counts": int(accounts["without"].sum()),
    }
    unequal = (table["least_attempts"] < table["most_attempts"]).any()
    said = ("Items differ in their number of attempts: for larger k the mean is over fewer items.",) if unequal else ()
    method = f"{level:.0%} interval: percentile bootstrap over items or their clusters, {resamples} resamples"
    return Answer(table, f"{method}, seed {seed}", left_out, (*note(table), *said, policy.sentence()), seed)


def _sizes(spelled: str) -> list[int]:
    """Return the values of k that a text lists."""
    parts = [part.strip() for part in spelled.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise UnknownValue(f"k is '{spelled}'; write whole numbers from 1, joined by commas, such as 1,2,5.")
    return sorted({int(part) for part in parts})


def _of_run(
    part: pl.DataFrame, sizes: list[int], *, level: float, resamples: int, seed: int
) -> list[dict[str, object]]:
    """Return one row per k of one run, from the distinct patterns of its units."""
    items = part.select("times", "pattern").with_row_index("place").explode("pattern").unnest("pattern")
    n, c, place = (items[name].cast(pl.Int64).to_numpy() for name in ("n", "c", "place"))
    of_items = np.stack([np.ones(len(n)), *(column for k in sizes for column in _features(n, c, k))], axis=1)
    features = np.zeros((part.height, of_items.shape[1]))
    np.add.at(features, place, of_items)
    times = part["times"].to_numpy()
    drawn = resampled_sums(features, multiplicity=times, resamples=resamples, seed=seed)[:, 1:]
    every_item, *total = times @ features
    rows: list[dict[str, object]] = []
    for at, k in enumerate(sizes):
        enough, at_least, every = total[3 * at : 3 * at + 3]
        row: dict[str, object] = {"k": k, "n": int(enough), "too_few": int(every_item - enough)}
        row |= {"least_attempts": int(n.min()), "most_attempts": int(n.max())}
        for name, column, value in (("pass_at_k", 1, at_least), ("pass_hat_k", 2, every)):
            estimate = ratio(np.array([value]), np.array([enough]))
            replicates = ratio(drawn[:, 3 * at + column], drawn[:, 3 * at])[:, None]
            span = percentile_interval(replicates, estimate, level=level, seed=seed, method="")
            row |= {name: float(estimate[0]), f"{name}_low": float(span.low[0]), f"{name}_high": float(span.high[0])}
        row["reason"] = None if enough else f"no item has {k} attempts"
        rows.append(row)
    return rows


def _features(n: IntArray, c: IntArray, k: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return whether an item has k attempts, and its two estimates (0 where it has not)."""
    enough = n >= k
    at_least, every = pass_at_k(n, c, k=k), pass_hat_k(n, c, k=k)
    return enough.astype(np.float64), np.where(enough, at_least, 0.0), np.where(enough, every, 0.0)


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "setting that was varied"),
    Result("scope", "text", "declared population, where it is not every item"),
    Result("k", "count", "attempts"),
    Result("pass_at_k", "proportion", "chance that at least one of k attempts is right"),
    Result("pass_at_k_low", "proportion", "lower end of its interval"),
    Result("pass_at_k_high", "proportion", "upper end of its interval"),
    Result("pass_hat_k", "proportion", "chance that all of k attempts are right"),
    Result("pass_hat_k_low", "proportion", "lower end of its interval"),
    Result("pass_hat_k_high", "proportion", "upper end of its interval"),
    Result("n", "count", "items with k attempts or more"),
    Result("too_few", "count", "items with fewer attempts than k, left out of both"),
    Result("least_attempts", "count", "fewest attempts at an item"),
    Result("most_attempts", "count", "most attempts at an item"),
    Result("hidden", "count", "items whose answer the benchmark hides"),
    Result("without", "count", "items without an attempt that counts"),
    Result("reason", "text", "why both are undefined"),
    COLUMN,
)

QUESTION = Question(
    name="passk",
    title="Repeated attempts",
    asks="How often is one of k attempts right, and how often are all?",
    source="Chen et al. 2021, arXiv:2107.03374; Yao et al. 2024, arXiv:2406.12045",
    needs="several attempts per item",
    options=(
        Option("k", "text", "1,2,3", "numbers of attempts, joined by commas"),
        LEVEL,
        RESAMPLES,
        SEED,
    ),
    columns=COLUMNS,
    ask=passk,
)
