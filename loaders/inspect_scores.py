"""Scores of Inspect scorers: values into credits, scorers into judges.

`C` correct 1, `I` incorrect 0, `P` partial 0.5, `N` no answer 0, as in Inspect's `value_to_float`; NaN is a scorer
that could not score. A scorer that gave any number above 1 or below 0 in a run is on a scale of its own: its numbers
stay verdicts and none becomes a credit (on a scale of 1 to 5 the worst grade would otherwise be full credit).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

WORDS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
TRUTH = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
NO_ANSWER = "N"
GRADER_WORDS = ("model_graded", "judge", "llm", "grader")


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a scorer: its number, its word, and whether the scorer failed to give one."""

    number: float | None
    label: str | None
    failed: bool = False


def value_of(value: object) -> Value:
    """Return a scalar score as a number, a word, or a failure (NaN or nothing)."""
    if isinstance(value, bool):
        return Value(float(value), str(value).lower())
    if isinstance(value, (int, float)):
        try:
            number = float(value)
        except OverflowError:  # a whole number of hundreds of digits: infinite, as 1e400 is
            number = math.inf if value > 0 else -math.inf
        return Value(None, None, failed=True) if math.isnan(number) else Value(number, None)
    if isinstance(value, str):
        return _word(value.strip())
    return Value(None, None if value is None else json.dumps(value, ensure_ascii=False), failed=value is None)


def _word(word: str) -> Value:
    """Return a score in words: one of Inspect's letters, a truth value, a number in text, or a word of its own."""
    if word in WORDS or word.lower() in TRUTH:
        return Value(WORDS.get(word, TRUTH.get(word.lower())), word)
    try:
        number = float(word)
    except ValueError:
        return Value(None, word)
    return Value(None, word, failed=True) if math.isnan(number) else Value(number, word)


def values_of(score: object) -> dict[str, Value]:
    """Return one scorer's values by criterion; a single value is the criterion 'answer'."""
    value = score.get("value") if isinstance(score, dict) else score
    if isinstance(value, dict):
        return {str(key): value_of(each) for key, each in value.items()}
    if isinstance(value, list):
        return {str(place): value_of(each) for place, each in enumerate(value, start=1)}
    return {"answer": value_of(value)}


@dataclass(frozen=True, slots=True)
class Scale:
    """What a run's scorers turned out to be: `primary` gives the credit, `off` are on scales of their own."""

    primary: str | None
    off: frozenset[tuple[str, str]]
    several: bool


def scale_of(named: Iterable[str], scored: Iterable[Mapping[str, Any] | None]) -> Scale:
    """Return the scale of a run from all its scores.

    The primary scorer is the first, in the order that the log names them, that gives one value per sample.
    `several`: scorers exist, but each gives several values, so that no single credit is stated.
    """
    off: set[tuple[str, str]] = set()
    order = dict.fromkeys(named)
    single: dict[str, bool] = {}
    for scores in scored:
        for scorer, score in (scores or {}).items():
            order.setdefault(scorer)
            values = values_of(score)
            single[scorer] = single.get(scorer, True) and set(values) == {"answer"}
            for criterion, value in values.items():
                if value.number is not None and not 0 <= value.number <= 1:
                    off.add((scorer, criterion))
    primary = next((scorer for scorer in order if single.get(scorer)), None)
    return Scale(primary, frozenset(off), several=bool(single) and primary is None)


@dataclass(frozen=True, slots=True)
class Judge:
    """A scorer as judge; `kind` is model when a model grades."""

    judge_id: str
    kind: str
    grader: str | None


def judge_of(scorer: str, spec: Mapping[str, Any]) -> Judge:
    """Return the judge that a scorer is, from what the run's record says of it.

    A model-graded scorer without a model of its own is graded by the run's own model: Inspect's default.
    """
    entries = spec.get("scorers") if isinstance(spec.get("scorers"), list) else []
    options = next((e.get("options") for e in entries or () if isinstance(e, dict) and e.get("name") == scorer), None)
    options = options if isinstance(options, dict) else {}
    roles = spec.get("model_roles") if isinstance(spec.get("model_roles"), dict) else {}
    role = (roles or {}).get(str(options.get("model_role", "grader")))
    role_model = role.get("model") if isinstance(role, dict) else role
    given = options.get("model")
    given = ", ".join(str(m) for m in given) if isinstance(given, list) else given
    graded = given is not None or any(word in scorer.lower() for word in GRADER_WORDS)
    if not graded:
        return Judge(scorer, "program", None)
    grader = str(given or role_model or spec.get("model") or "unknown model")
    return Judge(f"{scorer} by {grader}", "model", grader)
