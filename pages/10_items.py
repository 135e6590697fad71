"""Items · Which items are hard, which tell runs apart, and which look wrong?"""

from functools import partial

import polars as pl
import streamlit as st

from analytics.panel_runs import SEPARATOR
from analytics.questions import Answer, Option, question
from pages.ui.charts.item_scatter import PICKED, drawn, item_scatter, kind_bars, kinds
from pages.ui.charts.labels import spoken
from pages.ui.charts.stacked import PICKED as BAR
from pages.ui.kit import ask, illustration, links, page, pick, plain, show, switch
from pages.ui.kit.asked import Asked

QUESTION = question("items")
ON, PANEL = QUESTION.option("on"), QUESTION.option("panel")
WHICH = Option(
    "which", "choice", "suspicious", "items that the table lists",
    allowed=("suspicious", "nobody", "everybody", "below_chance", "hardest", "every"),
)  # fmt: skip
SPLIT = Option(
    "split", "choice", "capability", "what the bars split items by",
    allowed=("capability", "subcapability", "media_type", "answer_type"),
)  # fmt: skip
OWN = (ON, PANEL, WHICH, SPLIT)
QUIET = ("which", "split")

WORDS = {
    "suspicious": "suspicious", "nobody": "solved by nobody", "everybody": "solved by everybody",
    "below_chance": "below chance", "hardest": "hardest first", "every": "every item",
}  # fmt: skip
PARTS = {
    "nobody": pl.col("nobody"),
    "suspicious": pl.col("about") == "suspicious",
    "below chance": (pl.col("about") == "below chance") & ~pl.col("nobody"),
    "telling": pl.col("about") == "telling",
    "everybody": pl.col("everybody"),
}
"""Kinds of items, each item in one of them or in 'undefined'."""

MAIN = (
    "item", "capability", "subcapability", "media_type", "answer_type", "difficulty", "discrimination", "inversion",
    "n", "suspicious", "nobody", "everybody", "chance", "below_chance", "reason", "determined",
)  # fmt: skip


def headline(table: pl.DataFrame) -> None:
    """Show how many items tell nothing, how many look wrong, and of how many."""
    illustration.headline(table)
    with st.container(horizontal=True, gap="medium"):
        st.metric("Suspicious", int(table["suspicious"].sum()), format="localized", width="content",
                  help="good runs miss it and weak runs hit it: look at its reference")  # fmt: skip
        st.metric("Solved by nobody", int(table["nobody"].sum()), format="localized", width="content")
        st.metric("Solved by everybody", int(table["everybody"].sum()), format="localized", width="content")
        if table["below_chance"].is_not_null().any():
            st.metric("Below chance", int(table["below_chance"].sum()), format="localized", width="content",
                      help="mean credit below what guessing earns")  # fmt: skip
        st.metric("Items", table.height, format="localized", width="content", help="items that a run has a credit for")
    most = table["n"].max()
    if isinstance(most, int) and most < 10:
        st.caption(f"At most {most} run{'s' * (most > 1)} per item: with so few, every figure on this page is rough.")


def listed(table: pl.DataFrame, which: str) -> pl.DataFrame:
    """Return the items that the table lists, those worth a look first."""
    if which in ("suspicious", "nobody", "everybody", "below_chance"):
        table = table.filter(pl.col(which).fill_null(value=False))
    by = {"suspicious": "discrimination", "hardest": "difficulty", "below_chance": "difficulty"}.get(which)
    return table if by is None else table.sort(by, "item", nulls_last=True)


def scatter(asked: Asked, table: pl.DataFrame, answer: Answer) -> show.Draw | None:
    """Draw difficulty against discrimination; a click opens the way to the case. Returns the figure."""
    held = drawn(table)
    if held.is_empty():
        reasons = table["reason"].drop_nulls().unique().to_list()
        why = f" ({', '.join(sorted(filter(None, reasons)))})" if any(reasons) else ""
        switch.lacking(f"credits of two runs or more that differ: discrimination is undefined for every item{why}")
        return None
    figure = illustration.marked(partial(item_scatter, table, credit=asked.options["on"]), held)
    defined = kinds(table)["about"].is_not_null().sum()
    words = (
        f"Scatter of {held.height} items by mean credit and discrimination, "
        f"{int(held['suspicious'].sum())} of them suspicious. The table lists them."
    )
    hit = pick.chart(figure, held, asked, picked=PICKED, fields=["item"], key="scatter",
                     alt_text=illustration.spoken(words, held))  # fmt: skip
    few = f" Drawn: {held.height} of {defined}, suspicious ones first." if held.height < defined else ""
    st.caption(
        f"Click a point to open its case.{few} Not drawn: {table.height - defined} items whose discrimination is "
        "undefined, such as those that every run, or none, solves."
    )
    opened(hit, asked)
    return figure


