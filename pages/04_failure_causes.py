"""Failure causes · What fails, where, and what does an agent run mend?"""

from functools import partial

import polars as pl
import streamlit as st

from analytics.errors import EmptySlice, ScoreproofError
from analytics.questions import Option, question
from pages.ui.charts.cause_matrix import PICKED as CELL
from pages.ui.charts.cause_matrix import cause_matrix
from pages.ui.charts.heatmap import Measure
from pages.ui.charts.labels import spoken
from pages.ui.charts.marks import PICKED as ROW
from pages.ui.charts.marks import Spot, interval_marks
from pages.ui.kit import ask, illustration, links, page, pick, plain, repair, show, switch
from pages.ui.kit.asked import Asked

FAILURES, TOTALS, SAME = (question(name) for name in ("failures", "failure_totals", "same_cause"))
BY = switch.renamed(FAILURES.option("by"), "name_by")
LEVEL_OF = FAILURES.option("level_of")
LABELLER = FAILURES.option("labeller")
MEASURE = Option(
    "measure", "choice", "in_level", "what the cells hold: share of the column, share of the row, or adjusted residual",
    allowed=("in_level", "in_cause", "residual"),
)  # fmt: skip
ALPHA = Option("alpha", "number", 0.05, "Holm-adjusted p below which a cell is marked", low=0.0001, high=0.5)
EVERY = "every"
CAUSE = Option("cause", "text", "", "cause whose failures are listed")
IN_LEVEL = Option("in", "text", EVERY, "slice whose failures of the cause are listed")
AT_LEAST = SAME.option("at_least")
RESAMPLING = ("level", "resamples", "seed")
VIEWS = {
    "causes": "Causes",
    "media": "By media type",
    "alike": "Failing alike",
    "repair": "Repair and cost",
    "traps": "Traps",
}
VIEW = Option("view", "choice", "causes", "which part of the failures is shown", allowed=tuple(VIEWS))
OWN = (VIEW, BY, LEVEL_OF, MEASURE, ALPHA, LABELLER, CAUSE, IN_LEVEL, repair.PAIR, repair.WITHIN, AT_LEAST,
       *(TOTALS.option(name) for name in RESAMPLING))  # fmt: skip
QUIET = ("view", "level_of", "measure", "labeller", "cause", "in", "pair", "within")
WORDS = {"in_level": "column share", "in_cause": "row share", "residual": "residual"}
MEASURES = {
    "in_level": Measure("share_in_level", "column share (%)"),
    "in_cause": Measure("share_in_cause", "row share (%)"),
    "residual": Measure("residual", "residual (SE)", scale=1, middle=True),
}
SHARE = Spot("share", "low", "high", "share of labelled failures (%)", "percent")
MATRIX = ("cause", "level", "failures", "share_in_level", "share_in_cause", "residual", "p_holm", "level_failures",
          "cause_failures", "family", "family_size", "n", "determined")  # fmt: skip
ALIKE = ("level", "failures", "cause", "cause_share", "family", "family_share", "pairs", "determined")
FELL = ("model", "trap", "rate", "low", "high", "fallen", "wrong", "invalid", "untyped", "kind", "run", "n",
        "determined")  # fmt: skip
MEDIA = ("group", "cause", "share", "low", "high", "failures", "n", "family", "runs", "determined")
COST = ("model", "outcome", "n", "steps", "steps_median", "tokens", "tokens_median", "seconds", "seconds_median",
        "condition", "run", "n_steps", "n_tokens", "n_seconds", "determined")  # fmt: skip
CASES = ("item", "run", "cause", "family", "alike", "failing", "capability", "subcapability", "media_type", "attempt",
         "labeller", "determined")  # fmt: skip


def split_keys(asked: Asked) -> list[str]:
    """Return the slice keys that split the items here."""
    here = ask.values(asked.benchmark)
    return [key for key in LEVEL_OF.allowed if key != "whole" and len(here.get(key, [])) > 1]


def headline(asked: Asked, options: dict[str, object]) -> None:
    """Show the share of each family of causes."""
    answer = ask.ask("failure_totals", asked.chosen, asked.policy, options | {"by": "family", "per": "whole"})
    if answer is None:
        return
    table = answer.table
    illustration.headline(table)
    with st.container(horizontal=True, gap="medium"):
        for row in table.head(5).iter_rows(named=True):
            name = "no family" if row["cause"] == "none" else plain.label(spoken(row["cause"]), most=40)
            ends = f", {row['low']:.1%} to {row['high']:.1%}"
            show.share(name.capitalize(), row["share"],
                      help=f"{row['failures']} of {row['n']} labelled failures{ends}")  # fmt: skip
        st.metric("Labelled failures", table["n"][0], format="localized", width="content",
                  help=f"of {table['runs'][0]} runs")  # fmt: skip


