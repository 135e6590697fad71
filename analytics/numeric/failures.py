"""Failures: do runs fail alike, what does an agent repair, which traps do wrong answers fall into."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import FloatArray, IntArray, codes, ratio
from analytics.numeric.intervals import wilson
from analytics.numeric.paired import right_and_held


@dataclass(frozen=True, slots=True, eq=False)
class SameCause:
    """One cell per item: how many runs have a failure cause there, and the share with the commonest one.

    `share` is NaN for items with fewer than `at_least` labelled failures; `items` have as many, and `median` is
    over those. `pair_share` is the share of pairs of failures on one item that have one cause, over all items.
    """

    failing: IntArray
    share: FloatArray
    median: float
    items: int
    pair_share: float
    pairs: int
    at_least: int


def same_cause(causes: ArrayLike, *, at_least: int) -> SameCause:
    """Ask how alike runs fail: the share of an item's failing runs that fail for its commonest cause.

    Parameters
    ----------
    causes : runs x items cause codes, -1 where the run did not fail or its failure has no label. For families give
        family codes.
    at_least : items with fewer labelled failures are left out of `share` and `median` (the paper: 5).

    With few failures a high share is chance: two failures share 50 % at the least.
    Source: Humanity's Sixth Sense, section 3.2 (median 80 % by cause, 90 % by family).
    """
    matrix = codes("causes", causes)
    if at_least < 1:
        raise ValueError(f"at_least must be 1 or more, found {at_least}")
    size = int(matrix.max(initial=-1)) + 1
    tally = np.stack([(matrix == cause).sum(axis=0) for cause in range(max(size, 1))])
    failing = tally.sum(axis=0)
    counted = failing >= at_least
    share = np.where(counted, ratio(tally.max(axis=0), failing), np.nan)
    pairs = int((failing * (failing - 1) // 2).sum())
    alike = float((tally * (tally - 1) // 2).sum())
    median = float(np.median(share[counted])) if counted.any() else float("nan")
    return SameCause(
        failing, share, median, int(counted.sum()), alike / pairs if pairs else float("nan"), pairs, at_least
    )


@dataclass(frozen=True, slots=True, eq=False)
class Repair:
    """One cell per cause, over the `n` items that both settings have a verdict for.

    `before` and `after` count failures with that cause in the first and the second setting; `fixed` those before
    that the second setting solves, `fixed_share` = fixed / before (NaN without any), with its Wilson interval; `new`
    failures of the second setting on items that the first solved. `change` is (after - before) / before.
    `unlabelled_before` and `unlabelled_after` are failures without a cause: in no cell.
    """

    before: IntArray
    after: IntArray
    fixed: IntArray
    fixed_share: FloatArray
    low: FloatArray
    high: FloatArray
    new: IntArray
    change: FloatArray
    n: int
    left_out: int
    unlabelled_before: int
    unlabelled_after: int


def agent_repair(
    correct_before: ArrayLike,
    correct_after: ArrayLike,
    cause_before: ArrayLike,
    cause_after: ArrayLike,
    *,
    causes: int,
    level: float,
) -> Repair:
    """Follow each failure of a single call into the agent run on the same items.

    Parameters
    ----------
    correct_before, correct_after : per item 1 right, 0 wrong, NaN or -1 missing. An item that lacks either is
        left out of every count.
    cause_before, cause_after : cause code per item, -1 without a label; read only where the setting failed.
    causes : number of cause codes. level : of the Wilson interval.

    A fixed failure may come back under another cause; only a solved item counts as fixed.
    Source: Humanity's Sixth Sense, Table 7.
    """
    right, held = right_and_held(np.stack([np.asarray(correct_before), np.asarray(correct_after)]))
    first, second = codes("causes", np.stack([np.asarray(cause_before), np.asarray(cause_after)]))
    if first.shape != right[0].shape:
        raise ValueError(f"causes are for {first.size} items, verdicts for {right[0].size}")
    if max(int(first.max(initial=-1)), int(second.max(initial=-1))) >= causes:
        raise ValueError(f"a cause code is not below causes = {causes}: codes run from 0")
    both = held.all(axis=0)
    failed_before, failed_after = both & ~right[0], both & ~right[1]

    def tally(cause: IntArray, where: IntArray) -> IntArray:
        return np.bincount(cause[where & (cause >= 0)], minlength=causes)

    before, after = tally(first, failed_before), tally(second, failed_after)
    fixed, new = tally(first, failed_before & right[1]), tally(second, failed_after & right[0])
    low, high = wilson(fixed, before, level=level)
    return Repair(
        before=before,
        after=after,
        fixed=fixed,
        fixed_share=ratio(fixed, before),
        low=low,
        high=high,
        new=new,
        change=ratio(after - before, before),
        n=int(both.sum()),
        left_out=int((~both).sum()),
        unlabelled_before=int((failed_before & (first < 0)).sum()),
        unlabelled_after=int((failed_after & (second < 0)).sum()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class TrapRates:
    """Runs x types trap fall rates with Wilson intervals; `wrong` is the denominator of each run.

    `invalid` answers chose no option and are beside it; `untyped` wrong choices have no declared type and stay
    in the denominator, as in the source.
    """

    fallen: IntArray
    rate: FloatArray
    low: FloatArray
    high: FloatArray
    wrong: IntArray
    invalid: IntArray
    untyped: IntArray
    level: float


def trap_fall_rates(
    chosen: ArrayLike, correct: ArrayLike, option_types: ArrayLike, *, types: int, level: float
) -> TrapRates:
    """TFR(k): among the wrong answers that chose an option, the share that chose a trap of type k.

    Parameters
    ----------
    chosen : runs x items option codes, -1 for an invalid or missing answer.
    correct : right option of each item, -1 unknown (the item is left out).
    option_types : items x options trap type code of each option, -1 for none (the right option has none).
    types : number of trap types. level : of the Wilson interval.

    Rates of a run add up to 1 when every wrong option has a type. NaN for a run without wrong choices.
    Source: SocialReasonBench, equation 1.
    """
    choices, kinds = codes("chosen", chosen), codes("option_types", option_types)
    right = np.asarray(correct)
    if kinds.shape[0] != choices.shape[1] or right.shape != (choices.shape[1],):
        raise ValueError(f"chosen has {choices.shape[1]} items, correct {right.size} and option_types {kinds.shape[0]}")
    if int(choices.max(initial=-1)) >= kinds.shape[1] and choices.size:
        raise ValueError(f"chosen holds the option {choices.max()}, but option_types has {kinds.shape[1]} options")
    if int(kinds.max(initial=-1)) >= types:
        raise ValueError(f"a trap type is not below types = {types}: codes run from 0")
    known = right >= 0
    wrong = (choices >= 0) & (choices != right) & known
    kind = np.take_along_axis(kinds, np.maximum(choices, 0).T, axis=1).T if choices.size else choices
    fallen = np.stack([(wrong & (kind == trap)).sum(axis=1) for trap in range(types)], axis=1)
    denominator = wrong.sum(axis=1)
    low, high = wilson(fallen, denominator[:, None], level=level)
    return TrapRates(
        fallen=fallen,
        rate=ratio(fallen, denominator[:, None]),
        low=low,
        high=high,
        wrong=denominator,
        invalid=((choices < 0) & known).sum(axis=1),
        untyped=(wrong & (kind < 0)).sum(axis=1),
        level=level,
    )
