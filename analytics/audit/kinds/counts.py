"""Whole counts behind several percentages, against their total."""

from __future__ import annotations

from fractions import Fraction

from analytics.audit.departures import lost_together
from analytics.audit.kind import FAILS, Case, Kind, Verdict, answer
from analytics.audit.kinds.grim import whole_counts
from analytics.audit.numbers import Interval, short


def add_up(case: Case) -> Verdict:
    """Compare the sums that the counts can have with the total; with `complement` the total counts what is left."""
    attempts = case.count("attempts", default=1)
    sizes = [(n.value or Fraction(0)) * attempts for n in case.many("n")]
    percents = case.inputs["percent"]
    spans = [whole_counts(cell.interval, n) for cell, n in zip(percents, sizes, strict=True)]
    for cell, n, span in zip(percents, sizes, spans, strict=True):
        if not len(span):
            return answer(FAILS, f"no whole count of {short(n)} prints as {cell.text}.", subject=case.inputs["total"])
    low, high = sum(span[0] for span in spans), sum(span[-1] for span in spans)
    if case.record.get("inputs", {}).get("complement", False):
        everything = int(sum(sizes))
        low, high = everything - high, everything - low
    (total,) = case.inputs["total"]
    wanted = total.interval
    if "total_n" in case.inputs:
        n = case.exact("total_n") * attempts
        span = whole_counts(total.interval, n)
        if not len(span):
            return answer(FAILS, f"no whole count of {short(n)} prints as the total {total.text}.", subject=(total,))
        wanted = Interval(Fraction(span[0]), Fraction(span[-1]), Fraction(span[0]) if len(span) == 1 else None)
    found = Interval(Fraction(low), Fraction(high), Fraction(low) if low == high else None)
    said = f"counts add up to {low}" if low == high else f"counts add up to {low} to {high}"
    goal = f"{short(wanted.low)}" if wanted.exact else f"{short(wanted.low)} to {short(wanted.high)}"
    if not found.meets(wanted):
        off = found.apart(wanted)
        return answer(
            FAILS, f"{said}, the total is {goal}: off by {short(off)}.", off=off, number=found, subject=(total,)
        )
    if found.exact and wanted.exact:
        return answer(
            "reproduced",
            f"{said}, the total is {goal}; each percentage has one whole count.",
            number=found,
            subject=(total,),
        )
    return answer(
        "consistent",
        f"{said}, the total is {goal}; not every percentage has one whole count.",
        number=found,
        subject=(total,),
    )


def missing_attempts(case: Case) -> str | None:
    """Return the fewest missing attempts with which every percentage and the total print so, taken together."""
    attempts = case.count("attempts", default=1)
    if attempts < 2 or "total_n" not in case.inputs:
        return None
    sizes = [int(n.value or 0) for n in case.many("n")]
    found = lost_together([c.interval for c in case.inputs["percent"]], sizes, case.one("total"), attempts=attempts)
    if found is None:
        return None
    dropped, chain = found
    parts = [
        f"{cell.places[0].column}: {lost.words()}"
        for cell, lost in zip(case.inputs["percent"], chain, strict=True)
        if lost.dropped
    ]
    return f"{dropped} missing attempts over all groups ({'; '.join(parts)})"


KINDS = (
    Kind(
        "counts_add_up",
        "whole counts behind the percentages add up to the total",
        roles=("percent", "n", "total"),
        optional=("attempts", "total_n"),
        options=("complement",),
        target=False,
        judge=add_up,
        departures={"missing_attempts": missing_attempts},
    ),
)
