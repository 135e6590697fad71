"""Pictures that leave the app: SVG and PNG of an Altair figure, stamped with how it was made."""

from __future__ import annotations

import io
import textwrap

import altair as alt

from pages.ui.charts.palette import COLORS

WIDTH = 720


def stamped(figure: alt.Chart | alt.LayerChart, title: str, lines: list[str]) -> alt.Chart | alt.LayerChart:
    """Return the figure at a fixed width with title and stamp, in colours for paper."""
    wrapped = [part for line in lines for part in textwrap.wrap(line, 110)]
    heading = alt.TitleParams(
        text=title, subtitle=wrapped, anchor="start", subtitleColor="#52606d", subtitleFontSize=10, offset=12
    )
    return (
        figure.properties(width=WIDTH, title=heading, background="#ffffff", padding=12)
        .configure_range(category=list(COLORS))
        .configure_view(stroke=None)
    )


def svg(figure: alt.Chart | alt.LayerChart, title: str, lines: list[str]) -> bytes:
    """Return the stamped figure as SVG."""
    text = io.StringIO()
    stamped(figure, title, lines).save(text, format="svg")
    return text.getvalue().encode()


def png(figure: alt.Chart | alt.LayerChart, title: str, lines: list[str]) -> bytes:
    """Return the stamped figure as PNG, twice the size for print."""
    picture = io.BytesIO()
    stamped(figure, title, lines).save(picture, format="png", scale_factor=2)
    return picture.getvalue()
