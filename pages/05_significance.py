"""Significance · Which differences are more than chance, and which could so many items not show?"""

from functools import partial

import polars as pl
import streamlit as st

from analytics.profiles import LEVEL_OF
from analytics.questions import Option, question
from pages.ui.charts.forest import PICKED, forest
from pages.ui.charts.heatmap import PICKED as CELL
from pages.ui.charts.heatmap import Measure, heatmap
from pages.ui.charts.labels import level_order, p_text, spoken
from pages.ui.charts.matrix import PICKED as PAIR
from pages.ui.charts.matrix import Cell, matrix, mirrored
from pages.ui.kit import (
    ask,
    contrast,
    illustration,
    links,
    main_runs,
    page,
    pairs,
    pick,
    plain,
    power,
    show,
    state,
    switch,
)
from pages.ui.kit.asked import Asked
from pages.ui.kit.first import with_contrast

CELLS, CONTRAST, RUNS, POWER = (question(q) for q in ("cells", "significance", "pairwise", "power"))
VIEWS = {
    "contrast": "Two groups of items", "runs": "Run against run", "cells": "Every cell", "power": "What n can show",
}  # fmt: skip
VIEW = Option("view", "choice", "contrast", "what is tested", allowed=tuple(VIEWS))
ALTERNATIVE, WITHOUT, ALPHA = (CONTRAST.option(name) for name in ("alternative", "without", "alpha"))
SHOWN = Option("shown", "choice", "difference", "what the cells hold: difference, adjusted p, or Fisher's p, unpaired",
               allowed=("difference", "p", "fisher"))  # fmt: skip
METHOD, PER, BY = CELLS.option("method"), POWER.option("per"), RUNS.option("by")
RESAMPLING = tuple(CONTRAST.option(name) for name in ("level", "resamples", "seed"))
OF = {
    "contrast": (ALPHA, *RESAMPLING),
    "runs": (BY, RUNS.option("average"), RUNS.option("flips"), ALPHA, *RESAMPLING),
    "cells": (METHOD, CELLS.option("level")),
    "power": (PER, *(POWER.option(name) for name in ("discordant", "baseline", "alpha", "power", "sides"))),
}
"""Options of each view that the bar holds."""
IN_VIEWS = tuple(option for own in OF.values() for option in own)
OWN = tuple({o.name: o for o in (VIEW, ALTERNATIVE, WITHOUT, SHOWN, LEVEL_OF, *IN_VIEWS)}.values())
READINGS = ["differs after Holm", "could be chance", "outside the family"]

NAMED = 8
"""Values of a group that a sentence names."""

CONTRAST_MAIN = (
    "model", "difference", "p_holm", "significant", "low", "high", "p", "rate_first", "rate_second", "k_first",
    "n_first", "k_second", "n_second", "odds_ratio", "odds_low", "odds_high", "m", "alternative", "kind", "condition",
    "run", "reason", "method", "determined",
)  # fmt: skip
RUNS_MAIN = (
    "a", "b", "difference", "low", "high", "p_mcnemar_holm", "p_permutation_holm", "only_a", "only_b", "both",
    "neither", "n", "p_mcnemar", "p_permutation", "m_mcnemar", "m_permutation", "mean_a", "mean_b", "p_fisher",
    "p_fisher_holm", "average", "n_either", "reason", "method", "determined",
)  # fmt: skip

CELLS_MAIN = (
    "model", "value", "rate", "low", "high", "k", "n", "declared", "hidden", "failed", "unjudged",
    "not_applicable", "kind", "regime", "condition", "scope", "run", "method", "reason", "determined", "provenance",
)  # fmt: skip


def options_of(asked: Asked, names: tuple[Option, ...]) -> dict[str, object]:
    """Return the page's values of a question's options."""
    return {option.name: asked.options[option.name] for option in names}


def to_groups(picked: pl.DataFrame, asked: Asked, sides: dict[str, tuple[str, ...]]) -> None:
    """Link the selected runs to their cases in each of the two groups."""
    if picked.is_empty():
        st.caption("Click a mark, or select rows of the table, to open the cases behind them.")
        return
    runs = picked["run"].unique(maintain_order=True).to_list()
    with st.container(horizontal=True):
        for word, parts in sides.items():
            params = asked.carried() | {"benchmark": [str(asked.benchmark)], "run": runs}
            params |= {key: list(values) for key, values in contrast.group(parts).choices}
            links.link("cases", f"Open the cases of the {word} group", params)


