"""Judges · How far do raters agree, beyond chance, and does one of them lean?"""

from functools import partial

import polars as pl
import streamlit as st

from analytics.policy import Policy
from analytics.questions import Answer, Option, question
from analytics.ratings import AMONG, LETTERS, ON, ORDER, RATERS, UNIT, UNPARSED
from analytics.slices import Slice
from pages.ui.charts.forest import PICKED, forest
from pages.ui.charts.matrix import PICKED as PAIR
from pages.ui.charts.matrix import Cell, matrix, mirrored
from pages.ui.kit import ask, illustration, links, page, pick, plain, show, state, switch
from pages.ui.kit.asked import Asked
from pages.ui.kit.bar import more
from pages.ui.kit.first import elsewhere, most_runs
from pages.ui.kit.raters import levels, options_of, panel, span

UNIT_SHOWN = switch.renamed(UNIT, "unit", initial="item")
WEIGHTS = question("judges").option("weights")
A, B = (question("confusion").option(name) for name in ("a", "b"))
SHOWN = Option("shown", "choice", "kappa", "what the cells hold", allowed=("kappa", "agreement", "ac1"))
RESAMPLING = tuple(question("judges").option(name) for name in ("level", "resamples", "seed"))
VIEWS = {"pairs": "Pairs", "two": "Two raters", "panel": "Panel and people", "level": "Level and leaning"}
VIEW = Option("view", "choice", "pairs", "which part of the agreement is shown", allowed=tuple(VIEWS))
OWN = (VIEW, RATERS, UNIT_SHOWN, ON, UNPARSED, LETTERS, AMONG, ORDER, WEIGHTS, A, B, SHOWN, *RESAMPLING)
QUIET = [option.name for option in OWN if option not in RESAMPLING]
VERDICTS = ("judges", "reviewers")
KINDS = {
    "judges": "judges", "reviewers": "reviewers of a judge", "preferences": "judges of pairs",
    "annotators": "human annotators", "runs": "runs, by their answers",
}  # fmt: skip
"""Kinds of raters in the order in which a page without a choice takes them."""

DRAWN = 30
"""Pairs whose intervals are drawn one by one; above it the matrix serves."""

MAIN = (
    "rater_a", "rater_b", "kappa", "kappa_low", "kappa_high", "agreement", "expected", "ac1", "n", "category",
    "prevalence_a", "prevalence_b", "missing_a", "missing_b", "missing_both", "condition", "reason", "undefined",
    "determined",
)  # fmt: skip


def sizes(benchmark: str | None) -> dict[str, int]:
    """Return how many raters of each kind a benchmark has to compare, in the order of KINDS."""
    chosen = Slice() if benchmark is None else Slice.of(benchmark=benchmark)
    table = ask.answer("raters", chosen, Policy()).table
    held = dict(table.select("raters", "size").iter_rows())
    return {kind: held[kind] for kind in KINDS if kind in held}


def first() -> str | None:
    """Return the benchmark with most runs that has two judges; else two raters of another kind that are not runs."""
    table = ask.answer("raters", Slice(), Policy()).table.filter(pl.col("size") > 1)
    for kind in KINDS:
        found = table.filter(pl.col("raters") == kind)
        if found.height and kind != "runs":
            return most_runs(pl.col("benchmark").is_in(found["benchmark"].to_list())) or str(found["benchmark"][0])
    return None


def headline(asked: Asked, table: pl.DataFrame) -> None:
    """Show how far the pairs agree, and the same on the other unit where there are two."""
    held = table.filter(pl.col("agreement").is_not_null())
    illustration.headline(table)
    with st.container(horizontal=True, gap="medium"):
        st.metric("Pairs of raters", table.height, format="localized", width="content")
        if held.height:
            st.metric(
                "Agreement", span(held, "agreement", ".1%"), width="content", help="least and greatest of the pairs"
            )
        known = held.filter(pl.col("kappa").is_not_null())
        if known.height:
            st.metric("Cohen's kappa", span(known, "kappa", ".3f"), width="content", help="agreement beyond chance")
        if held.height:
            st.metric("Units of a pair", span(held, "n", ",d"), width="content", help="units that both raters rated")
    if asked.options["raters"] in VERDICTS and asked.options["on"] in ("usual", "met"):
        other = "criterion" if asked.options["unit"] == "item" else "item"
        answer = ask.ask("judges", asked.chosen, asked.policy, options_of(asked, "judges", unit=other))
        known = answer.table.filter(pl.col("kappa").is_not_null()) if answer is not None else held.clear()
        if known.height:
            what = "single criteria" if other == "criterion" else "whole responses (all criteria met)"
            plain.text(f"By {what}: agreement {span(known, 'agreement', '.1%')}, kappa {span(known, 'kappa', '.3f')}.")
    undefined = table.filter(pl.col("kappa").is_null())
    if undefined.height:
        plain.text(f"Kappa is undefined for {undefined.height} of {table.height} pairs: "
                   f"{', '.join(undefined['reason'].unique().to_list())}.")  # fmt: skip


