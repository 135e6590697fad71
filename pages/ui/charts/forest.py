"""Forest plot: one row per difference, a mark with its interval, and a line at no difference."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from pages.ui.charts.labels import SPACED, raised, row_axis

ROW = 22
MARGIN = 140
"""Pixels for legend, axis and the space around: inside the app a figure's height counts them."""

TWO_LINES = 36
"""Pixels per row whose name takes two lines."""

PICKED = "row"
"""Name of the selection; its points hold the fields that the figure was made with."""

BREAK = " \u00b7 "
"""Where a row's name goes on in a second line."""

SHAPES = ("circle", "diamond", "square", "triangle-up")
"""Marks of the groups, so that colour is never alone in telling them apart."""


def forest(
    table: pl.DataFrame, *, value: str, label: str, order: list[str], title: str, fields: list[str], group: str,
    groups: list[str], tips: Mapping[str, str], scale: float, zero: bool,
) -> alt.LayerChart:  # fmt: skip
    """Draw `value` with the interval in the columns low and high, in the order given.

    Numbers are multiplied by `scale`. `group` is a column of words that colour and shape follow, in the order of
    `groups`; `tips` maps further columns to what a tooltip calls them. With `zero`, a line marks no difference.
    """
    kept = list(dict.fromkeys([label, *fields, group, *tips]))
    held = table.filter(pl.col(value).is_not_null()).select(
        *kept, (pl.col(value) * scale).alias("shown"),
        (pl.col("low") * scale).alias("from"), (pl.col("high") * scale).alias("to"),
    )  # fmt: skip
    picked = alt.selection_point(name=PICKED, fields=fields)
    words = [word for word in groups if word in set(held[group])]
    legend = (
        None
        if len(words) < 2
        else alt.Legend(title=None, orient="top", columns=1 if len(words) < 4 else 2, labelLimit=200)
    )
    color = alt.Color(f"{group}:N", scale=alt.Scale(domain=groups), legend=legend)
    shape = alt.Shape(f"{group}:N", scale=alt.Scale(domain=groups, range=list(SHAPES[: len(groups)])), legend=legend)
    number = ".2f" if scale == 100 else ".3f"
    shown = [
        alt.Tooltip(f"{label}:N", title="row"),
        alt.Tooltip("shown:Q", title=title, format=number),
        alt.Tooltip("from:Q", format=number),
        alt.Tooltip("to:Q", format=number),
        alt.Tooltip(f"{group}:N", title="reading"),
        *[alt.Tooltip(f"{column}:{_kind(held, column)}", title=says) for column, says in tips.items()],
    ]
    long = bool(held[label].str.contains(BREAK, literal=True).any())
    axis = row_axis(lines=True)
    if long:
        axis.labelExpr = f"split({SPACED}, '{BREAK}')"
        axis.labelOffset = raised(f"indexof(datum.label, '{BREAK}') > 0")
    y = alt.Y(f"{label}:N", sort=order, title=None, axis=axis)
    x = alt.X("shown:Q", title=title, scale=alt.Scale(zero=zero, nice=True, padding=8), axis=alt.Axis(tickCount=6))
    base = alt.Chart(held).encode(y=y, color=color, tooltip=shown)
    faded = alt.condition(picked, alt.value(1), alt.value(0.35))
    spans = base.mark_rule(strokeWidth=2, opacity=0.65).encode(x=alt.X("from:Q", title=title), x2="to:Q")
    dots = base.mark_point(filled=True, size=75, cursor="pointer").encode(x=x, shape=shape, opacity=faded)
    layers = [spans, dots.add_params(picked)]
    if zero:
        line = alt.Chart(alt.Data(values=[{"at": 0}])).mark_rule(strokeDash=[4, 3], color="#6b7785").encode(x="at:Q")
        layers.insert(0, line)
    return alt.layer(*layers).properties(height=(TWO_LINES if long else ROW) * max(1, held[label].n_unique()) + MARGIN)


def _kind(table: pl.DataFrame, column: str) -> str:
    return "Q" if table[column].dtype.is_numeric() else "N"
