"""Waterfall: what is left of a response's credit after each check, and what each check takes."""

from __future__ import annotations

import altair as alt
import polars as pl

from pages.ui.charts.labels import PERCENT

HEIGHT = 230
KEPT, LOST = "left", "lost here"


def waterfall(table: pl.DataFrame) -> alt.Chart:
    """Draw the credit after each stage, and above it what the stage takes. Needs stage, credit and lost."""
    rows = table.select(
        "stage", "credit", pl.col("lost").fill_null(0), pl.int_range(pl.len()).alias("turn"),
        high=pl.col("credit") + pl.col("lost").fill_null(0),
    )  # fmt: skip
    left = rows.select("stage", "turn", "credit", low=pl.lit(0.0), high="credit", part=pl.lit(KEPT))
    lost = rows.select("stage", "turn", "credit", low="credit", high="high", part=pl.lit(LOST))
    return (
        alt.Chart(pl.concat([left, lost]))
        .transform_calculate(label="datum.stage + '|' + format(datum.credit, '.2%')")
        .mark_bar(size=46)
        .encode(
            x=alt.X(
                "label:N", sort=alt.EncodingSortField("turn", op="min"), title=None,
                axis=alt.Axis(labelAngle=0, labelFlush=False, ticks=False, labelExpr="split(datum.label, '|')"),
            ),
            y=alt.Y(
                "low:Q",
                title="credit (%)",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(labelExpr=PERCENT, tickCount=5),
            ),
            y2="high:Q",
            color=alt.Color(
                "part:N", scale=alt.Scale(domain=[KEPT, LOST]), legend=alt.Legend(title=None, orient="top")
            ),
            tooltip=[
                alt.Tooltip("stage:N"), alt.Tooltip("part:N"), alt.Tooltip("low:Q", title="from", format=".2%"),
                alt.Tooltip("high:Q", title="to", format=".2%"),
            ],
        )
        .properties(height=HEIGHT)
    )  # fmt: skip
