"""Printed figures and exact arithmetic: which values round to a printed figure."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "reconstructed"
PUBLISHED = ROOT.parent / "published"
PLANS = ROOT / "plans"


def table(name: str) -> list[dict[str, str]]:
    """Read one table of printed figures, every cell as its printed text."""
    with (PUBLISHED / f"{name}.csv").open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def decimals(printed: str) -> int:
    """Return how many decimals a printed figure carries."""
    return len(printed.partition(".")[2])


def window(printed: str) -> tuple[Fraction, Fraction]:
    """Return the open interval of values that round to a printed figure.

    The ends are left out: there half-up and half-even disagree, and a value on an end would depend on a rounding
    rule that no document names.
    """
    half = Fraction(1, 2 * 10 ** decimals(printed))
    value = Fraction(printed)
    return value - half, value + half


def matches(value: Fraction, printed: str) -> bool:
    """Tell whether an exact value rounds to the printed figure half up and half to even alike.

    A value on the lower end of the window does so when the last digit printed is even (12 of 32 is 37.5, prints 38).
    """
    low, high = window(printed)
    return low < value < high or (value == low and printed[-1] in "02468")


def count_of(printed: str, n: int) -> int:
    """Return the one integer k for which 100 k / n rounds to the printed percentage.

    Raises
    ------
    ValueError
        When there is none, or more than one.
    """
    found = [k for k in range(n + 1) if matches(percent(k, n), printed)]
    if len(found) != 1:
        raise ValueError(f"{printed} % of {n} is met by {found}")
    return found[0]


def integers(low: Fraction, high: Fraction, *, step: int) -> list[int]:
    """Return the multiples of ``step`` strictly between two bounds."""
    first = (low // step + 1) * step
    return [value for value in range(int(first), int(high) + step, step) if low < value < high]


def percent(part: int | Fraction, whole: int | Fraction) -> Fraction:
    """Return 100 part / whole, exactly."""
    return Fraction(part) * 100 / Fraction(whole)


def measures(name: str) -> dict[str, str]:
    """Return the printed figures of a table that has one measure per row, by measure."""
    return {row["measure"]: row["value"] for row in table(name)}
