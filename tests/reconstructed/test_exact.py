"""Printed figures as windows: against the decimal module's own rounding, and by hand."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logs.generate.exact import count_of, integers, matches, window


def _rounded(value: Fraction, digits: int, mode: str) -> str:
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return str(exact.quantize(Decimal(1).scaleb(-digits), rounding=mode))


@given(st.integers(0, 4000), st.sampled_from([1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 80, 200]), st.integers(0, 2))
def test_matches_is_rounding_under_both_rules(top, bottom, digits):
    value = Fraction(top, bottom)
    up, even = (_rounded(value, digits, mode) for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN))
    assert matches(value, up) == (up == even)
    assert matches(value, even) == (up == even)
    step = Fraction(1, 10**digits)
    assert not matches(value + 2 * step, up)


@pytest.mark.parametrize(
    ("part", "n", "printed", "fits"),
    [
        (12, 32, "38", True),  # 37.5: both rules give 38
        (13, 40, "32", False),  # 32.5: half up gives 33
        (13, 40, "33", False),  # 32.5: half to even gives 32
        (486, 522, "93.1", True),
        (485, 522, "93.1", False),
    ],
)
def test_windows_by_hand(part, n, printed, fits):
    assert matches(Fraction(100 * part, n), printed) == fits


def test_window_has_the_width_of_a_digit():
    assert window("93.1") == (Fraction("93.05"), Fraction("93.15"))
    assert window("48") == (Fraction("47.5"), Fraction("48.5"))


def test_count_of_is_the_only_count_or_an_error():
    assert count_of("85.14", 74) == 63
    with pytest.raises(ValueError, match="is met by"):
        count_of("50", 1000)
    with pytest.raises(ValueError, match="is met by"):
        count_of("33.0", 2)


@given(st.fractions(-50, 50, max_denominator=30), st.fractions(0, 40, max_denominator=30), st.integers(1, 7))
def test_integers_lie_strictly_between(low, width, step):
    found = integers(low, low + width, step=step)
    assert found == [k for k in range(-60, 100) if low < k < low + width and k % step == 0]
