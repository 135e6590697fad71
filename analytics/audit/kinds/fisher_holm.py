"""Families of Fisher's exact tests, adjusted after Holm."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from analytics.audit.cells import Rows, as_list
from analytics.audit.kind import FAILS, Case, Kind, Verdict, every_group, same_rows, settle
from analytics.audit.numbers import exactly
from analytics.audit.tables import Record
from analytics.errors import UnknownValue
from analytics.numeric.adjust import holm
from analytics.numeric.contrasts import fisher_exact

RESULTS = ("count_significant", "count_not_significant", "largest_significant_p", "smallest_p", "p")


def table(inputs: dict[str, tuple[Any, ...]], group: Record) -> tuple[int, int]:
    """Return right and wrong, summed over the rows of a group."""
    right = whole = Fraction(0)
    for k, n in zip(inputs["k"], inputs["n"], strict=True):
        if same_rows(k.row, group):
            right += k.interval.low
            whole += n.interval.low
    return int(right), int(whole - right)


def tested(case: Case) -> tuple[list[Rows], list[float], list[float]]:
    """Return the rows, p-values and adjusted p-values of each member of the family."""
    if not {"first", "second", "alternative", "adjust", "level", "result"} <= set(case.record):
        raise UnknownValue("A Fisher family needs first, second, alternative, adjust, level and result.")
    members, cells = [], []
    for rows, inputs in every_group(case):
        members.append(rows)
        cells.append((*table(inputs, case.record["first"]), *table(inputs, case.record["second"])))
    a, b, c, d = np.asarray(cells, dtype=np.int64).T
    p = fisher_exact(a, b, c, d, alternative=str(case.record["alternative"]))
    adjust = case.record["adjust"]
    if adjust not in ("holm", "none"):
        raise UnknownValue(f"'{adjust}' is not an adjustment. Allowed: holm, none.")
    return members, p.tolist(), (holm(p).p if adjust == "holm" else p).tolist()


def family(case: Case) -> Verdict:
    """Compare with what the family of tests gives."""
    members, plain, adjusted = tested(case)
    level = float(case.record["level"])
    names = [rows[0][as_list(case.record["each"])[0]] if rows else "" for rows in members]
    listed = ", ".join(f"{name} {p:.3g}" for name, p in zip(names, adjusted, strict=True))
    adjust = case.record["adjust"]
    family_of = f"Holm over {len(members)}" if adjust == "holm" else "unadjusted"
    how = f"Fisher {case.record['alternative']}, {family_of}: {listed}."
    significant = [p < level for p in adjusted]
    result = case.record["result"]
    if result not in RESULTS:
        raise UnknownValue(f"'{result}' is not a result. Allowed: {', '.join(RESULTS)}.")
    if result in ("count_significant", "count_not_significant"):
        wanted = result == "count_significant"
        chosen = [rows for rows, is_so in zip(members, significant, strict=True) if is_so == wanted]
        expected = case.record.get("expect")
        if expected is not None and not all(same_rows(rows[0], expected) for rows in chosen):
            return Verdict(FAILS, f"other members than stated. {how}", Fraction(len(chosen)))
        return settle(exactly(len(chosen)), case, note=how)
    values = [p for p, is_so in zip(adjusted, significant, strict=True) if is_so]
    if result == "largest_significant_p" and not values:
        return Verdict(FAILS, f"none is significant. {how}")
    found = {
        "largest_significant_p": max(values, default=1.0),
        "smallest_p": min(adjusted),
        "p": plain[0] if adjust == "none" else adjusted[0],
    }[result]
    return settle(exactly(Fraction(found)), case, note=how)


KINDS = (Kind("fisher_holm", "Fisher's exact tests, Holm over the family", roles=("k", "n"), whole=True, judge=family),)
