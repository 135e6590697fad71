"""One palette and one order for every figure; colours that any colour vision tells apart (Okabe and Ito 2008)."""

from __future__ import annotations

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b7785", "#a89a00")
"""Colours of pictures that leave the app; inside it the theme, light or dark, gives its own version of the same."""

KINDS = ("model", "human", "control")
SHAPES = ("circle", "diamond", "square")
"""Marks of the kinds of system, so that colour is never alone in telling them apart."""

MEDIA = ("text", "image", "images", "audio", "video")
"""Order of media types; others follow by name."""

PROVENANCE = {
    "released": ("green", "rows that the benchmark's authors released"),
    "published": ("blue", "figures that a paper prints"),
    "reconstructed": ("orange", "rows simulated so that they meet the published figures; they prove nothing else"),
    "demo": ("violet", "a small example written for this project"),
    "imported": ("gray", "logs that you loaded"),
}
"""Badge of each provenance: its colour and what it means."""


def ordered(found: list[str], first: tuple[str, ...]) -> list[str]:
    """Return values in a fixed order: those of `first` that occur, then the others by name."""
    return [v for v in first if v in found] + sorted(v for v in set(found) if v not in first)
