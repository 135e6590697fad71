"""What a question is, and the one way to ask it: from a page, the command line or a test alike.

Each file of this package with a `QUESTION` is a question. Options that change what a number means have no default in
the function; the question declares their initial values here, and every answer says which were used.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal

import polars as pl

from analytics.errors import UnknownName, UnknownValue, did_you_mean
from analytics.policy import JUDGE_RULES, Policy
from analytics.slices import Slice, check
from analytics.store import Build, Connection, Store, frame

OptionKind = Literal["choice", "number", "integer", "text"]
Unit = Literal["text", "proportion", "points", "count", "number", "p", "rank", "tokens", "seconds", "boolean"]


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a question: what it changes, its initial value, and what it may be."""

    name: str
    kind: OptionKind
    initial: str | float | int
    meaning: str
    allowed: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def read(self, text: str) -> str | float | int:
        """Return the typed value that a text spells; raises UnknownValue with what is allowed."""
        if self.kind == "choice":
            if text not in self.allowed:
                near = did_you_mean(text, self.allowed)
                raise UnknownValue(
                    f"'{text}' is not allowed for {self.name}.{near} Allowed: {', '.join(self.allowed)}."
                )
            return text
        if self.kind == "text":
            return text
        try:
            value: float | int = int(text) if self.kind == "integer" else float(text)
        except ValueError as error:
            raise UnknownValue(f"{self.name} is '{text}'; allowed: {self._span()}.") from error
        if not (self.low is None or value >= self.low) or not (self.high is None or value <= self.high):
            raise UnknownValue(f"{self.name} is {text}; allowed: {self._span()}.")
        return value

    def _span(self) -> str:
        what = "a whole number" if self.kind == "integer" else "a number"
        low = "" if self.low is None else f" from {self.low:g}"
        high = "" if self.high is None else f" to {self.high:g}"
        return what + low + high


@dataclass(frozen=True, slots=True)
class Result:
    """One column of an answer: its unit decides how pages and tables write it."""

    name: str
    unit: Unit
    meaning: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows with what a reader must know beside them. `left_out` maps a reason to a number of items or responses."""

    table: pl.DataFrame
    method: str
    left_out: dict[str, int]
    notes: tuple[str, ...] = ()
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question over a store: `ask` takes cursor, slice, policy and every option by name."""

    name: str
    title: str
    asks: str
    source: str
    needs: str
    options: tuple[Option, ...]
    columns: tuple[Result, ...]
    ask: Callable[..., Answer]

    def option(self, name: str) -> Option:
        """Return one option; raises UnknownName with the nearest spelling."""
        for option in self.options:
            if option.name == name:
                return option
        names = [option.name for option in self.options]
        every = names + [f.name for f in fields(Policy)]
        raise UnknownName(
            f"{self.name} has no option '{name}'.{did_you_mean(name, every)} "
            f"Options: {', '.join(names) or 'none'}; of the policy: {', '.join(f.name for f in fields(Policy))}."
        )


LEVEL = Option("level", "number", 0.95, "confidence level of every interval", low=0.5, high=0.999)
RESAMPLES = Option("resamples", "integer", 2000, "bootstrap resamples", low=100, high=100_000)
SEED = Option("seed", "integer", 20_260, "seed of everything random", low=0, high=2**31 - 1)
AVERAGE = Option(
    "average",
    "choice",
    "declared",
    "macro: unweighted mean over capabilities; micro: over items; declared: what the benchmark prints first",
    allowed=("declared", "macro", "micro"),
)


@cache
def questions() -> dict[str, Question]:
    """Return every question of this package by name."""
    package = importlib.import_module("analytics")
    found = {}
    for module in pkgutil.iter_modules(package.__path__):
        if module.ispkg:
            continue
        question = getattr(importlib.import_module(f"analytics.{module.name}"), "QUESTION", None)
        if isinstance(question, Question):
            found[question.name] = question
    return dict(sorted(found.items()))


@cache
def _alone(name: str) -> Question | None:
    """Return the question of the module of its name: the other modules need not be imported for it."""
    if not name.isidentifier() or importlib.util.find_spec(f"analytics.{name}") is None:
        return None
    found = getattr(importlib.import_module(f"analytics.{name}"), "QUESTION", None)
    return found if isinstance(found, Question) and found.name == name else None


def question(name: str) -> Question:
    """Return the question called `name`; raises UnknownName with the nearest spelling."""
    alone = _alone(name)
    if alone is not None:
        return alone
    known = questions()
    if name not in known:
        raise UnknownName(f"There is no question '{name}'.{did_you_mean(name, known)} Questions: {', '.join(known)}.")
    return known[name]


def options_of(asked: Question, given: Mapping[str, str]) -> tuple[Policy, dict[str, Any]]:
    """Split spelled options into the policy and the question's own, typed and complete.

    Raises UnknownName and UnknownValue with what is allowed.
    """
    own = {option.name: option.initial for option in asked.options}
    policy: dict[str, str] = {}
    names = [f.name for f in fields(Policy)]
    for name, text in given.items():
        if name in names and name not in own:
            policy[name] = text
        else:
            own[name] = asked.option(name).read(text)
    return Policy.from_params(policy), own


def ask(store: Store | Build, name: str, chosen: Slice, policy: Policy, options: Mapping[str, Any]) -> Answer:
    """Ask one question of a build, or of the store's current one, on a cursor of its own.

    Raises UnknownValue when slice or policy name something that the store does not have.
    """
    asked = question(name)
    with store.cursor() as cursor:
        check(cursor, chosen)
        check_judge(cursor, policy)
        return asked.ask(cursor, chosen, policy, **options)


def judges(cursor: Connection) -> list[str]:
    """Return the ids of the judges that the store has."""
    return frame(cursor, "SELECT judge_id FROM judges ORDER BY judge_id")["judge_id"].to_list()


def check_judge(cursor: Connection, policy: Policy) -> None:
    """Raise UnknownValue for a judge that the store does not have."""
    if policy.judge in JUDGE_RULES:
        return
    known = judges(cursor)
    if policy.judge not in known:
        allowed = [*JUDGE_RULES, *known]
        raise UnknownValue(
            f"There is no judge '{policy.judge}'.{did_you_mean(policy.judge, allowed)} Allowed: {', '.join(allowed)}."
        )