def contrast_headline(table: pl.DataFrame, sides: dict[str, tuple[str, ...]], alpha: object) -> None:
    """Say in how many runs the two groups differ after adjustment."""
    family = table.filter(pl.col("p_holm").is_not_null())
    found = family.filter("significant")
    named = [
        contrast.in_words(side) if len(side) <= NAMED else f"the {len(side)} values chosen above"
        for side in (sides["first"], sides["second"])
    ]
    plain.text("  against  ".join(named))
    illustration.headline(family if family.height else table)
    with st.container(horizontal=True, gap="medium"):
        if family.height:
            st.metric("Runs that differ", f"{found.height} of {family.height}", width="content",
                      help=f"adjusted p at most {alpha}, Holm over the family")  # fmt: skip
            if found.height:
                st.metric("Largest adjusted p of these", p_text(max(found["p_holm"])), width="content")
        elif table["low"].is_not_null().any():
            apart = table.filter((pl.col("low") > 0) | (pl.col("high") < 0))
            st.metric("Intervals without 0", f"{apart.height} of {table['low'].count()}", width="content",
                      help="no test is defined here: unadjusted intervals of the difference")  # fmt: skip
        for row in table.filter((pl.col("kind") == "human") & pl.col("p").is_not_null()).head(1).iter_rows(named=True):
            st.metric("Human, unadjusted p", p_text(row["p"]), width="content")
    reasons = table["reason"].drop_nulls().unique().to_list()
    if reasons:
        plain.text(f"No exact test for {table['reason'].count()} of {table.height} runs: {', '.join(reasons)}.")
    sided = {"two-sided": "two-sided", "greater": "one-sided (first above second)", "less": "one-sided (first below)"}
    for name in table["family"].drop_nulls().unique().to_list():
        words = f"Fisher's exact test, {sided[table['alternative'][0]]}; Holm over {name} (m = {table['m'].max()})"
        plain.text(f"{words}; significant at {alpha}. People stand outside the family, unadjusted.")


def contrast_view(asked: Asked) -> None:
    """Set two groups of items against each other within each run."""
    offered = contrast.groups(asked.benchmark)
    usual = contrast.default(asked.benchmark, ALTERNATIVE.initial)
    if usual is None:
        switch.lacking("items that differ in a capability, axis, tier, media type or the like")
        links.link("data", "Data dictionary on the Data page", {"view": ["dictionary"]})
        return
    given = {name: contrast.read(asked.many[name], offered, name) for name in ("first", "second")}
    sides = {name: given[name] or getattr(usual, name) for name in given}
    as_usual = sides == {"first": usual.first, "second": usual.second}
    if "alternative" not in state.params() and as_usual:
        asked.options["alternative"] = usual.alternative
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, title in (("first", "First group"), ("second", "Second group")):
            key = state.hold(name, list(sides[name]), default=list(getattr(usual, name)))
            st.multiselect(title, offered, key=key, on_change=state.write, width=420)
        switch.choose(
            "alternative", ALTERNATIVE.allowed, asked.options["alternative"], title="Alternative", width=150,
            default=usual.alternative if as_usual else ALTERNATIVE.initial,
        )  # fmt: skip
        key = state.hold_option(WITHOUT)
        st.text_input("Left out of the family", key=key, on_change=state.write, help=WITHOUT.meaning, width=220)
    options = options_of(asked, (ALTERNATIVE, WITHOUT, ALPHA, *RESAMPLING))
    options |= {name: contrast.spelled(parts) for name, parts in sides.items()}
    answer = ask.ask("significance", asked.chosen, asked.policy, options)
    if answer is None:
        return
    table, order = main_runs.ordered(answer.table.with_columns(reading=contrast.reading()), asked, by="raw")
    contrast_headline(table, sides, asked.options["alpha"])
    held = table.filter(pl.col("difference").is_not_null())
    if held.is_empty():
        switch.lacking("a credit on items of both groups")
        return
    figure = partial(
        forest, held, value="difference", label="name", order=order, title="first minus second (points)",
        fields=["run"], group="reading", groups=READINGS, scale=100, zero=True,
        tips={"n_first": "items, first", "n_second": "items, second", "p": "p", "p_holm": "p after Holm"},
    )  # fmt: skip
    figure = illustration.marked(figure, held)
    level = f"{asked.options['level']:.0%}"
    words = f"Forest plot of {held.height} runs: difference of the two groups with {level} interval."
    hit = pick.chart(figure, held, asked, picked=PICKED, fields=["run"], key="contrast",
                     alt_text=illustration.spoken(f"{words} The table has every number.", held))  # fmt: skip
    rows = main_runs.sorted_by(table, order)
    chosen = show.table(answer, "significance", asked, rows=rows, columns=CONTRAST_MAIN, select="multi", key="contrast",
                        keep=["run"])  # fmt: skip
    to_groups(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, sides)
    show.foot(answer, "significance", asked, options, figure=figure)


