"""Data · Which files were read, what was kept of them, and what does each column mean?"""

import polars as pl
import streamlit as st

from analytics.questions import question
from pages.ui.kit import ask, logs, mapping, page, plain, rebuilt, show, state, validated

ISSUES = question("issues").options
SOURCES = (
    "path", "role", "trust", "seen", "kept", "refused", "doubted", "loader", "provenance", "benchmarks", "bytes",
    "argument",
)  # fmt: skip
PLACES = ("severity", "rule", "path", "place", "column_name", "records", "message", "excerpt")

OWN = (*ISSUES, validated.MAP_OF)

asked = page.begin(
    __file__, own=OWN, quiet=[option.name for option in OWN], one_benchmark=False, rows=False, policy=False
)
logs.went_wrong()
logs.last_report()

sources = ask.ask("sources", asked.chosen, asked.policy)
if sources is None:
    st.stop()
table = sources.table
with st.container(horizontal=True, gap="large"):
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
    with show.fold("Sources: exports, how computed", key="sources") as fold:
        if fold.open:
            show.proof(sources, "sources", asked, {})

st.subheader("Issues", anchor=False)
options = {option.name: asked.options[option.name] for option in ISSUES}
every = ask.ask("issues", asked.chosen, asked.policy)
issues = ask.ask("issues", asked.chosen, asked.policy, options)
if every is not None and issues is not None:
    if every.table.is_empty():
        st.caption("None: every record was kept without a doubt.")
    else:
        rules = ["", *every.table["rule"].unique().sort().to_list()]
        with st.container(horizontal=True):
            key = state.hold_option(ISSUES[0])
            st.segmented_control("Severity", ISSUES[0].allowed, key=key, on_change=state.write, required=True)
            rule = options["rule"] if options["rule"] in rules else ""
            key = state.hold("rule", rule, default="")
            st.selectbox(
                "Rule", rules, key=key, on_change=state.write, format_func=lambda v: v or "every rule", width=280
            )
        show.table(issues, "issues", asked, columns=PLACES, key="issues")
        with show.fold("Issues: exports, how computed", key="issues") as fold:
            if fold.open:
                show.proof(issues, "issues", asked, options)

validated.rules(asked)
validated.runs_by_items(asked)
validated.spellings(asked)
rebuilt.account(asked)

st.subheader("Data dictionary", anchor=False)
dictionary = ask.ask("dictionary", asked.chosen, asked.policy)
if dictionary is not None:
    with show.fold("Every table and column", key="dictionary") as fold:
        if fold.open:
            tables = dictionary.table["table"].unique(maintain_order=True).to_list()
            wanted = st.multiselect("Tables", tables, placeholder="every table", key="dictionary tables")
            rows = dictionary.table.filter(pl.col("table").is_in(wanted)) if wanted else dictionary.table
            show.table(dictionary, "dictionary", asked, rows=rows, key="dictionary")
