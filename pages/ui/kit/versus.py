"""Two runs item by item: what the second fixed, what it broke, and the cases."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import streamlit as st

from analytics.errors import ScoreproofError
from analytics.questions import Option
from analytics.slices import Slice
from pages.ui.charts.labels import p_text
from pages.ui.kit import ask, illustration, links, plain, show, switch
from pages.ui.kit.asked import Asked

OUTCOME = Option(
    "outcome", "choice", "changed", "items that are listed", allowed=("changed", "fixed", "broken", "both", "every")
)
LISTED = {"changed": ("fixed", "broken"), "both": ("both right", "both wrong")}
COLUMNS = ("item", "outcome", "capability", "raw_a", "raw_b", "change", "answer_a", "answer_b", "determined")
OF_RUNS = ("run", "condition", "kind", "model", "vendor", "access", "regime")
"""Keys of the slice that would leave one of the two runs out."""


def all_runs(chosen: Slice) -> Slice:
    """Return the slice without what it says of runs: the two are named apart."""
    for key in OF_RUNS:
        chosen = chosen.with_choice(key, ())
    return chosen


def address(asked: Asked, a: str, b: str) -> dict[str, list[str]]:
    """Return the parameters of the Leaderboard's view of two runs, with the slice of items kept."""
    kept = {key: values for key, values in asked.carried().items() if key not in OF_RUNS}
    return kept | {"benchmark": [str(asked.benchmark)], "view": ["pair"], "a": [a], "b": [b]}


def two_runs(asked: Asked, board: pl.DataFrame) -> None:
    """Let the reader choose two runs of the leaderboard, test their difference and list their items."""
    runs = board.sort(pl.col("condition") != "none", pl.col("kind") != "model", "rank", "run", nulls_last=True)["run"]
    if runs.len() < 2:
        switch.lacking("two runs over the same items")
        return
    names = runs.to_list()
    b = asked.options["b"] if asked.options["b"] in names else names[0]
    rest = [run for run in names if run != b]
    a = asked.options["a"] if asked.options["a"] in rest else rest[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        switch.choose("a", rest, a, default=rest[0], title="First run (a)", width=340)
        switch.choose("b", names, b, default=names[0], title="Second run (b)", width=340)
        switch.switch(OUTCOME)
    said = tested(asked, a, b)
    items(asked, all_runs(asked.chosen), a, b, said=said)


def tested(asked: Asked, a: str, b: str) -> bool:
    """Say how far the two means lie apart, and whether that could be chance; whether it was marked an illustration."""
    options = {"runs_of": f"{b}|{a}", "by": asked.options["by"], "average": asked.options["average"]}
    try:
        answer = ask.answer("pairwise", all_runs(asked.chosen), asked.policy, options)
    except ScoreproofError as error:
        plain.note(str(error), kind="info")
        return False
    row = answer.table.row(0, named=True)
    if row["difference"] is None:
        plain.note(f"The two cannot be compared here: {row['reason']}.", kind="info")
        return False
    sign = 1 if row["a"] == b else -1
    illustration.headline(answer.table)
    with st.container(horizontal=True, gap="medium"):
        st.metric("b minus a (points)", sign * 100 * row["difference"], format="%+.2f", width="content",
                  help=f"{row['average']} mean of {asked.options['by']} credit on {row['n']} common items")  # fmt: skip
        if row["low"] is not None:
            ends = sorted((sign * 100 * row["low"], sign * 100 * row["high"]))
            st.metric("Interval", f"{ends[0]:+.2f} to {ends[1]:+.2f}", width="content", help=answer.method)
        p, test = (
            (row["p_mcnemar"], "McNemar") if row["p_mcnemar"] is not None else (row["p_permutation"], "sign flips")
        )
        if p is not None:
            st.metric(f"p ({test})", p_text(p), width="content", help="two-sided, of this pair alone: unadjusted")
    links.link("significance", "Every pair, adjusted, on Significance", asked.carried() | {"view": ["runs"]})
    return illustration.doubtful(answer.table)


def items(asked: Asked, chosen: Slice, a: str, b: str, *, said: bool = False) -> None:
    """Show the counts of outcomes and the items, of `a` against `b`; a row opens its case with both.

    With `said`, the words above have called the comparison an illustration already.
    """
    options = {"a": a, "b": b, "show": "counts"}
    counts = ask.ask("compare", chosen, asked.policy, options)
    listing = ask.ask("compare", chosen, asked.policy, options | {"show": "items"})
    if counts is None or listing is None:
        return
    plain.text(f"b: {b}\na: {a}")
    if not said:
        illustration.headline(counts.table)
    with st.container(horizontal=True, gap="medium"):
        for row in counts.table.iter_rows(named=True):
            if row["items"] or row["outcome"] != "equal partial credit":
                st.metric(row["outcome"].capitalize(), row["items"], format="localized", width="content",
                          help=f"of {row['n']} common items")  # fmt: skip
    outcome = asked.options["outcome"]
    wanted = None if outcome == "every" else list(LISTED.get(outcome, (outcome,)))
    table = listing.table if wanted is None else listing.table.filter(pl.col("outcome").is_in(wanted))
    if table.is_empty():
        plain.note(f"No item is {outcome}.", kind="info")
    else:
        picked = show.table(listing, "compare", asked, rows=table, columns=COLUMNS, select="single", key="compare")
        st.caption("Fixed: b earns more than a; broken: less. Select a row to open its case with both.")
        if picked.height:
            params = {key: held for key, held in asked.carried().items() if key not in OF_RUNS}
            params |= {"benchmark": [str(asked.benchmark)], "item": [picked["item"][0]]}
            links.link("cases", "Open the case", params | {"beside": [a, b]})
    with show.fold("Items: exports, how compared", key="compared") as fold:
        if fold.open:
            show.proof(listing, "compare", replace(asked, chosen=chosen), options | {"show": "items"})
