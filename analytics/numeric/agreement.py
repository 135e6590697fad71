"""Agreement among any number of raters: Fleiss' kappa, Gwet's AC1, unanimity; unequal numbers allowed.

Raters x units integer codes, -1 missing. Every coefficient is a function of sums over units, so its interval comes from
resampling units (or clusters of units) and costs little.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import MISSING, FloatArray, IntArray, codes, probability, ratio
from analytics.numeric.kappa import NO_COMMON_UNITS, ONE_CATEGORY
from analytics.numeric.resampling import percentiles, resampled_sums_of


@dataclass(frozen=True, slots=True)
class Coefficient:
    """An agreement coefficient with its parts, its interval and the settings that made it.

    `observed` and `expected` are the agreement seen and by chance (for Krippendorff's alpha, 1 - disagreement).
    `n` units have two ratings or more; `left_out` have fewer. `value` is NaN, with `reason`, where undefined.
    `undefined` counts resamples without a value; with `resamples` = 0 there is no interval (NaN).
    """

    name: str
    value: float
    low: float
    high: float
    observed: float
    expected: float
    n: int
    left_out: int
    level: float
    resamples: int
    seed: int
    undefined: int
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Distinct rating patterns: `rows` (patterns x categories) counts raters, `times` the units that have it.

    `of_unit` is the pattern of each unit.
    """

    rows: IntArray
    times: IntArray
    of_unit: IntArray


def rating_patterns(ratings: ArrayLike, *, categories: int) -> Patterns:
    """Collapse units to the distinct ways in which their ratings fall into the categories.

    Raises ValueError when a code is not below `categories`.
    """
    matrix = codes("ratings", ratings)
    top = int(matrix.max(initial=MISSING))
    if top >= categories:
        raise ValueError(f"ratings holds the code {top}, but categories is {categories}: codes run from 0")
    raters, units = matrix.shape
    if (raters + 1) ** categories < 2**62:  # a pattern fits into one integer, which sorts fast
        digit = np.append((raters + 1) ** np.arange(categories, dtype=np.int64), 0)  # index -1 is missing: 0
        key = np.zeros(units, dtype=np.int64)
        for row in matrix:
            key += digit[row]
        keys, of_unit, times = np.unique(key, return_inverse=True, return_counts=True)
        rows = keys[:, None] // digit[:-1] % (raters + 1)
        return Patterns(rows, times, of_unit)
    tally = np.zeros((units, categories), dtype=np.int64)
    for row in matrix:
        held = np.flatnonzero(row != MISSING)
        tally[held, row[held]] += 1
    rows, of_unit, times = np.unique(tally, axis=0, return_inverse=True, return_counts=True)
    return Patterns(rows, times, of_unit.ravel())


Parts = tuple[FloatArray, FloatArray, FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A coefficient that is a function of summed features of units.

    `features` is patterns x features; `parts` maps sums (rows x features) to (value, observed, expected).
    """

    name: str
    features: FloatArray
    parts: Callable[[FloatArray], Parts]


def coefficients(
    patterns: Patterns,
    measures: Sequence[Measure],
    *,
    level: float,
    resamples: int,
    seed: int,
    clusters: ArrayLike | None,
) -> list[Coefficient]:
    """Compute coefficients of the same ratings with their bootstrap intervals, all on the same draws."""
    tail = (1 - probability("level", level)) / 2
    if resamples < 0:
        raise ValueError(f"resamples must be zero or more, found {resamples}")
    found = [[float(part[0]) for part in one.parts((patterns.times @ one.features)[None])] for one in measures]
    paired = patterns.rows.sum(axis=1) >= 2
    n, units = int(patterns.times[paired].sum()), int(patterns.times.sum())
    why = ONE_CATEGORY if n else NO_COMMON_UNITS
    drawn: dict[int, FloatArray] = {}
    if resamples:
        defined = [at for at, (value, _, _) in enumerate(found) if not np.isnan(value)]
        tables = [measures[at].features for at in defined]
        if clusters is None:
            sums = resampled_sums_of(tables, multiplicity=patterns.times, resamples=resamples, seed=seed)
        else:
            tables = [table[patterns.of_unit] for table in tables]
            sums = resampled_sums_of(tables, clusters=clusters, resamples=resamples, seed=seed)
        drawn = {at: measures[at].parts(one)[0] for at, one in zip(defined, sums, strict=True)}
    out = []
    for at, (one, (value, observed, expected)) in enumerate(zip(measures, found, strict=True)):
        low = high = float("nan")
        undefined = 0
        if at in drawn:
            low, high = (float(end) for end in percentiles(drawn[at][:, None], (tail, 1 - tail))[:, 0])
            undefined = int(np.isnan(drawn[at]).sum())
        reason = why if np.isnan(value) else ""
        out.append(
            Coefficient(
                one.name, value, low, high, observed, expected, n, units - n, level, resamples, seed, undefined, reason
            )
        )
    return out


def used_categories(patterns: Patterns) -> int:
    """Return how many categories there are up to the last one in use, one at least."""
    used = np.flatnonzero(patterns.rows.any(axis=0))
    return int(used[-1]) + 1 if used.size else 1


def first_categories(patterns: Patterns, categories: int) -> Patterns:
    """Return the patterns without the columns of categories that nobody used, from `categories` on."""
    return replace(patterns, rows=patterns.rows[:, :categories])


def _shares(rows: IntArray) -> FloatArray:
    """Features of a pattern: rated at all, category shares, rated twice or more, share of agreeing pairs."""
    raters = rows.sum(axis=1)
    rated, paired = raters > 0, raters > 1
    share = rows / np.maximum(raters, 1)[:, None]
    agreeing = (rows * (rows - 1)).sum(axis=1) / np.maximum(raters * (raters - 1), 1)
    return np.column_stack([rated, share, paired, agreeing]).astype(np.float64)


def fleiss_kappa(
    ratings: ArrayLike,
    *,
    level: float,
    resamples: int,
    seed: int,
    clusters: ArrayLike | None = None,
) -> Coefficient:
    """Fleiss' kappa of all raters, for equal or unequal numbers of ratings per unit.

    Observed agreement is the mean, over units with two ratings or more, of the share of agreeing rater pairs;
    chance takes each category's mean share over units with at least one rating, every unit weighing the same
    (Gwet's extension). With equal numbers this is Fleiss' own. Undefined when only one category was used.
    Sources: Fleiss 1971, doi:10.1037/h0031619; Gwet 2014, Handbook of Inter-Rater Reliability, chapter 3.
    """
    patterns = rating_patterns(ratings, categories=int(np.max(ratings, initial=0)) + 1)
    return coefficients(
        patterns, [fleiss_measure(patterns)], level=level, resamples=resamples, seed=seed, clusters=clusters
    )[0]


def fleiss_measure(patterns: Patterns) -> Measure:
    """Fleiss' kappa; the last category of the patterns is in use."""

    def parts(sums: FloatArray) -> Parts:
        share = ratio(sums[:, 1:-2], sums[:, :1])
        observed, expected = ratio(sums[:, -1], sums[:, -2]), (share**2).sum(axis=1)
        # one category only: rounding would leave 1e-16 where the truth is 0
        room = np.where((sums[:, 1:-2] > 0).sum(axis=1) > 1, 1 - expected, 0.0)
        return ratio(observed - expected, room), observed, expected

    return Measure("Fleiss' kappa", _shares(patterns.rows), parts)


def gwet_ac1(
    ratings: ArrayLike,
    *,
    categories: int,
    level: float,
    resamples: int,
    seed: int,
    clusters: ArrayLike | None = None,
) -> Coefficient:
    """Gwet's AC1 of all raters: stays near raw agreement where a skewed prevalence makes kappa collapse.

    `categories` is how many a rater could choose from, used or not (2 for met / not met): it enters the chance
    term. Defined with one used category (then it equals the raw agreement, 1). Missing ratings as in
    `fleiss_kappa`. Source: Gwet 2008, doi:10.1348/000711006X126600.
    """
    if categories < 2:
        raise ValueError(f"categories must be 2 or more, found {categories}")
    patterns = rating_patterns(ratings, categories=categories)
    return coefficients(
        patterns, [gwet_measure(patterns)], level=level, resamples=resamples, seed=seed, clusters=clusters
    )[0]


def gwet_of_table(table: IntArray, *, categories: int) -> float:
    """Gwet's AC1 of two raters from their cross-table, whose last row and column are units without a code.

    The value of `gwet_ac1` of the two, from few cells instead of their units. NaN where they share no unit.
    """
    place = np.arange(len(table))
    rows = np.eye(categories + 1, dtype=np.int64)[np.where(place == place[-1], categories, place)][:, :-1]
    cells = (rows[:, None] + rows[None]).reshape(-1, categories)
    patterns = Patterns(cells, table.ravel(), np.zeros(0, dtype=np.int64))
    value, _, _ = gwet_measure(patterns).parts((patterns.times @ _shares(cells))[None])
    return float(value[0])


def gwet_measure(patterns: Patterns) -> Measure:
    """Gwet's AC1; the patterns have every category that a rater could choose from."""
    categories = patterns.rows.shape[1]

    def parts(sums: FloatArray) -> Parts:
        share = ratio(sums[:, 1:-2], sums[:, :1])
        observed = ratio(sums[:, -1], sums[:, -2])
        expected = (share * (1 - share)).sum(axis=1) / (categories - 1)
        return ratio(observed - expected, 1 - expected), observed, expected

    return Measure("Gwet's AC1", _shares(patterns.rows), parts)


def unanimity(
    ratings: ArrayLike,
    *,
    level: float,
    resamples: int,
    seed: int,
    clusters: ArrayLike | None = None,
) -> Coefficient:
    """Share of units with two ratings or more on which all ratings are equal (`observed` is the same)."""
    patterns = rating_patterns(ratings, categories=int(np.max(ratings, initial=0)) + 1)
    return coefficients(
        patterns, [unanimity_measure(patterns)], level=level, resamples=resamples, seed=seed, clusters=clusters
    )[0]


def unanimity_measure(patterns: Patterns) -> Measure:
    """Share of units on which all ratings are equal."""
    raters = patterns.rows.sum(axis=1)
    agreed = (raters > 1) & (patterns.rows.max(axis=1, initial=0) == raters)
    features = np.column_stack([raters > 1, agreed]).astype(np.float64)

    def parts(sums: FloatArray) -> Parts:
        share = ratio(sums[:, 1], sums[:, 0])
        return share, share, np.full(len(sums), np.nan)

    return Measure("unanimity", features, parts)
