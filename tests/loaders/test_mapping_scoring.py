"""Rules that score answers: what is right, what is wrong, and what cannot be read."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders.mapping_scoring import exact_letter, exact_text, letters, number, numeric

BIRDS = ("heron", "duck", "coot")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("B", "B"), ("b", "B"), (" (b) ", "B"), ("B.", "B"), ("B)", "B"), ("**B**", "B"), ("[C]", "C"), ("`A`", "A"),
        ("B. duck", "B"), ("duck", "B"), ("Duck ", "B"), ("A, C", "A,C"), ("c/a", "A,C"), ("(A, B)", "A,B"),
        # The letter of one option with the text of another says two things.
        ("A. duck", None),
        ("As an AI I cannot tell", None), ("AB", None), ("I", None), ("", None), ("A bird", None), ("D", None),
        ("The answer is B", None), ("A or B", None),
    ],
)  # fmt: skip
def test_letters(text, found):
    assert letters(text, BIRDS) == found


def test_letters_without_known_options_are_letters_alone():
    assert letters("D", None) == "D"
    assert letters("duck", None) is None
    assert letters("B. duck", None) is None


def test_two_options_of_one_text_name_no_letter():
    assert letters("duck", ("duck", "duck")) is None


def test_exact_letter_tells_wrong_from_unreadable():
    assert (exact_letter("(a)", "A", BIRDS).credit, exact_letter("(a)", "A", BIRDS).invalid) == (1.0, False)
    assert (exact_letter("C", "A", BIRDS).credit, exact_letter("C", "A", BIRDS).invalid) == (0.0, False)
    unread = exact_letter("As an AI", "A", BIRDS)
    assert (unread.answer, unread.credit, unread.invalid) == (None, 0.0, True)
    assert exact_letter("A", "not an option", BIRDS).credit is None
    assert exact_letter("A", None, BIRDS).credit is None
    assert exact_letter("C,A", "A, C", BIRDS).credit == 1.0
    assert exact_letter("A", "A,C", BIRDS).credit == 0.0


def test_exact_text_folds_blanks_and_forms_and_nothing_else():
    assert exact_text("  a  dog\n", "a dog", ignore_case=False).credit == 1.0
    assert exact_text(
        "cafe\N{COMBINING ACUTE ACCENT}", "caf\N{LATIN SMALL LETTER E WITH ACUTE}", ignore_case=False
    ).credit
    assert exact_text("A dog", "a dog", ignore_case=False).credit == 0.0
    assert exact_text("A dog", "a dog", ignore_case=True).credit == 1.0
    assert exact_text("a dog.", "a dog", ignore_case=True).credit == 0.0


@pytest.mark.parametrize(
    ("answer", "reference", "relative", "credit", "invalid"),
    [
        ("1.1", "1.0", False, 1.0, False),  # 1.1 - 1.0 is more than 0.1 in binary arithmetic
        ("1.11", "1.0", False, 0.0, False),
        ("-1", "\N{MINUS SIGN}1", False, 1.0, False),
        ("1,234", "1234", False, 1.0, False),
        ("12,34", "1234", False, 0.0, True),
        (".5", "0.5", False, 1.0, False),
        ("1e3", "1000", False, 1.0, False),
        ("109", "100", True, 1.0, False),
        ("111", "100", True, 0.0, False),
        ("5%", "5", False, 0.0, True),
        ("5%", "5 %", False, 1.0, False),
        ("about 5", "5", False, 0.0, True),
        ("nan", "5", False, 0.0, True),
        ("5", "five", False, None, False),
    ],
)
def test_numbers(answer, reference, relative, credit, invalid):
    found = numeric(answer, reference, tolerance=Decimal("0.1"), relative=relative)
    assert (found.credit, found.invalid) == (credit, invalid)


@given(st.decimals(-(10**9), 10**9, places=4))
def test_a_number_is_within_no_tolerance_of_itself(value):
    assert number(str(value)) == (value, False)
    assert numeric(str(value), str(value), tolerance=Decimal(0), relative=False).credit == 1.0


@given(st.text(max_size=12), st.sampled_from([None, BIRDS]))
def test_letters_are_options_or_nothing(text, options):
    found = letters(text, options)
    assert found is None or all(
        letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(options) if options else 26] for letter in found.split(",")
    )
