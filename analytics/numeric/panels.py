"""Panels of every size: what plurality and oracle reach with k of the runs."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import MISSING, BoolArray, CodeArray, FloatArray, IntArray, one_of
from analytics.numeric.voting import ballot_matrix

TIES = ("share", "abstain")
_CELLS = 1 << 20  # subsets x items held at once


@dataclass(frozen=True, slots=True, eq=False)
class SubsetCurve:
    """One cell per panel size k = 1 ... runs, over the `n` items with a known reference.

    `plurality` is the mean rate over the `subsets` panels looked at, `low` and `high` their lowest and highest
    rate; `exact` tells that these are all panels of that size, otherwise they were drawn. `oracle` is the mean over
    all panels in any case (a closed form).
    """

    k: IntArray
    plurality: FloatArray
    low: FloatArray
    high: FloatArray
    oracle: FloatArray
    subsets: IntArray
    exact: BoolArray
    n: int
    left_out: int
    ties: str
    seed: int


def subset_curve(
    choices: ArrayLike, correct: ArrayLike, *, ties: str, limit: int, samples: int, seed: int
) -> SubsetCurve:
    """Expected plurality and oracle of a panel of k runs, for every k.

    Parameters
    ----------
    choices, correct : as in `voting.plurality`.
    ties : "share" (1/k; a random choice among the tied has the same expectation) or "abstain" (0).
    limit : up to this many panels of a size, all are counted; above, `samples` are drawn with `seed`.

    NaN without items of known reference. Raises ValueError for limit or samples below 1.
    """
    one_of("ties", ties, TIES)
    if limit < 1 or samples < 1:
        raise ValueError(f"limit and samples must be 1 or more, found {limit} and {samples}")
    ballots, right = ballot_matrix(choices, correct)
    known = right >= 0
    runs, n = len(ballots), int(known.sum())
    patterns, times = _patterns(ballots[:, known], right[known])
    solved = (patterns == 0).sum(axis=0)
    stream = np.random.default_rng(seed)
    k = np.arange(1, runs + 1)
    mean, low, high, found = np.full((4, runs), np.nan)
    subsets, exact = np.zeros(runs, dtype=np.int64), np.zeros(runs, dtype=bool)
    for at, size in enumerate(k.tolist()):
        exact[at] = comb(runs, size) <= limit
        members = _all(runs, size) if exact[at] else _drawn(runs, size, samples, stream)
        subsets[at] = len(members)
        if n == 0:
            continue
        rates = _rates(patterns, times, members, ties) / n
        mean[at], low[at], high[at] = rates.mean(), rates.min(), rates.max()
        missed = np.array([comb(runs - int(c), size) for c in solved]) / comb(runs, size)
        found[at] = (times * (1 - missed.astype(np.float64))).sum() / n
    return SubsetCurve(k, mean, low, high, found, subsets, exact, n, int((~known).sum()), ties, seed)


def _patterns(ballots: CodeArray, right: IntArray) -> tuple[CodeArray, IntArray]:
    """Collapse items with the same vote: right is 0, wrong answers 1, 2 ... in order of first appearance."""
    runs, items = ballots.shape
    wrong = (ballots >= 0) & (ballots != right)
    named = np.where(ballots < 0, MISSING, 0).astype(np.int16)
    fresh = np.zeros(items, dtype=np.int16)
    for run in range(runs):
        new = wrong[run].copy()
        for earlier in range(run):
            same = new & (ballots[earlier] == ballots[run])
            named[run, same] = named[earlier, same]
            new &= ~same
        fresh += new
        named[run, new] = fresh[new]
    patterns, times = np.unique(named, axis=1, return_counts=True)
    return patterns, times


def _all(runs: int, size: int) -> BoolArray:
    chosen = np.array(list(combinations(range(runs), size)))
    members = np.zeros((len(chosen), runs), dtype=bool)
    np.put_along_axis(members, chosen, values=True, axis=1)
    return members


def _drawn(runs: int, size: int, samples: int, stream: np.random.Generator) -> BoolArray:
    order = stream.random((samples, runs)).argsort(axis=1)
    return np.asarray(order < size)  # the places of a random order: `size` of them are below `size`


def _rates(patterns: CodeArray, times: IntArray, members: BoolArray, ties: str) -> FloatArray:
    """Return the credit of each panel, added up over items."""
    names = [(patterns == name).astype(np.float32) for name in range(int(patterns.max(initial=0)) + 1)]
    block = max(1, _CELLS // max(patterns.shape[1], 1))
    out = []
    for begin in range(0, len(members), block):
        panel = members[begin : begin + block].astype(np.float32)
        right = panel @ names[0]
        most, ahead = np.zeros_like(right), np.zeros_like(right)
        for name in names[1:]:
            votes = panel @ name
            ahead = np.where(votes > most, 1, ahead + ((votes == most) & (votes > 0)))
            np.maximum(most, votes, out=most)
        credit = (right > most).astype(np.float64)
        if ties == "share":
            level = (right == most) & (right > 0)
            credit += np.where(level, 1 / (1 + ahead.astype(np.float64)), 0.0)
        out.append(credit @ times)
    return np.concatenate(out)
