"""Ratings: what raters said of the same units, as codes that every question on agreement starts from.

Raters are judges of responses, people who review a judge, human annotators, runs, or judges of pairs of responses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.ballots import added
from analytics.coded import recoded
from analytics.errors import UnknownValue, did_you_mean, listing
from analytics.numeric.arrays import CodeArray
from analytics.panel_runs import SEPARATOR
from analytics.policy import Policy
from analytics.questions import Option
from analytics.rating_rows import NEEDS, fits, rating_rows
from analytics.run_ratings import RunRatings, run_ratings
from analytics.scores import clusters_of
from analytics.slices import NONE, Slice, empty
from analytics.store import Connection

RATERS = Option(
    "raters",
    "choice",
    "judges",
    "judges of responses, reviewers of a judge, annotators (people who answered), runs (models that answered), "
    "or preferences (judges of pairs of responses)",
    allowed=("judges", "reviewers", "annotators", "runs", "preferences"),
)
UNIT = Option(
    "unit",
    "choice",
    "criterion",
    "what a judge rates: each criterion of a response, or the response as an item (all criteria met)",
    allowed=("criterion", "item"),
)
ON = Option(
    "on",
    "choice",
    "usual",
    "what is compared: met, label or score of verdicts; answer or correct (credit) of runs and annotators; "
    "usual is met, answer, or the preference",
    allowed=("usual", "met", "label", "score", "answer", "correct"),
)
UNPARSED = Option(
    "unparsed",
    "choice",
    "missing",
    "an answer in an invalid format is no rating, or a category of its own",
    allowed=("missing", "category"),
)
LETTERS = Option(
    "letters",
    "choice",
    "shown",
    "letters of an answer: as shown to the raters, where the log has the order, or as stored",
    allowed=("shown", "stored"),
)
AMONG = Option("among", "text", "all", "raters to compare, joined by '|'; for runs a model or an access too")
ORDER = Option(
    "order",
    "text",
    "",
    "labels from lowest to highest, joined by '|', where they are words; weights and ordinal measures need it",
)
RATING_OPTIONS = (RATERS, UNIT, ON, UNPARSED, LETTERS, AMONG, ORDER)

NATURAL = {
    "met": ("unmet", "met"),
    "preference": ("A", "tie", "B"),
}


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings of one group of raters, on one benchmark version and setting.

    `codes` is raters x units into `labels`, -1 where a rater has no rating of the unit. `clusters` numbers the items
    (or what items share) that units belong to, None when no two units share one. `values` are the numbers that the
    labels stand for, None for words; `ordered` tells whether the labels' order means anything. `left_out` counts, by
    reason, units that cannot be rated.
    """

    benchmark: str
    condition: str
    raters: tuple[str, ...]
    labels: tuple[str, ...]
    codes: CodeArray
    units: pl.DataFrame
    clusters: npt.NDArray[np.int64] | None
    values: tuple[float, ...] | None
    ordered: bool
    left_out: dict[str, int]

    def resampled(self) -> str:
        """Return what a bootstrap over these units draws, in words."""
        return "units" if self.clusters is None else "items (or the clusters that items share) with all their units"


def ratings(
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
) -> list[Ratings]:
    """Return the ratings of the slice, one group of raters for each benchmark version and setting.

    Annotators who answered under different settings (an overlap set, a main pass) are groups of their own.
    Raises UnknownValue where `on` or `order` does not fit the raters or `among` names nobody, EmptySlice without rows.
    """
    given = tuple(text.strip() for text in order.split(SEPARATOR) if text.strip())
    if raters == "runs":
        meaning = fits(raters, on)
        found, left_out = run_ratings(
            cursor, chosen, policy, on=meaning, unparsed=unparsed, letters=letters, among=among
        )
        groups = [_of_runs(one, meaning, given) for one in found]
    else:
        rows, meaning, left_out = rating_rows(
            cursor, chosen, policy, raters=raters, unit=unit, on=on, unparsed=unparsed, letters=letters
        )
        groups = [
            _group(str(benchmark), str(condition), part, meaning, given)
            for (benchmark, condition), part in _among(rows, among).group_by(
                ["benchmark", "condition"], maintain_order=True
            )
        ]
    groups.sort(key=lambda group: (group.benchmark, group.condition))  # a scan has them in an order of its own
    if not groups:
        raise empty(chosen, needs=NEEDS[raters])
    return [replace(group, left_out=left_out.get(group.benchmark, {})) for group in groups]


