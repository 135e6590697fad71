"""The scores that a paper prints, beside those of the rows."""

from __future__ import annotations

import streamlit as st

from analytics.errors import EmptySlice
from analytics.questions import Answer
from pages.ui.kit import ask, origin, plain, show
from pages.ui.kit.asked import Asked

MAIN = ("model", "kind", "measure", "printed", "score", "agrees", "place")


def _printed(asked: Asked) -> Answer | None:
    try:
        return ask.answer("printed", asked.chosen, asked.policy)
    except EmptySlice:
        return None


def prints(asked: Asked) -> bool:
    """Whether a published table has scores for this slice."""
    return _printed(asked) is not None


def beside(asked: Asked) -> None:
    """Show printed scores beside the rows' where a published table has them for this slice; else say so."""
    answer = _printed(asked)
    if answer is None:
        plain.note("No loaded table of a paper prints a score for this slice: choose a wider one.", kind="info")
        return
    table = answer.table
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader("Beside the paper", anchor=False, width="content")
        origin.badges(["published", *table["provenance"].unique().sort()])
    met = int(table["agrees"].sum())
    by_construction = ", by construction" if "reconstructed" in table["provenance"] else ""
    st.caption(
        f"{met} of {table.height} scores that the paper prints for this slice come out of the rows{by_construction}. "
        "Printed scores are in per cent, digits as printed."
    )
    show.table(answer, "printed", asked, columns=MAIN, key="printed")
    with show.fold("Beside the paper: exports, how computed", key="printed") as fold:
        if fold.open:
            show.proof(answer, "printed", asked, {})
