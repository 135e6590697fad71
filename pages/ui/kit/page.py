"""The frame of every page: configuration, links, title and question, provenance, slice bar, and the foot."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from analytics.errors import ScoreproofError
from analytics.policy import Policy
from analytics.questions import Option
from analytics.slices import Slice
from pages.ui.charts.palette import PROVENANCE
from pages.ui.kit import ask, links, origin, plain, sign_in, state
from pages.ui.kit.asked import Asked, read
from pages.ui.kit.bar import bar

# Loaded whole before a page runs, and bound to no name, for our frames are Polars: Altair looks at the pandas that
# `sys.modules` has, and Plotly or a question imports it when a page first needs them, so that a page drawn at the same
# moment would meet half a module.
importlib.import_module("pandas")

ICON = str(Path(__file__).with_name("icon.png"))

BADGES = PROVENANCE


def begin(
    file: str,
    *,
    own: Sequence[Option] = (),
    quiet: Sequence[str] = (),
    many: Sequence[str] = (),
    one_benchmark: bool,
    rows: bool = True,
    policy: bool = True,
    first: Callable[[], str | None] | None = None,
) -> Asked:
    """Start a page and return what its address asks for; stops the run, with a sentence, where there is no store.

    `own` are options of the page that live in the address; those named in `quiet` get no control in the bar. `many` are
    the names of its multi-valued parameters. `rows` and `policy` say whether slice and policy apply to the page. With
    `first`, an address without a benchmark means the one that it returns, where it returns one.
    """
    here = links.this(file)
    st.set_page_config(
        page_title=f"{here.title} - scoreproof", page_icon=ICON, layout="wide", initial_sidebar_state="auto"
    )
    st.logo(ICON, size="large")
    sign_in.check()
    state.begin(here.path)
    ask.begin()
    try:
        asked = read(own, many, one_benchmark=one_benchmark, first=first)
    except ScoreproofError as error:
        links.sidebar({})
        st.title(here.title, anchor=False)
        plain.note(str(error), kind="error")
        st.stop()
    links.sidebar(asked.carried())
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(here.title, anchor=False, width="content")
        _badges(asked)
    st.markdown(here.question)
    for sentence in asked.ignored:
        plain.note(f"Left aside from the address: {sentence}", kind="warning")
    shown = [option for option in own if option.name not in quiet]
    bar(asked, shown, one_benchmark=one_benchmark, rows=rows, policy=policy)
    return asked


def _badges(asked: Asked) -> None:
    """Show where the shown rows come from, one badge per provenance."""
    chosen = Slice() if asked.benchmark is None else Slice.of(benchmark=asked.benchmark)
    table = ask.answer("benchmarks", chosen, Policy()).table
    found = {p for text in table["provenance"].drop_nulls().to_list() for p in text.split(", ")}
    if not found and asked.benchmark is None:
        found = set(ask.answer("figures", Slice(), Policy()).table["provenance"].unique().to_list())
    origin.badges(sorted(found))


def nothing(needs: str) -> None:
    """Say that no log is loaded, what a log for this page needs, and where to add one; ends the run."""
    plain.note(f"No log is loaded. This page needs a log with {needs}.", kind="info")
    links.link("data", "Add a log on the Data page", {})
    st.stop()
