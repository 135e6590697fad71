"""Intervals of proportions from counts: Wilson, Clopper-Pearson; and whether two Wilson intervals overlap."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from analytics.audit.cells import as_list
from analytics.audit.kind import FAILS, Case, Kind, Verdict, every_group, same_rows, settle
from analytics.audit.kinds.grim import whole_counts
from analytics.audit.numbers import Interval, exactly, short
from analytics.errors import UnknownValue
from analytics.numeric.arrays import normal_quantile
from analytics.numeric.intervals import clopper_pearson, wilson

Method = Callable[..., tuple[Any, Any]]


def end_of(method: Method, k: int, n: int, *, level: float, end: str) -> Fraction:
    """Return one end in percent."""
    low, high = method(k, n, level=level)
    return Fraction(100 * float(high if end == "high" else low))


def _checked(case: Case, method: Method) -> Verdict:
    end = str(case.record["inputs"].get("end", ""))
    if end not in ("low", "high"):
        raise UnknownValue("An interval check needs end = 'low' or 'high'.")
    k, n = case.count("k"), case.count("n")
    if n == 0:
        return Verdict("not_checkable", "missing: cases, since an interval of 0 cases is undefined.")
    if k > n:
        return Verdict(FAILS, f"k is {k} of n {n}: a part cannot be more than the whole.")
    found = end_of(method, k, n, level=float(case.exact("level")), end=end)
    return settle(exactly(found * case.whole() / 100), case, note=f"{k} of {n}.")


def wilson_end(case: Case) -> Verdict:
    """Compare with one end of the Wilson interval."""
    return _checked(case, wilson)


def exact_end(case: Case) -> Verdict:
    """Compare with one end of the Clopper-Pearson interval."""
    return _checked(case, clopper_pearson)


def score_end(share: float, n: int, *, level: float, end: str) -> Fraction:
    """Return the end in percent of the Wilson interval around a share that need not be a whole count of n."""
    z = normal_quantile((1 - level) / 2)
    reach = z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    middle = share + z * z / (2 * n)
    return Fraction(100 * (middle + (reach if end == "high" else -reach)) / (1 + z * z / n))


def rounded_inputs(case: Case) -> str | None:
    """The end that the printed, rounded percentage would have instead of the count behind it."""
    if "p" not in case.inputs:
        return None
    (p,) = case.inputs["p"]
    end, level, n = str(case.record["inputs"]["end"]), float(case.exact("level")), case.count("n")
    assert p.interval.value is not None
    found = score_end(float(p.interval.value / case.whole()), n, level=level, end=end) * case.whole() / 100
    if settle(exactly(found), case).status == FAILS:
        return None
    return f"{p.text} of {n} taken as it is printed gives {short(found)}"


def disjoint(case: Case) -> Verdict:
    """Count the groups whose Wilson intervals of the first and second percentage do not overlap."""
    sure, possible, named = 0, 0, []
    found = every_group(case)
    for rows, inputs in found:
        level = float(inputs["level"][0].interval.low)
        n = inputs["n"][0].interval.low
        ends = []
        for side in ("first", "second"):
            span = whole_counts(inputs[side][0].interval, n)
            if not len(span):
                return Verdict(FAILS, f"no whole count of {short(n)} prints as {inputs[side][0].text}.")
            ends.append([[end_of(wilson, k, int(n), level=level, end=e) for e in ("low", "high")] for k in span])
        apart = [a[1] < b[0] or b[1] < a[0] for a in ends[0] for b in ends[1]]
        sure, possible = sure + all(apart), possible + any(apart)
        if any(apart) and rows:
            named.append(rows[0])
    expected = case.record.get("expect")
    shown = ", ".join(_name(row, case) for row in named) or "none"
    if expected is not None and not all(same_rows(row, expected) for row in named):
        return Verdict(FAILS, f"intervals that do not overlap: {shown}.", Fraction(possible))
    number = Interval(Fraction(sure), Fraction(possible), Fraction(sure) if sure == possible else None)
    return settle(number, case, note=f"Do not overlap: {shown}; of {len(found)}.")


def _name(row: Any, case: Case) -> str:  # noqa: ANN401 - a row of texts
    columns = [c for c in as_list(case.record.get("each", [])) if c in row]
    return " / ".join(row[c] for c in columns) if columns else " / ".join(list(row.values())[:2])


KINDS = (
    Kind(
        "wilson",
        "end of the Wilson interval",
        roles=("k", "n", "level"),
        optional=("p",),
        options=("end",),
        judge=wilson_end,
        departures={"rounded_inputs": rounded_inputs},
    ),
    Kind(
        "clopper_pearson",
        "end of the exact interval",
        roles=("k", "n", "level"),
        options=("end",),
        judge=exact_end,
    ),
    Kind(
        "disjoint_intervals",
        "Wilson intervals that do not overlap",
        roles=("first", "second", "n", "level"),
        whole=True,
        judge=disjoint,
    ),
)
