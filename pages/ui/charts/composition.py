"""Composition bars: how many items of which capability, media type and answer type."""

from __future__ import annotations

import altair as alt
import polars as pl

from pages.ui.charts.labels import SPACED
from pages.ui.charts.palette import MEDIA, ordered

ROW = 24
MARGIN = 140
"""Pixels for axis, legend and the space around: inside the app a figure's height counts them."""


def composition_bars(table: pl.DataFrame, *, slice_name: str) -> alt.Chart:
    """Draw the number of items by capability, stacked by media type.

    Needs the columns capability, media_type, answer_type and items. Capabilities stand from large to small.
    """
    summed = table.group_by("capability", "media_type", maintain_order=True).agg(pl.col("items").sum())
    order = (
        summed.group_by("capability").agg(pl.col("items").sum()).sort(["items", "capability"], descending=[True, False])
    )["capability"].to_list()
    media = ordered(summed["media_type"].to_list(), MEDIA)
    return (
        alt.Chart(summed)
        .mark_bar(height=14, cornerRadiusEnd=2)
        .encode(
            y=alt.Y(
                "capability:N",
                sort=order,
                title=None,
                axis=alt.Axis(
                    labelLimit=150, labelOverlap=False, labelExpr=SPACED, ticks=False, domain=False, labelPadding=8
                ),
            ),
            x=alt.X("sum(items):Q", title=f"items by {slice_name}", axis=alt.Axis(tickMinStep=1)),
            color=alt.Color("media_type:N", scale=alt.Scale(domain=media), legend=alt.Legend(title=None, orient="top")),
            order=alt.Order("rank:Q"),
            tooltip=[
                alt.Tooltip("capability:N"),
                alt.Tooltip("media_type:N", title="media type"),
                alt.Tooltip("items:Q"),
            ],
        )
        .transform_calculate(rank=f"indexof({media!r}, datum.media_type)")
        .properties(height=ROW * len(order) + MARGIN)
    )
