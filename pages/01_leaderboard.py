"""Leaderboard · Which run earns most credit, and how sure is its place?"""

from functools import partial

import polars as pl
import streamlit as st

from analytics.leaderboard import without_record
from analytics.questions import Option, question
from pages.ui.charts.intervals import interval_plot, names
from pages.ui.kit import ask, attempts, frontier, illustration, links, page, paper, plain, show, state, switch, versus
from pages.ui.kit.asked import Asked

BOARD = question("leaderboard").options
SORT = Option("sort", "choice", "score", "order of the rows", allowed=("score", "name", "items", "tokens"))
VIEWS = {
    "ranking": "Ranking", "tokens": "Score and tokens", "criteria": "Criteria and attempts", "pair": "Two runs",
    "paper": "Beside the paper",
}  # fmt: skip
VIEW = Option("view", "choice", "ranking", "what is shown of the runs", allowed=tuple(VIEWS))
PART = Option("part", "choice", attempts.PARTS[0], "items whose criteria are shown", allowed=attempts.PARTS)
A, B = (question("compare").option(name) for name in ("a", "b"))
QUIET = ("view", "measure", "part", "a", "b", "outcome")
OWN = (*BOARD, SORT, VIEW, frontier.MEASURE, PART, A, B, versus.OUTCOME)
RANKED_APART = ("scope", "regime", "condition")
"""Runs that differ in one of these stand in rankings of their own."""

CREDITS = ("raw", "raw_low", "raw_high", "verified", "verified_low", "verified_high")
OTHERS = (
    "gap", "kind", "rank_low", "rank_high", "tie_group", "n", "hidden", "failed", "unjudged", "not_applicable",
    "small_n", "partial", "tokens", "vendor", "run", "provenance",
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


def lacking(by: str) -> None:
    """Say that nothing is ranked, what log has what it takes, and where else its runs are compared."""
    needs = "a credit of responses" if by == "raw" else "rationale labels or factors of responses"
    plain.note(f"No run has a {by} credit here. A ranking needs {needs}; verdicts and comparisons are not ranked.",
               kind="info")  # fmt: skip
    with st.container(horizontal=True):
        links.link("judges", "Verdicts and comparisons on Judges", {"view": ["panel"]})
        links.link("data", "Data dictionary on the Data page", {"view": ["dictionary"]})


def headline(part: pl.DataFrame, by: str) -> None:
    """Show the leading run with its mean, interval and place."""
    models = part.filter((pl.col("kind") == "model") & pl.col(by).is_not_null())
    best = (models if models.height else part).sort(by, descending=True, nulls_last=True).head(1)
    if best[by][0] is None:
        lacking(by)
        return
    tied = part.join(best, on=["kind", "tie_group"], how="semi").height
    st.subheader(plain.label(names(best)[0]), anchor=False)
    illustration.headline(part)
    if best["small_n"][0]:
        st.caption("Fewer than 30 items: one item moves this mean by more than three points.")
    with st.container(horizontal=True, gap="medium"):
        show.share(f"{by.capitalize()}, best", best[by][0], help="the leading run")
        for end, title in (("low", "from"), ("high", "to")):
            value = best[f"{by}_{end}"][0]
            if value is not None:
                show.share(title, value, help="end of its interval")
        st.metric("Items", best["n"][0], format="localized", width="content", help="items with a credit")
        if tied:
            st.metric("Tied for best", tied, width="content", help="runs that the data cannot tell apart from the best")


def figure(part: pl.DataFrame, asked: Asked, key: str) -> show.Draw | None:
    """Draw one ranking and return what draws it; None where no run has the credit."""
    by = asked.options["by"]
    held = part.filter(pl.col(by).is_not_null())
    if held.is_empty():
        return None
    best = names(held.sort(by, descending=True).head(1))[0]
    words = f"Interval plot of {held.height} runs by {by} credit; highest: {best}. The table has every number."
    plot = partial(interval_plot, held, by=by, title=f"{by} credit, {part['average'][0]} mean (%)")
    drawn = illustration.marked(plot, held)
    show.chart(drawn, alt_text=illustration.spoken(words, held), key=key, asked=asked)
    return drawn


def ranking(asked: Asked, options: dict[str, object]) -> None:
    """Show who leads, each ranking with its intervals, the table, and what can be done with chosen runs."""
    answer = ask.ask("leaderboard", asked.chosen, asked.policy, options)
    if answer is None:
        return
    runs = answer.table["run"].to_list()
    picked = [run for run in asked.many["compare"] if run in runs]
    for run in asked.many["compare"]:
        if run not in runs:
            plain.note(f"Left aside from the address: no run '{run}' is shown here to compare.", kind="warning")
    table = answer.table.filter(pl.col("run").is_in(picked)) if picked else answer.table
    for sentence in without_record(table):
        plain.note(sentence, kind="warning")
    parts = rankings(sort(table, asked.options["by"], asked.options["sort"]))
    drawn = figures(asked, parts)
    rows = pl.concat(parts)
    chosen = show.table(
        answer, "leaderboard", asked, rows=rows, columns=columns(asked.options["by"]), select="multi", keep=["run"]
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        show.to_cases(chosen, asked, {"run": "run"})
        if chosen.height == 2:
            a, b = chosen["run"].to_list()
            links.link("leaderboard", "Compare the two item by item", versus.address(asked, b, a))
        if len(runs) > 1:
            key = state.hold("compare", picked, default=[])
            st.multiselect("Compare only", runs, key=key, on_change=state.write, placeholder="every run", width=420)
        if chosen.height > 1:
            st.button("Compare the selected", on_click=state.turn, args=({"compare": chosen["run"].to_list()},))
    if len(table["n"].unique()) > 1:
        st.caption("Runs differ in the items with a credit: see n, hidden, failed, unjudged and not applicable.")
    show.foot(answer, "leaderboard", asked, options, figure=drawn)
    with show.fold("What became of the attempts", key="statuses") as fold:
        if fold.open:
            statuses = ask.ask("statuses", asked.chosen, asked.policy)
            if statuses is not None:
                show.table(statuses, "statuses", asked, key="statuses")


def figures(asked: Asked, parts: list[pl.DataFrame]) -> show.Draw | None:
    """Show the first ranking with its headline, the others behind a fold; return what draws the first."""
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
    return drawn


def two_runs(asked: Asked, options: dict[str, object]) -> None:
    """Set two runs of the leaderboard against each other, item by item."""
    answer = ask.ask("leaderboard", asked.chosen.with_choice("run", ()), asked.policy, options)
    if answer is not None:
        versus.two_runs(asked, answer.table)


asked = page.begin(__file__, own=OWN, quiet=QUIET, many=("compare",), one_benchmark=True)
if asked.benchmark is None:
    page.nothing("runs, items and responses")
options = {option.name: asked.options[option.name] for option in BOARD}
switch.switch(VIEW, words=VIEWS, offered=[name for name in VIEWS if name != "paper" or paper.prints(asked)])
if asked.options["view"] == "tokens":
    frontier.score_and_tokens(asked)
elif asked.options["view"] == "criteria":
    attempts.criteria_and_attempts(asked, asked.options["part"])
elif asked.options["view"] == "pair":
    two_runs(asked, options)
elif asked.options["view"] == "paper":
    paper.beside(asked)
else:
    ranking(asked, options)
