"""Correlation of the scores that every two raters give the same items."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import polars as pl

from analytics.audit.kind import Case, Kind, Verdict, every_group, settle
from analytics.audit.numbers import Interval
from analytics.errors import UnknownValue

TRIES = 4096
"""Corners of the rounding box that are tried, at most; with more cells the corners are drawn alternately."""


def scores(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Return raters x items: the printed scores, and half the width of their rounding."""
    ((_, inputs),) = every_group(case)
    rater, item = str(case.record["rater"]), str(case.record["item"])
    cells = {((c.row or {})[rater], (c.row or {})[item]): c.interval for c in inputs["scores"]}
    raters, items = (sorted({key[at] for key in cells}) for at in (0, 1))
    if len(cells) != len(raters) * len(items) or len(items) < 2 or len(raters) < 2:
        raise UnknownValue(f"{len(raters)} raters and {len(items)} items need one score each; found {len(cells)}.")
    grid = [[cells[r, i] for i in items] for r in raters]
    printed = np.asarray([[float(c.value if c.value is not None else c.low) for c in line] for line in grid])
    half = np.asarray([[float(c.high - c.low) / 2 for c in line] for line in grid])
    return printed, half


def least(values: np.ndarray, method: str) -> float:
    """Return the least correlation over all pairs of raters; NaN where a rater gives one score to all."""
    if method == "spearman":
        values = np.asarray([pl.Series(line).rank("average").to_numpy() for line in values])
    if (values.std(axis=1) == 0).any():
        return float("nan")
    table = np.corrcoef(values)
    return float(min(table[a, b] for a, b in itertools.combinations(range(len(values)), 2)))


def correlated(case: Case) -> Verdict:
    """Compare with the least correlation of two raters; the interval is over corners of the rounding."""
    method = case.record.get("method")
    if method not in ("spearman", "pearson"):
        raise UnknownValue(f"'{method}' is not a correlation. Allowed: spearman, pearson.")
    printed, half = scores(case)
    found = least(printed, method)
    if np.isnan(found):
        return Verdict("not_checkable", "missing: scores that differ; the correlation of a constant is undefined.")
    signs = np.random.default_rng(0).choice((-1.0, 1.0), size=(min(TRIES, 512), *printed.shape))
    tried = [value for value in (least(printed + sign * half, method) for sign in signs) if not np.isnan(value)]
    low, high = min([found, *tried]), max([found, *tried])
    number = Interval(Fraction(low), Fraction(high), Fraction(found))
    return settle(
        number, case, note=f"Least {method} correlation over {len(printed)} raters and {printed.shape[1]} items."
    )


KINDS = (Kind("rank_correlation", "least correlation of two raters", roles=("scores",), whole=True, judge=correlated),)
