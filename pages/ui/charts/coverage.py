"""Map of runs by items: how much of each part of the population each run has answered."""

from __future__ import annotations

import altair as alt
import polars as pl

from pages.ui.charts.labels import row_axis

ROW = 18
MARGIN = 150
"""Pixels for axis, legend and the space around: inside the app a figure's height counts them."""

PICKED = "part"
"""Name of the selection; its points hold `run` and `bin`."""


def coverage_map(table: pl.DataFrame, *, runs: list[str]) -> alt.Chart:
    """Draw the share of items answered by run and part of the population, in the order of `runs`.

    Needs the columns run, bin, first_item, last_item, items, answered, missing and share.
    """
    held = table.select(
        "run", "bin", "first_item", "last_item", "items", "answered", "missing", percent=pl.col("share") * 100
    )
    picked = alt.selection_point(name=PICKED, fields=["run", "bin"])
    legend = alt.Legend(
        title="items answered (%)", orient="bottom", direction="horizontal", gradientThickness=8, gradientLength=190,
        tickCount=4,
    )  # fmt: skip
    return (
        alt.Chart(held)
        .mark_rect(cursor="pointer")
        .encode(
            x=alt.X(
                "bin:O", title="items in the order of their ids",
                axis=alt.Axis(labels=False, ticks=False, domain=False, orient="top"),
                scale=alt.Scale(paddingInner=0),
            ),
            y=alt.Y("run:N", sort=runs, title=None, axis=row_axis()),
            color=alt.Color("percent:Q", scale=alt.Scale(domain=[0, 100]), legend=legend),
            opacity=alt.condition(picked, alt.value(1), alt.value(0.45)),
            tooltip=[
                alt.Tooltip("run:N"),
                alt.Tooltip("first_item:N", title="from item"),
                alt.Tooltip("last_item:N", title="to item"),
                alt.Tooltip("items:Q"),
                alt.Tooltip("answered:Q"),
                alt.Tooltip("missing:Q"),
            ],
        )
        .add_params(picked)
        .properties(height=ROW * max(1, len(runs)) + MARGIN)
    )  # fmt: skip