def runs_headline(table: pl.DataFrame, board: pl.DataFrame, alpha: float) -> None:
    """Say how many pairs differ, by the paired test and, beside it, by the unpaired one."""
    tested = table.filter(pl.col("p_holm").is_not_null())
    illustration.headline(table)
    with st.container(horizontal=True, gap="medium"):
        if tested.height:
            apart = tested.filter(pl.col("p_holm") <= alpha).height
            st.metric("Pairs that differ", f"{apart} of {tested.height}", width="content",
                      help=f"paired test, adjusted p at most {alpha}, Holm over the pairs")  # fmt: skip
        unpaired = table.filter(pl.col("p_fisher_holm").is_not_null())
        if unpaired.height:
            st.metric(
                "By Fisher, unpaired",
                f"{unpaired.filter(pl.col('p_fisher_holm') <= alpha).height} of {unpaired.height}",
                width="content",
                help="ignores that both runs answered the same items: for comparison with papers alone",
            )
        best = board.filter((pl.col("kind") == "model") & (pl.col("condition") == "none")).sort("rank", nulls_last=True)
        tied = best.filter(pl.col("tie_group").is_not_null() & (pl.col("tie_group") == best["tie_group"].first()))
        if tied.height > 1:
            st.metric("Tied for best", tied.height, width="content", help="runs of the leader's tie group")
    exact, flipped = table["m_mcnemar"].max(), table["m_permutation"].max()
    for m, test in ((exact, "Exact McNemar test, two-sided"), (flipped, "Sign-flip test of paired differences")):
        if m is not None:
            plain.text(f"{test}; Holm over the {m} pairs of runs in the slice for which it is defined.")
    reasons = table["reason"].drop_nulls().unique().to_list()
    if reasons:
        plain.text(f"McNemar's test is undefined for {table['reason'].count()} of {table.height} pairs: "
                   f"{', '.join(reasons)}.")  # fmt: skip
    if tied.height > 1:
        plain.text("Tie group of the best run: " + ", ".join(tied["name"]) + ".")


def runs_view(asked: Asked) -> None:
    """Compare every two runs on the items that both have."""
    own = (BY, RUNS.option("average"), RUNS.option("flips"), *RESAMPLING)
    options = options_of(asked, own)
    answer = ask.ask("pairwise", asked.chosen, asked.policy, options)
    if answer is None:
        return
    alpha = asked.options["alpha"]
    table = answer.table.with_columns(p_holm=pl.coalesce("p_mcnemar_holm", "p_permutation_holm"))
    table, order, board = pairs.named(asked, table, by=asked.options["by"])
    runs_headline(table, board, alpha)
    switch.switch(SHOWN, words={"p": "adjusted p", "fisher": "Fisher's p, unpaired"})
    cell, sure = {
        "difference": (Cell("difference", "row minus column (points)", scale=100, digits=1, middle=True), "p_holm"),
        "p": (Cell("p_holm", "adjusted p, paired", digits=3, reverse=True), "p_holm"),
        "fisher": (Cell("p_fisher_holm", "adjusted p, Fisher, unpaired", digits=3, reverse=True), "p_fisher_holm"),
    }[asked.options["shown"]]
    drawn = table.with_columns(sure=(pl.col(sure) <= alpha).fill_null(value=False))
    swaps = [("a", "b"), ("name_a", "name_b"), ("only_a", "only_b"), ("mean_a", "mean_b"), ("low", "high")]
    both = mirrored(drawn, swaps=swaps, signed=["difference", "low", "high"])
    figure, hit = None, both.clear()
    if both[cell.column].is_null().all():
        switch.lacking("single attempts worth 0 or 1" if sure == "p_fisher_holm" else "common items")
    else:
        figure = partial(
            matrix, both, cell=cell, row="name_a", column="name_b", order=order, fields=["a", "b"], sure="sure",
            tips={"low": "from", "high": "to", "only_a": "only the row right", "only_b": "only the column right",
                  "n": "common items", "p_holm": "adjusted p", "p_fisher_holm": "Fisher, unpaired, adjusted"},
        )  # fmt: skip
        figure = illustration.marked(figure, table)
        words = f"Matrix of {table.height} pairs of runs: {cell.title}; grey where it could be chance."
        hit = pick.chart(figure, both, asked, picked=PAIR, fields=["a", "b"], key="pairs",
                         alt_text=illustration.spoken(f"{words} The table has every number.", table))  # fmt: skip
        st.caption(f"Grey: adjusted p above {alpha}.")
    chosen = show.table(answer, "pairwise", asked, rows=table, columns=RUNS_MAIN, select="multi",
                        key="pairs table", keep=["a", "b"])  # fmt: skip
    pairs.to_items(pl.concat([hit, chosen], how="diagonal_relaxed"), asked)
    show.foot(answer, "pairwise", asked, options, figure=figure)


