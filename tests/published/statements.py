"""Claims whose check is plain arithmetic on the tables: does some reading of the cells give what is stated?"""

from __future__ import annotations

import operator
from fractions import Fraction

from tests.published.arithmetic import holds, interval_of, total, whole_counts
from tests.published.tables import Cell, groups, interval, places, records, select

COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
RELATIONS = {"at_least", "at_most", "above", "below", "about"}
ARITHMETIC = {
    *("sum", "mean", "difference", "ratio", "share", "proportion", "grim", "minimum", "maximum", "at_most"),
    *("identities", "two_places", "count_where", "rank", "range", "credit"),
}


def stated(claim: dict) -> Cell:
    low, high = interval(claim["number"], claim["unit"])
    return Cell(claim["id"], claim["number"], low, high)


def related(claim: dict, low: Fraction, high: Fraction) -> bool:
    """Whether some number of [low, high] stands to the stated one as the claim says."""
    number = Fraction(claim["number"])
    match claim["relation"]:
        case "at_least":
            return high >= stated(claim).low
        case "above":
            return high > number
        case "at_most":
            return low <= stated(claim).high
        case "below":
            return low < number
        case _:
            reach = Fraction(claim["tolerance"])
            return low <= number + reach and high >= number - reach


def identities_hold(claim: dict) -> bool:
    named = [record for record in records("identities.toml", "identity") if record["id"] in claim["ids"]]
    assert len(named) == len(claim["ids"]), claim["id"]
    return all(holds(record, group) is not False for record in named for group in groups(record))


def count_span(claim: dict) -> tuple[int, int]:
    """Least and greatest number of checks in which the comparison holds."""
    if "op" not in claim:
        return len(groups(claim)), len(groups(claim))
    sure = possible = 0
    compare = COMPARE[claim["op"]]
    for group in groups(claim):
        (left,) = select(claim["inputs"]["left"], claim["file"], group)
        (right,) = select(claim["inputs"]["right"], claim["file"], group)
        readings = [compare(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
        sure += all(readings)
        possible += any(readings)
    return sure, possible


def one_each(claim: dict) -> list[tuple[dict[str, str], Fraction, Fraction]]:
    """(row, low, high) of every number that a rank or a range is about."""
    inputs, file = claim["inputs"], claim.get("file", "")
    if "each" not in claim:
        cells = select(inputs["parts"], file, [])
        rows = [row for _, row, _ in places(inputs["parts"], file, [])]
        return [(row, c.low, c.high) for row, c in zip(rows, cells, strict=True)]
    found = []
    for group in groups(claim):
        if "parts" in inputs:
            (whole,) = select(inputs["parts"], file, group)
            found.append((group[0], whole.low, whole.high))
            continue
        part, whole = (total(select(inputs[role], file, group)) for role in ("part", "whole"))
        scale = 100 if claim["unit"] == "percent" else 1
        found.append((group[0], scale * part[0] / whole[1], scale * part[1] / whole[0]))
    return found


def rank_holds(claim: dict) -> bool:
    numbers = one_each(claim)
    named = [n for n in numbers if all(n[0][c] == v for c, v in claim["expect"].items())]
    (best,) = named
    others = [n for n in numbers if n is not best]
    if claim["best"] == "highest":
        first = all(best[2] >= other[1] for other in others)
    else:
        first = all(best[1] <= other[2] for other in others)
    same = "number" not in claim or (best[1] <= stated(claim).high and stated(claim).low <= best[2])
    return first and same


def range_holds(claim: dict) -> bool:
    (low_from, low_to), (high_from, high_to) = (interval(claim[end], claim["unit"]) for end in ("low", "high"))
    reach = Fraction(claim.get("tolerance", "0"))
    numbers = one_each(claim)
    inside = all(high >= low_from - reach and low <= high_to + reach for _, low, high in numbers)
    if not claim.get("tight", False):
        return inside
    least = min(low for _, low, _ in numbers), min(high for _, _, high in numbers)
    most = max(low for _, low, _ in numbers), max(high for _, _, high in numbers)
    return inside and least[0] <= low_to and low_from <= least[1] and most[0] <= high_to and high_from <= most[1]


def claim_holds(claim: dict) -> bool | None:
    kind = claim["kind"]
    match kind:
        case "identities":
            return identities_hold(claim)
        case "rank":
            return rank_holds(claim)
        case "range":
            return range_holds(claim)
        case "count_where":
            sure, possible = count_span(claim)
            if claim.get("relation") in RELATIONS:
                return related(claim, Fraction(sure), Fraction(possible))
            return sure <= int(claim["number"]) <= possible
        case "credit":
            factors = [Fraction(str(claim["inputs"][f])) for f in ("credit", "coverage", "evidence", "logic")]
            value = factors[0] * factors[1] * factors[2] * factors[3] / Fraction(str(claim["inputs"]["divisor"]))
            return stated(claim).low <= value <= stated(claim).high
    if kind == "two_places" and "n" in claim["inputs"]:
        (of,), (n,) = (select(claim["inputs"][role], "", []) for role in ("of", "n"))
        return bool(set(whole_counts(of, n.low)) & set(whole_counts(stated(claim), n.low)))
    record = claim | {"kind": "equals"} if kind == "two_places" else claim
    if claim.get("relation") in RELATIONS:
        roles = {name: select(value, claim.get("file", ""), []) for name, value in claim["inputs"].items()}
        low_high = interval_of(record["kind"], roles)
        assert low_high is not None, claim["id"]
        return related(claim, *low_high)
    return holds(record, [], stated=stated(claim))