def _among(rows: pl.DataFrame, among: str) -> pl.DataFrame:
    """Keep the raters that are named."""
    if among == "all":
        return rows
    known = rows["rater"].unique(maintain_order=True).to_list()
    named = [text.strip() for text in among.split(SEPARATOR) if text.strip()]
    for name in named:
        if name not in known:
            near = did_you_mean(name, known)
            raise UnknownValue(f"'{name}' is no rater of the slice.{near} It has: {listing(known)}.")
    return rows.filter(pl.col("rater").is_in(named))


def _group(benchmark: str, condition: str, rows: pl.DataFrame, meaning: str, given: tuple[str, ...]) -> Ratings:
    raters = tuple(rows.select("rater", "place").unique().sort("place", "rater")["rater"].unique(maintain_order=True))
    labels, values, ordered = _labels(rows["rating"].drop_nulls().unique().to_list(), meaning, given)
    keys = ["item_idx", "run_idx", "attempt", "part"]
    units = rows.select(*keys, "cluster").unique(keys).sort(keys)
    code = {label: k for k, label in enumerate(labels)}
    place = {rater: k for k, rater in enumerate(raters)}
    rated = (
        rows.filter(pl.col("rating").is_not_null())
        .join(units.with_row_index("column"), on=keys)
        .with_columns(
            code=pl.col("rating").replace_strict(code, return_dtype=pl.Int64),
            row=pl.col("rater").replace_strict(place, return_dtype=pl.Int64),
        )
    )
    codes = np.full((len(raters), units.height), -1, dtype=np.int64)
    codes[rated["row"].to_numpy(), rated["column"].cast(pl.Int64).to_numpy()] = rated["code"].to_numpy()
    shared = _clusters(benchmark, units)
    if shared is None and units["item_idx"].n_unique() < units.height:
        shared = units["item_idx"].to_numpy()
    return Ratings(benchmark, condition, raters, labels, codes, units, shared, values, ordered, {})


def _of_runs(found: RunRatings, meaning: str, given: tuple[str, ...]) -> Ratings:
    labels, values, ordered = _labels(list(found.labels), meaning, given)
    every = np.ones(found.units.height, dtype=np.bool_)
    codes = recoded(found.codes, [(every, [labels.index(label) for label in found.labels])], len(labels))
    shared = _clusters(found.benchmark, found.units)
    return Ratings(found.benchmark, NONE, found.runs, labels, codes, found.units, shared, values, ordered, {})


def _clusters(benchmark: str, units: pl.DataFrame) -> npt.NDArray[np.int64] | None:
    return clusters_of(units.with_columns(benchmark=pl.lit(benchmark)))


def _labels(
    seen: list[str], meaning: str, given: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[float, ...] | None, bool]:
    """Return the labels in code order, the numbers they stand for, and whether the order means anything."""
    if given:
        lacking = [label for label in seen if label not in given]
        if lacking:
            raise UnknownValue(f"order leaves out the labels {listing(sorted(lacking))}; name every label once.")
        return given, None, True
    if meaning in ("score", "correct"):
        numbers = sorted(seen, key=float)
        return tuple(numbers), tuple(float(text) for text in numbers), True
    if meaning in NATURAL and set(seen) <= set(NATURAL[meaning]):
        return NATURAL[meaning], (0.0, 1.0) if meaning == "met" else None, True
    return tuple(sorted(seen)), None, False


def pairs_of(count: int) -> list[tuple[int, int]]:
    """Return the pairs of raters in the order of `numpy.triu_indices`."""
    return [(int(i), int(j)) for i, j in zip(*np.triu_indices(count, 1), strict=True)]


def all_left_out(groups: list[Ratings]) -> dict[str, int]:
    """Add what the groups left out; groups of one benchmark version share their count."""
    by_benchmark: dict[str, dict[str, int]] = {group.benchmark: group.left_out for group in groups}
    return added(*by_benchmark.values())


def need_order(groups: list[Ratings], *, weights: str) -> None:
    """Raise UnknownValue when weights are asked for labels whose order means nothing."""
    for group in groups:
        if weights != "unweighted" and not group.ordered:
            raise UnknownValue(
                f"{weights} weights need ordered labels, and {listing(group.labels)} have no order. "
                "Give it: --set 'order=lowest|...|highest', or take weights=unweighted."
            )
