"""Shares of checks by status: what fails, what depends and what holds, in colours that mean the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from pages.ui.charts.stacked import stacked_bars

COLORS = {
    "contradicted": "#d55e00",
    "conditional": "#e69f00",
    "not_checkable": "#8a97a5",
    "consistent": "#56b4e9",
    "reproduced": "#0072b2",
}

ROW = 24
MARGIN = 170
"""Pixels for a legend of three lines, axis and the space around: inside the app a figure's height counts them."""


def status_bars(table: pl.DataFrame, *, parts: Mapping[str, str], label: str) -> alt.Chart:
    """Draw the share of each status per row; `parts` maps statuses to their words, in the order of the bars.

    Needs the columns `label`, n and one per status. A click picks a row by its `label`.
    """
    figure = stacked_bars(
        table, parts=parts, label=label, order=table[label].to_list(), title="share of checks (%)", fields=[label],
        points=False,
    )  # fmt: skip
    colors = [COLORS[status] for status in parts]
    legend = alt.Legend(title=None, orient="top", columns=2)
    color = alt.Color("part:N", scale=alt.Scale(domain=list(parts.values()), range=colors), legend=legend)
    return figure.encode(color=color).properties(height=ROW * max(1, table.height) + MARGIN)
