"""How well the reconstructed rows meet what is printed: by table, by figure, and what they leave free."""

from __future__ import annotations

import streamlit as st

from analytics.questions import question
from pages.ui.kit import ask, show, switch
from pages.ui.kit.asked import Asked

MAIN = ("document", "place", "checked", "matched", "assumption", "unreachable", "outside", "mismatch", "file")
STATUS = question("reconstruction_figures").option("status")


def some() -> bool:
    """Whether the store has reconstructed rows."""
    loaded = ask.answer("benchmarks", show.EVERYTHING, show.DECLARED).table
    return "reconstructed" in ", ".join(loaded["provenance"].drop_nulls())


def account(asked: Asked) -> None:
    """Show the account of the reconstruction; says so on a store without reconstructed rows."""
    if not some():
        switch.lacking("reconstructed rows")
        return
    tables = ask.ask("reconstruction", show.EVERYTHING, show.DECLARED)
    free = ask.ask("reconstruction_free", show.EVERYTHING, show.DECLARED)
    if tables is None or free is None:
        return
    st.markdown("The rows of the three papers are simulated. This is which of the printed figures they meet.")
    with st.container(horizontal=True, gap="medium"):
        for name, title in (
            ("figures", "Printed figures"), ("matched", "Matched"), ("assumption", "Under an assumption"),
            ("unreachable", "Unreachable"), ("outside", "Outside the rows"), ("mismatch", "Mismatch"),
        ):  # fmt: skip
            st.metric(title, int(tables.table[name].sum()), format="localized", width="content")
    show.table(tables, "reconstruction", asked, columns=MAIN, key="reconstruction")
    show.foot(tables, "reconstruction", asked, {})
    with st.expander("Figure by figure", key="rebuilt figures", on_change="rerun") as fold:
        if fold.open:
            status = st.selectbox("Figures", STATUS.allowed, key="rebuilt status", width=280)
            figures = ask.ask("reconstruction_figures", show.EVERYTHING, show.DECLARED, {"status": status})
            if figures is not None:
                show.table(figures, "reconstruction_figures", asked, key="reconstruction figures")
                st.caption("All as a file: `scoreproof ask reconstruction_figures --set status=all --format csv`")
    st.markdown("**Free**: pinned by no printed figure and filled by a rule. Results on these are illustrations.")
    show.table(free, "reconstruction_free", asked, key="reconstruction free")
