"""The two groups of items that a benchmark is opened on: a paper's own test, or one part and the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analytics.audit.tables import CLAIMS, embedded
from analytics.groups import ITEM_KEYS, spell
from analytics.slices import NONE, Slice

TEST = "fisher_holm"
"""Kind of claim whose record names two groups of items."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two groups as lists of 'key=value', and the alternative that goes with them."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    alternative: str


def parts_of(values: Mapping[str, Sequence[str]]) -> list[str]:
    """Return every 'key=value' that splits items; `values` are those that the store has for each slice key."""
    return [
        f"{key}={value}" for key in ITEM_KEYS if len(values.get(key, ())) > 1 for value in values[key] if value != NONE
    ]


def published(offered: Sequence[str], benchmark: str | None) -> Contrast | None:
    """Return the first contrast that a published claim tests, where this benchmark's items have all its values."""
    for claim in embedded().toml(CLAIMS, "claim"):
        if claim.get("kind") != TEST or claim.get("document") != benchmark:
            continue
        for key in ITEM_KEYS:
            sides = [
                tuple(f"{key}={value}" for values in claim.get(side, {}).values() for value in values)
                for side in ("first", "second")
            ]
            if all(sides) and {*sides[0], *sides[1]} <= set(offered):
                return Contrast(sides[0], sides[1], str(claim["alternative"]))
    return None


def first_against_rest(values: Mapping[str, Sequence[str]], alternative: str) -> Contrast | None:
    """Return the first part of the first key that splits the items, against the others; None where nothing does."""
    keys = [key for key in ITEM_KEYS if key != "tag" and len([v for v in values.get(key, ()) if v != NONE]) > 1]
    if not keys:
        return None
    parts = [f"{keys[0]}={value}" for value in values[keys[0]] if value != NONE]
    return Contrast((parts[0],), tuple(parts[1:]), alternative)


def group(parts: Sequence[str]) -> Slice:
    """Return the group that several 'key=value' make: values of one key are alternatives, keys must all hold."""
    choices: dict[str, list[str]] = {}
    for part in parts:
        key, _, value = part.partition("=")
        choices.setdefault(key, []).append(value)
    return Slice.of(**choices)


def spelled(parts: Sequence[str]) -> str:
    """Return the text that the question reads."""
    return spell(group(parts))


def in_words(parts: Sequence[str]) -> str:
    """Return a group as a reader says it."""
    return "; ".join(" or ".join(value.replace("_", " ") for value in values) for _, values in group(parts).choices)
