"""Verified credit from answer credit and rationale factors, its stages, and where credit is lost.

v = a * c * e * l / (e_max * l_max): answer credit a, rationale coverage c, evidence support e, logical integrity l.
Source: PsycheMME, scoring contract (best evidence and best logic 1.2 each, divisor 1.44).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import FloatArray, IntArray, credits_matrix, ratio

STAGES = ("raw", "coverage", "evidence", "logic")
LOSSES = STAGES[1:]


def factor_of(labels: ArrayLike, weights: Mapping[str, float]) -> FloatArray:
    """Look up the factor of each label under a rubric; NaN where the label is missing (None or "").

    `weights` maps the rubric's labels of one kind to factors, such as {"supported": 1.2, "weak": 1.0}.
    Raises ValueError naming a label that the rubric does not hold.
    """
    names = np.asarray(labels, dtype=object)
    found = np.full(names.shape, np.nan)
    for name in {label for label in names.ravel().tolist() if label not in (None, "")}:
        if name not in weights:
            raise ValueError(f"the rubric has no weight for the label {name!r}; it has: {', '.join(weights)}")
        found[names == name] = weights[name]
    return found


def _relative(
    raw: ArrayLike, coverage: ArrayLike, evidence: ArrayLike, logic: ArrayLike, *, bests: tuple[float, float]
) -> list[FloatArray]:
    """Return answer credit and the three factors relative to their best, so that a perfect response is 1, 1, 1."""
    credit = np.asarray(raw, dtype=np.float64)
    parts = [credit]
    named = (("coverage", coverage, 1.0), ("evidence", evidence, bests[0]), ("logic", logic, bests[1]))
    for name, values, best in named:
        factor = np.asarray(values, dtype=np.float64)
        if not best > 0:
            raise ValueError(f"the best {name} factor must be above 0, found {best}")
        wrong = (factor < 0) | (factor > best * (1 + 1e-12))
        if wrong.any():
            raise ValueError(f"{name} factors must lie between 0 and {best}, found {factor[wrong].flat[0]}")
        parts.append(factor / best)
    if ((credit < 0) | (credit > 1)).any():
        raise ValueError("raw credit must lie between 0 and 1, or be NaN")
    credit, *factors = (part.copy() for part in np.broadcast_arrays(*parts))
    for factor in factors:
        factor[credit == 0] = 0.0  # no credit to verify: known whatever the labels are, even missing ones
    return [credit, *factors]


def credit_stages(
    raw: ArrayLike,
    coverage: ArrayLike,
    evidence: ArrayLike,
    logic: ArrayLike,
    *,
    best_evidence: float,
    best_logic: float,
) -> FloatArray:
    """Credit after each stage, raw -> coverage -> evidence -> logic; shape (4, ...), the last is verified credit.

    Parameters
    ----------
    raw : answer credit in [0, 1]. coverage, evidence, logic : factors, broadcast against it.
    best_evidence, best_logic : the largest factors of the rubric, by which the product is divided.

    NaN where raw credit is NaN, and from the first missing factor on; raw credit 0 stays 0 whatever the factors.
    Raises ValueError when a factor is outside [0, best].
    """
    parts = _relative(raw, coverage, evidence, logic, bests=(best_evidence, best_logic))
    return np.asarray(np.cumprod(np.stack(parts), axis=0), dtype=np.float64)


def verified_credit(
    raw: ArrayLike,
    coverage: ArrayLike,
    evidence: ArrayLike,
    logic: ArrayLike,
    *,
    best_evidence: float,
    best_logic: float,
) -> FloatArray:
    """Verified credit in [0, 1], never above raw credit; arguments and odd cases as in `credit_stages`."""
    stages = credit_stages(raw, coverage, evidence, logic, best_evidence=best_evidence, best_logic=best_logic)
    return np.asarray(stages[-1])


def ordered_losses(stages: FloatArray) -> FloatArray:
    """Credit lost at coverage, evidence and logic in that order, shape (3, ...); they add up to raw - verified."""
    return np.asarray(stages[:-1] - stages[1:])


def attributed_losses(
    raw: ArrayLike,
    coverage: ArrayLike,
    evidence: ArrayLike,
    logic: ArrayLike,
    *,
    best_evidence: float,
    best_logic: float,
) -> FloatArray:
    """Credit lost to coverage, evidence and logic whatever their order, shape (3, ...).

    The mean loss over the six orders of applying the three factors (Shapley value), so a late factor is not
    favoured; adds up to raw - verified. NaN where any of the four is missing and raw credit is not 0.
    Source: Shapley 1953, doi:10.1515/9781400881970-018.
    """
    credit, c, e, lo = _relative(raw, coverage, evidence, logic, bests=(best_evidence, best_logic))

    def loss(own: FloatArray, one: FloatArray, other: FloatArray) -> FloatArray:
        # nobody before (2 of 6 orders), one before (1 of 6 each), both before (2 of 6)
        return np.asarray(credit * (1 - own) * (1 / 3 + (one + other) / 6 + one * other / 3))

    return np.stack([loss(c, e, lo), loss(e, c, lo), loss(lo, c, e)])


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """How often each credit value occurs: `counts` and `shares` are runs x values, `values` rise.

    `n` responses per run have credit, `missing` have none.
    """

    values: FloatArray
    counts: IntArray
    shares: FloatArray
    n: IntArray
    missing: IntArray


def credit_distribution(credit: ArrayLike) -> Distribution:
    """Count the distinct credit values of each run (equal to 12 decimals); `credit` is runs x items, NaN missing."""
    matrix = np.round(credits_matrix("credit", credit), 12)
    held = ~np.isnan(matrix)
    values = np.unique(matrix[held])
    counts = np.zeros((len(matrix), len(values)), dtype=np.int64)
    for run, row in enumerate(matrix):
        counts[run] = np.bincount(np.searchsorted(values, row[held[run]]), minlength=len(values))
    n = held.sum(axis=1)
    return Distribution(values, counts, ratio(counts, n[:, None]), n, (~held).sum(axis=1))
