"""Votes of a panel: plurality under a named tie rule, oracle, best single run; all on the same items.

A ballot matrix is runs x items of choice codes, -1 where a run has no valid ballot (unparsed, missing, open answer). A
multiple-choice ballot is one code for the whole option set. `correct` is the right code of each item, -1
where the reference is unknown: such an item leaves every figure and is counted. An invalid ballot does not
vote; a run without a valid ballot is not right on that item.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import MISSING, BoolArray, CodeArray, FloatArray, IntArray, codes, one_of, ratio

TIES = ("share", "abstain", "defer", "random")
_MANY = 64  # codes above which choices are renumbered item by item before counting
_BLOCK = 1 << 14  # items counted at once: the block stays in cache


@dataclass(frozen=True, slots=True, eq=False)
class Plurality:
    """One cell per item, and the panel's rate over the `n` items with a known reference.

    `credit` in [0, 1], NaN where the reference is unknown. `winner` is the answer the panel gives, -1 where it
    gives none (no ballots, or a tie the rule leaves open). `tie_size` answers share the first place (0 without
    ballots). `right_first` marks the right answer among them. `tied` counts the known items with a tie.
    """

    credit: FloatArray
    winner: IntArray
    tie_size: IntArray
    ballots: IntArray
    right_first: BoolArray
    rate: float
    n: int
    left_out: int
    tied: int
    ties: str


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """Votes by label and item; `label` gives a label's choice code by item (None: the label is the code)."""

    votes: CodeArray
    right: IntArray
    label: CodeArray | None


def ballot_matrix(choices: ArrayLike, correct: ArrayLike) -> tuple[CodeArray, IntArray]:
    """Check a runs x items ballot matrix and the right code of each item (-1 unknown)."""
    ballots = codes("choices", choices)
    right = np.asarray(correct)
    if right.shape != (ballots.shape[1],):
        raise ValueError(f"correct needs one code per item ({ballots.shape[1]}), found shape {right.shape}")
    if right.size == 0:
        return ballots, right.astype(np.int64)
    if not np.issubdtype(right.dtype, np.signedinteger) or right.min() < MISSING:
        raise ValueError("correct must hold integer codes, -1 where the reference is unknown")
    return ballots, right.astype(np.int64)


def _count(ballots: CodeArray, right: IntArray) -> _Counts:
    runs, items = ballots.shape
    label: CodeArray | None = None
    if int(ballots.max(initial=0)) >= _MANY:
        # number each item's own choices 0, 1, 2 ... from the smallest: at most one label per run
        order = np.argsort(ballots, axis=0, kind="stable")
        rising = np.take_along_axis(ballots, order, axis=0)
        fresh = rising >= 0
        fresh[1:] &= rising[1:] != rising[:-1]
        rank = np.where(rising >= 0, fresh.cumsum(axis=0) - 1, MISSING)
        label = np.full((runs, items), MISSING, dtype=ballots.dtype)
        row, column = np.nonzero(fresh)
        label[rank[row, column], column] = rising[row, column]
        ballots = np.empty_like(ballots)
        np.put_along_axis(ballots, order, rank.astype(ballots.dtype), axis=0)
        hit = label == right
        right = np.where(hit.any(axis=0) & (right >= 0), hit.argmax(axis=0), MISSING)
    size = int(ballots.max(initial=0)) + 1
    votes = np.zeros((size, items), dtype=np.int8 if runs < 128 else np.int32)
    for begin in range(0, items, _BLOCK):
        block = ballots[:, begin : begin + _BLOCK]
        for code in range(size):
            chosen = (block == code).view(np.int8)
            np.add.reduce(chosen, axis=0, dtype=votes.dtype, out=votes[code, begin : begin + _BLOCK])
    # a right answer that nobody chose has no label
    return _Counts(votes, np.where(right < size, right, MISSING), label)


def plurality(
    choices: ArrayLike,
    correct: ArrayLike,
    *,
    ties: str,
    decider: int | None = None,
    seed: int | None = None,
) -> Plurality:
    """Take the most chosen answer among the valid ballots of each item.

    Parameters
    ----------
    ties : what happens when several answers share the first place.
        "share": credit 1/k if the right one is among the k;
        "abstain": the panel gives no answer, credit 0;
        "defer": the answer of run `decider` if it is among the k, else no answer, credit 0;
        "random": one of the k, drawn with `seed`; the draw of an item depends on the seed and its place alone.
    decider : row number of the deciding run, with "defer" only.
    seed : with "random" only.

    An item without any valid ballot has credit 0: it is in the population and the panel did not solve it. The
    order of the runs never matters. Raises ValueError when `decider` or `seed` does not fit the rule.
    """
    one_of("ties", ties, TIES)
    ballots, right = ballot_matrix(choices, correct)
    if (decider is not None) != (ties == "defer") or (seed is not None) != (ties == "random"):
        raise ValueError(f"ties {ties!r}: decider goes with 'defer' and seed with 'random', and only there")
    if decider is not None and not 0 <= decider < len(ballots):
        raise ValueError(f"decider must be a row of choices (0 to {len(ballots) - 1}), found {decider}")
    counted = _count(ballots, right)
    votes, items = counted.votes, np.arange(ballots.shape[1])
    most = votes.max(axis=0)
    first = (votes == most) & (most > 0)
    tie_size = np.add.reduce(first.view(np.int8), axis=0, dtype=np.int32)
    right_first = first[np.maximum(counted.right, 0), items] & (counted.right >= 0)
    winner = np.where(tie_size > 0, first.argmax(axis=0), MISSING)
    tied = np.flatnonzero(tie_size > 1)
    winner[tied] = _settle(first[:, tied], tied, counted, ballots, decider=decider, seed=seed)
    credit: FloatArray = np.asarray(right_first & (winner == counted.right), dtype=np.float64)
    if ties == "share":
        credit[tied] = right_first[tied] / tie_size[tied]
    known = right >= 0
    credit[~known] = np.nan
    n = int(known.sum())
    return Plurality(
        credit=credit,
        winner=winner if counted.label is None else _codes_of(winner, counted.label),
        tie_size=tie_size.astype(np.int64),
        ballots=votes.sum(axis=0, dtype=np.int64),
        right_first=right_first,
        rate=float(credit[known].sum() / n) if n else float("nan"),
        n=n,
        left_out=int(known.size - n),
        tied=int((tie_size[known] > 1).sum()),
        ties=ties,
    )


