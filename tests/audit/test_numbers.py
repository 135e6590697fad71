"""Printed texts as intervals."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.audit.numbers import CUT_OFF, ROUNDED, Interval, exactly, parse, rounded, short, total, written
from analytics.errors import UnknownValue


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("59.5", "59.5", 1),
        ("59.50", "59.5", 2),
        ("91.67%", "91.67", 2),
        ("−14", "-14", 0),
        ("+0.38", "0.38", 2),
        ("1,234,567", "1234567", 0),
        ("±1.5", "1.5", 1),
        (".5", "0.5", 1),
        ("0", "0", 0),
        ("p = 0.045", "0.045", 3),
        ("κ = 0.92", "0.92", 2),
        ("2.5e-4", "0.00025", 1),
    ],
)
def test_parse_reads_what_papers_print(text, value, decimals):
    printed = parse(text)
    assert printed.value == Fraction(value)
    assert printed.decimals == decimals
    assert printed.bound == ""


@pytest.mark.parametrize("text", ["<1e-4", "p < 10^-4", "p < 10−4".replace("10−4", "10^−4"), "< 10⁻⁴", "p<0.0001"])
def test_bounds(text):
    printed = parse(text)
    assert (printed.bound, printed.value) == ("<", Fraction(1, 10_000))
    assert printed.prints(Fraction(99, 1_000_000), exact=False, reading=ROUNDED)
    assert not printed.prints(Fraction(1, 10_000), exact=False, reading=ROUNDED)
    assert printed.interval(exact=False, reading=ROUNDED) == Interval(Fraction(0), Fraction(1, 10_000), None)


@pytest.mark.parametrize("text", ["", "n/a", "12-14", "3 of 5", "--", "1.2.3", "%"])
def test_what_is_no_number_is_refused_with_its_text(text):
    with pytest.raises(UnknownValue, match="is not one printed number"):
        parse(text)


def test_trailing_zeros_narrow_the_interval():
    one, two = (parse(t).interval(exact=False, reading=ROUNDED) for t in ("59.5", "59.50"))
    assert (one.low, one.high) == (Fraction("59.45"), Fraction("59.55"))
    assert (two.low, two.high) == (Fraction("59.495"), Fraction("59.505"))


def test_counts_are_exact_and_percentages_without_decimals_are_not():
    assert parse("47").interval(exact=True, reading=ROUNDED).exact
    assert parse("47").interval(exact=False, reading=ROUNDED).low == Fraction("46.5")


def test_exact_halves_print_both_ways():
    """59.45 prints as 59.5 half up and as 59.4 half to even; 59.55 as 59.6 either way."""
    assert parse("59.5").prints(Fraction("59.45"), exact=False, reading=ROUNDED)
    assert parse("59.4").prints(Fraction("59.45"), exact=False, reading=ROUNDED)
    assert parse("59.6").prints(Fraction("59.55"), exact=False, reading=ROUNDED)
    assert not parse("59.5").prints(Fraction("59.55"), exact=False, reading=ROUNDED)
    assert parse("-0.3").prints(Fraction("-0.25"), exact=False, reading=ROUNDED)  # half up is away from 0
    assert parse("-0.2").prints(Fraction("-0.25"), exact=False, reading=ROUNDED)


def test_cut_off_goes_towards_zero():
    low, high = (parse(t).interval(exact=False, reading=CUT_OFF) for t in ("-1.4", "59.5"))
    assert (low.high, high.low) == (Fraction("-1.4"), Fraction("59.5"))
    assert Fraction("-1.4999") > low.low > Fraction("-1.5")
    assert parse("59.5").prints(Fraction("59.5999"), exact=False, reading=CUT_OFF)
    assert not parse("59.6").prints(Fraction("59.5999"), exact=False, reading=CUT_OFF)
    zero = parse("0.0").interval(exact=False, reading=CUT_OFF)
    assert zero.low < Fraction("-0.09") < Fraction("0.09") < zero.high


@given(st.decimals(-1000, 1000, places=5), st.integers(0, 4))
def test_rounding_agrees_with_decimal(value, places):
    step = Fraction(1, 10**places)
    for rule in (ROUND_HALF_UP, ROUND_HALF_EVEN):
        expected = Decimal(value).quantize(Decimal(1).scaleb(-places), rounding=rule)
        assert rounded(Fraction(value), step, rule) == Fraction(expected)


@given(st.fractions(-100, 100), st.integers(0, 3))
def test_a_value_lies_in_the_interval_of_what_it_prints_as(value, places):
    step = Fraction(1, 10**places)
    at = rounded(value, step, ROUND_HALF_EVEN)
    printed = parse(f"{float(at):.{places}f}")
    assert printed.prints(value, exact=False, reading=ROUNDED)
    span = printed.interval(exact=False, reading=ROUNDED)
    assert span.low <= value <= span.high


def numbers():
    return st.tuples(st.fractions(-9, 9), st.fractions(0, 1)).map(lambda p: Interval(p[0], p[0] + p[1], p[0]))


@given(numbers(), numbers(), st.fractions(0, 1), st.fractions(0, 1))
def test_interval_arithmetic_holds_every_result(a, b, s, t):
    x, y = a.low + s * (a.high - a.low), b.low + t * (b.high - b.low)
    for found, result in ((a + b, x + y), (a - b, x - y), (a.product(b), x * y), (a.times(Fraction(-2)), -2 * x)):
        assert found.low <= result <= found.high
    if b.low > 0 or b.high < 0:
        found = a.over(b)
        assert found.low <= x / y <= found.high
    else:
        with pytest.raises(ZeroDivisionError):
            a.over(b)
    assert (a.apart(b) == 0) == a.meets(b)


def test_totals_and_words():
    assert total([]) == exactly(0)
    assert total([exactly(0.1), exactly(0.2)]).value == Fraction("0.3")
    assert short(Fraction(2, 3)) == "0.666667"
    assert short(Fraction(12)) == "12"
    assert written(Fraction("59.55"), Fraction(1, 10)) == "59.6"
    assert written(Fraction(25), Fraction(1)) == "25"
