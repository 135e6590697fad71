"""Repair: which failures of a single call does an agent run mend, and which does it add?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.errors import UnknownValue
from analytics.failure_rows import BY, LABELLER, failure_rows, family_of
from analytics.numeric.arrays import ratio
from analytics.numeric.resampling import percentiles, resampled_sums
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.repair_pairs import Pair, line_up, pairs_of_runs
from analytics.scores import scores
from analytics.slices import Slice, empty
from analytics.store import Connection
from analytics.tables import table_of

FloatArray = npt.NDArray[np.float64]

POOLED = "all pairs"
TOTAL = "all"
COUNTS = ("before", "after", "fixed", "new")
NEEDS = "two runs on the same items, one before and one after, and named causes of failures (table failure_labels)"

A = Option("a", "text", "", "run before, such as a single call; empty: the main run of the same model")
B = Option("b", "text", "", "run after, such as an agent; empty: every run under the condition")
CONDITION = Option("condition", "text", "harness", "condition of the runs after, or its key, when b is empty")


def repair(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    a: str,
    b: str,
    condition: str,
    by: str,
    labeller: str,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Follow each failure of a run into another run of the same system on the same items, by cause.

    One row per pair of runs (and one pooled, 'all pairs', where there are several) and cause or family, and one for
    all failures ('all'). First attempts count: solved is full credit. `before` and `after` count failures with that
    cause in each run; `fixed` those before that the second run solves, `new` failures of the second run on items that
    the first solved. `fixed_share` is fixed over before, null without any; `change` is (after - before) / before. `n`
    items have an outcome in both runs; the others are left out and counted. Failures without a named cause stand in
    'all' alone; where several labellers named one, the first of them counts. A failure that comes back under another
    cause is not fixed.

    Interval of fixed_share: Wilson score (doi:10.2307/2276774) for one pair; pooled pairs share items, so a
    percentile bootstrap over items (Efron 1979, doi:10.1214/aos/1176344552). Source: Humanity's Sixth Sense, Table 7.
    Raises EmptySlice without pairs or labels, UnknownValue for a run that is not there.
    """
    found = pairs_of_runs(cursor, chosen, a=a, b=b, condition=condition)
    if not found:
        raise empty(chosen, needs=NEEDS)
    names = sorted({run for pair in found for run in pair[1:]})
    about = chosen.with_choice("run", names).with_choice("condition", ()).with_choice("kind", ())
    labels, left_out = failure_rows(cursor, about, policy, labeller=labeller, main=False)
    labels = labels.filter(pl.col("attempt") == 1).unique(["run_idx", "item_idx"], keep="first", maintain_order=True)
    outcome = scores(cursor, about, replace(policy, attempts="first")).select("run_idx", "item_idx", "raw")
    runs = dict(labels.select("run", "run_idx").unique().iter_rows())
    lacking = [name for name in names if name not in runs]
    if lacking:
        raise UnknownValue(f"No failure of {', '.join(lacking)} has a named cause; name other runs or load the labels.")
    rows: list[dict[str, object]] = []
    missing = 0
    for benchmark in dict.fromkeys(pair[0] for pair in found):
        own = labels.filter(pl.col("benchmark") == benchmark)
        causes = own.group_by(by).len().sort(["len", by], descending=[True, False])[by].to_list()
        coded = own.select(
            "run_idx",
            "item_idx",
            code=pl.col(by).replace_strict({cause: k for k, cause in enumerate(causes)}, return_dtype=pl.Int64),
        )
        pairs = [line_up(outcome, coded, runs, a=one, b=two) for name, one, two in found if name == benchmark]
        families = family_of(own) if by == "cause" else {cause: cause for cause in causes}
        settings = Settings(causes, families, level, resamples, seed)
        missing += sum(int((np.isnan(one.before) | np.isnan(one.after)).sum()) for one in pairs)
        if len(pairs) > 1:
            rows += [{"benchmark": benchmark} | row for row in _rows(pairs, POOLED, settings)]
        for one in pairs:
            rows += [{"benchmark": benchmark} | row for row in _rows([one], one.name, settings)]
    table = table_of(rows, COLUMNS[:-1])
    table = mark(
        cursor, table, chosen, question="repair", column="after", options={"a": a, "b": b, "condition": condition}
    )
    method = (
        f"counts of first attempts; {level:.0%} interval: Wilson score, pooled pairs percentile bootstrap over items, "
        f"{resamples} resamples, seed {seed}"
    )
    return Answer(table, method, left_out | {"items without an outcome in both runs": missing}, note(table), seed)


