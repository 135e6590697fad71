"""Interval marks: one row per label, one mark with its interval per series, for shares, differences and the like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import altair as alt
import polars as pl

from pages.ui.charts.labels import SPACED, row_axis
from pages.ui.charts.palette import SHAPES

ROW, SERIES = 12, 13
"""Pixels per row, and per series within it."""

MARGIN = 110
"""Pixels for legend, axis and the space around: inside the app a figure's height counts them."""

LEAST = 70
"""Pixels that a single row takes, so that its marks stand apart."""

COLUMNS, LEGEND = 2, 28
"""Series beside each other in the legend, and pixels of each further line of it."""

PICKED = "row"
"""Name of the selection; its points hold the fields that the figure was made with."""

MARKS = (*SHAPES, "triangle-up", "cross", "triangle-down", "triangle-right", "triangle-left")

FORMATS = {"percent": ".2f", "points": "+.2f", "number": ".3f"}
SCALES = {"percent": 100, "points": 100, "number": 1}

Unit = Literal["percent", "points", "number"]


@dataclass(frozen=True, slots=True)
class Spot:
    """What a mark stands for: the answer's columns of the value and its interval, its title and unit."""

    value: str
    low: str
    high: str
    title: str
    unit: Unit


def interval_marks(
    table: pl.DataFrame,
    *,
    spot: Spot,
    label: str,
    order: list[str],
    series: str | None,
    series_order: list[str],
    fields: list[str],
    n: tuple[str, str],
    zero: bool,
) -> alt.LayerChart:
    """Draw a value with its interval for each row of the table, grouped by `label` in the order given.

    `series` names the column that tells the marks of one label apart. `n` is the column of the denominator and its
    word. `fields` are what a click on a mark picks. With `zero` a line stands at zero. Rows without a value are left
    out; a missing interval leaves a bare mark.
    """
    scale = SCALES[spot.unit]
    kept = list(dict.fromkeys([label, *([series] if series else []), *fields, n[0]]))
    held = table.filter(pl.col(spot.value).is_not_null()).select(
        *kept,
        *[(pl.col(column) * scale).alias(end)
          for end, column in (("at", spot.value), ("low", spot.low), ("high", spot.high))],
    )  # fmt: skip
    number = FORMATS[spot.unit]
    picked = alt.selection_point(name=PICKED, fields=fields)
    y = alt.Y(f"{label}:N", sort=order, title=None, axis=row_axis(lines=series is None))
    x = alt.X("at:Q", title=spot.title, axis=alt.Axis(tickCount=6), scale=_scale(held, spot.unit, zero=zero))
    tips = [
        alt.Tooltip(f"{label}:N", title="row"),
        *([alt.Tooltip(f"{series}:N", title="mark")] if series else []),
        alt.Tooltip("at:Q", title=spot.title, format=number),
        alt.Tooltip("low:Q", title="from", format=number),
        alt.Tooltip("high:Q", title="to", format=number),
        alt.Tooltip(f"{n[0]}:Q", title=n[1]),
    ]
    base = alt.Chart(held).encode(y=y, tooltip=tips, opacity=alt.condition(picked, alt.value(1), alt.value(0.35)))
    spans = base.mark_rule(strokeWidth=2, **({} if series else {"color": "#8a97a5"}))
    dots = base.mark_point(filled=True, size=70, cursor="pointer")
    if series:
        legend = alt.Legend(title=None, orient="top", columns=COLUMNS, labelExpr=SPACED, labelLimit=130)
        domain = alt.Scale(domain=series_order)
        shapes = alt.Scale(domain=series_order, range=[MARKS[at % len(MARKS)] for at in range(len(series_order))])
        offset = alt.YOffset(f"{series}:N", sort=series_order, scale=alt.Scale(paddingInner=0.1, paddingOuter=0.35))
        color = alt.Color(f"{series}:N", scale=domain, legend=legend)
        spans = spans.encode(yOffset=offset, color=color)
        dots = dots.encode(yOffset=offset, color=color, shape=alt.Shape(f"{series}:N", scale=shapes, legend=legend))
    layers = [spans.encode(x=x, x2="high:Q").encode(x=alt.X("low:Q", title=spot.title)), dots.encode(x=x)]
    if zero:
        line = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(strokeDash=[4, 3], color="#8a97a5")
        layers.insert(0, line.encode(x=alt.X("zero:Q", title=spot.title)))
    layers[-1] = layers[-1].add_params(picked)
    per_row = ROW + SERIES * max(1, len(series_order) if series else 1)
    further = LEGEND * max(0, -(-len(series_order) // COLUMNS) - 1) if series else 0
    return alt.layer(*layers).properties(height=max(LEAST, per_row * held[label].n_unique()) + MARGIN + further)


def _scale(held: pl.DataFrame, unit: Unit, *, zero: bool) -> alt.Scale:
    """Return the scale of the values; one of proportions ends at 0 and 100 %, with room beside the marks within."""
    if unit != "percent" or held.is_empty():
        return alt.Scale(zero=zero, nice=True, padding=8)
    ends = [value for column in ("at", "low", "high") for value in held[column].drop_nulls()]
    room = max(1.0, 0.05 * (max(ends) - min(ends)))
    return alt.Scale(
        domain=[max(0.0, min(ends) - room), min(100.0, max(ends) + room)], nice=False, zero=False, clamp=True
    )
