"""Weights that turn rationale labels into factors of verified credit."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from analytics.errors import UnknownName, UnknownValue, did_you_mean

RUBRICS_FILE = Path(__file__).resolve().parent.parent / "logs" / "rubric.toml"

LABELS: dict[str, tuple[str, ...]] = {
    "coverage": ("present", "absent"),
    "evidence": ("supported", "weak", "contradicted"),
    "logic": ("sound", "gap", "broken"),
}


@dataclass(frozen=True, slots=True)
class Weights:
    """Factor of each rationale label; the product over 'evidence' and 'logic' is divided by their best."""

    present: float
    absent: float
    supported: float
    weak: float
    contradicted: float
    sound: float
    gap: float
    broken: float

    def as_dict(self) -> dict[str, float]:
        """Return the weights by label."""
        return asdict(self)

    def divisor(self) -> float:
        """Return the largest product of evidence and logic, so that a perfect response earns its raw credit."""
        return max(self.supported, self.weak, self.contradicted) * max(self.sound, self.gap, self.broken)


@dataclass(frozen=True, slots=True)
class Rubric:
    """A named rubric: its weights, where they come from, and which of them are assumptions of ours."""

    name: str
    title: str
    source: str
    weights: Weights
    assumed: tuple[str, ...]


@cache
def rubrics() -> dict[str, Rubric]:
    """Return every rubric of logs/rubric.toml by name."""
    raw = tomllib.loads(RUBRICS_FILE.read_text(encoding="utf-8"))
    return {
        name: Rubric(
            name=name,
            title=entry["title"],
            source=entry["source"],
            weights=Weights(**entry["coverage"], **entry["evidence"], **entry["logic"]),
            assumed=tuple(entry["assumed"]),
        )
        for name, entry in raw.items()
    }


def rubric(name: str) -> Rubric:
    """Return the rubric called `name`; raises UnknownName with the nearest spelling."""
    known = rubrics()
    if name not in known:
        raise UnknownName(f"There is no rubric '{name}'.{did_you_mean(name, known)} Rubrics: {', '.join(known)}.")
    return known[name]


def spell_weights(weights: Weights) -> str:
    """Return the weights as URLs carry them: 'present:1,absent:0.5,supported:1.2,...'."""
    return ",".join(f"{label}:{value:g}" for label, value in weights.as_dict().items())


def parse_weights(spelled: str) -> Weights:
    """Return the weights that `spell_weights` wrote.

    Raises UnknownValue when a label is unknown, missing or doubled, or a weight is not a finite number from 0 to 100,
    or when every weight of evidence or logic is 0, where verified credit would be 0/0.
    """
    every = [label for labels in LABELS.values() for label in labels]
    found: dict[str, float] = {}
    for part in spelled.split(","):
        label, _, text = part.partition(":")
        label = label.strip()
        if label not in every or label in found:
            raise UnknownValue(
                f"'{part}' is not a weight of a rubric.{did_you_mean(label, every)} "
                f"Write each of {', '.join(every)} once, as label:number, joined by commas."
            )
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not 0 <= value <= 100:
            raise UnknownValue(f"The weight of '{label}' is '{text}'; allowed: a number from 0 to 100.")
        found[label] = value
    lacking = [label for label in every if label not in found]
    if lacking:
        raise UnknownValue(f"The rubric lacks weights for {', '.join(lacking)}.")
    weights = Weights(**found)
    if not weights.divisor():
        raise UnknownValue("Every weight of evidence or of logic is 0: verified credit would be 0/0.")
    return weights
