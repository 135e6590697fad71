"""Matrix of pairs: every run or rater against every other, a number in each cell; a click picks a pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt
import polars as pl

from pages.ui.charts.heatmap import FEW
from pages.ui.charts.labels import HEAD, SPACED, cell_number, cell_size, column_axis, row_axis

ROW = 26
MARGIN = 200
"""Pixels for column heads, legend and the space around: inside the app a figure's height counts them."""

NARROW = 14
"""Narrowest column that has room for a head; below it the rows' names and the tooltips serve."""

PICKED = "pair"
"""Name of the selection; its points hold the fields that the figure was made with."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell holds: its column, the title with unit, how numbers are written and what colour follows."""

    column: str
    title: str
    scale: float = 1
    digits: int = 2
    middle: bool = False
    reverse: bool = False


def mirrored(table: pl.DataFrame, *, swaps: Sequence[tuple[str, str]], signed: Sequence[str]) -> pl.DataFrame:
    """Return every pair in both directions: in the other one columns of `swaps` change places, `signed` ones sign."""
    there = {x: y for pair in swaps for x, y in (pair, pair[::-1])}
    turned = table.rename(there).with_columns(-pl.col(name) for name in signed)
    return pl.concat([table, turned.select(table.columns)])


def matrix(
    table: pl.DataFrame, *, cell: Cell, row: str, column: str, order: list[str], fields: list[str],
    tips: Mapping[str, str], sure: str | None,
) -> alt.LayerChart:  # fmt: skip
    """Draw one number per pair; rows and columns stand in one order.

    `row` and `column` are the columns with the names, `fields` what a click picks, `tips` maps further columns to what
    a tooltip calls them. Where the column `sure` is false, a cell is grey. In narrow columns numbers lose a digit.
    """
    extra = [] if sure is None else [sure]
    kept = list(dict.fromkeys([row, column, *fields, *tips, *extra]))
    held = table.filter(pl.col(cell.column).is_not_null()).select(
        *kept, (pl.col(cell.column) * cell.scale).alias("shown")
    )
    number = f".{cell.digits}f"
    picked = alt.selection_point(name=PICKED, fields=fields)
    names = [name for name in order if name in {*held[row], *held[column]}]
    head = f"width / {max(1, len(names))} < {NARROW} ? '' : {SPACED}"
    x = alt.X(
        f"{column}:N", sort=names, title=None,
        axis=column_axis(len(names), limit=140, label=head),
    )  # fmt: skip
    y = alt.Y(f"{row}:N", sort=names, title=None, axis=row_axis())
    far = max([1e-9, *(abs(value) for value in held["shown"])])
    around = {"domain": [-far, far], "domainMid": 0, "interpolate": "rgb"} if cell.middle else {}
    legend = alt.Legend(
        title=cell.title,
        orient="bottom",
        direction="horizontal",
        gradientThickness=8,
        gradientLength=190,
        tickCount=4,
        titleLimit=300,
    )
    scale = alt.Scale(reverse=cell.reverse, zero=False, **around)
    shade = alt.Color("shown:Q", scale=scale, legend=legend)
    color = shade if sure is None else alt.condition(f"datum['{sure}']", shade, alt.value("#8e99a4"))
    shown = [
        alt.Tooltip(f"{row}:N", title="row"),
        alt.Tooltip(f"{column}:N", title="column"),
        alt.Tooltip("shown:Q", title=cell.title, format=number),
        *[_tip(held, name, says) for name, says in tips.items()],
    ]
    base = alt.Chart(held).encode(x=x, y=y, tooltip=shown)
    cells = base.mark_rect(cornerRadius=2, cursor="pointer", stroke="transparent", strokeWidth=1).encode(
        color=color, opacity=alt.condition(picked, alt.value(1 if sure is None else 0.95), alt.value(0.4))
    )
    ink = "luminance(scale('color', datum.shown)) > 0.32 ? '#10202e' : '#ffffff'"
    ink = ink if sure is None else f"!datum['{sure}'] ? '#10202e' : ({ink})"
    said = cell_number("datum.shown", len(names), cell.digits)
    words = base.mark_text(fontSize=cell_size(len(names)), color=alt.ExprRef(ink), text=alt.ExprRef(said))
    tall = HEAD if len(names) > FEW else 0
    return alt.layer(cells.add_params(picked), words).properties(height=ROW * max(1, len(names)) + MARGIN + tall)


def _tip(table: pl.DataFrame, column: str, says: str) -> alt.Tooltip:
    kind = table[column].dtype
    if kind.is_float():
        return alt.Tooltip(f"{column}:Q", title=says, format=".4~g")
    return alt.Tooltip(f"{column}:{'Q' if kind.is_numeric() else 'N'}", title=says)
