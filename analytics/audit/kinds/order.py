"""Order and rank statements: falling columns, and who is first."""

from __future__ import annotations

import itertools

from analytics.audit.kind import AS_PRINTED, FAILS, ROUNDING, Case, Kind, Verdict, answer, same_rows, settle
from analytics.audit.kinds.range import numbers
from analytics.audit.numbers import short
from analytics.errors import UnknownValue


def descending(case: Case) -> Verdict:
    """Say whether the parts never rise in file order."""
    parts = case.inputs["parts"]
    rises = [(a, b) for a, b in itertools.pairwise(parts) if a.interval.high < b.interval.low]
    if rises:
        where = "; ".join(f"{a.places[0].row} {a.text} before {b.places[0].row} {b.text}" for a, b in rises)
        subject = tuple(c for pair in rises for c in pair)
        off = max(b.interval.low - a.interval.high for a, b in rises)
        return Verdict(FAILS, f"the order rises at {where}.", off=off, subject=subject)
    plain = all((a.interval.value or 0) >= (b.interval.value or 0) for a, b in itertools.pairwise(parts))
    return Verdict(
        "reproduced" if plain else "consistent",
        f"{len(parts)} numbers in falling order; {AS_PRINTED if plain else ROUNDING}.",
    )


def rank(case: Case) -> Verdict:
    """Say whether the row that `expect` names has the highest or lowest number, and prints as stated."""
    highest = case.record.get("best") == "highest"
    if case.record.get("best") not in ("highest", "lowest"):
        raise UnknownValue("A rank needs best = 'highest' or 'lowest'.")
    found = numbers(case)
    named = [n for n in found if same_rows(n[0], case.record.get("expect", {}))]
    if len(named) != 1:
        raise UnknownValue(f"`expect` must name one of {len(found)} rows; it names {len(named)}.")
    (best,) = named
    others = [n for n in found if n is not best]
    sign = 1 if highest else -1
    value = best[1].value
    beaten = [n for n in others if n[1].value is not None and value is not None and sign * (n[1].value - value) > 0]
    sure = [n for n in others if (n[1].low > best[1].high if highest else n[1].high < best[1].low)]
    ends = best[1]
    if sure:
        rivals = ", ".join(f"{' / '.join(str(v) for v in list(n[0].values())[:2])} {short(n[1].low)}" for n in sure)
        return answer(FAILS, f"not the {case.record['best']} of {len(found)}: {rivals}.", number=ends)
    placed = f"the {case.record['best']} of {len(found)}"
    if "number" in case.record:
        same = settle(best[1], case)
        if same.status == FAILS:
            return same
        status = same.status if not beaten else "consistent"
        return answer(status, f"{placed}, and {same.why}", number=ends)
    return answer(
        "consistent" if beaten else "reproduced", f"{placed}; {ROUNDING if beaten else AS_PRINTED}.", number=ends
    )


KINDS = (
    Kind("descending", "never rises in file order", roles=("parts",), target=False, judge=descending),
    Kind(
        "rank",
        "the row that is named comes first",
        optional=("parts", "part", "whole"),
        target=False,
        whole=True,
        judge=rank,
    ),
)
