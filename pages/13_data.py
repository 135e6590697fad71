"""Data · Which files were read, what was kept of them, and what does each column mean?"""

import polars as pl
import streamlit as st

from analytics.questions import Option, question
from pages.ui.kit import ask, logs, mapping, page, plain, rebuilt, show, state, switch, validated
from pages.ui.kit.asked import Asked

ISSUES = question("issues").options
SOURCES = (
    "path", "role", "trust", "seen", "kept", "refused", "doubted", "loader", "provenance", "benchmarks", "bytes",
    "argument",
)  # fmt: skip
COLUMNS = ("table", "column", "kind", "meaning", "unit", "allowed", "key", "null", "grain")
PLACES = ("severity", "rule", "path", "place", "column_name", "records", "message", "excerpt")

VIEWS = {"logs": "Logs", "coverage": "Coverage", "reconstruction": "Reconstruction", "dictionary": "Dictionary"}
VIEW = Option("view", "choice", "logs", "files and issues, runs by items, rebuilt rows, or what columns mean",
              allowed=tuple(VIEWS))  # fmt: skip
OWN = (VIEW, *ISSUES, validated.MAP_OF)


def read_files(asked: Asked) -> None:
    """Show what was read and kept, take more logs, and list the sources and what was found wrong in them."""
    sources = ask.ask("sources", asked.chosen, asked.policy)
    if sources is None:
        return
    table = sources.table
    with st.container(horizontal=True, gap="medium"):
        st.metric("Files", table.height, format="localized", width="content")
        refused = table.filter(pl.col("role") == "refused").height
        st.metric("Files refused", refused, format="localized", width="content", help="nothing was loaded from them")
        for column in ("seen", "kept", "refused", "doubted"):
            st.metric(f"Records {column}", int(table[column].sum()), format="localized", width="content")
    st.subheader("Add logs", anchor=False)
    st.caption(logs.said())
    logs.changed(table)
    logs.adding()
    logs.shipped_only()
    mapping.offer(asked)
    st.subheader("Sources", anchor=False)
    if table.is_empty():
        plain.note("No file has been read yet.", kind="info")
    else:
        picked = show.table(sources, "sources", asked, columns=SOURCES, select="multi", key="sources")
        logs.removal(picked)
        show.foot(sources, "sources", asked, {})


def issues_found(asked: Asked) -> None:
    """List what was refused or doubted, by severity and rule."""
    st.subheader("Issues", anchor=False)
    options = {option.name: asked.options[option.name] for option in ISSUES}
    every = ask.ask("issues", asked.chosen, asked.policy)
    issues = ask.ask("issues", asked.chosen, asked.policy, options)
    if every is None or issues is None:
        return
    if every.table.is_empty():
        st.caption("None: every record was kept without a doubt.")
        return
    rules = ["", *every.table["rule"].unique().sort().to_list()]
    with st.container(horizontal=True):
        key = state.hold_option(ISSUES[0])
        st.segmented_control("Severity", ISSUES[0].allowed, key=key, on_change=state.write, required=True)
        rule = options["rule"] if options["rule"] in rules else ""
        key = state.hold("rule", rule, default="")
        st.selectbox("Rule", rules, key=key, on_change=state.write, format_func=lambda v: v or "every rule", width=280)
    show.table(issues, "issues", asked, columns=PLACES, key="issues")
    show.foot(issues, "issues", asked, options)


def dictionary(asked: Asked) -> None:
    """Show every table and column of a store with its meaning."""
    answer = ask.ask("dictionary", asked.chosen, asked.policy)
    if answer is None:
        return
    tables = answer.table["table"].unique(maintain_order=True).to_list()
    wanted = st.multiselect("Tables", tables, placeholder="every table", key="dictionary tables")
    rows = answer.table.filter(pl.col("table").is_in(wanted)) if wanted else answer.table
    show.table(answer, "dictionary", asked, rows=rows, columns=COLUMNS, key="dictionary", height=600)
    show.foot(answer, "dictionary", asked, {})


asked = page.begin(
    __file__, own=OWN, quiet=[option.name for option in OWN], one_benchmark=False, rows=False, policy=False
)
logs.went_wrong()
logs.last_report()
offered = [name for name in VIEWS if name != "reconstruction" or rebuilt.some()]
view = switch.part(VIEW, words=VIEWS, offered=offered, meant="coverage" if asked.options["map_of"] else None)
if view == "coverage":
    validated.runs_by_items(asked)
    validated.rules(asked)
    validated.spellings(asked)
elif view == "reconstruction":
    rebuilt.account(asked)
elif view == "dictionary":
    dictionary(asked)
else:
    read_files(asked)
    issues_found(asked)
