"""Figures of the report: each as SVG in data addresses, for light and dark, for wide and narrow screens.

An SVG that is the source of an image can neither load a thing nor put an element into the page, whatever its text says,
and several of them cannot mix up their ids.
"""

from __future__ import annotations

import base64
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import vl_convert

THEME = Path(__file__).resolve().parents[3] / ".streamlit" / "config.toml"
"""Colours of the app, light and dark: a report has the same."""

WIDTHS = {"": 900, "(max-width: 700px)": 350}
"""Pixels of the picture by the screens that it is for."""

CONTROL = r"[\p{C}]"
"""Control and direction characters, and those without a meaning: XML has no place for them, readers no use."""

LONGEST = 200
"""Characters of a name in a figure; axes cut it further."""

Drawn = alt.Chart | alt.LayerChart


@dataclass(frozen=True, slots=True)
class Picture:
    """One figure: data addresses with the screens that they are for, the last for every other, and its words."""

    sources: tuple[tuple[str, str], ...]
    words: str


def picture(figure: Drawn, words: str) -> Picture:
    """Return a figure in every colour scheme and width of the report."""
    spec = figure.properties(width=0, autosize=alt.AutoSizeParams(type="fit", contains="padding")).to_dict()
    found = []
    for scheme in ("dark", "light"):
        for screen, width in reversed(WIDTHS.items()):
            dark = "screen and (prefers-color-scheme: dark)" if scheme == "dark" else ""
            media = " and ".join(part for part in (dark, screen) if part)
            found.append((media, address(svg(spec, width=width, scheme=scheme))))
    return Picture(tuple(found), words)


def svg(spec: Mapping[str, Any], *, width: int, scheme: str) -> str:
    """Return a figure as SVG in the app's colours; it may fetch nothing while it is drawn."""
    drawn: str = vl_convert.vegalite_to_svg(
        {**spec, "width": width, "config": config(scheme)},
        vl_version=".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2]),
        allowed_base_urls=[],
    )
    return drawn


def address(text: str) -> str:
    """Return SVG as a data address."""
    return "data:image/svg+xml;base64," + base64.b64encode(text.encode()).decode()


@cache
def theme(scheme: str) -> Mapping[str, Any]:
    """Return the app's colours for 'light' or 'dark'."""
    found: dict[str, Any] = tomllib.loads(THEME.read_text(encoding="utf-8"))["theme"][scheme]
    return found


def config(scheme: str) -> dict[str, Any]:
    """Return Vega-Lite's configuration in the app's colours."""
    colors = theme(scheme)
    ink, line = colors["textColor"], colors["borderColor"]
    words = {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 500}
    return {
        "font": "sans-serif",
        "background": None,
        "padding": {"left": 26, "right": 26, "top": 4, "bottom": 4},  # a reader's font may be wider than ours
        "view": {"stroke": None},
        "axis": words | {"gridColor": line, "domainColor": line, "tickColor": line},
        "legend": words,
        "text": {"color": ink},
        "range": {
            "category": colors["chartCategoricalColors"],
            "ramp": colors["chartSequentialColors"],
            "heatmap": colors["chartSequentialColors"],
            "diverging": colors["chartDivergingColors"],
        },
    }


def fit_to_draw(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with every text short enough for a figure and free of characters that XML forbids."""
    return table.with_columns(pl.selectors.string().str.replace_all(CONTROL, "\ufffd").str.slice(0, LONGEST))
