"""Stacked bars: what a whole is made of, one bar per row."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from pages.ui.charts.labels import row_axis

ROW = 22
MARGIN = 120
"""Pixels for legend, axis and the space around: inside the app a figure's height counts them."""

PICKED = "row"
"""Name of the selection; its points hold the fields that the figure was made with."""


def stacked_bars(
    table: pl.DataFrame, *, parts: Mapping[str, str], label: str, order: list[str], title: str, fields: list[str],
    points: bool,
) -> alt.Chart:  # fmt: skip
    """Draw the columns named in `parts` (column to its word), stacked in that order.

    `points` writes hundredths as points, else as percent. `fields` are what a click on a bar picks.
    """
    kept = list(dict.fromkeys([label, *fields, "n"]))
    long = pl.concat(
        table.filter(pl.col(column).is_not_null()).select(
            *kept, pl.lit(word).alias("part"), pl.lit(at).alias("turn"), (pl.col(column) * 100).alias("share")
        )
        for at, (column, word) in enumerate(parts.items())
    )
    picked = alt.selection_point(name=PICKED, fields=fields)
    unit = "points" if points else "%"
    return (
        alt.Chart(long)
        .mark_bar(height=14, cursor="pointer")
        .encode(
            y=alt.Y(
                f"{label}:N", sort=order, title=None,
                axis=row_axis(),
            ),
            x=alt.X("share:Q", title=title, axis=alt.Axis(tickCount=6), scale=alt.Scale(nice=False)),
            color=alt.Color(
                "part:N", scale=alt.Scale(domain=list(parts.values())), legend=alt.Legend(title=None, orient="top")
            ),
            order=alt.Order("turn:Q"),
            opacity=alt.condition(picked, alt.value(1), alt.value(0.35)),
            tooltip=[
                alt.Tooltip(f"{label}:N", title="row"),
                alt.Tooltip("part:N", title="part"),
                alt.Tooltip("share:Q", title=unit, format=".2f"),
                alt.Tooltip("n:Q", title="items"),
            ],
        )
        .add_params(picked)
        .properties(height=ROW * max(1, table.height) + MARGIN)
    )  # fmt: skip
