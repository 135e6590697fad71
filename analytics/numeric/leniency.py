"""Judges over models: who is lenient, who favours its own, and whether they rank models alike."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import FloatArray, IntArray, TextArray, credits_matrix, ratio

CONSTANT = "constant scores"
TOO_FEW = "fewer than two common models"


@dataclass(frozen=True, slots=True, eq=False)
class Leniency:
    """How each judge's scores differ from the other judges', in the scores' own unit.

    `difference[j, m]` is judge j's score of model m minus the mean of the other judges' scores of m;
    `leniency[j]` its mean over the `n[j]` models that j and another judge scored; `residual` is the
    difference minus the judge's leniency, read at judge and model of one vendor: self-preference.
    """

    leniency: FloatArray
    difference: FloatArray
    residual: FloatArray
    n: IntArray


def leniency(scores: ArrayLike) -> Leniency:
    """Leniency of each judge and the residual of each judge x model cell.

    `scores` is judges x models, NaN where a judge did not score a model. A model scored by one judge alone has
    no difference (NaN); one judge alone has no leniency. The judges' scores must be over the same items.
    Residuals of a judge add up to 0. Source: Humanity's Sixth Sense, appendix I.
    """
    matrix = credits_matrix("scores", scores)
    held = ~np.isnan(matrix)
    filled = np.where(held, matrix, 0.0)
    others = ratio(filled.sum(axis=0) - filled, held.sum(axis=0) - held)
    difference = matrix - others
    known = ~np.isnan(difference)
    n = known.sum(axis=1)
    mean = ratio(np.where(known, difference, 0.0).sum(axis=1), n)
    return Leniency(mean, difference, difference - mean[:, None], n)


@dataclass(frozen=True, slots=True, eq=False)
class RankAgreement:
    """Judges x judges rank correlation over the `n` models both scored; NaN with a `reason` where undefined."""

    spearman: FloatArray
    kendall: FloatArray
    n: IntArray
    reason: TextArray


def rank_agreement(scores: ArrayLike) -> RankAgreement:
    """Spearman's rho and Kendall's tau-b between judges' scores of the same models.

    `scores` is judges x models, NaN where missing. Undefined when a judge gives all common models one score,
    or when fewer than two models are common.
    """
    matrix = credits_matrix("scores", scores)
    judges = len(matrix)
    rho, tau = np.full((2, judges, judges), np.nan)
    n, reason = np.zeros((judges, judges), dtype=np.int64), np.full((judges, judges), "", dtype="<U32")
    for i in range(judges):
        for j in range(i, judges):
            common = ~np.isnan(matrix[i]) & ~np.isnan(matrix[j])
            first, second = matrix[i, common], matrix[j, common]
            n[i, j] = n[j, i] = first.size
            if first.size < 2:
                reason[i, j] = reason[j, i] = TOO_FEW
            elif np.ptp(first) == 0 or np.ptp(second) == 0:
                reason[i, j] = reason[j, i] = CONSTANT
            else:
                rho[i, j] = rho[j, i] = _pearson(_ranks(first), _ranks(second))
                tau[i, j] = tau[j, i] = _tau_b(first, second)
    return RankAgreement(rho, tau, n, reason)


def _ranks(values: FloatArray) -> FloatArray:
    """Return ranks from 1, equal values sharing the mean of theirs."""
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(times) - (times - 1) / 2)[place], dtype=np.float64)


def _pearson(first: FloatArray, second: FloatArray) -> float:
    return float(np.corrcoef(first, second)[0, 1])


def _tau_b(first: FloatArray, second: FloatArray) -> float:
    """Return Kendall's tau-b: pairs in the same order minus pairs in the other, over the pairs that are untied in each.

    Written out, since the import of scipy.stats takes longer than all else that a page on judges does at first.
    """
    signs = [np.sign(values[:, None] - values[None, :]) for values in (first, second)]
    untied = [float((sign**2).sum()) for sign in signs]
    return float((signs[0] * signs[1]).sum() / np.sqrt(untied[0] * untied[1]))
