"""One row of a VLMEvalKit table as item, response and verdicts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_uppercase

from loaders.vlm_tables import Row

VERDICTS = ("hit", "score", "answer-correct", "correct", "match", "eval-gpt")
"""Columns that hold the verdict on the answer, the first found is the credit."""

RANDOM = "randomly generate"
API_FAILED = "Failed to obtain answer via API"
NO_MATCH = "Failed in Prefetch"
RETRIES = "retries failed"
OTHER = "Other Answers"
"""Option B of an open question that was turned into a choice between its answer and this text."""

TRUTH = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}
LEADING = re.compile(r"\W*([A-Z])(?=\W|$)")
STATED = re.compile(r"\b(?:answer|option|choice)\s*(?:is|:)?\s*:?\s*[(*\[]*([A-Z])(?=[\s.):,*\]]|$)")
YES_NO = {"yes": "Yes", "no": "No"}


def number(text: str | None) -> float | None:
    """Return a cell as a number: digits or a truth value; None when it is neither."""
    if text is None:
        return None
    word = text.strip().lower()
    if word in TRUTH:
        return TRUTH[word]
    try:
        value = float(word)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def whole(text: str) -> str:
    """Return an index as text, '3.0' as '3': pandas writes numbers beside empty cells as floats."""
    return re.sub(r"^(\d+)\.0$", r"\1", text.strip())


def options_of(row: Row) -> list[str] | None:
    """Return the options from A to the last that is not empty; an empty one between stays as empty text."""
    letters = [letter for letter in ascii_uppercase if row.get(letter) is not None]
    if not letters:
        return None
    texts = [row.get(letter) or "" for letter in ascii_uppercase[: ascii_uppercase.index(letters[-1]) + 1]]
    if all(re.fullmatch(r"-?\d+\.0", text) for text in texts if text):
        texts = [text.removesuffix(".0") for text in texts]
    return texts


@dataclass(frozen=True, slots=True)
class Asked:
    """How an item is answered: its options, its reference, and whether an open question was turned into a choice."""

    kind: str
    options: list[str] | None
    reference: str | None
    turned: bool

    def allows(self, letter: str) -> bool:
        """Whether the letter names an option, the empty ones included."""
        return self.options is not None and ascii_uppercase.index(letter) < len(self.options)

    @property
    def chance(self) -> float | None:
        """Credit that guessing earns."""
        if self.kind != "single_choice":
            return None
        return 1 / len(self.options) if self.options else 0.5


def asked(row: Row) -> Asked:
    """Return how the item of a row is answered."""
    options, answer = options_of(row), (row.get("answer") or "").strip()
    if options is not None and len(options) == 2 and options[1] == OTHER:
        return Asked("open", None, answer if len(answer) > 1 else options[0], turned=True)
    if options is not None:
        letters = re.fullmatch(r"[A-Z](?:[\s,]*[A-Z])*", answer)
        if letters is None:  # an option's text in place of its letter, or a text of its own
            known = not answer or answer.lower() in (text.strip().lower() for text in options)
            return Asked("single_choice" if known else "open", options, answer or None, turned=False)
        chosen = sorted(set(re.findall(r"[A-Z]", answer)))
        kind = "single_choice" if len(chosen) == 1 else "multiple_choice"
        return Asked(kind, options, ",".join(chosen), turned=False)
    if answer.lower() in YES_NO:
        return Asked("single_choice", None, YES_NO[answer.lower()], turned=False)
    return Asked("open", None, answer or None, turned=False)


def answer_of(row: Row, item: Asked) -> tuple[str | None, bool]:
    """Return the answer that the prediction states, and whether one was looked for in vain.

    The letter is the first of the prediction, of an option that exists. A capital that begins a sentence ('A dog is',
    'I cannot see') is no letter: refusals would otherwise vote.
    """
    if item.kind == "open":
        return row.get("extracted") or row.get("res"), False
    if item.options is None:
        word = (row.get("extracted") or row.get("prediction") or "").strip().strip(".").lower()
        return YES_NO.get(word), word == "unknown"
    text = (row.get("prediction") or "").strip()
    if item.kind == "multiple_choice":
        letters = re.fullmatch(r"[\W]*([A-Z](?:[\s,'\"]*[A-Z])*)\W*", text)
        return (",".join(sorted(set(re.findall(r"[A-Z]", text)))) if letters else None), False
    for found in (LEADING.match(text), STATED.search(text)):
        if found is not None and item.allows(found.group(1)) and not _sentence(text, found, item):
            return found.group(1), False
    return None, False


def _sentence(text: str, found: re.Match[str], item: Asked) -> bool:
    """Whether the letter is the word 'A' or 'I' at the head of a sentence rather than an option."""
    letter, rest = found.group(1), text[found.end(1) :]
    if letter not in "AI" or not re.match(r"(?:\s+|')[a-z]", rest):
        return False
    option = (item.options or [])[ascii_uppercase.index(letter)]
    return not (option and rest.strip().lower().startswith(option.strip().lower()))


def status_of(row: Row, credit: float | None, *, unparsed: bool) -> tuple[str, str | None]:
    """Return what became of the attempt, from the origin's own words."""
    log, prediction = row.get("log") or "", row.get("prediction")
    if RANDOM in log:
        return "guessed", "the answer was generated at random"
    if prediction is not None and API_FAILED in prediction:
        return "error", API_FAILED
    if API_FAILED in log or RETRIES in log:
        return "judge_failed", log.strip()[:200]
    if unparsed or (NO_MATCH in log and "Rolling" not in log):
        return "invalid_format", "no answer was found in the prediction"
    if prediction is None and not credit:
        return "invalid_format", "the prediction is empty"
    return "ok", None
