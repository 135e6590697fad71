"""The smallest difference that so many items can show: by number of items, and for each pair of runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import polars as pl
import streamlit as st

from analytics.questions import Answer
from pages.ui.charts.dumbbell import PICKED as PART
from pages.ui.charts.dumbbell import End, dumbbell
from pages.ui.charts.matrix import PICKED as PAIR
from pages.ui.charts.matrix import Cell, matrix, mirrored
from pages.ui.kit import ask, illustration, pairs, pick, plain, show
from pages.ui.kit.asked import Asked

POWER_MAIN = (
    "a", "b", "part", "n", "difference", "detectable", "detectable_holm", "detectable_unpaired", "needed", "discordant",
    "baseline", "spread", "m", "method", "reason", "determined",
)  # fmt: skip


def power_view(asked: Asked, options: Mapping[str, object]) -> None:
    """Show the smallest difference that is found, by number of items or by pair of runs, as `per` says."""
    answer = ask.ask("power", asked.chosen, asked.policy, options)
    if answer is None:
        return
    illustration.headline(answer.table)
    figure = by_number(answer, asked, options) if options["per"] == "n" else by_pair(answer, asked)
    show.foot(answer, "power", asked, options, figure=figure)


def by_number(answer: Answer, asked: Asked, options: Mapping[str, object]) -> show.Draw:
    """Draw the smallest difference for each number of items; return the figure."""
    table = answer.table
    whole = table.filter(pl.col("part") == "all").head(1)
    with st.container(horizontal=True, gap="medium"):
        st.metric("Items", whole["n"][0], format="localized", width="content")
        for column, word in (("detectable", "Smallest paired difference (points)"),
                             ("detectable_unpaired", "Smallest rise between two groups (points)")):  # fmt: skip
            if whole[column][0] is not None:
                st.metric(word, whole[column][0] * 100, format="%.1f", width="content")
    held = table.with_columns(
        label=pl.when(pl.col("part") == "any")
        .then(pl.format("{} items", "n"))
        .otherwise(pl.format("{}: {}", "n", "part"))
    ).sort("n")
    held = held.filter(pl.col("detectable").is_not_null() & pl.col("detectable_unpaired").is_not_null())
    ends = (End("detectable", "paired runs"), End("detectable_unpaired", "two groups of n items"))
    figure = partial(dumbbell, held, ends=ends, label="label", order=held["label"].to_list(), fields=["part"],
                      title="smallest difference that is found (%)")  # fmt: skip
    words = f"Dumbbells of {held.height} numbers of items: smallest difference that is found, paired and unpaired."
    hit = pick.chart(figure, held, asked, picked=PART, fields=["part"], key="power", alt_text=words)
    hit = hit.filter(~pl.col("part").is_in(["all", "any"]))
    plain.text(f"Assumed: {options['discordant']:.0%} of items told apart by exactly one run; lower rate "
               f"{options['baseline']:.0%}.")  # fmt: skip
    chosen = show.table(answer, "power", asked, columns=POWER_MAIN, select="multi", key="power table")
    chosen = chosen.filter(~pl.col("part").is_in(["all", "any"]))
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"capability": "part"})
    return figure


def by_pair(answer: Answer, asked: Asked) -> show.Draw | None:
    """Draw the smallest difference for each pair of runs, grey where less was seen; return the figure, if any."""
    table = answer.table
    figure, hit = None, table.clear()
    seen = table.with_columns(gap=pl.col("difference").abs()).filter(pl.col("detectable").is_not_null())
    small = seen.filter(pl.col("gap") < pl.col("detectable")).height
    with st.container(horizontal=True, gap="medium"):
        st.metric("Pairs too close for these items", f"{small} of {seen.height}", width="content",
                  help="the difference seen is smaller than what is found with the stated power")  # fmt: skip
        if seen.height:
            low, high = (seen["detectable"].min() * 100, seen["detectable"].max() * 100)
            st.metric("Smallest difference found (points)", f"{low:.1f} to {high:.1f}", width="content")
    table, order, _ = pairs.named(asked, table, by="raw")
    cell = Cell("detectable", "smallest difference that is found (points)", scale=100, digits=1)
    if seen.height:
        both = table.with_columns(shows=(pl.col("difference").abs() >= pl.col("detectable")).fill_null(value=False))
        both = mirrored(both, swaps=[("a", "b"), ("name_a", "name_b")], signed=["difference"])
        figure = partial(
            matrix,
            both,
            cell=cell,
            row="name_a",
            column="name_b",
            order=order,
            fields=["a", "b"],
            sure="shows",
            tips={"difference": "difference seen", "n": "common items", "needed": "items needed"},
        )
        figure = illustration.marked(figure, table)
        words = f"Matrix of {table.height} pairs: smallest difference that is found; grey where less was seen."
        hit = pick.chart(figure, both, asked, picked=PAIR, fields=["a", "b"], key="power pairs",
                         alt_text=illustration.spoken(words, table))  # fmt: skip
        st.caption("Grey: the difference seen is smaller than that.")
    chosen = show.table(answer, "power", asked, rows=table, columns=POWER_MAIN, select="multi", key="power table")
    pairs.to_items(pl.concat([hit, chosen], how="diagonal_relaxed"), asked)
    return figure
