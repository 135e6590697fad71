"""Interval plot: one row per run, a mark at the mean, a line over its interval."""

from __future__ import annotations

import altair as alt
import polars as pl

from pages.ui.charts.labels import PERCENT
from pages.ui.charts.palette import KINDS, SHAPES

ROW = 22
"""Pixels per run: labels stay readable with 25 of them and more."""

MARGIN = 92
"""Pixels for the axis and the space around: inside the app a figure's height counts them."""

LEGEND = 40
"""Pixels for a legend above the figure."""


def names(table: pl.DataFrame) -> pl.Series:
    """Return what each run is called in a figure: its model, with the run where two rows share a model."""
    twice = table["model"].is_duplicated()
    return (
        table.with_columns(twice=twice)
        .select(pl.when("twice").then(pl.format("{} · {}", "model", "run")).otherwise("model").alias("name"))
        .to_series()
    )


def interval_plot(table: pl.DataFrame, *, by: str, title: str) -> alt.LayerChart:
    """Draw `by` ('raw' or 'verified') with its interval for each row, in the order of the rows.

    Needs the columns model, run, kind, n, small_n, rank and `by` with its _low and _high. Rows without a value are left
    out. Human and control runs have marks of their own; a mark is hollow where n is small.
    """
    held = table.with_columns(name=names(table)).filter(pl.col(by).is_not_null())
    held = held.select(
        "name", "run", "kind", "n", "rank",
        pl.col(by).alias("value"), pl.col(f"{by}_low").alias("low"), pl.col(f"{by}_high").alias("high"),
        small=pl.when("small_n").then(pl.lit("fewer than 30 items")).otherwise(pl.lit("30 items or more")),
    )  # fmt: skip
    kinds = [kind for kind in KINDS if kind in held["kind"].to_list()]
    order = held["name"].to_list()
    y = alt.Y(
        "name:N", sort=order, title=None,
        axis=alt.Axis(
            labelLimit=150, labelOverlap=False, labelFlush=False, labelPadding=8, ticks=False, domain=False,
            grid=True, gridOpacity=0.35,
        ),
    )  # fmt: skip
    x = alt.X(
        "value:Q",
        title=title,
        axis=alt.Axis(labelExpr=PERCENT, tickCount=6),
        scale=alt.Scale(zero=False, nice=True, padding=8),
    )
    legend = None if kinds == ["model"] else alt.Legend(title=None, orient="top", values=kinds)
    color = alt.Color("kind:N", scale=alt.Scale(domain=list(KINDS)), legend=legend)
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=list(KINDS), range=list(SHAPES)), legend=legend)
    tips = [
        alt.Tooltip("name:N", title="run"),
        alt.Tooltip("value:Q", title=by, format=".2%"),
        alt.Tooltip("low:Q", title="from", format=".2%"),
        alt.Tooltip("high:Q", title="to", format=".2%"),
        alt.Tooltip("n:Q", title="items"),
        alt.Tooltip("rank:Q", title="rank"),
    ]
    base = alt.Chart(held).encode(y=y, color=color, tooltip=tips)
    spans = base.mark_rule(strokeWidth=2, opacity=0.65).encode(x=alt.X("low:Q", title=title), x2="high:Q")
    solid = base.transform_filter("datum.small == '30 items or more'").mark_point(filled=True, size=70, opacity=1)
    hollow = base.transform_filter("datum.small != '30 items or more'").mark_point(filled=False, size=70, strokeWidth=2)
    layers = alt.layer(spans, solid.encode(x=x, shape=shape), hollow.encode(x=x, shape=shape))
    return layers.properties(height=ROW * held.height + MARGIN + (LEGEND if legend else 0))
