"""Items as points: how hard against how telling; a click picks an item."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import polars as pl

from pages.ui.charts.stacked import stacked_bars

HEIGHT = 460
MOST = 4000
"""Points that are drawn; a browser slows down above it."""

PICKED = "item"
"""Name of the selection; its points hold `item`."""

KINDS = ("telling", "suspicious", "below chance")


def kinds(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with `about`: below chance, suspicious, or telling; null where discrimination is undefined."""
    return table.with_columns(
        about=pl.when(pl.col("discrimination").is_null()).then(None)
        .when(pl.col("suspicious")).then(pl.lit("suspicious"))
        .when(pl.col("below_chance").fill_null(value=False)).then(pl.lit("below chance"))
        .otherwise(pl.lit("telling"))
    )  # fmt: skip


def drawn(table: pl.DataFrame) -> pl.DataFrame:
    """Return the items that the scatter draws: all, or the suspicious ones and every k-th of the others."""
    held = kinds(table).filter(pl.col("about").is_not_null() & pl.col("difficulty").is_not_null())
    if held.height <= MOST:
        return held
    first = held.filter(pl.col("about") != "telling").head(MOST)
    rest = held.filter(pl.col("about") == "telling")
    room = MOST - first.height
    return first if room <= 0 else pl.concat([first, rest.gather_every(-(-rest.height // room))])


def item_scatter(table: pl.DataFrame, *, credit: str) -> alt.LayerChart:
    """Draw difficulty (mean credit, 1 is easy) by discrimination, one point per item; suspicious ones stand out.

    Needs the columns of question `items`; items whose discrimination is undefined have no point.
    """
    held = drawn(table).select(
        "item", "capability", "media_type", "n", "inversion", "discrimination", "about", "chance",
        ease=pl.col("difficulty") * 100,
    )  # fmt: skip
    found = [kind for kind in KINDS if kind in held["about"].to_list()]
    shapes = dict(zip(KINDS, ("circle", "diamond", "triangle-down"), strict=True))
    picked = alt.selection_point(name=PICKED, fields=["item"])
    legend = alt.Legend(title=None, orient="top")
    domain = alt.Scale(domain=found)
    points = (
        alt.Chart(held)
        .mark_point(filled=True, size=42, cursor="pointer")
        .encode(
            x=alt.X("ease:Q", title=f"difficulty: mean {credit} credit (%), right is easy",
                    scale=alt.Scale(domain=[0, 100], nice=False, padding=6), axis=alt.Axis(tickCount=6)),
            y=alt.Y("discrimination:Q", title="discrimination (item-rest correlation)", axis=alt.Axis(tickCount=6)),
            color=alt.Color("about:N", scale=domain, legend=legend),
            shape=alt.Shape("about:N", scale=alt.Scale(domain=found, range=[shapes[k] for k in found]), legend=legend),
            opacity=alt.condition(picked, alt.value(0.65), alt.value(0.12)),
            tooltip=[
                alt.Tooltip("item:N"),
                alt.Tooltip("capability:N"),
                alt.Tooltip("media_type:N", title="media type"),
                alt.Tooltip("ease:Q", title="mean credit (%)", format=".1f"),
                alt.Tooltip("discrimination:Q", format="+.2f"),
                alt.Tooltip("inversion:Q", format=".2f"),
                alt.Tooltip("n:Q", title="runs"),
            ],
        )
        .add_params(picked)
    )  # fmt: skip
    line = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(strokeDash=[4, 3], color="#8a97a5")
    return alt.layer(line.encode(y="zero:Q"), points).properties(height=HEIGHT)


def kind_bars(table: pl.DataFrame, *, parts: Mapping[str, str], label: str) -> alt.Chart:
    """Draw what each slice's items are made of, in the order of the rows; a click picks a slice.

    Needs the columns `label`, n and the shares named in `parts` (column to its word). The legend takes lines of two.
    """
    figure = stacked_bars(
        table, parts=parts, label=label, order=table[label].to_list(), title="items (%)", fields=[label], points=False
    )
    figure.encoding.color["legend"]["columns"] = 2
    return figure
