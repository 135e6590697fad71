"""Composition bars: how many items of which capability, media type and answer type."""

from __future__ import annotations

import altair as alt
import polars as pl

from pages.ui.charts.labels import row_axis
from pages.ui.charts.palette import MEDIA, ordered

ROW = 24
MOST = 15
"""Capabilities that are drawn: a log may have hundreds, and the figure stands on a card."""

MARGIN = 140
"""Pixels for axis, legend and the space around: inside the app a figure's height counts them."""


def composition_bars(table: pl.DataFrame, *, slice_name: str) -> alt.Chart:
    """Draw the number of items by capability, stacked by media type.

    Needs the columns capability, media_type, answer_type and items. Capabilities stand from large to small; beyond
    MOST the small ones are not drawn, which the axis says.
    """
    summed = table.group_by("capability", "media_type", maintain_order=True).agg(pl.col("items").sum())
    order = (
        summed.group_by("capability").agg(pl.col("items").sum()).sort(["items", "capability"], descending=[True, False])
    )["capability"].to_list()
    media = ordered(summed["media_type"].to_list(), MEDIA)
    title = f"items by {slice_name}" + (f", the {MOST} largest of {len(order)}" if len(order) > MOST else "")
    order = order[:MOST]
    summed = summed.filter(pl.col("capability").is_in(order))
    return (
        alt.Chart(summed)
        .mark_bar(height=14, cornerRadiusEnd=2)
        .encode(
            y=alt.Y(
                "capability:N",
                sort=order,
                title=None,
                axis=row_axis(),
            ),
            x=alt.X("sum(items):Q", title=title, axis=alt.Axis(tickMinStep=1, tickCount=6)),
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
