"""Judges: how far do two raters agree, beyond what chance alone would give?"""

from __future__ import annotations

import numpy as np

from analytics.determined import COLUMN, mark, note
from analytics.numeric.agreement import gwet_ac1, gwet_of_table
from analytics.numeric.arrays import CodeArray, IntArray
from analytics.numeric.cross_tables import cross_tables, fits
from analytics.numeric.kappa import WEIGHTS, cohen_kappa, kappa_intervals
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.ratings import RATING_OPTIONS, Ratings, all_left_out, need_order, pairs_of, ratings
from analytics.slices import Slice
from analytics.store import Connection
from analytics.tables import table_of

ONE_RATER = "one rater"
MANY_UNITS = 8192  # above which pairs are worked out from cross-tables


def judges(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    raters: str,
    unit: str,
    on: str,
    unparsed: str,
    letters: str,
    among: str,
    order: str,
    weights: str,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Raw agreement and Cohen's kappa of every pair of raters, on the units that both rated.

    One row per pair of raters of one benchmark version (and, for annotators, one setting). `n` counts common units;
    `agreement`, `expected` and the prevalences are proportions of them. A unit is a criterion of a response, a response
    (met where all its criteria are), an item, or a pair of responses, as `raters` and `unit` say. `category` is the
    label whose share the prevalences give. `kappa` is null, with a `reason`, where both use one category throughout
    (0/0) or share no unit. `ac1` is Gwet's AC1 of the pair, which does not collapse under a skewed prevalence.
    A unit that one of the two left without a rating is in `missing_a` or `missing_b`, never a disagreement.

    Interval of kappa: percentile bootstrap over units, or over items where several units share one, on the same draws
    for a given seed; `undefined` resamples had one category and are left out. Sources: Cohen 1960,
    doi:10.1177/001316446002000104; weights Cohen 1968, doi:10.1037/h0026256; Gwet 2008, doi:10.1348/000711006X126600.
    Raises EmptySlice without ratings, UnknownValue where an option does not fit the raters.
    """
    groups = ratings(
        cursor,
        chosen,
        policy,
        raters=raters,
        unit=unit,
        on=on,
        unparsed=unparsed,
        letters=letters,
        among=among,
        order=order,
    )
    need_order(groups, weights=weights)
    rows = [
        row for group in groups for row in _pairs(group, weights=weights, level=level, resamples=resamples, seed=seed)
    ]
    asked = {"raters": raters, "unit": unit, "on": on, "among": among}
    table = mark(cursor, table_of(rows, COLUMNS[:-1]), chosen, question="judges", options=asked, column="kappa")
    drawn = " and ".join(dict.fromkeys(group.resampled() for group in groups))
    method = (
        f"Cohen's kappa, {weights}; {level:.0%} interval: percentile bootstrap over {drawn}, {resamples} resamples, "
        f"seed {seed}"
    )
    return Answer(table, method, all_left_out(groups), (*_notes(groups), *note(table)), seed)


def _pairs(group: Ratings, *, weights: str, level: float, resamples: int, seed: int) -> list[dict[str, object]]:
    """Return one row per pair of raters of a group."""
    if len(group.raters) < 2:
        return []
    tables = _counted(group)
    found = cohen_kappa(group.codes, weights=weights, tables=tables)
    spans = kappa_intervals(
        group.codes,
        weights=weights,
        level=level,
        resamples=resamples,
        seed=seed,
        clusters=group.clusters,
        tables=tables,
    )
    counts = np.array([(group.codes == code).sum() for code in range(len(group.labels))])
    shown = 1 if group.labels == ("unmet", "met") else int(counts.argmax()) if counts.size else 0
    unused = 0.0 if group.labels else np.nan  # nobody rated anything: a share of nothing
    categories = max(len(group.labels), 2)
    rows: list[dict[str, object]] = []
    for at, (i, j) in enumerate(pairs_of(len(group.raters))):
        if tables is None:
            lacking = _lacking(group.codes[[i, j]])
            ac1 = gwet_ac1(group.codes[[i, j]], categories=categories, level=level, resamples=0, seed=seed).value
        else:
            lacking = _lacking_of(tables[i, j])
            ac1 = gwet_of_table(tables[i, j], categories=categories)
        rows.append(
            {
                "benchmark": group.benchmark,
                "condition": group.condition,
                "rater_a": group.raters[i],
                "rater_b": group.raters[j],
                "n": found.n[i, j],
                "agreement": found.agreement[i, j],
                "expected": found.expected[i, j],
                "kappa": found.kappa[i, j],
                "kappa_low": spans.low[at],
                "kappa_high": spans.high[at],
                "reason": str(found.reason[i, j]),
                "ac1": ac1,
                "category": group.labels[shown] if group.labels else "",
                "prevalence_a": found.prevalence[i, j, shown] if shown < found.prevalence.shape[2] else unused,
                "prevalence_b": found.prevalence[j, i, shown] if shown < found.prevalence.shape[2] else unused,
                "missing_a": lacking[0],
                "missing_b": lacking[1],
                "missing_both": lacking[2],
                "undefined": spans.undefined[at],
                "weights": weights,
            }
        )
    return rows


def _counted(group: Ratings) -> IntArray | None:
    """Return the cross-tables of all pairs where that is cheaper than to read the units of each pair."""
    raters, units = group.codes.shape
    many = units > MANY_UNITS and fits(raters, len(group.labels))
    return cross_tables(group.codes) if many else None


def _lacking(codes: CodeArray) -> tuple[int, int, int]:
    """Count the units that the first rater alone, the second alone, and both left without a rating."""
    first, second = codes >= 0
    return int((second & ~first).sum()), int((first & ~second).sum()), int((~first & ~second).sum())


def _lacking_of(table: IntArray) -> tuple[int, int, int]:
    """Return what `_lacking` does, of a cross-table."""
    return int(table[-1, :-1].sum()), int(table[:-1, -1].sum()), int(table[-1, -1])


def _notes(groups: list[Ratings]) -> tuple[str, ...]:
    alone = [f"{group.raters[0]} ({group.benchmark})" for group in groups if len(group.raters) == 1]
    said = [f"No pair with {', '.join(alone)}: {ONE_RATER}."] if alone else []
    said.append("Low kappa beside high agreement is what a skewed prevalence does: read both, and AC1.")
    return tuple(said)


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("condition", "text", "setting of the annotators; none for other raters"),
    Result("rater_a", "text", "first rater"),
    Result("rater_b", "text", "second rater"),
    Result("n", "count", "units that both rated"),
    Result("agreement", "proportion", "share of these with equal ratings"),
    Result("expected", "proportion", "(weighted) agreement that the two prevalences give by chance"),
    Result("kappa", "number", "Cohen's kappa; null where undefined"),
    Result("kappa_low", "number", "lower end of its interval"),
    Result("kappa_high", "number", "upper end of its interval"),
    Result("reason", "text", "why kappa is undefined; empty where it is defined"),
    Result("ac1", "number", "Gwet's AC1 of the pair"),
    Result("category", "text", "label that the prevalences are shares of"),
    Result("prevalence_a", "proportion", "share of the category in the first rater's ratings of the common units"),
    Result("prevalence_b", "proportion", "the same for the second rater"),
    Result("missing_a", "count", "units that only the second rater rated"),
    Result("missing_b", "count", "units that only the first rater rated"),
    Result("missing_both", "count", "units that neither rated, but another rater or a failed verdict has"),
    Result("undefined", "count", "resamples in which kappa has no value"),
    Result("weights", "text", "how disagreements of ordered labels weigh"),
    COLUMN,
)

QUESTION = Question(
    name="judges",
    title="Judges: agreement of pairs",
    asks="How far do two raters agree, beyond chance?",
    source="Cohen 1960, doi:10.1177/001316446002000104; Gwet 2008, doi:10.1348/000711006X126600",
    needs="verdicts of judges, answers of people or runs, or comparisons",
    options=(
        *RATING_OPTIONS,
        Option("weights", "choice", "unweighted", "weight of disagreements between ordered labels", allowed=WEIGHTS),
        LEVEL,
        RESAMPLES,
        SEED,
    ),
    columns=COLUMNS,
    ask=judges,
)
