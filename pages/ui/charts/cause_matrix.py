"""Matrix of failure causes by slice: a share or a residual in each cell, cells that stand out marked."""

from __future__ import annotations

import altair as alt
import polars as pl

from pages.ui.charts.heatmap import FEW, MARGIN, ROW, Measure
from pages.ui.charts.labels import HEAD, NUMBER, cell_number, column_axis, row_axis

PICKED = "cell"
"""Name of the selection; its points hold `cause` and `level`."""

MORE, FEWER = "\N{BLACK UP-POINTING TRIANGLE}", "\N{BLACK DOWN-POINTING TRIANGLE}"
"""Signs of a cell that holds more, or fewer, failures than independence of cause and slice gives."""


def cause_matrix(
    table: pl.DataFrame, *, measure: Measure, causes: list[str], levels: list[str], level_title: str, below: float
) -> alt.LayerChart:
    """Draw a measure by cause and level of the slice, in the orders given; a cell whose p_holm is `below` is marked.

    Needs the columns cause, family, level, failures, level_failures, cause_failures, share_in_level, share_in_cause,
    residual and p_holm. Narrow columns have numbers without their last digit; the marks stay.
    """
    held = table.filter(pl.col(measure.column).is_not_null()).select(
        "cause", "family", "level", "failures", "level_failures", "cause_failures", "share_in_level",
        "share_in_cause", "residual", "p_holm",
        shown=pl.col(measure.column) * measure.scale,
        sign=pl.when((pl.col("p_holm") < below) & (pl.col("residual") > 0)).then(pl.lit(MORE))
        .when(pl.col("p_holm") < below).then(pl.lit(FEWER)).otherwise(pl.lit("")),
    )  # fmt: skip
    picked = alt.selection_point(name=PICKED, fields=["cause", "level"])
    x = alt.X(
        "level:N", sort=levels, title=level_title,
        axis=column_axis(len(levels), limit=175),
    )  # fmt: skip
    y = alt.Y("cause:N", sort=causes, title=None, axis=row_axis())
    far = max(1.0, *(abs(value) for value in held["shown"])) if measure.middle and held.height else 1.0
    around = {"domain": [-far, far], "domainMid": 0, "interpolate": "rgb"} if measure.middle else {"domainMin": 0}
    legend = alt.Legend(
        title=measure.title, orient="bottom", direction="horizontal", gradientThickness=8, gradientLength=190,
        tickCount=4,
    )  # fmt: skip
    tips = [
        alt.Tooltip("cause:N"),
        alt.Tooltip("family:N"),
        alt.Tooltip("level:N", title=level_title),
        alt.Tooltip("failures:Q", title="failures here"),
        alt.Tooltip("level_failures:Q", title="failures of the column"),
        alt.Tooltip("cause_failures:Q", title="failures of the row"),
        alt.Tooltip("share_in_level:Q", title="share of the column", format=".1%"),
        alt.Tooltip("share_in_cause:Q", title="share of the row", format=".1%"),
        alt.Tooltip("residual:Q", title="adjusted residual", format="+.1f"),
        alt.Tooltip("p_holm:Q", title="p, Holm", format=".2g"),
    ]
    base = alt.Chart(held).encode(x=x, y=y)
    cells = base.mark_rect(cornerRadius=2, cursor="pointer").encode(
        tooltip=tips,  # the cell's alone: numbers without one let the pointer through, and are drawn sooner
        color=alt.Color("shown:Q", scale=alt.Scale(**around), legend=legend),
        opacity=alt.condition(picked, alt.value(1), alt.value(0.45)),
        stroke=alt.value("transparent"),
        strokeWidth=alt.value(2),
    ).add_params(picked)  # fmt: skip
    bright = "luminance(scale('color', datum.shown)) > 0.32 ? '#10202e' : '#ffffff'"
    narrow = f"width / {max(1, len(levels))} < {NUMBER + 10}"  # a sign stands beside the number
    shown = cell_number("datum.shown", len(levels), measure.digits)
    words = base.mark_text(
        aria=False,  # a reader of the screen hears the cell, which has the same number
        fontSize=alt.ExprRef(f"{narrow} ? 9 : 12"), color=alt.ExprRef(bright),
        text=alt.ExprRef(f"({shown}) + ({narrow} ? '' : ' ') + datum.sign"),
    )  # fmt: skip
    head = HEAD if len(levels) > FEW else 0
    return alt.layer(cells, words).properties(height=ROW * max(1, len(causes)) + MARGIN + head)
