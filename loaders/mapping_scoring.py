"""Named rules that score an answer against a reference; what cannot be parsed is invalid, not wrong.

exact_letter: the answer is an option letter, or the text of an option; several letters need separators between them.
exact_text: the same text, once blanks are folded. numeric_tolerance: numbers apart by no more than the tolerance,
in decimal arithmetic, so that 1.1 and 1.0 are within 0.1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from loaders.mapping_profile import Scoring

_WRAPPED = re.compile(r"[\s*_`\"']*[(\[]?\s*([A-Za-z])\s*[)\].:]?[\s*_`\"']*")
_SEVERAL = re.compile(r"\s*[(\[]?\s*([A-Za-z](?:\s*[,;/|]\s*[A-Za-z])+)\s*[)\]]?\.?\s*")
_LED = re.compile(r"\s*[(\[]?([A-Za-z])[)\].:]\s+(\S.*)", re.DOTALL)
_NUMBER = re.compile(r"([+\-\N{MINUS SIGN}]?)(\d{1,3}(?:,\d{3})+|\d+)?(\.\d+)?([eE][+-]?\d{1,3})?\s*(%?)")


@dataclass(frozen=True, slots=True)
class Scored:
    """What a rule says of one answer: `answer` as parsed, `credit` 0 or 1, or None where the reference is none.

    `invalid` is true where the answer cannot be parsed: it earns 0 and keeps a status of its own.
    """

    answer: str | None
    credit: float | None
    invalid: bool = False


Score = Callable[[str, str | None, Sequence[str] | None], Scored]


def rule_of(scoring: Scoring) -> Score:
    """Return the rule as a function of answer, reference and options."""
    if scoring.rule == "exact_letter":
        return exact_letter
    if scoring.rule == "exact_text":
        return lambda answer, reference, _: exact_text(answer, reference, ignore_case=scoring.ignore_case)
    tolerance = Decimal(scoring.tolerance or "0")
    return lambda answer, reference, _: numeric(answer, reference, tolerance=tolerance, relative=scoring.relative)


def exact_letter(answer: str, reference: str | None, options: Sequence[str] | None) -> Scored:
    """Score an answer that must be the reference's letter, or its whole set of letters."""
    right = None if reference is None else letters(reference, options)
    given = letters(answer, options)
    if given is None:
        return Scored(None, None if right is None else 0.0, invalid=True)
    return Scored(given, None if right is None else float(given == right))


def letters(text: str, options: Sequence[str] | None) -> str | None:
    """Return the option letters that a text is, as 'A' or 'A,C'; None when it is anything else.

    'B', '(b)', 'B.' and '**B**' are letters; 'B. a dog' and 'a dog' are, where option B is 'a dog'. 'As far as I can
    see' and 'AB' are none. With options, a letter beyond them is none.
    """
    single = _WRAPPED.fullmatch(text)
    several = _SEVERAL.fullmatch(text)
    if single is not None:
        found = single.group(1).upper()
    elif several is not None:
        found = ",".join(sorted(set(re.findall("[A-Z]", several.group(1).upper()))))
    else:
        return _by_text(text, options)
    last = chr(ord("A") + len(options) - 1) if options else "Z"
    return found if all(letter <= last for letter in found.split(",")) else None


def _by_text(text: str, options: Sequence[str] | None) -> str | None:
    """Return the letter of the one option whose text an answer repeats, with or without the letter before it."""
    if not options:
        return None
    led = _LED.fullmatch(text)
    wanted = _folded(text).casefold()
    hits = [chr(ord("A") + k) for k, option in enumerate(options) if _folded(option).casefold() == wanted]
    if led is not None and not hits:
        wanted = _folded(led.group(2)).casefold()
        hits = [chr(ord("A") + k) for k, option in enumerate(options) if _folded(option).casefold() == wanted]
        hits = [hit for hit in hits if hit == led.group(1).upper()]
    return hits[0] if len(hits) == 1 else None


def exact_text(answer: str, reference: str | None, *, ignore_case: bool) -> Scored:
    """Score an answer that must be the reference's text; runs of blanks count as one, Unicode forms are the same."""
    given = _folded(answer)
    if reference is None:
        return Scored(given, None)
    right = _folded(reference)
    same = given.casefold() == right.casefold() if ignore_case else given == right
    return Scored(given, float(same))


def numeric(answer: str, reference: str | None, *, tolerance: Decimal, relative: bool) -> Scored:
    """Score a number that may be off by the tolerance, or by that share of the reference.

    A per cent sign is part of the number: '5%' and '5' cannot be compared, so that the answer is invalid.
    """
    right = None if reference is None else number(reference)
    given = number(answer)
    if given is None or (right is not None and given[1] != right[1]):
        return Scored(None, None if right is None else 0.0, invalid=True)
    if right is None:
        return Scored(answer.strip(), None)
    allowed = tolerance * abs(right[0]) if relative else tolerance
    return Scored(answer.strip(), float(abs(given[0] - right[0]) <= allowed))


def number(text: str) -> tuple[Decimal, bool] | None:
    """Return a text's number and whether it is per cent; None when the text is no plain number."""
    found = _NUMBER.fullmatch(text.strip())
    if found is None or (found.group(2) is None and found.group(3) is None):
        return None
    sign, whole, part, power, percent = found.groups()
    minus = "-" if sign in ("-", "\N{MINUS SIGN}") else ""
    try:
        return Decimal(f"{minus}{(whole or '0').replace(',', '')}{part or ''}{power or ''}"), percent == "%"
    except InvalidOperation:
        return None


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
