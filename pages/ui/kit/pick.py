"""Figures that a reader can click: the marks picked come back as rows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import altair as alt
import polars as pl
import streamlit as st

from pages.ui.kit import ask, show
from pages.ui.kit.asked import Asked

Draw = Callable[[], alt.Chart | alt.LayerChart]


def chart(
    draw: Draw, rows: pl.DataFrame, asked: Asked, *, picked: str, fields: list[str], alt_text: str, key: str
) -> pl.DataFrame:
    """Show an Altair figure as wide as the page and return those of its rows that the reader clicked.

    `draw` draws it, once for each build and address. `picked` names the figure's selection, `fields` the columns that
    its points hold. A click is bound to the rows it was made on: other rows start without one. Shift adds to a
    selection, a click beside the marks clears it.
    """
    build, address = ask.store().build_id, asked.view()
    digest = hashlib.sha256(f"{build} {address} {rows.height}".encode()).hexdigest()[:12]
    state: Any = st.vega_lite_chart(
        None, show.spec((build, address, key, alt_text), _draw=draw), width="stretch", key=f"{key} {digest}",
        on_select="rerun", selection_mode=picked, alt=alt_text,
    )  # fmt: skip
    points = state["selection"].get(picked, [])
    wanted = {tuple(point.get(field) for field in fields) for point in points if isinstance(point, dict)}
    return rows.filter(pl.Series([row in wanted for row in rows.select(fields).rows()], dtype=pl.Boolean))