def _settle(
    first: BoolArray,
    tied: IntArray,
    counted: _Counts,
    ballots: CodeArray,
    *,
    decider: int | None,
    seed: int | None,
) -> IntArray:
    """Return the winning label of each tied item, -1 where the rule leaves it open."""
    open_ = np.full(tied.size, MISSING, dtype=np.int64)
    if seed is not None:
        draw = np.random.default_rng(seed).random((ballots.shape[1],))[tied]
        wanted = np.floor(draw * first.sum(axis=0)).astype(np.int64) + 1
        return np.asarray((first.cumsum(axis=0) == wanted).argmax(axis=0))
    if decider is None:
        return open_
    answer = ballots[decider, tied].astype(np.int64)
    if counted.label is not None:
        match = counted.label[:, tied] == answer
        answer = np.where(match.any(axis=0) & (answer >= 0), match.argmax(axis=0), MISSING)
    among = (answer >= 0) & first[np.maximum(answer, 0), np.arange(tied.size)]
    return np.where(among, answer, open_)


def _codes_of(winner: IntArray, label: CodeArray) -> IntArray:
    found = label[np.maximum(winner, 0), np.arange(winner.size)].astype(np.int64)
    return np.where(winner >= 0, found, MISSING)


def right_ballots(choices: ArrayLike, correct: ArrayLike) -> BoolArray:
    """Mark the right ballots, runs x items; False where the ballot is invalid or the reference unknown."""
    ballots, right = ballot_matrix(choices, correct)
    known = right >= 0
    # in the type of the ballots, where the codes fit into it: comparing it with int64 takes several times as long
    fits = right.max(initial=0) <= np.iinfo(ballots.dtype).max
    found: BoolArray = ballots == (right.astype(ballots.dtype) if fits else right)
    return found if known.all() else found & known


def oracle(choices: ArrayLike, correct: ArrayLike) -> FloatArray:
    """Credit of each item for a panel that always picks its best member: 1 if any run is right.

    NaN where the reference is unknown.
    """
    solved = right_ballots(choices, correct).any(axis=0).astype(np.float64)
    return np.where(np.asarray(correct) >= 0, solved, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class BestSingle:
    """Right items and rate of each run over the same `n` items, and which `runs` (row numbers) are best."""

    right: IntArray
    rates: FloatArray
    best: float
    runs: IntArray
    n: int


def best_single(choices: ArrayLike, correct: ArrayLike) -> BestSingle:
    """Best run on the items of the vote: every run over all items with a known reference.

    An invalid ballot is not right, as in the panel, so that plurality, oracle and single share the denominator.
    Equally good runs are all listed. `best` is NaN without known items.
    """
    right = right_ballots(choices, correct).sum(axis=1)
    n = int((np.asarray(correct) >= 0).sum())
    rates = ratio(right, n)
    best = float(rates.max()) if n and rates.size else float("nan")
    return BestSingle(right, rates, best, np.flatnonzero(rates == best), n)


def outvoted(choices: ArrayLike, correct: ArrayLike) -> BoolArray:
    """Mark items on which some run is right while the right answer is not in first place."""
    vote = plurality(choices, correct, ties="share")
    return np.asarray(right_ballots(choices, correct).any(axis=0) & ~vote.right_first)


@dataclass(frozen=True, slots=True, eq=False)
class SharedWrong:
    """Runs x runs counts of items where both chose a wrong answer, and where it was the same; `share` of these.

    `share` is NaN where the pair has no item that both got wrong with a valid ballot. On the diagonal it is 1.
    """

    both_wrong: IntArray
    same_wrong: IntArray
    share: FloatArray


def shared_wrong(choices: ArrayLike, correct: ArrayLike) -> SharedWrong:
    """Count how often two runs that both err choose the same wrong answer (errors that a vote cannot mend)."""
    ballots, right = ballot_matrix(choices, correct)
    wrong = (ballots != right) & (ballots >= 0) & (right >= 0)
    runs = len(ballots)
    both, same = np.zeros((runs, runs)), np.zeros((runs, runs), dtype=np.int64)
    for begin in range(0, ballots.shape[1], _BLOCK):
        part = wrong[:, begin : begin + _BLOCK]
        erring = part.astype(np.float32)
        both += erring @ erring.T
        chosen = np.where(part, ballots[:, begin : begin + _BLOCK], MISSING)
        for run in range(runs):
            same[run] += ((chosen[run] == chosen) & part[run]).sum(axis=1)
    return SharedWrong(both.astype(np.int64), same, ratio(same, both))
