"""Colours of the theme: words on a chip, and a chosen switch on the page, are read in both schemes."""

from __future__ import annotations

import tomllib

import pytest

from tests.pages.conftest import ROOT

WHITE = "#ffffff"


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_on_the_main_colour_and_in_it_are_read(scheme: str) -> None:
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"][scheme]
    assert contrast(theme["primaryColor"], WHITE) > 3.9  # chips of a multiple choice have white words
    assert contrast(theme["primaryColor"], theme["backgroundColor"]) > 4.5
    assert contrast(theme["textColor"], theme["backgroundColor"]) > 7
    assert contrast(theme["linkColor"], theme["backgroundColor"]) > 4.5