def opened(chosen: pl.DataFrame, asked: Asked) -> None:
    """Show the link to the case of each chosen item, the first few of them."""
    params = asked.carried() | {"benchmark": [str(asked.benchmark)]}
    for item in chosen["item"].head(5) if chosen.height else []:
        links.link("cases", f"Open the case {plain.label(str(item), most=60)}", params | {"item": [str(item)]})


def by_split(asked: Asked, table: pl.DataFrame) -> None:
    """Draw what each slice's items are made of: dead, suspicious, telling."""
    offered = [key for key in SPLIT.allowed if table[key].n_unique() > 1]
    if not offered:
        st.caption("The items of this log differ in no capability, media type or answer type.")
        return
    st.subheader("By capability and media", anchor=False)
    switch.switch(SPLIT, offered=offered)
    key = asked.options["split"]
    counted = kinds(table).group_by(key).agg(
        *[expr.fill_null(value=False).sum().alias(word) for word, expr in PARTS.items()], pl.len().alias("n"),
        pl.col("determined").all(),
    )  # fmt: skip
    counted = counted.sort(-pl.col("n").cast(pl.Int64), key)
    shares = counted.with_columns((pl.col(word) / pl.col("n")).alias(word) for word in PARTS)
    parts = {word: word for word in PARTS if counted[word].sum() > 0}
    figure = partial(kind_bars, shares, parts=parts, label=key)
    words = f"Stacked bars of {counted.height} values of {spoken(key)}: share of items by kind, {', '.join(parts)}."
    illustration.headline(counted)
    hit = pick.chart(illustration.marked(figure, counted), counted, asked, picked=BAR, fields=[key], key="by split",
                     alt_text=illustration.spoken(words, counted))  # fmt: skip
    with show.fold("The counts", key="counts") as fold:
        if fold.open:
            st.dataframe(counted.drop("determined"), hide_index=True, key="split counts", alt="Items by kind and slice")
    if hit.height:
        params = asked.carried() | {"benchmark": [str(asked.benchmark)], key: hit[key].to_list()}
        links.link("cases", f"Open the items of {hit.height} selected bar{'s' * (hit.height > 1)}", params)


def panel(asked: Asked) -> None:
    """Let the reader choose the runs that the statistics are of."""
    here = ask.values(asked.benchmark)
    offered = ["all", *[value for value in here.get("access", []) if value != "none"]]
    current = asked.options["panel"]
    if len(offered) > 1 or current != "all":
        every = offered if current in offered else [*offered, current]
        switch.choose("panel", every, current, default="all", title="Runs that the statistics are of", width=260)
        st.caption(f"Or name runs and models in the address, joined by '{SEPARATOR}'.")


asked = page.begin(__file__, own=OWN, quiet=QUIET, one_benchmark=True)
if asked.benchmark is None:
    page.nothing("items and credits of two runs or more on them (tables items and responses)")
options = {option.name: asked.options[option.name] for option in QUESTION.options}
answer = ask.ask("items", asked.chosen, asked.policy, options)
if answer is None:
    st.markdown(
        "This page needs credits of runs on the same items. The data dictionary on the Data page describes the "
        "tables `items` and `responses`."
    )
    links.link("data", "Data dictionary on the Data page", {"view": ["dictionary"]})
    panel(asked)
    st.stop()
table = answer.table
headline(table)
panel(asked)
drew = scatter(asked, table, answer)
if table["chance"].is_null().all():
    st.caption("The log says of no item what guessing earns (a chance level): nothing is marked below chance.")

st.subheader("Items worth a look", anchor=False)
flagged = [name for name in WHICH.allowed[:4] if table[name].fill_null(value=False).any()]
offered = [*flagged, "hardest", "every"]
switch.switch(WHICH, offered=offered, words=WORDS)
rows = listed(table, asked.options["which"])
if rows.is_empty():
    plain.note(f"No item is {WORDS[asked.options['which']]} here.", kind="info")
else:
    chosen = show.table(answer, "items", asked, rows=rows, columns=MAIN, select="multi", key="items", keep=["item"])
    st.caption("Select a row to open its case.")
    opened(chosen, asked)
show.foot(answer, "items", asked, options, figure=drew)
by_split(asked, table)
