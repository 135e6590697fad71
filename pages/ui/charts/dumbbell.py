"""Dumbbell: two values of one row, the way between them, and the interval of each."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import polars as pl

from pages.ui.charts.labels import PERCENT, row_axis

ROW = 30
MARGIN = 130
"""Pixels for legend, axis and the space around: inside the app a figure's height counts them."""

PICKED = "row"
"""Name of the selection; its points hold the fields that the figure was made with."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of the dumbbell: the answer's column (with _low and _high where it has them) and its word."""

    column: str
    word: str


def dumbbell(
    table: pl.DataFrame, *, ends: tuple[End, End], label: str, order: list[str], title: str, fields: list[str]
) -> alt.LayerChart:
    """Draw two proportions per row, joined, in the order given; `fields` are what a click on a row picks.

    Needs the columns `label`, `fields`, n and the two ends. Rows that lack one of the two are left out.
    """
    held = table.filter(pl.all_horizontal(pl.col(end.column).is_not_null() for end in ends))
    kept = list(dict.fromkeys([label, *fields, "n"]))
    parts = []
    for end in ends:
        bounds = [
            (pl.col(f"{end.column}_{side}") if f"{end.column}_{side}" in held.columns else pl.lit(None, pl.Float64))
            .alias(side)
            for side in ("low", "high")
        ]  # fmt: skip
        parts.append(held.select(*kept, pl.lit(end.word).alias("end"), pl.col(end.column).alias("at"), *bounds))
    both = held.select(*kept, *[pl.col(end.column).alias(side) for end, side in zip(ends, ("a", "b"), strict=True)])
    picked = alt.selection_point(name=PICKED, fields=fields)
    y = alt.Y(
        f"{label}:N", sort=order, title=None,
        axis=row_axis(lines=True),
    )  # fmt: skip
    words = [end.word for end in ends]
    scale = alt.Scale(zero=False, nice=True, padding=10)
    axis = alt.Axis(labelExpr=PERCENT, tickCount=6)
    color = alt.Color("end:N", scale=alt.Scale(domain=words), legend=alt.Legend(title=None, orient="top"))
    shape = alt.Shape(
        "end:N", scale=alt.Scale(domain=words, range=["circle", "diamond"]), legend=alt.Legend(title=None, orient="top")
    )
    faded = alt.condition(picked, alt.value(1), alt.value(0.35))
    tips = [
        alt.Tooltip(f"{label}:N", title="row"),
        alt.Tooltip("end:N", title="credit"),
        alt.Tooltip("at:Q", title="mean", format=".2%"),
        alt.Tooltip("low:Q", title="from", format=".2%"),
        alt.Tooltip("high:Q", title="to", format=".2%"),
        alt.Tooltip("n:Q", title="items"),
    ]
    ways = alt.Chart(both).mark_rule(strokeWidth=4, opacity=0.35, color="#8a97a5")
    ways = ways.encode(y=y, x=alt.X("a:Q", scale=scale, axis=axis, title=title), x2="b:Q")
    long = pl.concat(parts)
    marks = alt.Chart(long).encode(y=y, color=color, tooltip=tips, opacity=faded)
    spans = (
        marks.transform_filter("isValid(datum.low)")
        .mark_rule(strokeWidth=1.5)
        .encode(x=alt.X("low:Q", title=title), x2="high:Q")
    )
    dots = marks.mark_point(filled=True, size=85, cursor="pointer").encode(
        x=alt.X("at:Q", scale=scale, axis=axis, title=title), shape=shape
    )
    layers = [ways, spans, dots.add_params(picked)] if long["low"].count() else [ways, dots.add_params(picked)]
    return alt.layer(*layers).properties(height=ROW * max(1, held.height) + MARGIN)
