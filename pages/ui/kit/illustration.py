"""Saying that numbers on reconstructed rows are an illustration: in the headline and across the figure."""

from __future__ import annotations

from collections.abc import Callable

import altair as alt
import polars as pl
import streamlit as st

from analytics.determined import ILLUSTRATION
from pages.ui.charts.illustration import across

Draw = Callable[[], alt.Chart | alt.LayerChart]


def doubtful(rows: pl.DataFrame) -> bool:
    """Whether some of these rows are fixed by no published figure."""
    return "determined" in rows.columns and not bool(rows["determined"].all())


def headline(rows: pl.DataFrame) -> None:
    """Say beside a headline that its numbers are an illustration, where they are."""
    if doubtful(rows):
        st.markdown(f":orange[{ILLUSTRATION}]", help="The rows are reconstructed; no printed figure fixes these.")


def marked(draw: Draw, rows: pl.DataFrame) -> Draw:
    """Return what draws the figure of these rows, with the words across it where they are an illustration."""
    return (lambda: across(draw())) if doubtful(rows) else draw


def spoken(words: str, rows: pl.DataFrame) -> str:
    """Return a figure's text alternative, which says the same."""
    return f"{words} {ILLUSTRATION.capitalize()}." if doubtful(rows) else words
