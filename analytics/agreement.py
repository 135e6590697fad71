"""Agreement: how far does a whole panel of raters agree?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analytics.determined import COLUMN, mark, note
from analytics.numeric.agreement import (
    Coefficient,
    coefficients,
    first_categories,
    fleiss_measure,
    gwet_measure,
    rating_patterns,
    unanimity_measure,
    used_categories,
)
from analytics.numeric.alpha import METRICS, alpha_measure
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Question, Result
from analytics.ratings import RATING_OPTIONS, Ratings, all_left_out, ratings
from analytics.slices import Slice
from analytics.store import Connection
from analytics.tables import table_of

UNORDERED = "labels without an order"
ONE_RATER = "one rater"


def agreement(
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
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Agreement of all raters of a panel at once, by several coefficients.

    One row per panel (benchmark version and setting) and coefficient: Fleiss' kappa (its `observed` is the share of
    agreeing pairs of raters), Gwet's AC1, Krippendorff's alpha (nominal; ordinal and interval where labels are
    ordered), and the share of unanimous units. `n` units have two ratings or more; `fewer` have fewer and are left out.
    `value` is null, with a `reason`, where undefined. A missing rating is missing: the coefficients allow for it.

    Interval: percentile bootstrap over units, or over items where several units share one; `undefined` resamples are
    left out. Sources: Fleiss 1971, doi:10.1037/h0031619; Gwet 2008, doi:10.1348/000711006X126600; Krippendorff 2011,
    https://repository.upenn.edu/asc_papers/43. Raises EmptySlice without ratings, UnknownValue where an option does
    not fit the raters.
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
    rows = []
    for group in groups:
        shared = {
            "benchmark": group.benchmark,
            "condition": group.condition,
            "raters": len(group.raters),
            "categories": len(group.labels),
        }
        rows += [shared | row for row in _coefficients(group, level=level, resamples=resamples, seed=seed)]
    asked = {"raters": raters, "unit": unit, "on": on, "letters": letters, "among": among}
    table = mark(cursor, table_of(rows, COLUMNS[:-1]), chosen, question="agreement", options=asked)
    drawn = " and ".join(dict.fromkeys(group.resampled() for group in groups))
    method = f"{level:.0%} interval: percentile bootstrap over {drawn}, {resamples} resamples, seed {seed}"
    return Answer(table, method, all_left_out(groups), note(table), seed)


def _coefficients(group: Ratings, *, level: float, resamples: int, seed: int) -> Iterator[dict[str, object]]:
    """Yield one row per coefficient of a panel."""
    settings: dict[str, Any] = {"level": level, "resamples": resamples, "seed": seed, "clusters": group.clusters}
    every = rating_patterns(group.codes, categories=max(len(group.labels), 2))
    patterns = first_categories(every, used_categories(every))
    measures = [fleiss_measure(patterns), gwet_measure(every), unanimity_measure(patterns)]
    measures += [
        alpha_measure(patterns, metric=metric, values=group.values if metric == "interval" else None)
        for metric in METRICS
        if metric == "nominal" or group.ordered
    ]
    found = coefficients(every, measures, **settings)
    for one in found:
        yield _row(one, alone=len(group.raters) < 2)
    if not group.ordered:
        for metric in METRICS[1:]:
            yield {"coefficient": f"Krippendorff's alpha, {metric}", "reason": UNORDERED, "n": found[0].n,
                   "fewer": found[0].left_out, "undefined": 0}  # fmt: skip


def _row(found: Coefficient, *, alone: bool) -> dict[str, object]:
    return {
        "coefficient": found.name,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "observed": found.observed,
        "expected": found.expected,
        "n": found.n,
        "fewer": found.left_out,
        "undefined": found.undefined,
        "reason": ONE_RATER if alone else found.reason,
    }


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("condition", "text", "setting of the annotators; none for other raters"),
    Result("coefficient", "text", "coefficient of agreement"),
    Result("value", "number", "its value; null where undefined"),
    Result("low", "number", "lower end of its interval"),
    Result("high", "number", "upper end of its interval"),
    Result("observed", "number", "agreement seen (for alpha, 1 minus the disagreement)"),
    Result("expected", "number", "agreement by chance (for alpha, 1 minus the disagreement by chance)"),
    Result("n", "count", "units with two ratings or more"),
    Result("fewer", "count", "units with fewer, which are left out"),
    Result("raters", "count", "raters of the panel"),
    Result("categories", "count", "labels that a rater could give"),
    Result("undefined", "count", "resamples in which the coefficient has no value"),
    Result("reason", "text", "why it is undefined; empty where it is defined"),
    COLUMN,
)

QUESTION = Question(
    name="agreement",
    title="Agreement of a panel",
    asks="How far does a whole panel of raters agree?",
    source="Fleiss 1971, doi:10.1037/h0031619; Gwet 2008, doi:10.1348/000711006X126600; Krippendorff 2011, "
    "https://repository.upenn.edu/asc_papers/43",
    needs="verdicts of judges, answers of people or runs, or comparisons",
    options=(*RATING_OPTIONS, LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=agreement,
)
