"""Rubric score beside credit, items with one criterion apart, and what several attempts at an item come to."""

from __future__ import annotations

from functools import partial

import polars as pl
import streamlit as st

from pages.ui.charts.dumbbell import PICKED, End, dumbbell
from pages.ui.charts.marks import PICKED as ROW
from pages.ui.charts.marks import Spot, interval_marks
from pages.ui.kit import ask, illustration, main_runs, pick, plain, show, switch
from pages.ui.kit.asked import Asked

PARTS = ("every item", "one criterion", "several criteria")
RESAMPLING = ("level", "resamples", "seed")
MOST = 20
"""Largest number of attempts that is looked at."""

CRITERIA = (
    "model", "share", "share_low", "share_high", "credit", "credit_low", "credit_high", "difference", "difference_low",
    "difference_high", "n", "criteria", "unjudged", "part", "kind", "regime", "condition", "scope", "run", "determined",
    "provenance",
)  # fmt: skip
PASSES = (
    "model", "kind", "condition", "k", "pass_at_k", "pass_at_k_low", "pass_at_k_high", "pass_hat_k", "pass_hat_k_low",
    "pass_hat_k_high", "n", "too_few", "without", "hidden", "reason", "regime", "scope", "run", "determined",
)  # fmt: skip


def criteria_and_attempts(asked: Asked, part: str) -> None:
    """Show both parts; each says what it lacks."""
    rubric_score(asked, part)
    attempts(asked)


def rubric_score(asked: Asked, part: str) -> None:
    """Set the mean share of criteria met beside the mean credit, for items of one kind."""
    st.subheader("Share of criteria met, beside credit", anchor=False)
    options = {name: asked.options[name] for name in RESAMPLING}
    answer = ask.ask("criteria", asked.chosen, asked.policy, options)
    if answer is None:
        plain.note(
            "A rubric score needs verdicts by criterion: the columns criterion and met of verdicts.", kind="info"
        )
        return
    found = answer.table["part"].unique().to_list()
    shown = part if part in found else PARTS[0]
    switch.choose("part", [p for p in PARTS if p in found], shown, default=PARTS[0], title="Items")
    table = main_runs.shown(answer.table.filter(pl.col("part") == shown), "main")
    rows, order = main_runs.ordered(table, asked, by="raw")
    best = rows.filter(pl.col("kind") == "model").sort("share", descending=True).head(1)
    illustration.headline(rows)
    with st.container(horizontal=True, gap="medium"):
        for row in best.iter_rows(named=True):
            name = plain.label(row["name"], most=40)
            show.share(f"Criteria met: {name}", row["share"])
            show.share("Credit", row["credit"], help="on the same items")
        for name in (p for p in PARTS if p in found):
            n = answer.table.filter(pl.col("part") == name)["n"].max()
            st.metric(f"Items, {name}" if name != PARTS[0] else "Items", n, format="localized", width="content")
    ends = (End("share", "criteria met"), End("credit", "credit"))
    figure = partial(
        dumbbell, rows, ends=ends, label="name", order=order, title=f"mean over {shown} (%)", fields=["run"]
    )
    figure = illustration.marked(figure, rows)
    words = f"Dumbbells of {rows.height} runs: mean share of criteria met and mean credit, {shown}."
    hit = pick.chart(figure, rows, asked, picked=PICKED, fields=["run"], key="rubric score",
                     alt_text=illustration.spoken(f"{words} The table has every number.", rows))  # fmt: skip
    st.caption(
        "Stroke: interval over items. Where one judge ruled on a single criterion, share and credit are the same."
    )
    every = answer.table.sort(pl.col("part") != shown, pl.col("condition") != "none", maintain_order=True)
    chosen = show.table(answer, "criteria", asked, rows=every, columns=CRITERIA, select="multi", key="criteria")
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run"})
    show.foot(answer, "criteria", asked, options, figure=figure)


def attempts(asked: Asked) -> None:
    """Show how often a run is right at least once, and every time, in all its attempts at an item."""
    st.subheader("All attempts at an item", anchor=False)
    options: dict[str, object] = {name: asked.options[name] for name in RESAMPLING}
    first = ask.ask("passk", asked.chosen, asked.policy, options | {"k": "1"})
    if first is None:
        return
    most = min(int(first.table["most_attempts"].max() or 1), MOST)
    if most < 2:
        plain.note("Every item has one attempt here: nothing differs between them.", kind="info")
        return
    options["k"] = str(most)
    answer = ask.ask("passk", asked.chosen, asked.policy, options)
    if answer is None:
        return
    rows = answer.table.filter(pl.col("pass_at_k").is_not_null())
    rows, order = main_runs.ordered(rows, asked, by="raw")
    controls = rows.filter(pl.col("kind") == "control")
    with st.container(horizontal=True, gap="medium"):
        for row in controls.iter_rows(named=True):
            illustration.headline(controls)
            name = plain.label(row["name"], most=40)
            for column, word in (("pass_hat_k", f"passes all {most}"), ("pass_at_k", "at least once")):
                st.metric(f"{name}: {word}", round(row[column] * row["n"]), format="localized", width="content",
                          help=f"of {row['n']} items with {most} attempts: {row[column]:.2%}")  # fmt: skip
    measures = {"pass_at_k": f"any of {most} right", "pass_hat_k": f"all {most} right"}
    drawn = pl.concat([
        rows.select("run", "name", "n", "determined", value=pl.col(column), low=f"{column}_low", high=f"{column}_high",
                    measure=pl.lit(word))
        for column, word in measures.items()
    ])  # fmt: skip
    figure = illustration.marked(
        partial(interval_marks, drawn, spot=Spot("value", "low", "high", "share of items (%)", "percent"), label="name",
                order=order, series="measure", series_order=list(measures.values()), fields=["run"],
                n=("n", "items"), zero=False), drawn)  # fmt: skip
    words = f"Two marks with intervals for each of {rows.height} runs: {' and '.join(measures.values())}."
    hit = pick.chart(figure, rows, asked, picked=ROW, fields=["run"], key="passes",
                     alt_text=illustration.spoken(words, rows))  # fmt: skip
    left = answer.table.height - rows.height
    if left:
        st.caption(f"Not drawn: {left} runs without an item that has {most} attempts.")
    passes = answer.table.sort(pl.col("condition") != "none", maintain_order=True)
    chosen = show.table(answer, "passk", asked, rows=passes, columns=PASSES, select="multi", key="passes table")
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run"})
    show.foot(answer, "passk", asked, options, figure=figure)