def cells_view(asked: Asked) -> None:
    """Show the interval of every cell."""
    here = ask.values(asked.benchmark)
    switch.switch(LEVEL_OF, offered=[key for key in LEVEL_OF.allowed if [v for v in here.get(key, []) if v != "none"]])
    options = options_of(asked, (LEVEL_OF, METHOD, CELLS.option("level")))
    answer = ask.ask("cells", asked.chosen, asked.policy, options)
    if answer is None:
        return
    table = answer.table.with_columns(
        small_n=pl.col("n") < 30, rate_low=pl.col("low"), rate_high=pl.col("high"), width=pl.col("high") - pl.col("low")
    )
    table, order = main_runs.ordered(main_runs.shown(table, "main"), asked, by="raw")
    sure = table.filter(pl.col("low").is_not_null())
    illustration.headline(table)
    with st.container(horizontal=True, gap="medium"):
        st.metric("Cells with an interval", f"{sure.height} of {table.height}", width="content")
        for word, row in (("Widest", sure.sort("width", "run", "value", descending=[True, False, False]).head(1)),
                          ("Narrowest", sure.sort("width", "run", "value").head(1))):  # fmt: skip
            for name, value, low, high, n in row.select("name", "value", "low", "high", "n").iter_rows():
                title = plain.label(f"{word}: {spoken(value)}", most=40)
                st.metric(title, f"{low:.1%} to {high:.1%}", width="content", help=plain.label(f"{name}, {n} items"))
    reasons = table["reason"].drop_nulls().unique().to_list()
    if reasons:
        plain.text(f"No such interval in {table['reason'].count()} of {table.height} cells: {', '.join(reasons)}.")
        links.link("capability_profiles", "Bootstrap intervals on Capability profiles", asked.carried())
    held = table.filter(pl.col("rate").is_not_null())
    runs = [name for name in order if name in set(held["name"])]
    figure = partial(heatmap, held, measure=Measure("rate", "mean raw credit (%)"), runs=runs,
                     levels=level_order(held), level_title=spoken(asked.options["level_of"]))  # fmt: skip
    figure = illustration.marked(figure, held)
    words = f"Heat map of {held['run'].n_unique()} runs by {held['value'].n_unique()} values: mean raw credit."
    hit = pick.chart(figure, held, asked, picked=CELL, fields=["run", "value"], key="cells",
                     alt_text=illustration.spoken(f"{words} The table has every interval.", held))  # fmt: skip
    st.caption(f"Hover a cell for its {asked.options['level']:.0%} interval; a star marks fewer than 30 items.")
    rows = main_runs.sorted_by(table, order)
    chosen = show.table(answer, "cells", asked, rows=rows, columns=CELLS_MAIN, select="multi", key="cells table")
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked,
                  {"run": "run", asked.options["level_of"]: "value"})  # fmt: skip
    show.foot(answer, "cells", asked, options, figure=figure)


def power_of(asked: Asked) -> None:
    """Show the smallest difference that so many items can show."""
    power.power_view(asked, options_of(asked, OF["power"]))


view = VIEW.initial if (view := state.params().get("view", [""])[-1]) not in VIEWS else view
quiet = [option.name for option in OWN if option not in OF[str(view)]]
asked = page.begin(__file__, own=OWN, quiet=quiet, many=("first", "second"), one_benchmark=True, first=with_contrast)
if asked.benchmark is None:
    page.nothing("runs, items and responses")
switch.switch(VIEW, words=VIEWS)
{"contrast": contrast_view, "runs": runs_view, "cells": cells_view, "power": power_of}[asked.options["view"]](asked)
