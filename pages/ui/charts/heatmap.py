"""Heat map: one row per run, one column per value of a slice key, a number in each cell; a click picks a cell."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import polars as pl

from pages.ui.charts.labels import HEAD, cell_number, cell_size, column_axis, row_axis

ROW = 24
"""Pixels per run: labels stay readable with 25 of them and more."""

MARGIN = 190
"""Pixels for column heads, legend and the space around: inside the app a figure's height counts them."""

FEW = 4
"""Columns whose heads are slanted at every width."""

PICKED = "cell"
"""Name of the selection; its points hold `run` and `value`."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What the cells hold: the answer's column, its title with unit, and how colour and number follow it."""

    column: str
    title: str
    scale: float = 100
    digits: int = 1
    middle: bool = False
    reverse: bool = False


def heatmap(
    table: pl.DataFrame, *, measure: Measure, runs: list[str], levels: list[str], level_title: str
) -> alt.LayerChart:
    """Draw a measure by run and value, in the orders given.

    Needs the columns name, run, value, n, small_n, the measure's own and, where it has them, its _low and _high.
    Cells without a value stay empty. Narrow columns have numbers without their last digit; a star marks few items.
    """
    ends = [f"{measure.column}{end}" for end in ("_low", "_high") if f"{measure.column}{end}" in table.columns]
    held = table.filter(pl.col(measure.column).is_not_null()).select(
        "name", "run", "value", "n", "small_n",
        (pl.col(measure.column) * measure.scale).alias("shown"),
        *[(pl.col(end) * measure.scale).alias(end.removeprefix(f"{measure.column}_")) for end in ends],
    )  # fmt: skip
    number = f".{measure.digits}f"
    picked = alt.selection_point(name=PICKED, fields=["run", "value"])
    x = alt.X(
        "value:N", sort=levels, title=level_title,
        axis=column_axis(len(levels), limit=175),
    )  # fmt: skip
    y = alt.Y(
        "name:N", sort=runs, title=None,
        axis=row_axis(),
    )  # fmt: skip
    far = max(1.0, *(abs(value) for value in held["shown"])) if measure.middle and held.height else 1.0
    around = {"domain": [-far, far], "domainMid": 0, "interpolate": "rgb"} if measure.middle else {}
    scale = alt.Scale(reverse=measure.reverse, zero=False, **around)
    legend = alt.Legend(
        title=measure.title,
        orient="bottom",
        direction="horizontal",
        gradientThickness=8,
        gradientLength=190,
        tickCount=4,
    )
    tips = [
        alt.Tooltip("name:N", title="run"),
        alt.Tooltip("value:N", title=level_title),
        alt.Tooltip("shown:Q", title=measure.title, format=number),
        *[alt.Tooltip(f"{end}:Q", title=says, format=number) for end, says in (("low", "from"), ("high", "to"))
          if f"{measure.column}_{end}" in ends],
        alt.Tooltip("n:Q", title="items"),
    ]  # fmt: skip
    base = alt.Chart(held).encode(x=x, y=y)
    cells = base.mark_rect(cornerRadius=2, cursor="pointer").encode(
        tooltip=tips,  # the cell's alone: numbers without one let the pointer through, and are drawn sooner
        color=alt.Color("shown:Q", scale=scale, legend=legend),
        opacity=alt.condition(picked, alt.value(1), alt.value(0.45)),
        stroke=alt.value("transparent"),
        strokeWidth=alt.value(2),
    ).add_params(picked)  # fmt: skip
    bright = "luminance(scale('color', datum.shown)) > 0.32 ? '#10202e' : '#ffffff'"
    said = f"({cell_number('datum.shown', len(levels), measure.digits)}) + (datum.small_n ? '*' : '')"
    words = base.mark_text(
        aria=False,  # a reader of the screen hears the cell, which has the same number
        fontSize=cell_size(len(levels)), color=alt.ExprRef(bright), text=alt.ExprRef(said),
    )  # fmt: skip
    head = HEAD if len(levels) > FEW else 0
    return alt.layer(cells, words).properties(height=ROW * max(1, len(runs)) + MARGIN + head)