def controls(asked: Asked, kinds: dict[str, int]) -> None:
    """Show who is compared and how."""
    raters = asked.options["raters"]
    usual = next((kind for kind, size in kinds.items() if size > 1), next(iter(kinds), raters))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        offered = [kind for kind, size in kinds.items() if size > 1 or kind == raters]
        if offered:
            key = state.hold("raters", raters, default=usual)
            st.segmented_control(
                "Raters",
                offered,
                key=key,
                on_change=state.write,
                args=(("a", "b", "among"),),
                format_func=lambda kind: KINDS[kind],
                required=True,
                help=RATERS.meaning,
            )
        if raters in VERDICTS:
            switch.switch(UNIT_SHOWN)
        with st.popover("How they are compared", help="labels, letters and weights"):
            for option in (
                ON,
                *((UNPARSED, LETTERS) if raters in ("annotators", "runs") else ()),
                WEIGHTS,
                ORDER,
                AMONG,
            ):
                more(option)


def pairs(asked: Asked) -> tuple[Answer, object] | None:
    """Draw the agreement of every pair; return the answer and the figure."""
    answer = ask.ask("judges", asked.chosen, asked.policy, options_of(asked, "judges"))
    if answer is None:
        return None
    table = answer.table
    if table.is_empty():
        plain.note("One rater is no pair: agreement needs two raters of the same responses.", kind="info")
        return answer, None
    headline(asked, table)
    switch.switch(SHOWN, words={"agreement": "raw agreement", "kappa": "Cohen's kappa", "ac1": "Gwet's AC1"})
    shown = asked.options["shown"]
    cell = {"kappa": Cell("kappa", "Cohen's kappa"), "ac1": Cell("ac1", "Gwet's AC1"),
            "agreement": Cell("agreement", "raw agreement (%)", scale=100, digits=1)}[shown]  # fmt: skip
    named = short(table, str(asked.benchmark))
    figure, hit = None, named.clear()
    held = named.filter(pl.col(shown).is_not_null())
    order = list(dict.fromkeys([*named["name_a"], *named["name_b"]]))
    words = f"{cell.title} of {held.height} pairs of {len(order)} raters"
    if held.height and shown == "kappa" and held.height <= DRAWN:
        rows = held.with_columns(pair=pl.format("{} \u00b7 {}", "name_a", "name_b"), low="kappa_low", high="kappa_high",
                                 reading=pl.lit("kappa"))  # fmt: skip
        figure = partial(
            forest, rows, value="kappa", label="pair", order=rows.sort("kappa", descending=True)["pair"].to_list(),
            title="Cohen's kappa", fields=["rater_a", "rater_b"], group="reading", groups=["kappa"], scale=1,
            zero=False, tips={"agreement": "raw agreement", "n": "units", "prevalence_a": "prevalence, first",
                  "prevalence_b": "prevalence, second"},
        )  # fmt: skip
        figure = illustration.marked(figure, table)
        hit = pick.chart(
            figure,
            held,
            asked,
            picked=PICKED,
            fields=["rater_a", "rater_b"],
            key="kappas",
            alt_text=illustration.spoken(f"Forest plot: {words}. The table has every number.", table),
        )
    elif held.height:
        swaps = [("rater_a", "rater_b"), ("name_a", "name_b"), ("prevalence_a", "prevalence_b")]
        both = mirrored(held, swaps=swaps, signed=[])
        figure = partial(
            matrix, both, cell=cell, row="name_a", column="name_b", order=order, fields=["rater_a", "rater_b"],
            sure=None,
            tips={"kappa": "kappa", "kappa_low": "from", "kappa_high": "to", "agreement": "agreement", "n": "units"},
        )  # fmt: skip
        figure = illustration.marked(figure, table)
        hit = pick.chart(
            figure,
            both,
            asked,
            picked=PAIR,
            fields=["rater_a", "rater_b"],
            key="matrix",
            alt_text=illustration.spoken(f"Matrix: {words}. The table has every number.", table),
        )
    chosen = show.table(answer, "judges", asked, columns=MAIN, select="single", key="pairs")
    one = pl.concat([hit, chosen], how="diagonal_relaxed").tail(1)
    if one.height:
        turn = {"a": one["rater_a"][0], "b": one["rater_b"][0], "view": "two"}
        label = (
            f"Cross-table and disagreements of {plain.label(turn['a'], most=40)} and {plain.label(turn['b'], most=40)}"
        )
        st.button(label, on_click=state.turn, args=(turn,))
    else:
        st.caption("Click a pair, or select its row, to see its cross-table and the cases on which the two differ.")
    return answer, figure


def short(table: pl.DataFrame, benchmark: str) -> pl.DataFrame:
    """Add the raters' names without the benchmark that all of them share."""
    return table.with_columns(
        pl.col(f"rater_{side}").str.strip_prefix(f"{benchmark}/").alias(f"name_{side}") for side in "ab"
    )