def matrix(asked: Asked, options: dict[str, object]) -> None:
    """Draw causes by slice, mark the cells that stand out, and list the failures of a cell."""
    keys = split_keys(asked)
    level_of = asked.options["level_of"] if asked.options["level_of"] in keys else (keys[0] if keys else "whole")
    given = {"by": options["by"], "labeller": options["labeller"], "level_of": level_of}
    answer = ask.ask("failures", asked.chosen, asked.policy, given)
    if answer is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        switch.switch(MEASURE, words=WORDS)
        if len(keys) > 1:
            switch.switch(LEVEL_OF, offered=keys)
    rows, alpha = answer.table, asked.options["alpha"]
    causes = rows["cause"].unique(maintain_order=True).to_list()
    levels = rows.unique("level").sort("level_failures", "level", descending=[True, False])["level"].to_list()
    draw = illustration.marked(
        partial(cause_matrix, rows, measure=MEASURES[asked.options["measure"]], causes=causes, levels=levels,
                level_title=spoken(level_of), below=alpha), rows)  # fmt: skip
    illustration.headline(rows)
    marked = rows.filter(pl.col("p_holm") < alpha).height
    words = (
        f"Heat map of {len(causes)} causes by {len(levels)} values of {spoken(level_of)}; {marked} of {rows.height} "
        "cells stand out. The table has every number."
    )
    hit = pick.chart(draw, rows, asked, picked=CELL, fields=["cause", "level"], key="matrix",
                     alt_text=illustration.spoken(words, rows))  # fmt: skip
    st.caption(
        f"Triangles: more or fewer failures than independence gives, Holm-adjusted p below {alpha:g} over "
        f"{rows['family_size'][0]} cells. Runs fail on one item together, so p values are too small."
    )
    chosen = show.table(answer, "failures", asked, columns=MATRIX, select="multi", key="matrix")
    show.foot(answer, "failures", asked, given, figure=draw)
    listing(asked, pl.concat([hit, chosen]), level_of, causes, levels)


def listing(asked: Asked, hit: pl.DataFrame, level_of: str, causes: list[str], levels: list[str]) -> None:
    """List the failures of the cell that was picked, or of the cause in the address; a row opens its case."""
    cause, level = str(asked.options["cause"]), str(asked.options["in"])
    if hit.height:
        cause, level = str(hit["cause"][0]), str(hit["level"][0])
    elif cause not in causes:
        st.caption("Click a cell, or select a row of the table, to list the failures behind it.")
        return
    level = level if level in levels else EVERY
    st.subheader("Failures of one cause", anchor=False)
    if hit.height:
        plain.text(f"Picked above: {spoken(cause)} in {spoken(level)}")
    else:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            switch.choose("cause", causes, cause, default="", title="Cause", width=260)
            switch.choose("in", [EVERY, *levels], level, default=EVERY, title=f"In {spoken(level_of)}", width=260)
    chosen = asked.chosen.with_choice(level_of, [level]) if level != EVERY and level_of != "whole" else asked.chosen
    options = {"cause": cause, "labeller": asked.options["labeller"], "most": 500}
    answer = ask.ask("failure_cases", chosen, asked.policy, options)
    if answer is None:
        return
    st.caption("Items on which most runs fail alike stand first. Select a row to open its case.")
    picked = show.table(answer, "failure_cases", asked, columns=CASES, select="single", key=f"cases {cause} {level}")
    if answer.table["total"][0] > answer.table.height:
        st.caption(f"Listed: the first {answer.table.height} of {answer.table['total'][0]} failures.")
    if picked.height:
        params = asked.carried() | {"benchmark": [str(asked.benchmark)], "item": [picked["item"][0]]}
        links.link("cases", "Open the case", params | {"beside": [picked["run"][0]]})


