"""What counts: missing attempts, several attempts, guesses, several judges, ties, the rubric.

A policy is visible on every page and part of every address; a benchmark declares its own missing policy
and rubric, and 'declared' means that one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from analytics.errors import UnknownName, UnknownValue, did_you_mean
from analytics.rubric import Weights, parse_weights, spell_weights

MISSING = ("declared", "zero", "exclude")
ATTEMPTS = ("mean", "first")
GUESSED = ("as_logged", "wrong", "left_out")
JUDGE_RULES = ("logged", "majority", "any", "all")
TIES = ("share", "abstain")

MEANING: dict[str, dict[str, str]] = {
    "missing": {
        "declared": "missing and failed attempts count as each benchmark declares",
        "zero": "missing and failed attempts count as zero credit",
        "exclude": "missing and failed attempts are left out and counted",
    },
    "attempts": {
        "mean": "the mean over an item's usable attempts",
        "first": "the first attempt at an item alone",
    },
    "guessed": {
        "as_logged": "answers that the harness drew at random keep the credit that the log gives",
        "wrong": "answers that the harness drew at random count as wrong",
        "left_out": "answers that the harness drew at random are left out",
    },
    "judge": {
        "logged": "the credit that the log gives",
        "majority": "met where more judges say so than not; a tie is unjudged",
        "any": "met where any judge says so",
        "all": "met where every judge says so",
    },
    "ties": {
        "share": "k answers tied for most votes share the credit, 1/k each",
        "abstain": "a tie earns nothing",
    },
}


@dataclass(frozen=True, slots=True)
class Policy:
    """What counts. `judge` is a rule or a judge's id; `rubric` is 'declared' or weights as `spell_weights` writes."""

    missing: str = "declared"
    attempts: str = "mean"
    guessed: str = "as_logged"
    judge: str = "logged"
    ties: str = "share"
    rubric: str = "declared"

    @classmethod
    def from_params(cls, params: Mapping[str, str]) -> Policy:
        """Return the policy that URL parameters or `--set` values spell.

        Raises UnknownName for a field that does not exist, UnknownValue for a value that it does not allow.
        """
        names = [f.name for f in fields(cls)]
        for name, value in params.items():
            if name not in names:
                raise UnknownName(f"A policy has no '{name}'.{did_you_mean(name, names)} It has: {', '.join(names)}.")
            allowed = {"missing": MISSING, "attempts": ATTEMPTS, "guessed": GUESSED, "ties": TIES}.get(name)
            if allowed and value not in allowed:
                near = did_you_mean(value, allowed)
                raise UnknownValue(f"'{value}' is not a rule for {name}.{near} Allowed: {', '.join(allowed)}.")
        policy = replace(cls(), **params)
        policy.weights()  # raises for a rubric that cannot be read
        return policy

    def to_params(self) -> dict[str, str]:
        """Return the fields that differ from what benchmarks declare, as URL parameters."""
        declared = Policy()
        return {
            f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != getattr(declared, f.name)
        }

    def weights(self) -> Weights | None:
        """Return the weights that replace every declared rubric; None when the declared ones hold."""
        return None if self.rubric == "declared" else parse_weights(self.rubric)

    @property
    def stored(self) -> bool:
        """Whether the built scores and the cube answer under this policy without touching responses."""
        return (self.attempts, self.guessed, self.judge, self.rubric) == ("mean", "as_logged", "logged", "declared")

    def params(self) -> dict[str, Any]:
        """Return the values that the views' macros bind."""
        weights = self.weights()
        return {
            "missing_rule": self.missing,
            "attempt_rule": self.attempts,
            "guessed_rule": self.guessed,
            "judge_rule": self.judge,
            "weights": None if weights is None else weights.as_dict(),
        }

    def sentence(self) -> str:
        """Return the policy in words, one clause per field that matters."""
        parts = [MEANING["missing"][self.missing], MEANING["attempts"][self.attempts]]
        if self.guessed != "as_logged":
            parts.append(MEANING["guessed"][self.guessed])
        parts.append(MEANING["judge"].get(self.judge, f"verdicts of judge {self.judge} alone"))
        weights = self.weights()
        if weights is not None:
            parts.append(f"rubric weights {spell_weights(weights)}")
        return "; ".join(parts)
