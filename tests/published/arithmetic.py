"""Each kind of identity in exact interval arithmetic: does any reading of the printed cells satisfy it?"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from statistics import NormalDist

from scipy.stats import binomtest

from tests.published.tables import Cell, decimals, places, row_key, select

Interval = tuple[Fraction, Fraction]


def total(cells: list[Cell]) -> Interval:
    return sum((c.low for c in cells), Fraction(0)), sum((c.high for c in cells), Fraction(0))


def mean(cells: list[Cell]) -> Interval:
    low, high = total(cells)
    return low / len(cells), high / len(cells)


def minus(left: Interval, right: Interval) -> Interval:
    return left[0] - right[1], left[1] - right[0]


def over(part: Interval, whole: Interval) -> Interval:
    corners = [a / b for a, b in itertools.product(part, whole)]
    return min(corners), max(corners)


def meet(result: Interval, cells: list[Cell]) -> bool:
    (target,) = cells
    return result[0] <= target.high and target.low <= result[1]


def one(cells: list[Cell]) -> Fraction:
    (found,) = cells
    assert found.low == found.high, found
    return found.low


def whole_counts(percent: Cell, n: Fraction) -> range:
    """Whole counts out of n that print as this percentage."""
    return range(math.ceil(percent.low * n / 100), math.floor(percent.high * n / 100) + 1)


def weighted(parts: list[Cell], weights: list[Fraction]) -> Interval:
    low = sum(p.low * w for p, w in zip(parts, weights, strict=True)) / sum(weights)
    return low, sum(p.high * w for p, w in zip(parts, weights, strict=True)) / sum(weights)


def wilson(k: Fraction, n: Fraction, level: Fraction, end: str) -> float:
    z = NormalDist().inv_cdf(0.5 + float(level) / 2)
    p, m = float(k / n), float(n)
    middle, reach = p + z * z / (2 * m), z * math.sqrt(p * (1 - p) / m + z * z / (4 * m * m))
    return 100 * (middle + (reach if end == "high" else -reach)) / (1 + z * z / m)


def mixture_weight(target: list[Cell], first: list[Cell], second: list[Cell]) -> Interval:
    """Weights of `first` that satisfy every row: t = w f + (1 - w) s, a pair of linear inequalities in w each."""
    low, high = Fraction(0), Fraction(1)
    for t, f, s in zip(target, first, second, strict=True):
        for slope, floor in ((f.high - s.high, t.low - s.high), (s.low - f.low, s.low - t.high)):
            if slope > 0:
                low = max(low, floor / slope)
            elif slope < 0:
                high = min(high, floor / slope)
            elif floor > 0:
                return Fraction(1), Fraction(0)
    return low, high


def counts_hold(roles: dict[str, list[Cell]], *, complement: bool) -> bool:
    attempts = one(roles["attempts"]) if "attempts" in roles else 1
    spans = [whole_counts(p, n.low * attempts) for p, n in zip(roles["percent"], roles["n"], strict=True)]
    if any(len(span) == 0 for span in spans):
        return False
    low, high = sum(s[0] for s in spans), sum(s[-1] for s in spans)
    if complement:
        everything = sum(n.low for n in roles["n"]) * attempts
        low, high = everything - high, everything - low
    if "total_n" in roles:
        wanted = whole_counts(roles["total"][0], one(roles["total_n"]) * attempts)
        return len(wanted) > 0 and low <= wanted[-1] and wanted[0] <= high
    return low <= one(roles["total"]) <= high


def half_width(roles: dict[str, list[Cell]]) -> Interval:
    n, attempts = one(roles["n"]), one(roles["attempts"])
    z = NormalDist().inv_cdf(0.5 + float(one(roles["level"])) / 2)
    found = []
    for p in (roles["p"][0].low / 100, roles["p"][0].high / 100):
        part = p * attempts - math.floor(p * attempts)
        spreads = (part * (1 - part) / attempts**2, p * (1 - p))
        found += [100 * z * math.sqrt(spread / n) for spread in spreads]
    slack = float(one(roles["slack"]))
    return Fraction(min(found) - slack), Fraction(max(found) + slack)


def difference_of_counts(roles: dict[str, list[Cell]]) -> list[Fraction]:
    sizes = [c.low for c in roles["n"]]
    everything = sum(sizes)
    sides = []
    for side in ("left", "right"):
        spans = [whole_counts(p, n) for p, n in zip(roles[side], sizes, strict=True)]
        if any(len(span) == 0 for span in spans):
            return []
        sides.append(range(sum(s[0] for s in spans), sum(s[-1] for s in spans) + 1))
    return [100 * Fraction(a - b) / everything for a, b in itertools.product(*sides)]


def without_target(kind: str, roles: dict[str, list[Cell]], inputs: dict) -> bool | None:
    if kind == "counts_add_up":
        return counts_hold(roles, complement=inputs.get("complement", False))
    if kind == "descending":
        return all(a.high >= b.low for a, b in itertools.pairwise(roles["parts"]))
    return None


def bounded(kind: str, target: list[Cell], r: dict[str, list[Cell]]) -> bool | None:
    (t,) = target
    if kind == "at_most":
        return t.low <= r["bound"][0].high
    if kind == "at_least":
        return t.high >= r["bound"][0].low
    if kind == "contains":
        return t.high >= 100 * r["part"][0].low / r["whole"][0].high
    if kind == "excludes":
        return t.low <= 100 - 100 * r["part"][0].low / r["whole"][0].high
    return None


def interval_of(kind: str, r: dict[str, list[Cell]]) -> Interval | None:
    percent = Fraction(100)
    match kind:
        case "equals":
            return r["of"][0].low, r["of"][0].high
        case "sum":
            return total(r["parts"])
        case "mean":
            return mean(r["parts"])
        case "difference":
            return minus(total(r["left"]), total(r["right"]))
        case "ratio":
            return over(total(r["part"]), total(r["whole"]))
        case "share" | "proportion":
            names = ("part", "whole") if kind == "share" else ("k", "n")
            low, high = over(total(r[names[0]]), total(r[names[1]]))
            return percent * low, percent * high
        case "relative_change":
            low, high = over(minus(total(r["after"]), total(r["before"])), total(r["before"]))
            return percent * low, percent * high
        case "max_minus_min":
            low = max(c.low for c in r["parts"]) - min(c.high for c in r["parts"])
            return low, max(c.high for c in r["parts"]) - min(c.low for c in r["parts"])
        case "minimum":
            return min(c.low for c in r["parts"]), min(c.high for c in r["parts"])
        case "maximum":
            return max(c.low for c in r["parts"]), max(c.high for c in r["parts"])
        case "leniency":
            return minus(mean(r["own"]), mean(r["others"]))
        case "residual":
            level = minus(mean(r["own_all"]), mean(r["others_all"]))
            return minus(minus(mean(r["own"]), mean(r["others"])), level)
        case "half_width":
            return half_width(r)
        case "mcnemar":
            b, c = int(one(r["b"])), int(one(r["c"]))
            p = Fraction(binomtest(b, b + c, 0.5).pvalue)
            return p, p
    return None


def holds(record: dict, group: list[dict[str, str]], *, stated: Cell | None = None) -> bool | None:
    """Whether some reading of the cells obeys the record; None where the target is not printed.

    A claim has no target cell: the number that it states stands in its place.
    """
    kind, file, inputs = record["kind"], record.get("file", ""), record["inputs"]
    roles = {
        name: select(value, file, group)
        for name, value in inputs.items()
        if not (isinstance(value, bool) or name in ("end", "label"))
    }
    assert all(roles.values()), (record["id"], group, [name for name, cells in roles.items() if not cells])
    if stated is None and "target" not in record:
        return without_target(kind, roles, inputs)
    target = [stated] if stated is not None else select(record["target"], file, group)
    if not target:
        return None
    if kind == "mixture":
        low, high = mixture_weight(target, roles["first"], roles["second"])
        return low <= high
    verdict = bounded(kind, target, roles)
    if verdict is not None:
        return verdict
    if kind == "grim":
        attempts = one(roles["attempts"]) if "attempts" in roles else 1
        return len(whole_counts(target[0], one(roles["n"]) * attempts)) > 0
    if kind == "wilson":
        end = Fraction(wilson(one(roles["k"]), one(roles["n"]), one(roles["level"]), inputs["end"]))
        return meet((end, end), target)
    if kind == "weighted_mean":
        weights = [one([c]) for c in roles["weights"]]
        extra = one(roles["extra"]) if "extra" in roles else Fraction(0)
        tries = [[w + extra * (i == j) for j, w in enumerate(weights)] for i in range(-1, len(weights))]
        return any(meet(weighted(roles["parts"], w), target) for w in tries)
    if kind == "difference" and "n" in roles:
        return any(meet((d, d), target) for d in difference_of_counts(roles))
    if kind == "where_highest":
        cells = zip(roles["parts"], places(inputs["parts"], file, group), strict=True)
        best = max(cells, key=lambda pair: pair[0].low)[1]
        return best[1][inputs["label"]] == target[0].printed
    if kind == "equals" and decimals(roles["of"][0].printed) == decimals(target[0].printed):
        return Fraction(roles["of"][0].printed) == Fraction(target[0].printed)
    result = interval_of(kind, roles)
    assert result is not None, kind
    return meet(result, target)


def label(record: dict, group: list[dict[str, str]]) -> str:
    return f"{record['id']} [{row_key(record['file'], group[0]) if group else ''}]"
