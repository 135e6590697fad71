"""Range statements: every number lies between two printed ends, or the ends are the least and the greatest."""

from __future__ import annotations

from fractions import Fraction

from analytics.audit.cells import EXACT_UNITS
from analytics.audit.kind import AS_PRINTED, FAILS, ROUNDING, Case, Kind, Verdict, answer, every_group
from analytics.audit.numbers import Interval, parse, short, total
from analytics.audit.tables import Row
from analytics.errors import UnknownValue


def numbers(case: Case) -> list[tuple[Row, Interval]]:
    """Return the row and the number of everything that a rank or a range is about."""
    found: list[tuple[Row, Interval]] = []
    scale = Fraction(100 if case.record.get("unit") == "percent" else 1)
    for rows, inputs in every_group(case):
        if "parts" in inputs:
            found.extend((cell.row or (rows[0] if rows else {}), cell.interval) for cell in inputs["parts"])
        elif {"part", "whole"} <= set(inputs):
            part, whole = (total(c.interval for c in inputs[role]) for role in ("part", "whole"))
            found.append((rows[0] if rows else {}, part.over(whole).times(scale)))
        else:
            raise UnknownValue("A rank or range needs the input parts, or part and whole.")
    return found


def ends(case: Case) -> tuple[Interval, Interval]:
    """Return the two printed ends."""
    exact = case.record.get("unit") in EXACT_UNITS
    low, high = (parse(str(case.record[end])).interval(exact=exact, reading=case.reading) for end in ("low", "high"))
    return low, high


def within(case: Case) -> Verdict:
    """Say whether all numbers lie in the range; `tight`: the least and the greatest print as its ends."""
    if not {"low", "high"} <= set(case.record):
        raise UnknownValue("A range needs low and high, as printed.")
    low, high = ends(case)
    reach = Fraction(str(case.record.get("tolerance", 0)))
    found = numbers(case)
    least = Interval(min(n.low for _, n in found), min(n.high for _, n in found), _value(found, highest=False))
    most = Interval(max(n.low for _, n in found), max(n.high for _, n in found), _value(found, highest=True))
    span = Interval(least.low, most.high, None)
    said = f"{len(found)} numbers run from {_shown(least)} to {_shown(most)}"
    said = f"{said}; stated {case.record['low']} to {case.record['high']}"
    outside = [(row, n) for row, n in found if n.high < low.low - reach or n.low > high.high + reach]
    if outside:
        off = max(max(low.low - reach - n.high, n.low - high.high - reach) for _, n in outside)
        names = "; ".join(f"{' / '.join(list(row.values())[:2])} {_shown(n)}" for row, n in outside)
        return answer(FAILS, f"{said}; outside: {names}, by {short(off)}.", off=off, number=span)
    if case.record.get("tight", False):
        if not (least.meets(low) and most.meets(high)):
            off = max(least.apart(low), most.apart(high))
            return answer(FAILS, f"{said}; the ends are off by {short(off)}.", off=off, number=span)
        same = least.value == low.value and most.value == high.value
        return answer(
            "reproduced" if same else "consistent", f"{said}; {AS_PRINTED if same else ROUNDING}.", number=span
        )
    assert low.value is not None
    assert high.value is not None
    plain = all(n.value is not None and low.value - reach <= n.value <= high.value + reach for _, n in found)
    return answer("reproduced" if plain else "consistent", f"{said}; {AS_PRINTED if plain else ROUNDING}.", number=span)


def other_population(case: Case) -> str | None:
    """For quotients: the least change of each whole that would bring its number into the range."""
    low, high = ends(case)
    asked = []
    for rows, inputs in every_group(case):
        if not {"part", "whole"} <= set(inputs):
            return None
        part, whole = (total(c.interval for c in inputs[role]) for role in ("part", "whole"))
        number = part.over(whole)
        if number.low > high.high:
            needed, side = part.low / high.high, "at least"
        elif number.high < low.low:
            needed, side = part.high / low.low, "at most"
        else:
            continue
        place = inputs["whole"][0].places[0]
        name = " / ".join(list(rows[0].values())[:2]) if rows else ""
        asked.append(
            f"{name}: {side} {short(needed)} instead of {_shown(whole)} ({place.file}: {place.row}: {place.column})"
        )
    return "; ".join(asked) or None


def _value(found: list[tuple[Row, Interval]], *, highest: bool) -> Fraction | None:
    values = [n.value for _, n in found if n.value is not None]
    return None if not values else max(values) if highest else min(values)


def _shown(number: Interval) -> str:
    return short(number.value if number.value is not None else number.low)


KINDS = (
    Kind(
        "range",
        "every number lies between the two ends",
        optional=("parts", "part", "whole"),
        target=False,
        whole=True,
        judge=within,
        departures={"other_population": other_population},
    ),
)
