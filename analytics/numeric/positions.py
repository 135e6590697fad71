"""Position bias: does a run choose the letters of the options as often as they are right?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc

from analytics.numeric.arrays import FloatArray, IntArray, TextArray, ratio
from analytics.numeric.voting import ballot_matrix


@dataclass(frozen=True, slots=True, eq=False)
class PositionBias:
    """Runs x positions counts: `chosen` by the run, `right` among the same items; chi-square test by run.

    Over the `n` items on which the run has a valid choice and the reference is known. `p` is NaN, with a
    `reason`, where undefined.
    """

    chosen: IntArray
    right: IntArray
    chi_square: FloatArray
    df: IntArray
    p: FloatArray
    n: IntArray
    reason: TextArray


def position_bias(chosen: ArrayLike, reference: ArrayLike, *, positions: int) -> PositionBias:
    """Compare how often each position is chosen with how often it holds the right answer.

    Parameters
    ----------
    chosen : runs x items position *as shown* (0 = first option), -1 without a valid choice.
    reference : position of the right option of each item, -1 unknown; or runs x items, if each run was
        shown its own order.
    positions : number of positions.

    The reference counts are taken as given. A run that is right on every item fits them exactly, so the test is
    cautious: it answers whether the wrong choices lean to a position. Undefined where a chosen position never
    holds the right answer (nothing to expect), or where the right answers hold one position only.
    """
    places = np.asarray(chosen)
    true = np.asarray(reference)
    shared = true.ndim == 1
    rows = [ballot_matrix(places, true if shared else true[run])[1] for run in range(1 if shared else len(places))]
    truth = np.broadcast_to(np.stack(rows), places.shape) if rows else places
    if max(int(places.max(initial=-1)), int(truth.max(initial=-1))) >= positions:
        raise ValueError(f"a position is not below positions = {positions}: positions run from 0")
    used = (places >= 0) & (truth >= 0)
    tally = np.zeros((2, len(places), positions), dtype=np.int64)
    for position in range(positions):
        tally[0, :, position] = ((places == position) & used).sum(axis=1)
        tally[1, :, position] = ((truth == position) & used).sum(axis=1)
    seen, expected = tally
    n, df = used.sum(axis=1), np.maximum((expected > 0).sum(axis=1) - 1, 0)
    stray = ((seen > 0) & (expected == 0)).any(axis=1)
    reason = np.where(stray, "chosen position never right", np.where(df == 0, "one position", ""))
    reason = np.where(n == 0, "no valid choices", reason)
    terms = np.where(expected > 0, ratio((seen - expected) ** 2, expected), 0.0)
    chi_square = np.where(reason == "", terms.sum(axis=1), np.nan)
    p = np.full(len(places), np.nan)
    known = reason == ""
    p[known] = chdtrc(df[known], chi_square[known])
    return PositionBias(seen, expected, chi_square, df, p, n, reason)
