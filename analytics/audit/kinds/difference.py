"""Differences: of printed numbers, or of percentages of whole counts."""

from __future__ import annotations

import itertools
from fractions import Fraction

from analytics.audit.kind import FAILS, Case, Kind, Verdict, settle
from analytics.audit.kinds.grim import whole_counts
from analytics.audit.numbers import Interval, exactly, short, total


def difference(case: Case) -> Verdict:
    """Compare with left minus right; with n each side is a whole count out of n, pooled where there are several."""
    if "n" not in case.inputs:
        return settle(total(case.many("left")) - total(case.many("right")), case)
    sizes = [n.value or Fraction(0) for n in case.many("n")]
    sides: list[range] = []
    for side in ("left", "right"):
        spans = [whole_counts(cell.interval, n) for cell, n in zip(case.inputs[side], sizes, strict=True)]
        for cell, n, span in zip(case.inputs[side], sizes, spans, strict=True):
            if not len(span):
                return Verdict(
                    FAILS, f"no whole count of {short(n)} prints as {cell.text}, which the difference needs."
                )
        sides.append(range(sum(span[0] for span in spans), sum(span[-1] for span in spans) + 1))
    everything = sum(sizes, Fraction(0))
    found = sorted({100 * Fraction(a - b) / everything for a, b in itertools.product(*sides)})
    note = f"Whole counts out of {short(everything)}."
    if len(found) == 1:
        return settle(exactly(found[0]), case, note=note)
    tried = [settle(exactly(value), case, note=note) for value in found]
    held = [verdict for verdict in tried if verdict.status != FAILS]
    if held:
        why = f"{len(held)} of {len(found)} differences of whole counts print as {case.goal().text}. {note}"
        return Verdict("consistent", why, held[0].recomputed if len(held) == 1 else None, found[0], found[-1])
    return settle(Interval(found[0], found[-1], None), case, note=note)


KINDS = (Kind("difference", "left minus right", roles=("left", "right"), optional=("n",), judge=difference),)
