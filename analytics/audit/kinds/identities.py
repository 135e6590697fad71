"""Statements about a whole table: they hold where every check of the named identities holds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from analytics.audit.kind import Case, Kind, Verdict, worst
from analytics.errors import UnknownName

MOST_SHOWN = 6


def hold(case: Case) -> Verdict:
    """Combine the verdicts of the identities."""
    ids = [str(name) for name in case.record.get("ids", [])]
    assert case.others is not None
    found: list[tuple[str, Verdict]] = []
    for name in ids:
        verdicts = case.others(name)
        if not verdicts:
            raise UnknownName(f"There is no identity '{name}', or it makes no check.")
        found += verdicts
    made = [(row, v) for row, v in found if v.status != "not_checkable"]
    if not made:
        return Verdict("not_checkable", found[0][1].why if found else "missing: a check, no identity is named.")
    counts = Counter(v.status for _, v in made)
    held = counts["reproduced"] + counts["consistent"]
    said = ", ".join(f"{n} {status}" for status, n in sorted(counts.items()))
    bad = [f"{row}: {v.why}" for row, v in made if v.status in ("conditional", "contradicted")]
    shown = " ".join(bad[:MOST_SHOWN]) + (f" And {len(bad) - MOST_SHOWN} more." if len(bad) > MOST_SHOWN else "")
    why = f"{held} of {len(made)} checks hold as printed: {said}." + (f" {shown}" if bad else "")
    return Verdict(worst([v.status for _, v in made]), why, Fraction(held), Fraction(held), Fraction(held))


KINDS = (Kind("identities", "every check of the identities holds", target=False, alone=False, judge=hold),)
