"""Heat map: one row per run, one column per value of a slice key, a number in each cell; a click picks a cell."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import polars as pl

from pages.ui.charts.labels import SPACED, row_axis

ROW = 24
"""Pixels per run: labels stay readable with 25 of them and more."""

MARGIN = 190
"""Pixels for column heads, legend and the space around: inside the app a figure's height counts them."""

ROOM = 34
"""Narrowest column that has room for a number."""

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
    Cells without a value stay empty. Numbers leave where a column is too narrow for them; a star marks few items.
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
        axis=alt.Axis(
            orient="top", labelAngle=-40, labelAlign="left", labelLimit=150, labelOverlap=False, labelFlush=False,
            labelPadding=4, ticks=False, domain=False, labelExpr=SPACED, titlePadding=6,
        ),
    )  # fmt: skip
    y = alt.Y(
        "name:N", sort=runs, title=None,
        axis=row_axis(),
    )  # fmt: skip
    far = max(1.0, *(abs(value) for value in held["shown"])) if measure.middle and held.height else 1.0
    around = {"domain": [-far, far], "domainMid": 0} if measure.middle else {}
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
    base = alt.Chart(held).encode(x=x, y=y, tooltip=tips)
    cells = base.mark_rect(cornerRadius=2, cursor="pointer").encode(
        color=alt.Color("shown:Q", scale=scale, legend=legend),
        opacity=alt.condition(picked, alt.value(1), alt.value(0.45)),
        stroke=alt.value("transparent"),
        strokeWidth=alt.value(2),
    ).add_params(picked)  # fmt: skip
    bright = "luminance(scale('color', datum.shown)) > 0.32 ? '#10202e' : '#ffffff'"
    room = f"width / {max(1, len(levels))} < {ROOM} ? 0 : 1"
    words = (
        base.transform_calculate(word=f"format(datum.shown, '{number}') + (datum.small_n ? '*' : '')")
        .mark_text(fontSize=12, color=alt.ExprRef(bright), opacity=alt.ExprRef(room))
        .encode(text="word:N")
    )
    return alt.layer(cells, words).properties(height=ROW * max(1, len(runs)) + MARGIN)
