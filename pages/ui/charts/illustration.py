"""Words across a figure whose numbers no published figure fixes."""

from __future__ import annotations

import textwrap

import altair as alt

from analytics.determined import ILLUSTRATION

LINES = tuple(textwrap.wrap(ILLUSTRATION, 25))

Figure = alt.Chart | alt.LayerChart


def across(figure: Figure) -> alt.LayerChart:
    """Return the figure with the words of an illustration written across it, faint enough to read every mark.

    They lie under the numbers of a matrix, which at the width of a phone would be no larger than the words. Colour and
    size follow neither theme nor data: a picture that leaves the app keeps the words.
    """
    words = alt.Chart(alt.Data(values=[{}])).encode(
        x=alt.value(alt.ExprRef("width / 2")), y=alt.value(alt.ExprRef("height / 2"))
    )
    drawn = {
        "text": list(LINES), "angle": 348, "fontSize": alt.ExprRef("max(11, min(24, width / 15, height / 6))"),
        "fontWeight": "bold", "baseline": "middle", "align": "center", "tooltip": None,
    }  # fmt: skip
    halo = words.mark_text(**drawn, stroke="#ffffff", strokeWidth=2, strokeJoin="round", opacity=0.28)
    written = (halo, words.mark_text(**drawn, color="#545d68", opacity=0.36))
    if not isinstance(figure, alt.LayerChart) or not _is_text(figure.layer[-1]):
        return alt.layer(figure, *written)
    under = figure.copy()
    under.layer = [*figure.layer[:-1], *written, figure.layer[-1]]
    return under


def _is_text(layer: alt.Chart | alt.LayerChart) -> bool:
    return isinstance(layer, alt.Chart) and getattr(layer.mark, "type", layer.mark) == "text"
