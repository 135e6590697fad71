"""Grouped bars: a share per measure in each of a few groups, with an interval where there is one."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from pages.ui.charts.labels import PERCENT, row_axis

BAR = 18
MARGIN = 120
"""Pixels for legend, axis and the space around: inside the app a figure's height counts them."""


def grouped_bars(table: pl.DataFrame, *, measures: Mapping[str, tuple[str, str | None]], title: str) -> alt.LayerChart:
    """Draw the columns named in `measures` for each group, in that order.

    `measures` maps a column to its word and, where it has one, to the prefix of its interval's columns ("" for low and
    high). Needs the column group and n.
    """
    rows = []
    for column, (word, prefix) in measures.items():
        has = prefix is not None
        rows.append(
            table.filter(pl.col(column).is_not_null()).select(
                "group", "n", pl.lit(word).alias("measure"), pl.col(column).alias("share"),
                low=pl.col(f"{prefix}low") if has else pl.lit(None, pl.Float64),
                high=pl.col(f"{prefix}high") if has else pl.lit(None, pl.Float64),
            )
        )  # fmt: skip
    held = pl.concat(rows)
    groups = table["group"].unique(maintain_order=True).to_list()
    order = [word for word, _ in measures.values()]
    tips = [
        alt.Tooltip("group:N"),
        alt.Tooltip("measure:N"),
        alt.Tooltip("share:Q", format=".2%"),
        alt.Tooltip("low:Q", title="from", format=".2%"),
        alt.Tooltip("high:Q", title="to", format=".2%"),
        alt.Tooltip("n:Q", title="responses"),
    ]
    base = alt.Chart(held).encode(
        y=alt.Y("measure:N", sort=order, title=None,
                axis=row_axis()),
        yOffset=alt.YOffset("group:N", sort=groups),
        tooltip=tips,
    )  # fmt: skip
    x = alt.X("share:Q", title=title, axis=alt.Axis(labelExpr=PERCENT, tickCount=6))
    bars = base.mark_bar(height=12).encode(
        x=x,
        color=alt.Color("group:N", scale=alt.Scale(domain=groups), legend=alt.Legend(title=None, orient="top")),
    )
    spans = (
        base.transform_filter("isValid(datum.low)")
        .mark_rule(strokeWidth=1.5, color="#6b7785")
        .encode(x=alt.X("low:Q", title=title), x2="high:Q")
    )
    return alt.layer(bars, spans).properties(height=BAR * len(order) * (len(groups) + 0.6) + MARGIN)
