"""Leaderboard · Which run earns most credit, and how sure is its place?"""

from functools import partial

import polars as pl
import streamlit as st

from analytics.questions import Option, question
from pages.ui.charts.intervals import interval_plot, names
from pages.ui.kit import ask, illustration, page, plain, show, state
from pages.ui.kit.asked import Asked

SORT = Option("sort", "choice", "score", "order of the rows", allowed=("score", "name", "items", "tokens"))
OWN = (*question("leaderboard").options, SORT)
RANKED_APART = ("scope", "regime", "condition")
"""Runs that differ in one of these stand in rankings of their own."""

CREDITS = ("raw", "raw_low", "raw_high", "verified", "verified_low", "verified_high")
OTHERS = (
    "gap", "kind", "rank_low", "rank_high", "tie_group", "n", "hidden", "failed", "unjudged", "small_n", "partial",
    "tokens", "vendor", "run", "provenance",
)  # fmt: skip


def columns(by: str) -> list[str]:
    """Return what the table shows: place and the chosen credit first, so that a narrow screen has them."""
    chosen = [name for name in CREDITS if name.startswith(by)]
    return ["rank", "model", *chosen, *RANKED_APART, *(c for c in CREDITS if c not in chosen), *OTHERS]


def sort(table: pl.DataFrame, by: str, order: str) -> pl.DataFrame:
    """Return rows in the order that the address names; models always before human and control runs."""
    column, down = {"name": ("model", False), "items": ("n", True), "tokens": ("tokens", False)}.get(order, (by, True))
    return table.sort(pl.col("kind") != "model", column, "run", descending=[False, down, False], nulls_last=True)


def rankings(table: pl.DataFrame) -> list[pl.DataFrame]:
    """Return the rankings of a benchmark: the main runs first, then those of other conditions, large before small."""
    parts = table.partition_by(RANKED_APART, maintain_order=True)
    return sorted(parts, key=lambda part: (part["condition"][0] != "none", -part.height))


def heading(part: pl.DataFrame) -> str:
    """Return what sets one ranking apart from the others."""
    stated = [f"{key} {part[key][0]}" for key in RANKED_APART if part[key][0] not in (None, "none")]
    return ", ".join(stated) or "main runs"


def headline(part: pl.DataFrame, by: str) -> None:
    """Show the leading run with its mean, interval and place."""
    models = part.filter((pl.col("kind") == "model") & pl.col(by).is_not_null())
    best = (models if models.height else part).sort(by, descending=True, nulls_last=True).head(1)
    if best[by][0] is None:
        st.caption(f"No run has a {by} credit here.")
        return
    tied = part.join(best, on=["kind", "tie_group"], how="semi").height
    st.subheader(plain.label(names(best)[0]), anchor=False)
    illustration.headline(part)
    with st.container(horizontal=True, gap="medium"):
        st.metric(f"{by.capitalize()}, best", best[by][0], format="percent", width="content", help="the leading run")
        for end, title in (("low", "from"), ("high", "to")):
            value = best[f"{by}_{end}"][0]
            if value is not None:
                st.metric(title, value, format="percent", width="content", help="end of its interval")
        st.metric("Items", best["n"][0], format="localized", width="content", help="items with a credit")
        if tied:
            st.metric("Tied for best", tied, width="content", help="runs that the data cannot tell apart from the best")


def figure(part: pl.DataFrame, asked: Asked, key: str) -> show.Draw | None:
    """Draw one ranking and return what draws it; None, with a sentence, where no run has the credit."""
    by = asked.options["by"]
    held = part.filter(pl.col(by).is_not_null())
    if held.is_empty():
        st.caption(f"No run has a {by} credit here.")
        return None
    best = names(held.sort(by, descending=True).head(1))[0]
    words = f"Interval plot of {held.height} runs by {by} credit; highest: {best}. The table has every number."
    plot = partial(interval_plot, held, by=by, title=f"{by} credit, {part['average'][0]} mean (%)")
    drawn = illustration.marked(plot, held)
    show.chart(drawn, alt_text=illustration.spoken(words, held), key=key, asked=asked)
    return drawn


asked = page.begin(__file__, own=OWN, many=("compare",), one_benchmark=True)
if asked.benchmark is None:
    page.nothing("runs, items and responses")
options = {name: value for name, value in asked.options.items() if name != SORT.name}
answer = ask.ask("leaderboard", asked.chosen, asked.policy, options)
if answer is None:
    st.stop()

every = answer.table
runs = every["run"].to_list()
picked = [run for run in asked.many["compare"] if run in runs]
for run in asked.many["compare"]:
    if run not in runs:
        plain.note(f"Left aside from the address: no run '{run}' is shown here to compare.", kind="warning")
table = every.filter(pl.col("run").is_in(picked)) if picked else every
table = sort(table, asked.options["by"], asked.options["sort"])

parts = rankings(table)
headline(parts[0], asked.options["by"])
if len(parts) > 1:
    st.caption("Runs of another population, input regime or condition are ranked apart.")
    plain.text(heading(parts[0]))
drawn = figure(parts[0], asked, "ranking 0")
if len(parts) > 1:
    apart = st.expander(f"Ranked apart: {len(parts) - 1} more", key="ranked apart", on_change="rerun")
    with apart:
        for number, part in enumerate(parts[1:] if apart.open else [], start=1):
            plain.text(heading(part))
            figure(part, asked, f"ranking {number}")

st.caption(
    f"Mark: mean; line: {asked.options['level']:.0%} interval; hollow mark: fewer than 30 items. "
    "Runs whose tie group is the same cannot be told apart from the best of the group."
)
chosen = show.table(
    answer, "leaderboard", asked, rows=pl.concat(parts), columns=columns(asked.options["by"]), select="multi"
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    show.to_cases(chosen, asked, {"run": "run"})
    if len(runs) > 1:
        key = state.hold("compare", picked, default=[])
        st.multiselect("Compare only", runs, key=key, on_change=state.write, placeholder="every run", width=420)
    if chosen.height > 1:
        st.button("Compare the selected", on_click=state.turn, args=({"compare": chosen["run"].to_list()},))
if len(table["n"].unique()) > 1:
    st.caption("Runs differ in the number of items with a credit: see the columns n, hidden, failed and unjudged.")

show.foot(answer, "leaderboard", asked, options, figure=drawn)

with st.expander("What became of the attempts"):
    statuses = ask.ask("statuses", asked.chosen, asked.policy)
    if statuses is not None:
        show.table(statuses, "statuses", asked, key="statuses")
