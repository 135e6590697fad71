"""The answers that lose most credit to their rationale, each with the way to its case and its calculation."""

from __future__ import annotations

import streamlit as st

from analytics.questions import question
from pages.ui.kit import ask, illustration, links, plain, show, switch
from pages.ui.kit.asked import Asked

LOSSES = question("losses")
LOST, EVIDENCE = LOSSES.option("lost"), LOSSES.option("evidence")


def losses(asked: Asked) -> None:
    """List the answers that lose most credit; a row opens its case."""
    st.subheader("Answers that lose credit", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        switch.switch(LOST, words={"any": "some of it", "all": "all of it"})
        switch.switch(EVIDENCE)
    options = {
        "lost": asked.options["lost"],
        "evidence": asked.options["evidence"],
        "most": LOSSES.option("most").initial,
    }
    answer = ask.ask("losses", asked.chosen, asked.policy, options)
    if answer is None:
        return
    table = answer.table
    if table.is_empty():
        plain.note("No answer loses credit so under these weights.", kind="info")
        return
    st.metric(
        "Answers",
        int(table["total"][0]),
        format="localized",
        width="content",
        help=f"of {table['earned'][0]} that earn",
    )
    illustration.headline(table)
    columns = (
        "run",
        "item",
        "capability",
        "raw",
        "verified",
        "lost",
        "coverage",
        "evidence",
        "logic",
        "answer",
        "determined",
    )
    chosen = show.table(answer, "losses", asked, columns=columns, select="single", key="losses")
    if table["total"][0] > table.height:
        st.caption(f"The {table.height} largest losses are listed.")
    if chosen.height:
        params = asked.carried() | {"benchmark": [str(asked.benchmark)]}
        case = {"item": [chosen["item"][0]]}
        with st.container(horizontal=True):
            links.link("cases", "Open the case", params | case | {"beside": [chosen["run"][0]]})
            links.link("credit_calculator", "Compute its credit", params | case | {"of": [chosen["run"][0]]})
    with show.fold("Losses: exports, how computed", key="losses") as fold:
        if fold.open:
            show.proof(answer, "losses", asked, options)
