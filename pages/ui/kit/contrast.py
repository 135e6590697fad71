"""Two groups of items to set against each other: from the address, a paper's own test, or one part and the rest."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import streamlit as st

from analytics import usual_contrast
from analytics.errors import ScoreproofError
from analytics.groups import group_of
from analytics.usual_contrast import Contrast, group, in_words, spelled
from pages.ui.kit import ask, plain

__all__ = ["Contrast", "default", "group", "groups", "in_words", "published", "read", "reading", "spelled"]


def groups(benchmark: str | None) -> list[str]:
    """Return every 'key=value' that splits the items of a benchmark."""
    return usual_contrast.parts_of(ask.values(benchmark))


@st.cache_data(max_entries=64, show_spinner=False)
def published(offered: tuple[str, ...], benchmark: str | None) -> Contrast | None:
    """Return the first contrast that a published claim tests, where this benchmark's items have all its values."""
    return usual_contrast.published(offered, benchmark)


def default(benchmark: str | None, alternative: str) -> Contrast | None:
    """Return a paper's own contrast, else the first part against the others; None where nothing splits the items."""
    found = published(tuple(groups(benchmark)), benchmark)
    return found or usual_contrast.first_against_rest(ask.values(benchmark), alternative)


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


def reading(row_of: str = "significant") -> pl.Expr:
    """Return the words for what a test says of each row."""
    return (
        pl.when(pl.col(row_of).is_null())
        .then(pl.lit("outside the family"))
        .when(pl.col(row_of))
        .then(pl.lit("differs after Holm"))
        .otherwise(pl.lit("could be chance"))
    )
