"""Curves: a value over ordered steps, one line per series, with a band where there is one."""

from __future__ import annotations

import altair as alt
import polars as pl

from pages.ui.charts.labels import SPACED
from pages.ui.charts.marks import MARKS

HEIGHT = 380

PICKED = "point"
"""Name of the selection; its points hold the fields that the figure was made with."""


def curves(
    table: pl.DataFrame,
    *,
    step: str,
    steps: list[str],
    value: str,
    series: str,
    series_order: list[str],
    titles: tuple[str, str],
    fields: list[str],
    best: str | None,
) -> alt.LayerChart:
    """Draw `value` (a proportion) over `step`, in the order of `steps`, one line per value of `series`.

    Needs n; `low` and `high`, where the table has them, are drawn as a band. `best` names a boolean column: its points
    are drawn larger. `titles` are those of the two axes.
    """
    banded = {"low", "high"} <= set(table.columns)
    kept = list(dict.fromkeys([step, series, *fields, "n"]))
    held = table.filter(pl.col(value).is_not_null()).select(
        *kept, at=pl.col(value) * 100,
        large=pl.col(best).fill_null(value=False) if best else pl.lit(value=False),
        low=(pl.col("low") if banded else pl.lit(None, pl.Float64)) * 100,
        high=(pl.col("high") if banded else pl.lit(None, pl.Float64)) * 100,
    )  # fmt: skip
    picked = alt.selection_point(name=PICKED, fields=fields)
    x = alt.X(
        f"{step}:O", sort=steps, title=titles[0], axis=alt.Axis(labelAngle=0, labelOverlap=True, labelExpr=SPACED),
        scale=alt.Scale(type="point", padding=0.4),
    )  # fmt: skip
    y = alt.Y("at:Q", title=titles[1], scale=alt.Scale(zero=False, nice=True, padding=6), axis=alt.Axis(tickCount=6))
    legend = alt.Legend(title=None, orient="top", columns=2, labelLimit=150, labelExpr=SPACED, symbolOpacity=1)
    color = alt.Color(f"{series}:N", scale=alt.Scale(domain=series_order), legend=legend)
    shapes = [MARKS[at % len(MARKS)] for at in range(len(series_order))]
    tips = [
        alt.Tooltip(f"{series}:N", title="line"),
        alt.Tooltip(f"{step}:O", title=titles[0]),
        alt.Tooltip("at:Q", title=titles[1], format=".2f"),
        *([alt.Tooltip("low:Q", title="lowest", format=".2f"), alt.Tooltip("high:Q", title="highest", format=".2f")]
          if banded else []),
        alt.Tooltip("n:Q", title="items"),
    ]  # fmt: skip
    base = alt.Chart(held).encode(x=x, color=color, tooltip=tips)
    layers = []
    if banded:
        band = base.transform_filter("isValid(datum.low)").mark_area(opacity=0.16)
        layers.append(band.encode(y=alt.Y("low:Q", title=titles[1]), y2="high:Q"))
    layers.append(base.mark_line(strokeWidth=2, opacity=0.8).encode(y=y))
    layers.append(
        base.mark_point(filled=True, cursor="pointer", opacity=1)
        .encode(
            y=y,
            shape=alt.Shape(f"{series}:N", scale=alt.Scale(domain=series_order, range=shapes), legend=legend),
            size=alt.condition("datum.large", alt.value(170), alt.value(60)),
        )
        .add_params(picked)
    )
    return alt.layer(*layers).properties(height=HEIGHT)
