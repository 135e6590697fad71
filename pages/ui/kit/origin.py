"""Where rows come from, in sight: a badge, and a sentence where single rows prove nothing."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from pages.ui.charts.palette import PROVENANCE
from pages.ui.kit import plain

SINGLE = {
    "reconstructed": "Reconstructed: simulated rows, an illustration. All rows together meet the published figures; no "
    "single answer or verdict was ever given.",
    "demo": "Demo: written and drawn for this project. No real person, model or judge took part.",
}
"""What a reader of single cases must know."""


def split(provenance: str | None) -> list[str]:
    """Return the provenances that a column of joined ones names, in the order of the palette."""
    found = {name.strip() for name in (provenance or "").split(",")}
    return [name for name in PROVENANCE if name in found]


def badges(names: Iterable[str]) -> None:
    """Show one badge per provenance; its meaning is its help."""
    for name in names:
        color, meaning = PROVENANCE[name]
        st.badge(name, color=color, help=meaning)  # type: ignore[arg-type]


def legend(names: Iterable[str]) -> None:
    """Show each provenance with what it means, for the page that a reader sees first."""
    for name in names:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            badges([name])
            st.caption(PROVENANCE[name][1], width="content")


def say(names: Iterable[str]) -> None:
    """Say beside single cases what they are, where they are no observations."""
    for name in names:
        if name in SINGLE:
            plain.note(SINGLE[name], kind="warning" if name == "reconstructed" else "info")