def media(asked: Asked, options: dict[str, object]) -> None:
    """Set the shares of causes of one media type against another."""
    here = [value for value in ask.values(asked.benchmark).get("media_type", []) if value != "none"]
    only = asked.chosen.values("media_type")
    here = [value for value in here if not only or value in only]
    if len(here) < 2:
        switch.lacking("items of two media types among these rows")
        return
    given = options | {"per": "media_type"}
    answer = ask.ask("failure_totals", asked.chosen, asked.policy, given)
    if answer is None:
        return
    rows = answer.table.filter(pl.col("group").is_in(here)).with_columns(media="group")
    found = rows["media"].unique(maintain_order=True).to_list()
    if len(found) < 2:
        switch.lacking("labelled failures on items of two media types")
        return
    order = rows.group_by("cause").agg(pl.col("failures").sum()).sort("failures", "cause", descending=[True, False])
    draw = illustration.marked(
        partial(interval_marks, rows, spot=SHARE, label="cause", order=order["cause"].to_list(), series="media",
                series_order=found, fields=["media"], n=("n", "failures"), zero=False), rows)  # fmt: skip
    illustration.headline(rows)
    words = f"Shares of {order.height} causes with intervals, for {' and '.join(found)}."
    hit = pick.chart(draw, rows, asked, picked=ROW, fields=["media"], key="media",
                     alt_text=illustration.spoken(words, rows))  # fmt: skip
    st.caption(f"Line: {asked.options['level']:.0%} interval over items with all their failures.")
    chosen = show.table(answer, "failure_totals", asked, rows=rows, columns=MEDIA, select="multi", key="media table")
    show.to_cases(pl.concat([hit, chosen]).unique("media"), asked, {"media_type": "media"})
    show.foot(answer, "failure_totals", asked, given, figure=draw)


def alike(asked: Asked, options: dict[str, object]) -> None:
    """Show whether the runs that fail on an item fail for the same cause, and what causes go with."""
    given = {"at_least": asked.options["at_least"], "labeller": options["labeller"]}
    whole = ask.ask("same_cause", asked.chosen, asked.policy, given | {"level_of": "whole"})
    st.subheader("Do runs fail alike?", anchor=False)
    if whole is not None:
        row = whole.table.row(0, named=True)
        illustration.headline(whole.table)
        with st.container(horizontal=True, gap="medium"):
            show.share("Same cause", row["cause_share"],
                      help="median over items of the share of failing runs with its most frequent cause")  # fmt: skip
            show.share("Same family", row["family_share"])
            show.share("Pairs with one cause", row["cause_pairs"],
                      help=f"of {row['pairs']} pairs of failures on one item")  # fmt: skip
            st.metric("Items", row["items"], format="localized", width="content",
                      help=f"with {asked.options['at_least']} or more labelled failures")  # fmt: skip
        with show.fold("Item by item", key="alike") as fold:
            if fold.open:
                items = ask.ask("same_cause", asked.chosen, asked.policy, given | {"level_of": "item"})
                if items is not None and items.table.height:
                    chosen = show.table(items, "same_cause", asked, columns=ALIKE, select="single", key="same cause")
                    if chosen.height:
                        params = asked.carried() | {"benchmark": [str(asked.benchmark)], "item": [chosen["level"][0]]}
                        links.link("cases", "Open the case", params)
                show.proof(whole, "same_cause", asked, given | {"level_of": "whole"})
    given = {"by": options["by"], "labeller": options["labeller"], "level": options["level"]}
    answer = ask.ask("association", asked.chosen, asked.policy, given)
    if answer is None:
        return
    rows = answer.table.filter(pl.col("v").is_not_null()).sort("v_corrected", descending=True)
    if rows.is_empty():
        st.caption("Every labelled failure has one cause, or every dimension one value: nothing can go together.")
        return
    spot = Spot("v_corrected", "low", "high", "Cramer's V, corrected: 0 independent, 1 determined", "number")
    draw = illustration.marked(
        partial(interval_marks, rows, spot=spot, label="with", order=rows["with"].to_list(), series=None,
                series_order=[], fields=["with"], n=("n", "failures"), zero=True), rows)  # fmt: skip
    words = f"Cramer's V of cause with {rows.height} dimensions, highest with {spoken(rows['with'][0])}."
    illustration.headline(rows)
    show.chart(draw, alt_text=illustration.spoken(words, rows), key="association", asked=asked)
    st.caption(
        "What the cause of a failure goes with. Mark: V without the bias of sparse tables; line: interval of the "
        "population's V. Failures on one item are not independent: intervals are narrow."
    )
    with show.fold("Table of association", key="association") as fold:
        if fold.open:
            show.table(answer, "association", asked, key="association")
            show.proof(answer, "association", asked, given, figure=draw)


