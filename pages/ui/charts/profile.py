"""Profiles of a few runs over the values of a slice key, side by side or as a radar, with intervals. Plotly."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING

import polars as pl

from pages.ui.charts.labels import spoken
from pages.ui.charts.palette import COLORS

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 460
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
MARKS = ("circle", "diamond", "square", "triangle-up", "x")
"""Lines and marks of the runs, so that colour is never alone in telling them apart."""

APART = 0.09
"""Share of a column that neighbouring runs stand apart, so that intervals do not cover each other."""


def safe(words: str) -> str:
    """Return words that Plotly writes as they stand: it reads a few tags of markup in labels."""
    return html.escape(words, quote=False)


def parallel(table: pl.DataFrame, *, by: str, runs: list[str], levels: list[str], title: str) -> go.Figure:
    """Draw `by` with its interval for each run, value by value, in the orders given.

    Needs the columns run, name, value, n, `by` and its _low and _high.
    """
    import plotly.graph_objects as go  # noqa: PLC0415 - heavy, and for these figures alone

    figure = go.Figure()
    for turn, run in enumerate(runs):
        part = _part(table, run, levels)
        shift = (turn - (len(runs) - 1) / 2) * APART
        figure.add_scatter(
            x=[levels.index(value) + shift for value in part["value"]],
            y=(part[by] * 100).to_list(),
            error_y={
                "type": "data",
                "symmetric": False,
                "array": ((part[f"{by}_high"] - part[by]) * 100).to_list(),
                "arrayminus": ((part[by] - part[f"{by}_low"]) * 100).to_list(),
                "thickness": 1.2,
                "width": 3,
            },
            mode="lines+markers",
            name=safe(part["name"][0]),
            line={"dash": DASHES[turn % len(DASHES)], "width": 1.6, "color": COLORS[turn % len(COLORS)]},
            marker={"symbol": MARKS[turn % len(MARKS)], "size": 8, "color": COLORS[turn % len(COLORS)]},
            customdata=part.select("value", "n").rows(),
            hovertemplate="%{customdata[0]}: %{y:.1f} %, %{customdata[1]} items",
        )
    names = [safe(spoken(value)) for value in levels]
    figure.update_xaxes(
        ticklabeloverflow="allow",
        automargin=True,
        tickvals=list(range(len(levels))),
        ticktext=names,
        tickangle=-35,
        range=[-0.5, len(levels) - 0.5],
    )
    figure.update_yaxes(title=title, rangemode="normal")
    return _laid_out(figure)


def radar(table: pl.DataFrame, *, by: str, runs: list[str], levels: list[str], title: str) -> go.Figure:
    """Draw `by` as one closed line per run around the values, its interval as a stroke at each.

    Needs what `parallel` needs. The radius starts at 0: an area of a radar that starts elsewhere misleads.
    """
    import plotly.graph_objects as go  # noqa: PLC0415 - heavy, and for these figures alone

    figure = go.Figure()
    around = [safe(spoken(value)) for value in levels]
    for turn, run in enumerate(runs):
        part = _part(table, run, levels)
        at = [around[levels.index(value)] for value in part["value"]]
        means = (part[by] * 100).to_list()
        color = COLORS[turn % len(COLORS)]
        style = {"dash": DASHES[turn % len(DASHES)], "width": 1.8, "color": color}
        figure.add_scatterpolar(
            r=[*means, *means[:1]],
            theta=[*at, *at[:1]],
            mode="lines+markers",
            name=safe(part["name"][0]),
            legendgroup=run,
            line=style,
            marker={"symbol": MARKS[turn % len(MARKS)], "size": 7, "color": color},
            hovertemplate="%{theta}: %{r:.1f} %",
        )
        lows, highs = ((part[f"{by}_{end}"] * 100).to_list() for end in ("low", "high"))
        strokes = [(value, low, high) for value, low, high in zip(at, lows, highs, strict=True) if low is not None]
        figure.add_scatterpolar(
            r=[r for _, low, high in strokes for r in (low, high, None)],
            theta=[t for value, _, _ in strokes for t in (value, value, None)],
            mode="lines",
            legendgroup=run,
            showlegend=False,
            hoverinfo="skip",
            opacity=0.45,
            line={"width": 5, "color": color},
        )
    grid = "rgba(128, 136, 150, 0.35)"  # the same on light and dark: the theme leaves a disc white
    figure.update_polars(
        bgcolor="rgba(0, 0, 0, 0)",
        radialaxis={"range": [0, 100], "ticksuffix": " %", "angle": 90 - 180 / len(levels), "tickangle": 0,
                    "gridcolor": grid, "linecolor": grid},
        angularaxis={"direction": "clockwise", "gridcolor": grid, "linecolor": grid},
    )  # fmt: skip
    figure.update_layout(title={"text": title, "font": {"size": 13}, "y": 0.98})
    return _laid_out(figure)


def crossed(figure: go.Figure, words: str) -> go.Figure:
    """Return the figure with the words of an illustration written across it."""
    figure.add_annotation(
        text="<br>".join(textwrap.wrap(safe(words), 25)), x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False,
        textangle=-18,
        font={"size": 17, "color": "#8a8f98"}, opacity=0.55,
    )  # fmt: skip
    return figure


def _part(table: pl.DataFrame, run: str, levels: list[str]) -> pl.DataFrame:
    """Return the rows of one run in the order of the levels."""
    part = table.filter((pl.col("run") == run) & pl.col("value").is_in(levels))
    return part.sort(pl.col("value").replace_strict(levels, list(range(len(levels))), return_dtype=pl.Int64))


def _laid_out(figure: go.Figure) -> go.Figure:
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 70, "r": 30, "t": 50, "b": 60},
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0},
        hovermode="closest",
    )
    return figure
