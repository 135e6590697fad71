"""The validation report on screen: rules, statuses, which items each run has, and values spelled nearly alike."""

from __future__ import annotations

from functools import partial

import polars as pl
import streamlit as st

from analytics.policy import Policy
from analytics.questions import Option
from analytics.slices import Slice
from pages.ui.charts.coverage import coverage_map
from pages.ui.kit import ask, plain, show, switch
from pages.ui.kit.asked import Asked

MAP_OF = Option("map_of", "text", "", "benchmark of the map of runs by items")
MOST_RUNS = 40
"""Runs that the map draws, those that lack most first; the table has all."""

RULES = ("rule", "severity", "records", "issues", "sources", "loaders", "example")
RUNS = ("run", "answered", "missing", "items", "share", "complete", "scope", "model", "provenance")


def rules(asked: Asked) -> None:
    """Show what was refused and doubted by rule, keys met twice apart."""
    answer = ask.ask("rules", asked.chosen, asked.policy)
    if answer is None or answer.table.is_empty():
        return
    st.subheader("By rule", anchor=False)
    show.table(answer, "rules", asked, columns=RULES, key="rules")
    twice = answer.table.filter("doubled")
    if twice.is_empty():
        st.caption("No key, run or file was met more than once.")
    else:
        said = ", ".join(f"{rule} ({n:,} records)" for rule, n in twice.select("rule", "records").iter_rows())
        plain.text(f"Met more than once: {said}.")
    show.foot(answer, "rules", asked, {})


def spellings(asked: Asked) -> None:
    """Show values that may be meant as one; nothing is ever merged."""
    answer = ask.ask("spellings", Slice(), Policy())
    if answer is None:
        return
    st.subheader("Categories spelled nearly alike", anchor=False)
    if answer.table.is_empty():
        st.caption("None. Values are never merged: what a log spells in two ways stays two values.")
        return
    st.caption("Not merged: each is a value of its own until its log says otherwise. Mend the log if they are one.")
    show.table(answer, "spellings", asked, key="spellings")
    show.foot(answer, "spellings", asked, {})


def runs_by_items(asked: Asked) -> None:
    """Show which items of one benchmark each run has answered, and what became of the attempts."""
    loaded = ask.answer("benchmarks", Slice(), Policy()).table.filter(pl.col("runs") > 0)
    names = loaded["benchmark"].to_list()
    if not names:
        return
    st.subheader("Runs by items", anchor=False)
    wanted = str(asked.options["map_of"])
    name = wanted if wanted in names else names[0]
    if len(names) > 1:
        switch.choose("map_of", names, name, default=names[0], title="Benchmark of the map")
    chosen = Slice.of(benchmark=name)
    by_run = ask.ask("coverage", chosen, Policy(), {"bins": 1})
    if by_run is None:
        return
    table = by_run.table.sort("missing", "run", descending=[True, False])
    partial_runs = table.filter(pl.col("missing") > 0)
    with st.container(horizontal=True, gap="medium"):
        st.metric("Runs", table.height, format="localized", width="content")
        st.metric("Partial runs", partial_runs.height, format="localized", width="content")
        st.metric("Missing responses", int(table["missing"].sum()), format="localized", width="content")
    figure = _map(chosen, table["run"].head(MOST_RUNS).to_list(), asked)
    if table.height > MOST_RUNS:
        st.caption(f"Drawn are the {MOST_RUNS} runs that lack most; the table has all {table.height}.")
    picked = show.table(by_run, "coverage", asked, rows=table, columns=RUNS, select="single", key="coverage")
    show.foot(by_run, "coverage", Asked(chosen, Policy(), {}, {}, (), name, chosen), {"bins": 1}, figure=figure)
    if picked.height:
        _missing(chosen.with_choice("run", picked["run"].to_list()), asked)
    elif partial_runs.height:
        st.caption("Select a run to list the items that it lacks. Compare partial runs on common items alone.")
    with st.expander("What became of the attempts", key="statuses of the map", on_change="rerun") as fold:
        if fold.open:
            statuses = ask.ask("statuses", chosen, Policy())
            if statuses is not None:
                show.table(statuses, "statuses", asked, key="statuses")


def _map(chosen: Slice, runs: list[str], asked: Asked) -> show.Draw | None:
    """Draw the map of some runs and return what draws it."""
    answer = ask.ask("coverage", chosen, Policy())
    if answer is None or answer.table.is_empty():
        return None
    held = answer.table.filter(pl.col("run").is_in(runs))
    drawn = partial(coverage_map, held, runs=runs)
    words = (
        f"Map of {len(runs)} runs by {held['bin'].n_unique()} parts of the items: "
        f"{int(held['missing'].sum())} responses are missing. The table has every number."
    )
    show.chart(drawn, alt_text=words, key=f"coverage map {chosen.digest()}", asked=asked)
    return drawn


def _missing(chosen: Slice, asked: Asked) -> None:
    """List the items that one run lacks."""
    answer = ask.ask("unanswered", chosen, Policy())
    if answer is None:
        return
    if answer.table.is_empty():
        st.caption("This run has a response to every item.")
        return
    show.table(answer, "unanswered", asked, key="unanswered")
    left = answer.left_out["rows beyond the first"]
    if left:
        st.caption(f"{left:,} more are left out here: `scoreproof ask unanswered --set most=N` lists them.")
