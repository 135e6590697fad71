"""Methods · How is each number computed, and where does the method come from?"""

import polars as pl
import streamlit as st

from analytics.columns import STATUSES
from analytics.policy import MEANING
from analytics.questions import Option, Question, questions
from analytics.rubric import rubrics
from analytics.slices import KEYS
from analytics.terms import TERMS, Term
from pages.ui.kit import docs, links, page, plain, state

FIND = Option("find", "text", "", "words to look for in titles, definitions and sources")
METHOD = Option("method", "text", "", "question that is open")


def mentions(words: str, *texts: str) -> bool:
    """Whether every word occurs in one of the texts, in any case."""
    whole = " ".join(texts).lower()
    return all(word in whole for word in words.lower().split())


def term(said: Term) -> None:
    """Show one term: meaning, formula, source, and the questions that answer it."""
    plain.text(said.meaning)
    if said.formula:
        st.latex(said.formula)
    plain.text(f"Source: {said.source}")
    with st.container(horizontal=True):
        for name in said.questions:
            if name in questions():
                links.link("methods", questions()[name].title, {"method": [name]}, place=said.name)


def method(asked: Question) -> None:
    """Show one question: what it asks, its definition, source, options and columns."""
    plain.text(asked.asks)
    docs.definition(asked.ask)
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
    links.link("methods", "Address of this method", {"method": [asked.name]})


def rows(title: str, table: list[dict[str, object]], key: str) -> None:
    """Show a small table under a heading."""
    st.subheader(title, anchor=False)
    st.dataframe(pl.DataFrame(table), hide_index=True, key=key, alt=title)


asked = page.begin(__file__, own=(FIND, METHOD), one_benchmark=False, rows=False, policy=False)
every = questions()
sources = {question.source for question in every.values()}
with st.container(horizontal=True, gap="large"):
    st.metric("Questions", len(every), width="content", help="every number of every page comes from one of them")
    st.metric("With a source", sum(bool(q.source) for q in every.values()), width="content", help="paper or table")
    st.metric("Terms", len(TERMS), width="content", help="defined below, with formula and source")

wanted, opened = asked.options["find"], asked.options["method"]
if opened and opened not in every:
    plain.note(f"Left aside from the address: there is no question '{opened}'.", kind="warning")
key = state.hold("find", wanted, default="")
st.text_input("Find", key=key, on_change=state.write, placeholder="a word of a title, definition or source", width=420)

terms = [said for said in TERMS if mentions(wanted, said.name, said.meaning, said.source)]
found = [
    question
    for question in every.values()
    if mentions(wanted, question.title, question.asks, question.source, question.name, *docs.paragraphs(question.ask))
]
if not terms and not found:
    plain.note(f"No term and no method mentions '{wanted}'.", kind="info")
if terms:
    st.subheader("Terms", anchor=False)
for said in terms:
    shown = st.expander(said.name, key=f"term {said.name}", on_change="rerun")
    if shown.open:
        with shown:
            term(said)
if found:
    st.subheader("Questions", anchor=False)
    st.caption("Definition, source, options and columns of each, as the program itself states them.")
for question in sorted(found, key=lambda q: (q.name != opened, q.title)):
    shown = st.expander(question.title, expanded=question.name == opened, key=f"method {question.name} {opened}",
                        on_change="rerun")  # fmt: skip
    if shown.open:
        with shown:
            method(question)

rules = [
    {"rule": rule, "choice": choice, "meaning": meaning}
    for rule, choices in MEANING.items()
    for choice, meaning in choices.items()
]
rows("What counts", rules, "rules")
st.caption("Rules that turn attempts into credit; each page has them under 'What counts', each address carries them.")
rows("Which rows", [{"key": key.name, "means": key.says, "is about": key.of} for key in KEYS.values()], "keys")
rows("Where rows come from", [{"provenance": n, "means": says} for n, (_, says) in page.BADGES.items()], "provenance")
st.subheader("What became of an attempt", anchor=False)
plain.text(f"An attempt has one status, kept apart from its credit: {', '.join(STATUSES)}.")

st.subheader("Rubrics", anchor=False)
for rubric in rubrics().values():
    with st.expander(rubric.title):
        plain.text(f"Source: {rubric.source}\nAssumed here: {', '.join(rubric.assumed) or 'nothing'}")
        assumed = {name.split(".")[1] for name in rubric.assumed}
        weights = [
            {"label": label, "weight": weight, "assumed": label in assumed}
            for label, weight in rubric.weights.as_dict().items()
        ]
        st.dataframe(pl.DataFrame(weights), hide_index=True, key=f"weights {rubric.name}", alt="Weights")
links.link("data", "What each column means: data dictionary on the Data page", {"view": ["dictionary"]})
