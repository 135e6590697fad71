"""Printed numbers as intervals: which values print so, and whether a value prints as a given text.

Rounding half up and half to even agree on everything but ties, and a closed interval holds both ends; digits that
were cut off instead of rounded are another reading of the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache

from analytics.errors import UnknownValue

ROUNDED = "rounded"
CUT_OFF = "cut off"
READINGS = (ROUNDED, CUT_OFF)

_SUPERSCRIPT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_POWER = re.compile(r"(?:(?P<factor>\d+(?:\.\d+)?)\s*[×x*]\s*)?10\s*\^?\s*\{?(?P<power>-\d+)\}?")
_NUMERAL = re.compile(r"(?P<sign>[+-]?)(?P<whole>\d+(?:,\d{3})*|)(?:\.(?P<digits>\d+))?(?:[eE](?P<power>[+-]?\d+))?")
_NOISE = re.compile(r"^(?:p|κ|ρ|r|n|k)\s*(?==|<|>|≤|≥)")
_ONE_ULP = Fraction(1, 10**18)


@dataclass(frozen=True, slots=True)
class Interval:
    """Closed interval of exact numbers; `value` is the number itself where one is known (None for a bound)."""

    low: Fraction
    high: Fraction
    value: Fraction | None

    @property
    def exact(self) -> bool:
        """Whether only one number is possible."""
        return self.low == self.high

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high, _both(self.value, other.value, 1))

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low, _both(self.value, other.value, -1))

    def times(self, factor: Fraction) -> Interval:
        """Return the interval of every number times an exact factor."""
        ends = (self.low * factor, self.high * factor)
        return Interval(min(ends), max(ends), None if self.value is None else self.value * factor)

    def product(self, other: Interval) -> Interval:
        """Return the interval of every product."""
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        value = None if self.value is None or other.value is None else self.value * other.value
        return Interval(min(corners), max(corners), value)

    def over(self, other: Interval) -> Interval:
        """Return the interval of every quotient; raises ZeroDivisionError where the divisor may be 0."""
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError("the divisor may be 0")
        value = None if self.value is None or other.value is None else self.value / other.value
        corners = [a / b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(corners), max(corners), value)

    def meets(self, other: Interval) -> bool:
        """Whether some number lies in both."""
        return self.low <= other.high and other.low <= self.high

    def apart(self, other: Interval) -> Fraction:
        """Return the distance to `other`; 0 where they meet."""
        return max(other.low - self.high, self.low - other.high, Fraction(0))


def _both(left: Fraction | None, right: Fraction | None, sign: int) -> Fraction | None:
    return None if left is None or right is None else left + sign * right


def exactly(number: Fraction | int | str | float) -> Interval:
    """Return the interval of one exact number; a float means the decimal that it prints as."""
    value = Fraction(str(number)) if isinstance(number, float) else Fraction(number)
    return Interval(value, value, value)


def total(parts: Iterable[Interval]) -> Interval:
    """Return the interval of the sum; 0 for no parts."""
    found = exactly(0)
    for part in parts:
        found = found + part
    return found


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as printed: its value, the place of its last digit, and whether it is a bound ('<1e-4')."""

    text: str
    value: Fraction
    decimals: int
    step: Fraction
    bound: str = ""

    def interval(self, *, exact: bool, reading: str) -> Interval:
        """Return the numbers that print so: rounded either way, or with the digits after the last one cut off."""
        if self.bound == "<":
            return Interval(Fraction(0), self.value, None)
        if self.bound == ">":
            return Interval(self.value, max(self.value * 10**6, self.value), None)
        if exact:
            return Interval(self.value, self.value, self.value)
        if reading == CUT_OFF:
            reach = self.step - self.step * _ONE_ULP
            low = self.value - (reach if self.value <= 0 else 0)  # a zero is reached from both sides
            high = self.value + (reach if self.value >= 0 else 0)
            return Interval(low, high, self.value)
        half = self.step / 2
        return Interval(self.value - half, self.value + half, self.value)

    def prints(self, value: Fraction, *, exact: bool, reading: str) -> bool:
        """Whether `value` prints as this text: rounded half up or half to even, or cut off."""
        if self.bound == "<":
            return value < self.value
        if self.bound == ">":
            return value > self.value
        if exact:
            return value == self.value
        if reading == CUT_OFF:
            return cut(value, self.step) == self.value
        return any(rounded(value, self.step, rule) == self.value for rule in (ROUND_HALF_UP, ROUND_HALF_EVEN))


def rounded(value: Fraction, step: Fraction, rule: str) -> Fraction:
    """Return `value` at the place `step` (1/10 is one decimal), ties by a rounding rule of `decimal`."""
    scaled = value / step
    # exact: twice the remainder decides, so no digits of an endless decimal are needed
    whole, rest = divmod(scaled.numerator, scaled.denominator)
    half = 5 if 2 * rest == scaled.denominator else 1 if 2 * rest < scaled.denominator else 9
    near = Decimal(whole) if rest == 0 else Decimal(whole) + Decimal(half) / 10
    return Fraction(int(near.quantize(Decimal(1), rounding=rule))) * step


@lru_cache(maxsize=65_536)
def parse(text: str) -> Printed:
    """Read a printed number: '59.50', '-14', '1,234', '91.67%', '±1.5', '<1e-4', 'p < 10^-4'.

    Raises UnknownValue where the text holds no number, or more than one.
    """
    plain = text.strip().translate(_SUPERSCRIPT).replace("−", "-").replace("–", "-").replace("%", "").strip()
    plain = _NOISE.sub("", plain).lstrip("= ±~≈").strip()
    bound = ""
    if plain[:1] in "<>≤≥" and plain:
        bound = {"≤": "<", "≥": ">"}.get(plain[0], plain[0])
        plain = plain[1:].lstrip("= ").strip()
    power = _POWER.fullmatch(plain)
    if power:
        value = Fraction(power["factor"] or 1) * Fraction(10) ** int(power["power"])
        return Printed(text, value, 0, value, bound)
    match = _NUMERAL.fullmatch(plain)
    if match is None or not (match["whole"] or match["digits"]):
        raise UnknownValue(f"'{text}' is not one printed number such as 59.50, -14, 91.67% or <1e-4.")
    digits = match["digits"] or ""
    scale = Fraction(10) ** int(match["power"] or 0)
    value = Fraction(f"{match['sign']}{(match['whole'] or '0').replace(',', '')}.{digits or '0'}") * scale
    return Printed(text, value, len(digits), scale / 10 ** len(digits), bound)


def is_number(text: str) -> bool:
    """Whether `parse` can read the text."""
    try:
        parse(text)
    except UnknownValue:
        return False
    return True


def written(value: Fraction, step: Fraction) -> str:
    """Return `value` as text at the place `step`, half up; for reasons, never for a calculation."""
    places = 0
    while step * 10**places < 1 and places < 12:
        places += 1
    at = rounded(value, Fraction(1, 10**places), ROUND_HALF_UP)
    return f"{Decimal(at.numerator) / Decimal(at.denominator):.{places}f}"


def cut(value: Fraction, step: Fraction) -> Fraction:
    """Return `value` with everything below `step` cut off, towards 0."""
    sign = -1 if value < 0 else 1
    return sign * rounded(abs(value), step, ROUND_DOWN)


def short(value: Fraction) -> str:
    """Return a value in at most six significant digits, for reasons."""
    if value.denominator == 1 and abs(value) < 10**9:
        return str(value.numerator)
    return f"{float(value):.6g}"