def cross(asked: Asked, raters: list[str]) -> None:
    """Show the cross-table of two raters and the units on which they differ; a row opens its case."""
    st.subheader("Two raters: cross-table and disagreements", anchor=False)
    a = asked.options["a"] if asked.options["a"] in raters else raters[0]
    rest = [rater for rater in raters if rater != a]
    b = asked.options["b"] if asked.options["b"] in rest else rest[0]
    with st.container(horizontal=True):
        switch.choose("a", raters, a, default=raters[0], title="First rater", width=340)
        switch.choose("b", rest, b, default=rest[0], title="Second rater", width=340)
    options = options_of(asked, "confusion", a=a, b=b)
    answer = ask.ask("confusion", asked.chosen, asked.policy, options)
    listed = ask.ask("disagreements", asked.chosen, asked.policy, options)
    if answer is None or listed is None:
        return
    table = answer.table
    illustration.headline(table)
    figure = partial(
        matrix, table, cell=Cell("units", "units", digits=0), row="label_a", column="label_b",
        order=table["label_a"].unique(maintain_order=True).to_list(), fields=["label_a", "label_b"], sure=None,
        tips={"share": "share", "n": "common units"},
    )  # fmt: skip
    figure = illustration.marked(figure, table)
    total = int(listed.table["total"][0]) if listed.table.height else 0
    words = f"Cross-table of two raters over {table['n'].max()} units; they differ on {total}. Rows: {a}; columns: {b}."
    hit = pick.chart(figure, table, asked, picked=PAIR, fields=["label_a", "label_b"], key="cross",
                     alt_text=illustration.spoken(words, table))  # fmt: skip
    plain.text(f"Rows: {a}. Columns: {b}. They differ on {total} of {table['n'].max()} units.")
    with show.fold("Table and method: cross-table", key="cross") as fold:
        if fold.open:
            show.table(answer, "confusion", asked, key="cross table")
            show.proof(answer, "confusion", asked, options, figure=figure)
    if not total:
        return
    rows = listed.table.join(hit, on=["label_a", "label_b"], how="semi") if hit.height else listed.table
    columns = ("item", "run", "attempt", "part", "label_a", "label_b", "condition", "determined")
    chosen = show.table(
        listed, "disagreements", asked, rows=rows, columns=columns, select="single", key="disagreements"
    )
    st.caption("Select a row to open its case; click a cell of the cross-table to keep its rows.")
    if total > listed.table.height:
        st.caption(f"The first {listed.table.height} of {total} are listed; the command line gives more with `most`.")
    with show.fold("Exports and method: disagreements", key="disagreements") as fold:
        if fold.open:
            show.proof(
                listed, "disagreements", asked, options | {"most": question("disagreements").option("most").initial}
            )
    if chosen.height:
        params = asked.carried() | {"benchmark": [str(asked.benchmark)], "item": [chosen["item"][0]]}
        beside = {} if chosen["run"][0] is None else {"beside": [chosen["run"][0]]}
        links.link("cases", "Open the case", params | beside)


def two(asked: Asked) -> None:
    """Show two raters of those that have a pair."""
    answer = ask.ask("judges", asked.chosen, asked.policy, options_of(asked, "judges"))
    if answer is None:
        return
    raters = list(dict.fromkeys([*answer.table["rater_a"], *answer.table["rater_b"]]))
    if raters:
        cross(asked, raters)
    else:
        plain.note("One rater is no pair: agreement needs two raters of the same responses.", kind="info")


def lacking(kinds: dict[str, int]) -> None:
    """Say what this page needs and where its format is described."""
    have = ", ".join(f"{size} of {KINDS[kind]}" for kind, size in kinds.items()) or "none"
    plain.note(f"No two raters to compare here: {have}. This page needs verdicts of two judges on the same responses, "
               "answers of two people or runs, or comparisons of two responses.", kind="info")  # fmt: skip
    st.markdown("The data dictionary on the Data page describes `judges`, `verdicts` and `comparisons`.")
    elsewhere(asked, "judges", first())
    links.link("data", "Data dictionary on the Data page", {"view": ["dictionary"]})


asked = page.begin(__file__, own=OWN, quiet=QUIET, one_benchmark=True, first=first)
if asked.benchmark is None:
    page.nothing("verdicts of two judges, or answers of two people")
kinds = sizes(asked.benchmark)
if "raters" not in state.params():
    asked.options["raters"] = next(
        (kind for kind, size in kinds.items() if size > 1), next(iter(kinds), RATERS.initial)
    )
if "unit" not in state.params():
    asked.options["unit"] = "item" if asked.options["raters"] in VERDICTS else UNIT.initial
if max(kinds.values(), default=0) < 2:
    lacking(kinds)
    st.stop()
controls(asked, kinds)
raters = asked.options["raters"]
shown = [name for name in VIEWS if name != "level" or raters == "judges"]
switch.switch(VIEW, words=VIEWS, offered=shown)
view = asked.options["view"]
if view == "two":
    two(asked)
elif view == "panel":
    panel(asked, kinds)
elif view == "level":
    if raters == "judges":
        levels(asked)
    else:
        switch.lacking("two judges or more: level and leaning are theirs")
else:
    found = pairs(asked)
    if found is not None:
        answer, figure = found
        show.foot(answer, "judges", asked, options_of(asked, "judges"), figure=figure)  # type: ignore[arg-type]