def cost(asked: Asked) -> None:
    """Show what solved and failed tasks take."""
    try:
        answer = ask.answer("attempt_cost", asked.chosen, asked.policy, {})
    except EmptySlice:
        return
    st.subheader("Steps and tokens, solved and failed", anchor=False)
    table = answer.table
    stepped = table.filter(pl.col("n_steps") > 0)
    rows = stepped if stepped.height else table
    illustration.headline(rows)
    chosen = show.table(answer, "attempt_cost", asked, rows=rows, columns=COST, select="multi", key="cost")
    if stepped.height and stepped.height < table.height:
        st.caption(f"Shown: runs whose log has steps; {table.height - stepped.height} rows have tokens or time alone.")
    show.to_cases(chosen, asked, {"run": "run"})
    with show.fold("How cost was counted", key="cost") as fold:
        if fold.open:
            show.proof(answer, "attempt_cost", asked, {})


def traps(asked: Asked) -> bool:
    """Draw which kind of wrong option each system falls for; False where the log types no options."""
    given = {"level_of": "whole", "level": asked.options["level"]}
    try:
        answer = ask.answer("traps", asked.chosen, asked.policy, given)
    except EmptySlice:
        return False
    st.subheader("Traps", anchor=False)
    rows = answer.table.filter(pl.col("rate").is_not_null())
    kinds = rows["trap"].unique().sort().to_list()
    top = rows.filter(pl.col("kind") == "model").group_by("trap").agg(pl.col("fallen").sum(), pl.col("wrong").sum())
    illustration.headline(rows)
    with st.container(horizontal=True, gap="medium"):
        for row in top.sort("fallen", descending=True).iter_rows(named=True):
            show.share(plain.label(spoken(row["trap"])).capitalize(), row["fallen"] / row["wrong"],
                       help=f"{row['fallen']} of {row['wrong']} wrong choices of models")  # fmt: skip
    order = rows.unique("run").sort("wrong", "model")["model"].unique(maintain_order=True).to_list()
    spot = Spot("rate", "low", "high", "wrong choices that fell for it (%)", "percent")
    draw = illustration.marked(
        partial(interval_marks, rows, spot=spot, label="model", order=order, series="trap", series_order=kinds,
                fields=["run"], n=("wrong", "wrong choices"), zero=False), rows)  # fmt: skip
    words = f"Trap fall rates with intervals, {len(order)} systems and {len(kinds)} kinds of trap."
    hit = pick.chart(draw, rows, asked, picked=ROW, fields=["run"], key="traps",
                     alt_text=illustration.spoken(words, rows))  # fmt: skip
    chosen = show.table(answer, "traps", asked, columns=FELL, select="multi", key="traps")
    show.to_cases(pl.concat([hit, chosen]), asked, {"run": "run"})
    show.foot(answer, "traps", asked, given, figure=draw)
    return True


def offered(asked: Asked) -> list[str]:
    """Return the parts that these rows have: traps need typed options, media types two of them."""
    try:
        ask.answer("traps", asked.chosen, asked.policy, {"level_of": "whole", "level": asked.options["level"]})
        typed = True
    except ScoreproofError:
        typed = False
    two = len([value for value in ask.values(asked.benchmark).get("media_type", []) if value != "none"]) > 1
    return [name for name in VIEWS if (name != "traps" or typed) and (name != "media" or two)]


def lacking(error: ScoreproofError) -> None:
    """Say that nobody named causes here, what log has them, and where to look instead."""
    plain.note(str(error), kind="info")
    st.markdown(
        "Causes need a log with `failure_labels`: for a failed response, who named its cause, the cause, and its "
        "family. Traps need `option_types`: what kind of trap a wrong option is. The data dictionary on the Data "
        "page describes both tables."
    )
    links.link("data", "Data dictionary on the Data page", {"view": ["dictionary"]})
    links.link("items", "Items that nobody solves, on Items", asked.carried())


asked = page.begin(__file__, own=OWN, quiet=QUIET, one_benchmark=True)
if asked.benchmark is None:
    page.nothing("named causes of failures (table failure_labels), or types of wrong options (table option_types)")
options = {name: asked.options[name] for name in ("labeller", *RESAMPLING)} | {"by": asked.options["name_by"]}
try:
    ask.answer("failures", asked.chosen, asked.policy, {"by": options["by"], "labeller": options["labeller"]})
except ScoreproofError as error:
    traps(asked)
    lacking(error)
    cost(asked)
    st.stop()
headline(asked, options)
switch.switch(VIEW, words=VIEWS, offered=offered(asked))
if asked.options["view"] == "alike":
    alike(asked, options)
elif asked.options["view"] == "media":
    media(asked, options)
elif asked.options["view"] == "repair":
    repair.repair(asked, options)
    cost(asked)
elif asked.options["view"] == "traps":
    if not traps(asked):
        switch.lacking("types of wrong options (table option_types): what kind of trap each is")
else:
    matrix(asked, options)
