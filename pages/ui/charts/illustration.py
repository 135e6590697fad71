"""Words across a figure whose numbers no published figure fixes."""

from __future__ import annotations

import textwrap

import altair as alt

from analytics.determined import ILLUSTRATION

LINES = tuple(textwrap.wrap(ILLUSTRATION, 42))

Figure = alt.Chart | alt.LayerChart


def across(figure: Figure) -> alt.LayerChart:
    """Return the figure with the words of an illustration written across it, faint enough to read through.

    Colour and size follow neither theme nor data: a picture that leaves the app keeps the words.
    """
    at = {"x": alt.value(alt.ExprRef("width / 2")), "y": alt.value(alt.ExprRef("height / 2"))}
    words = (
        alt.Chart(alt.Data(values=[{}]))
        .mark_text(
            text=list(LINES),
            angle=348,
            fontSize=alt.ExprRef("max(10, min(26, width / 22))"),
            fontWeight="bold",
            color="#8a8f98",
            opacity=0.5,
            baseline="middle",
            align="center",
            tooltip=None,
        )
        .encode(**at)
    )
    return alt.layer(figure, words)