@dataclass(frozen=True, slots=True)
class Settings:
    """What every row of one benchmark version is made with: causes in order, their families, and the interval."""

    causes: list[str]
    families: dict[str, str]
    level: float
    resamples: int
    seed: int


def _rows(pairs: list[Pair], name: str, settings: Settings) -> list[dict[str, object]]:
    """Return the rows of one pair, or of several pooled: one for all failures, then one per cause."""
    causes, size = settings.causes, len(settings.causes)
    by_cause = [pair.repair(size, settings.level) for pair in pairs]
    whole = [pair.whole().repair(1, settings.level) for pair in pairs]
    counts = {
        column: np.concatenate([sum(getattr(one, column) for one in part) for part in (whole, by_cause)])
        for column in COUNTS
    }
    if len(pairs) == 1:
        low, high = (np.concatenate([getattr(part[0], end) for part in (whole, by_cause)]) for end in ("low", "high"))
    else:
        low, high = _pooled(pairs, settings)
    share = ratio(counts["fixed"], counts["before"])
    change = ratio(counts["after"] - counts["before"], counts["before"])
    shared = {
        "pair": name,
        "run_a": "" if len(pairs) > 1 else pairs[0].run_a,
        "run_b": "" if len(pairs) > 1 else pairs[0].run_b,
        "n": sum(one.n for one in whole),
        "unnamed_before": sum(one.unlabelled_before for one in by_cause),
        "unnamed_after": sum(one.unlabelled_after for one in by_cause),
    }
    return [
        shared
        | {column: counts[column][k] for column in COUNTS}
        | {
            "family": TOTAL if k == 0 else settings.families[causes[k - 1]],
            "cause": TOTAL if k == 0 else causes[k - 1],
            "fixed_share": share[k],
            "low": low[k],
            "high": high[k],
            "change": change[k],
        }
        for k in range(size + 1)
    ]


def _pooled(pairs: list[Pair], settings: Settings) -> tuple[FloatArray, FloatArray]:
    """Return the ends of fixed shares over items drawn with all their pairs: of all failures, then by cause."""
    size = len(settings.causes) + 1
    items = np.unique(np.concatenate([pair.items for pair in pairs]))
    before, fixed = np.zeros((2, len(items), size))
    for pair in pairs:
        failed = (pair.before == 0) & ~np.isnan(pair.after)
        at, mended = np.searchsorted(items, pair.items), pair.after == 1
        for used, column in ((failed, 0 * pair.items), (failed & (pair.cause_before >= 0), pair.cause_before + 1)):
            np.add.at(before, (at[used], column[used]), 1.0)
            np.add.at(fixed, (at[used & mended], column[used & mended]), 1.0)
    drawn = resampled_sums(np.hstack([fixed, before]), resamples=settings.resamples, seed=settings.seed)
    tail = (1 - settings.level) / 2
    low, high = percentiles(ratio(drawn[:, :size], drawn[:, size:]), (tail, 1 - tail))
    return low, high


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("pair", "text", "the two runs, or all pairs"),
    Result("run_a", "text", "run before"),
    Result("run_b", "text", "run after"),
    Result("family", "text", "family of the cause"),
    Result("cause", "text", "cause, or family where failures are named by family; 'all' for every failure"),
    Result("before", "count", "failures of the run before with this cause"),
    Result("after", "count", "failures of the run after with this cause"),
    Result("fixed", "count", "failures before that the run after solves"),
    Result("new", "count", "failures after on items that the run before solved"),
    Result("fixed_share", "proportion", "fixed over before; null without failures before"),
    Result("low", "proportion", "lower end of its interval"),
    Result("high", "proportion", "upper end of its interval"),
    Result("change", "proportion", "(after - before) / before"),
    Result("n", "count", "items with an outcome in both runs, summed over pairs"),
    Result("unnamed_before", "count", "failures of the run before whose cause nobody named"),
    Result("unnamed_after", "count", "failures of the run after whose cause nobody named"),
    COLUMN,
)

QUESTION = Question(
    name="repair",
    title="Agent repair",
    asks="Which failures of a single call does an agent run mend, and which does it add?",
    source="Humanity's Sixth Sense, Table 7; Wilson 1927, doi:10.2307/2276774; Efron 1979, doi:10.1214/aos/1176344552",
    needs=NEEDS,
    options=(A, B, CONDITION, BY, LABELLER, LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=repair,
)
