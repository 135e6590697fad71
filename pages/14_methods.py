"""Methods · How is each number computed, and where does the method come from?"""

import inspect

import polars as pl
import streamlit as st

from analytics.policy import MEANING
from analytics.questions import Question, questions
from analytics.rubric import rubrics
from pages.ui.kit import page, plain


def method(asked: Question) -> None:
    """Show one question: what it asks, its definition, source, options and columns."""
    st.markdown(f"**{asked.asks}**")
    st.markdown(inspect.getdoc(asked.ask) or "")
    plain.text(f"Source: {asked.source}\nNeeds: {asked.needs}")
    if asked.options:
        options = [
            {
                "option": option.name,
                "initially": str(option.initial),
                "allowed": ", ".join(option.allowed) or option.kind,
                "meaning": option.meaning,
            }
            for option in asked.options
        ]
        st.dataframe(pl.DataFrame(options), hide_index=True, key=f"options {asked.name}", alt="Options")
    columns = [{"column": c.name, "unit": c.unit, "meaning": c.meaning} for c in asked.columns]
    st.dataframe(pl.DataFrame(columns), hide_index=True, key=f"columns {asked.name}", alt="Columns")
    st.code(f"scoreproof ask {asked.name}", language="bash")


page.begin(__file__, one_benchmark=False, rows=False, policy=False)
every = questions()
st.metric("Questions", len(every), width="content")

wanted = st.text_input("Find", placeholder="a word of a title, definition or source", key="find", width=420)
found = [
    asked
    for asked in every.values()
    if wanted.lower() in f"{asked.title} {asked.asks} {asked.source} {asked.name} {inspect.getdoc(asked.ask)}".lower()
]
if not found:
    plain.note(f"No method mentions '{wanted}'.", kind="info")
for asked in sorted(found, key=lambda q: q.title):
    shown = st.expander(asked.title, key=f"method {asked.name}", on_change="rerun")
    if shown.open:
        with shown:
            method(asked)

st.subheader("What counts", anchor=False)
st.caption("Rules that turn attempts into credit; each page has them under 'What counts', each address carries them.")
rules = [
    {"rule": rule, "choice": choice, "meaning": meaning}
    for rule, choices in MEANING.items()
    for choice, meaning in choices.items()
]
st.dataframe(pl.DataFrame(rules), hide_index=True, key="rules", alt="Rules")

st.subheader("Rubrics", anchor=False)
for rubric in rubrics().values():
    with st.expander(rubric.title):
        plain.text(f"Source: {rubric.source}\nAssumed here: {', '.join(rubric.assumed) or 'nothing'}")
        weights = [{"label": label, "weight": weight} for label, weight in rubric.weights.as_dict().items()]
        st.dataframe(pl.DataFrame(weights), hide_index=True, key=f"weights {rubric.name}", alt="Weights")
