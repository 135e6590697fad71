"""Two groups of items to set against each other: from the address, a paper's own test, or one part and the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
import streamlit as st

from analytics.audit.tables import CLAIMS, embedded
from analytics.errors import ScoreproofError
from analytics.groups import ITEM_KEYS, group_of, spell
from analytics.slices import NONE, Slice
from pages.ui.kit import ask, plain

TEST = "fisher_holm"
"""Kind of claim whose record names two groups of items."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two groups as lists of 'key=value', and the alternative that goes with them."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    alternative: str


def groups(benchmark: str | None) -> list[str]:
    """Return every 'key=value' that splits the items of a benchmark."""
    here = ask.values(benchmark)
    return [f"{key}={value}" for key in ITEM_KEYS if len(here.get(key, [])) > 1 for value in here[key] if value != NONE]


@st.cache_data(max_entries=64, show_spinner=False)
def published(offered: tuple[str, ...], benchmark: str | None) -> Contrast | None:
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


def default(benchmark: str | None, alternative: str) -> Contrast | None:
    """Return a paper's own contrast, else the first part against the others; None where nothing splits the items."""
    offered = groups(benchmark)
    found = published(tuple(offered), benchmark)
    if found is not None:
        return found
    here = ask.values(benchmark)
    keys = [key for key in ITEM_KEYS if key != "tag" and len([v for v in here.get(key, []) if v != NONE]) > 1]
    if not keys:
        return None
    values = [value for value in here[keys[0]] if value != NONE]
    return Contrast((f"{keys[0]}={values[0]}",), tuple(f"{keys[0]}={value}" for value in values[1:]), alternative)


def read(given: Sequence[str], offered: Sequence[str], option: str) -> tuple[str, ...]:
    """Return the parts of a group in the address that items here have; a sentence for each of the others."""
    kept: list[str] = []
    for text in given:
        try:
            parts = [f"{key}={value}" for key, values in group_of(text, option=option).choices for value in values]
        except ScoreproofError as error:
            plain.note(f"Left aside from the address: {error}", kind="warning")
            continue
        for part in parts:
            if part in offered:
                kept.append(part)
            else:
                plain.note(f"Left aside from the address: no item here has {part}.", kind="warning")
    return tuple(dict.fromkeys(kept))


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


def reading(row_of: str = "significant") -> pl.Expr:
    """Return the words for what a test says of each row."""
    return (
        pl.when(pl.col(row_of).is_null())
        .then(pl.lit("outside the family"))
        .when(pl.col(row_of))
        .then(pl.lit("differs after Holm"))
        .otherwise(pl.lit("could be chance"))
    )
