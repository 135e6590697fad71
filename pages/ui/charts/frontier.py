"""Score against tokens: one mark per run with the interval of its score, and a line over the runs that none beats."""

from __future__ import annotations

import math

import altair as alt
import polars as pl

from pages.ui.charts.palette import KINDS, SHAPES

HEIGHT = 440

PICKED = "spent"
"""Name of the selection; its points hold `run`."""

NAMED = 8
"""Runs of the frontier that are named in the figure; above it names would overlap, and the table has them."""


def score_by_tokens(table: pl.DataFrame, *, title: str, measure: str) -> alt.LayerChart:
    """Draw score by mean tokens (log scale) for each row with both; the frontier's marks are large, joined and named.

    Needs the columns of question `tokens`, and `name`. Human and control runs have marks of their own; a hollow mark
    has fewer than 30 items.
    """
    held = table.filter(pl.col("reason").is_null()).select(
        "run", "name", "kind", "n", "n_tokens", "tokens", "tokens_median",
        score=pl.col("score") * 100, low=pl.col("low") * 100, high=pl.col("high") * 100,
        place=pl.when(pl.col("frontier").fill_null(value=False)).then(pl.lit("not beaten")).otherwise(pl.lit("beaten")),
        small=pl.col("small_n").fill_null(value=False),
    )  # fmt: skip
    kinds = [kind for kind in KINDS if kind in held["kind"].to_list()]
    legend = None if kinds == ["model"] else alt.Legend(title=None, orient="top", values=kinds)
    picked = alt.selection_point(name=PICKED, fields=["run"])
    x = alt.X(
        "tokens:Q", title=f"{measure}, mean per attempt (log scale)",
        scale=alt.Scale(type="log", nice=False, padding=28), axis=alt.Axis(format="~s", tickCount=6, labelOverlap=True),
    )  # fmt: skip
    y = alt.Y("score:Q", title=title, scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(tickCount=6))
    color = alt.Color("kind:N", scale=alt.Scale(domain=list(KINDS)), legend=legend)
    tips = [
        alt.Tooltip("name:N", title="run"),
        alt.Tooltip("score:Q", title=title, format=".2f"),
        alt.Tooltip("low:Q", title="from", format=".2f"),
        alt.Tooltip("high:Q", title="to", format=".2f"),
        alt.Tooltip("tokens:Q", title=measure, format=",.0f"),
        alt.Tooltip("tokens_median:Q", title="median", format=",.0f"),
        alt.Tooltip("n:Q", title="items"),
        alt.Tooltip("n_tokens:Q", title="attempts with tokens"),
        alt.Tooltip("place:N", title="frontier"),
    ]
    base = alt.Chart(held).encode(x=x, color=color, tooltip=tips)
    best = held.filter(pl.col("place") == "not beaten").sort("tokens")
    line = alt.Chart(best).mark_line(interpolate="step-after", strokeDash=[5, 3], color="#8a97a5", strokeWidth=1.5)
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=list(KINDS), range=list(SHAPES)), legend=legend)
    faint = alt.condition(picked, alt.value(1), alt.value(0.3))
    size = alt.Size("place:N", scale=alt.Scale(domain=["not beaten", "beaten"], range=[150, 45]), legend=None)
    spans = base.mark_rule(strokeWidth=1.5, opacity=0.45).encode(y=alt.Y("low:Q", title=title), y2="high:Q")
    solid = base.transform_filter("!datum.small").mark_point(filled=True, cursor="pointer")
    hollow = base.transform_filter("datum.small").mark_point(filled=False, strokeWidth=2)
    layers = [
        line.encode(x=x, y=y), spans, hollow.encode(y=y, shape=shape, size=size),
        solid.encode(y=y, shape=shape, size=size, opacity=faint).add_params(picked),
    ]  # fmt: skip
    if best.height <= NAMED:
        middle = math.sqrt(held["tokens"].min() * held["tokens"].max())
        for align, side in (("left", pl.col("tokens") <= middle), ("right", pl.col("tokens") > middle)):
            shift = 9 if align == "left" else -9
            words = alt.Chart(best.filter(side)).mark_text(
                align=align, dx=shift, dy=-10, fontSize=11, color="#8a97a5", limit=130
            )
            layers.append(words.encode(x=x, y=y, text="name:N"))
    return alt.layer(*layers).properties(height=HEIGHT)
