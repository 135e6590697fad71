"""Agent repair: which failures of single calls an agent run mends, on which items, and what a paper prints of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import polars as pl
import streamlit as st

from analytics.determined import printed_on
from analytics.errors import ScoreproofError
from analytics.questions import Answer, Option
from pages.ui.charts.marks import Spot, interval_marks
from pages.ui.kit import ask, illustration, links, plain, show, state, switch
from pages.ui.kit.asked import Asked

EVERY = "every"
PAIR = Option("pair", "text", "", "pair of runs whose repair is drawn")
WITHIN = Option("within", "text", EVERY, "tag of the items on which repair is counted")
COLUMNS = ("cause", "before", "after", "fixed", "new", "fixed_share", "low", "high", "change", "family", "n",
           "unnamed_before", "unnamed_after", "determined")  # fmt: skip


def repair(asked: Asked, options: dict[str, object]) -> None:
    """Follow the failures of single calls into agent runs of the same systems."""
    st.subheader("Agent repair", anchor=False)
    tags = [value for value in ask.values(asked.benchmark).get("tag", []) if value != "none"]
    within = asked.options["within"] if asked.options["within"] in tags else EVERY
    if tags:
        switch.choose("within", [EVERY, *tags], within, default=EVERY, title="On items with the tag", width=260)
    items = replace(asked, chosen=asked.chosen.with_choice("tag", [within])) if within != EVERY else asked
    try:
        answer = ask.answer("repair", items.chosen, asked.policy, options)
    except ScoreproofError as error:
        plain.note(str(error), kind="info")
        st.caption("Needs, for one system, a run without a condition and one whose condition is `harness=...`.")
        return
    pairs = answer.table["pair"].unique(maintain_order=True).to_list()
    pair = asked.options["pair"] if asked.options["pair"] in pairs else pairs[0]
    if len(pairs) > 1:
        switch.choose("pair", pairs, pair, default=pairs[0], title="Runs before and after", width=520)
    rows = answer.table.filter(pl.col("pair") == pair)
    row = rows.filter(pl.col("cause") == "all").row(0, named=True)
    counted = 1 if row["run_b"] else answer.table.filter(pl.col("run_b") != "")["pair"].n_unique()
    headline(rows, within=within, counted=counted)
    if not row["determined"]:
        printed(asked, tags, options)
    spot = Spot("fixed_share", "low", "high", "failures that are fixed (%)", "percent")
    draw = illustration.marked(
        partial(interval_marks, rows, spot=spot, label="cause", order=rows["cause"].to_list(), series=None,
                series_order=[], fields=["cause"], n=("before", "failures before"), zero=False), rows)  # fmt: skip
    words = f"Fixed share of failures with intervals, {rows.height - 1} causes; all: {row['fixed']} of {row['before']}."
    show.chart(draw, alt_text=illustration.spoken(f"{words} {pair}, {within}", rows), key="repair", asked=asked)
    show.table(answer, "repair", asked, rows=rows, columns=COLUMNS, key=f"repair {pair}")
    ways(asked, answer, row, within)
    with show.fold("How repair was counted", key="repair") as fold:
        if fold.open:
            show.proof(answer, "repair", items, options, figure=draw)


def headline(rows: pl.DataFrame, *, within: str, counted: int) -> None:
    """Show failures before and after, what was fixed and what is new, under the population that they are counted on."""
    row = rows.filter(pl.col("cause") == "all").row(0, named=True)
    illustration.headline(rows)
    where = "whatever their tag" if within == EVERY else f"with the tag {within}"
    pairs = "a pair of runs" if counted == 1 else f"{counted} pairs of runs"
    plain.text(f"Counted on items {where}: {row['n']:,} first attempts that {pairs} have in common.")
    with st.container(horizontal=True, gap="medium"):
        st.metric("Failures before", row["before"], format="localized", width="content", help=f"{row['n']} outcomes")
        st.metric("After", row["after"], format="localized", width="content")
        show.share("Fixed", row["fixed_share"],
                  help=f"{row['fixed']} of {row['before']}")  # fmt: skip
        st.metric("New", row["new"], format="localized", width="content",
                  help="failures of the run after on items that the run before solved")  # fmt: skip


def printed(asked: Asked, tags: list[str], options: dict[str, object]) -> None:
    """Say what a document prints of this, on other items, and lead there; nothing where none does."""
    found = printed_on("repair", str(asked.benchmark))
    if found is None:
        return
    place, where = found
    tag = where.get("tag", ("",))[0]
    if tag not in tags or [key for key in where if key != "tag"]:
        return
    try:
        answer = ask.answer("repair", asked.chosen.with_choice("tag", [tag]), asked.policy, options)
    except ScoreproofError:
        return
    row = answer.table.filter((pl.col("cause") == "all") & pl.col("determined"))
    if row.is_empty():
        return
    before, after = row["before"][0], row["after"][0]
    plain.text(f"{place} prints {before} before and {after} after: on the items with the tag {tag}.")
    st.button("Count on the items of the paper", on_click=state.turn, args=({"within": tag, "pair": None},))


def ways(asked: Asked, answer: Answer, row: dict[str, object], within: str) -> None:
    """Lead to the cases and to the same runs item by item."""
    table = answer.table
    if row["run_b"]:
        runs = [str(row["run_a"]), str(row["run_b"])]
    else:
        pairs = table.filter(pl.col("run_b") != "").unique("run_b", maintain_order=True)
        runs = list(dict.fromkeys([*pairs["run_a"], *pairs["run_b"]]))
    params = asked.carried() | {"benchmark": [str(asked.benchmark)]} | ({"tag": [within]} if within != EVERY else {})
    links.link("cases", "Open the cases of these runs", params | {"run": runs, "differ": ["yes"]})
    links.link(
        "conditions", "The same runs item by item", asked.carried() | {"dimension": ["harness"], "view": ["items"]}
    )
