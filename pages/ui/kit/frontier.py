"""Score against tokens: the figure, which runs none beats, what was left out, and the way to the cases."""

from __future__ import annotations

from functools import partial

import polars as pl
import streamlit as st

from analytics.questions import question
from pages.ui.charts.frontier import PICKED, score_by_tokens
from pages.ui.charts.labels import run_names
from pages.ui.kit import ask, illustration, pick, plain, show, switch
from pages.ui.kit.asked import Asked

QUESTION = question("tokens")
MEASURE = QUESTION.option("measure")
WORDS = {"written": "tokens written", "both": "read and written"}
MAIN = (
    "model", "score", "low", "high", "tokens", "tokens_median", "frontier", "reason", "n", "n_tokens", "attempts",
    "measure", "kind", "regime", "condition", "scope", "by", "average", "run", "determined", "provenance",
)  # fmt: skip


def score_and_tokens(asked: Asked) -> None:
    """Show score against tokens of the main ranking."""
    switch.switch(MEASURE, words=WORDS)
    options = {option.name: asked.options[option.name] for option in QUESTION.options}
    answer = ask.ask("tokens", asked.chosen, asked.policy, options)
    if answer is None:
        return
    ranked = answer.table.partition_by("scope", "regime", "condition", maintain_order=True)
    known = [part for part in ranked if part["reason"].is_null().any()]
    if not known:
        needs = {"written": "`output_tokens`", "both": "`input_tokens` and `output_tokens`"}[str(options["measure"])]
        switch.lacking(f"the tokens of attempts (columns {needs} of responses)")
        show.foot(answer, "tokens", asked, options)
        return
    main = max(known, key=lambda part: (part["condition"][0] == "none", part.height))
    rows = main.join(run_names(main), on="run", how="left", maintain_order="left")
    held = rows.filter(pl.col("reason").is_null())
    best = held.filter(pl.col("frontier").fill_null(value=False)).sort("tokens")
    illustration.headline(held)
    with st.container(horizontal=True, gap="medium"):
        counted = held.filter(pl.col("frontier").is_not_null()).height
        st.metric("Not beaten", f"{best.height} of {counted}", width="content",
                  help="models such that no other earns as much with as few tokens")  # fmt: skip
        st.metric("Left out", rows.height - held.height, width="content", help="runs whose tokens are not known")
    figure = illustration.marked(
        partial(score_by_tokens, rows, title=f"{options['by']} credit, {rows['average'][0]} mean (%)",
                measure=str(rows["measure"][0])), held)  # fmt: skip
    words = f"Scatter of {held.height} runs by credit and {rows['measure'][0]}; not beaten: {', '.join(best['name'])}."
    hit = pick.chart(figure, rows, asked, picked=PICKED, fields=["run"], key="tokens",
                     alt_text=illustration.spoken(f"{words} The table has every number.", held))  # fmt: skip
    if best.height:
        plain.text("Not beaten, from few tokens to many: " + ", ".join(best["name"]) + ".")
    out = rows.filter(pl.col("reason").is_not_null())
    if out.height:
        said = [f"{name} ({reason})" for name, reason in out.select("name", "reason").iter_rows()]
        plain.text("Left out, not counted as 0: " + ", ".join(said) + ".")
    st.caption(
        f"Line: {asked.options['level']:.0%} interval of the credit; dashed: the frontier; hollow mark: fewer than 30 "
        f"items. Measure: {rows['measure'][0]}, the same for every run."
    )
    every = pl.concat([main, *(part for part in ranked if part is not main)])
    chosen = show.table(answer, "tokens", asked, rows=every, columns=MAIN, select="multi", key="tokens table")
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run"})
    show.foot(answer, "tokens", asked, options, figure=figure)
