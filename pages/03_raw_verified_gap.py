"""Raw-Verified gap · How much credit is left once the reasoning is checked, and where is the rest lost?"""

from dataclasses import replace
from functools import partial

import polars as pl
import streamlit as st

from analytics.determined import stated
from analytics.errors import EmptySlice
from analytics.groups import ITEM_KEYS
from analytics.questions import Answer, Option, question
from pages.ui.charts.dumbbell import PICKED, End, dumbbell
from pages.ui.charts.grouped import grouped_bars
from pages.ui.charts.labels import spoken
from pages.ui.charts.stacked import stacked_bars
from pages.ui.kit import ask, first, illustration, links, main_runs, page, pick, plain, show, switch
from pages.ui.kit.asked import Asked
from pages.ui.kit.losses import EVIDENCE, LOST, losses

GAP, STAGES, SPREAD, LABELS = (question(q) for q in ("gap", "stages", "distribution", "labels"))
AVERAGE = GAP.option("average")
RUNS = Option("runs", "choice", "main", "runs without a varied condition, or every run", allowed=main_runs.SHOWN)
ORDER = Option("order", "choice", "in_order", "losses stage by stage, or averaged over every order of the checks",
               allowed=("in_order", "any_order"))  # fmt: skip
BY = switch.renamed(SPREAD.option("by"), "credit")
AGAINST = LABELS.option("against")
FOCUS = Option("focus", "text", "", "run whose capabilities are drawn")
VIEWS = {
    "credit": "Raw and verified", "capability": "By capability", "stages": "Where it is lost", "reasons": "Reasons",
    "losses": "Largest losses",
}  # fmt: skip
VIEW = Option("view", "choice", "credit", "which part of the gap is shown", allowed=tuple(VIEWS))
OWN = (VIEW, AVERAGE, RUNS, ORDER, BY, AGAINST, LOST, EVIDENCE, FOCUS,
       *(GAP.option(name) for name in ("level", "resamples", "seed")))  # fmt: skip
QUIET = ("view", "order", "credit", "against", "lost", "evidence", "focus")
ENDS = (End("raw", "raw"), End("verified", "verified"))
RESAMPLING = ("level", "resamples", "seed")

MAIN = (
    "model", "capability", "raw", "verified", "gap", "retention", "raw_low", "raw_high", "verified_low",
    "verified_high", "gap_low", "gap_high", "retention_low", "retention_high", "n", "n_verified", "unlabelled", "kind",
    "regime", "condition", "scope", "average", "run", "determined", "provenance",
)  # fmt: skip


def drawable(table: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with labels on answers that earn credit: elsewhere a verified mean is made of wrong answers."""
    return main_runs.labelled(table).filter(pl.col("verified").is_not_null() & pl.col("retention").is_not_null())


def details(
    answer: Answer, rows: pl.DataFrame, hit: pl.DataFrame, asked: Asked, *, name: str, options: dict[str, object],
    figure: show.Draw,
) -> None:  # fmt: skip
    """Show table and foot of a part behind a fold, and in the open the way from what was picked to its cases."""
    chosen = rows.clear()
    box = st.expander(f"{question(name).title}: table, exports, how computed", key=f"fold {name}", on_change="rerun")
    with box:
        if box.open:
            chosen = show.table(answer, name, asked, rows=rows, select="multi", key=name)
            show.proof(answer, name, asked, options, figure=figure)
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run"})


def headline(rows: pl.DataFrame) -> None:
    """Show how much the run with the highest verified credit keeps, and who keeps least."""
    models = rows.filter(pl.col("kind") == "model")
    pool = models if models.height else rows
    best = pool.sort("verified", "run", descending=[True, False]).head(1)
    least = pool.sort("retention", "run").head(1)
    st.subheader(plain.label(best["name"][0]), anchor=False)
    illustration.headline(pl.concat([best, least]))
    with st.container(horizontal=True, gap="medium"):
        for name in ("raw", "verified", "retention"):
            word = "Kept" if name == "retention" else name.capitalize()
            show.share(word, best[name][0], help="of the run with most verified credit")
        st.metric("Gap (points)", best["gap"][0] * 100, format="%.2f", width="content", help="raw minus verified")
        if pool.height > 1:
            name = plain.label(least["name"][0], most=40)
            show.share(f"Least kept: {name}", least["retention"][0], help="verified / raw")


def by_run(asked: Asked, answer: Answer) -> tuple[pl.DataFrame, list[str], show.Draw | None]:
    """Draw raw and verified credit of every run; return the rows, their order and the figure."""
    table = main_runs.shown(answer.table, asked.options["runs"])
    rows, order = main_runs.ordered(drawable(table), asked, by="verified")
    if rows.is_empty():
        switch.lacking("rationale labels on answers that earn credit")
        return rows, order, None
    headline(main_runs.shown(rows, "main"))
    switch.switch(VIEW, words=VIEWS)
    left = table.height - rows.height
    if left:
        st.caption(f"Not drawn: {left} of {table.height} runs without labels on answers that earn credit.")
    if asked.options["view"] != "credit":
        return rows, order, None
    title = f"credit, {rows['average'][0]} mean (%)"
    figure = partial(dumbbell, rows, ends=ENDS, label="name", order=order, title=title, fields=["run"])
    figure = illustration.marked(figure, rows)
    words = f"Dumbbells of {rows.height} runs: raw and verified credit with intervals. The table has every number."
    hit = pick.chart(figure, rows, asked, picked=PICKED, fields=["run"], key="by run",
                     alt_text=illustration.spoken(words, rows))  # fmt: skip
    chosen = show.table(
        answer, "gap", asked, rows=main_runs.sorted_by(rows, order), columns=MAIN, select="multi", keep=["run"]
    )
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run"})
    return rows, order, figure


def kept_least(cells: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the cells of models, and in how many runs each capability keeps least, most first."""
    models = cells.filter((pl.col("kind") == "model") & (pl.col("condition") == "none"))
    pool = models if models.height else cells
    worst = pool.sort("retention", "capability").group_by("run", maintain_order=True).first()
    return pool, worst.group_by("capability").len().sort(["len", "capability"], descending=[True, False])


def capability_cells(
    asked: Asked, rows: pl.DataFrame, options: dict[str, object]
) -> tuple[Answer, pl.DataFrame] | None:
    """Return every run by capability; None where there is one capability."""
    answer = ask.ask("gap", asked.chosen, asked.policy, options | {"per": "run_capability"})
    if answer is None:
        return None
    cells = drawable(answer.table).filter(pl.col("run").is_in(rows["run"].to_list()))
    cells = cells.join(rows.select("run", "name"), on="run", how="left")
    return None if cells["capability"].n_unique() < 2 else (answer, cells)


def by_capability(asked: Asked, rows: pl.DataFrame, order: list[str], options: dict[str, object]) -> None:
    """Draw one run's raw and verified credit by capability."""
    found = capability_cells(asked, rows, options)
    if found is None:
        switch.lacking("two capabilities or more with rationale labels")
        return
    answer, cells = found
    pool, counted = kept_least(cells)
    name = str(counted["capability"][0])
    st.metric(
        f"Keeps least: {plain.label(spoken(name), most=40)}", f"{counted['len'][0]} of {counted['len'].sum()} runs",
        width="content", help="runs whose lowest retention is in this capability",
    )  # fmt: skip
    said = stated(
        asked.chosen, asked.policy, question="gap", benchmark=str(asked.benchmark), column="capability",
        options={"per": "run_capability"}, row={"capability": name, "kind": pool["kind"][0], "condition": "none"},
    )  # fmt: skip
    if said and illustration.doubtful(pool):
        plain.text(f"Printed in {said}: which capability keeps least. The shares themselves are printed nowhere.")
    illustration.headline(pool)
    runs = [dict(rows.select("name", "run").iter_rows())[n] for n in order if n in set(rows["name"])]
    run = asked.options["focus"] if asked.options["focus"] in runs else runs[0]
    switch.choose("focus", runs, run, default=runs[0], title="Run drawn by capability")
    own = cells.filter(pl.col("run") == run).sort("retention", "capability")
    figure = partial(
            dumbbell,
        own, ends=ENDS, label="capability", order=own["capability"].to_list(), title="credit, mean over items (%)",
        fields=["run", "capability"],
    )  # fmt: skip
    words = f"Dumbbells of {own.height} capabilities of one run, least kept first: {spoken(own['capability'][0])}."
    hit = pick.chart(illustration.marked(figure, own), own, asked, picked=PICKED, fields=["run", "capability"],
                     key="by capability", alt_text=illustration.spoken(words, own))  # fmt: skip
    chosen = cells.clear()
    box = st.expander("Every run and capability", key="fold capability", on_change="rerun")
    with box:
        if box.open:
            rows = main_runs.sorted_by(cells, order)
            chosen = show.table(answer, "gap", asked, rows=rows, columns=MAIN, select="multi", key="gap by capability")
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run", "capability": "capability"})


def stages(asked: Asked, rows: pl.DataFrame, order: list[str]) -> None:
    """Draw where each run loses credit."""
    options = {"per": "run", "average": asked.options["average"]}
    answer = ask.ask("stages", asked.chosen, asked.policy, options)
    if answer is None:
        return
    st.subheader("At which check", anchor=False)
    switch.switch(ORDER)
    prefix = "lost" if asked.options["order"] == "in_order" else "due_to"
    held = answer.table.join(rows.select("run", "name"), on="run", how="inner").filter(pl.col("gap").is_not_null())
    parts = {f"{prefix}_{check}": check for check in ("coverage", "evidence", "logic")}
    figure = partial(
        stacked_bars,
        held,
        parts=parts,
        label="name",
        order=order,
        title="credit lost (points)",
        fields=["run"],
        points=True,
    )
    how = "in the order coverage, evidence, logic" if prefix == "lost" else "averaged over the six orders"
    figure = illustration.marked(figure, held)
    illustration.headline(held)
    words = f"Stacked bars of {held.height} runs: credit lost at coverage, evidence and logic, {how}."
    hit = pick.chart(figure, held, asked, picked=PICKED, fields=["run"], key="stages",
                     alt_text=illustration.spoken(words, held))  # fmt: skip
    st.caption(f"Losses {how}; they add up to the gap exactly.")
    held = main_runs.sorted_by(held, order)
    details(answer, held, hit, asked, name="stages", options=options, figure=figure)


def spread(asked: Asked, rows: pl.DataFrame, order: list[str]) -> None:
    """Draw how many items of each run earn nothing, a part, or everything."""
    options = {"by": asked.options["credit"], "per": "run"}
    answer = ask.ask("distribution", asked.chosen, asked.policy, options)
    if answer is None:
        return
    st.subheader("How credit is spread", anchor=False)
    switch.switch(BY)
    held = answer.table.join(rows.select("run", "name"), on="run", how="inner")
    parts = {"full_credit": "all", "partial_credit": "between", "half_credit": "one half", "no_credit": "nothing"}
    parts = {column: word for column, word in parts.items() if held[column].sum() > 0}
    title = f"items by {options['by']} credit (%)"
    figure = partial(
        stacked_bars, held, parts=parts, label="name", order=order, title=title, fields=["run"], points=False
    )
    figure = illustration.marked(figure, held)
    illustration.headline(held)
    words = f"Stacked bars of {held.height} runs: share of items by {options['by']} credit."
    hit = pick.chart(figure, held, asked, picked=PICKED, fields=["run"], key="spread",
                     alt_text=illustration.spoken(words, held))  # fmt: skip
    held = main_runs.sorted_by(held, order)
    details(answer, held, hit, asked, name="distribution", options=options, figure=figure)


def rationale(asked: Asked, worst: str | None) -> None:
    """Set the labels of correct answers in one group of items against the rest."""
    st.subheader("Reasons behind right answers", anchor=False)
    single = "single_choice" in ask.values(asked.benchmark).get("answer_type", [])
    chosen = asked.chosen
    if single and not chosen.values("answer_type"):
        chosen = chosen.with_choice("answer_type", ["single_choice"])
    here = ask.values(asked.benchmark)
    if asked.options["runs"] == "main" and "none" in here.get("condition", []) and not chosen.values("condition"):
        chosen = chosen.with_choice("condition", ["none"])
    groups = [f"{key}={value}" for key in ITEM_KEYS if key != "answer_type" and len(here.get(key, [])) > 1
              for value in here[key]]  # fmt: skip
    default = f"capability={worst}" if worst is not None and f"capability={worst}" in groups else ""
    against = asked.options["against"] or default
    offered = groups if against in groups or not against else [against, *groups]
    switch.choose("against", ["", *offered], against, default=default, title="Group of items, against the rest")
    options = {name: asked.options[name] for name in RESAMPLING} | {
        "per": "whole",
        "against": against,
        "credit": "full",
    }
    answer = ask.ask("labels", chosen, asked.policy, options)
    if answer is None:
        return
    table = answer.table
    illustration.headline(table)
    with st.container(horizontal=True, gap="medium"):
        for row in table.iter_rows(named=True):
            name = plain.label(row["group"], most=50)
            show.share(f"Weak or contradicted: {name}", row["weak_or_contradicted"],
                      help=f"{row['k_weak_or_contradicted']} of {row['n']} responses")  # fmt: skip
    measures = {
        "weak_or_contradicted": ("evidence weak or contradicted", ""), "weak": ("evidence weak", None),
        "contradicted": ("evidence contradicted", None), "absent": ("no informative rationale", None),
        "logic_gap": ("logic has a gap", None), "broken": ("logic broken", None),
    }  # fmt: skip
    figure = partial(grouped_bars, table, measures=measures, title="share of right answers (%)")
    figure = illustration.marked(figure, table)
    words = f"Grouped bars: label shares among right answers in {' and '.join(table['group'].to_list())}."
    show.chart(figure, alt_text=illustration.spoken(words, table), key="labels", asked=asked)
    plain.text(f"Counted: answers with full credit where {chosen.sentence()}.")
    st.caption("Stroke: interval over items.")
    show.table(answer, "labels", asked, key="labels table")
    box = st.expander("Rationale labels: exports, how computed", key="fold labels", on_change="rerun")
    with box:
        if box.open:
            show.proof(answer, "labels", replace(asked, chosen=chosen), options, figure=figure)


asked = page.begin(__file__, own=OWN, quiet=QUIET, one_benchmark=True, first=first.with_verified)
if asked.benchmark is None:
    page.nothing("rationale labels (coverage, evidence, logic) or factors")
options = {name: asked.options[name] for name in ("average", *RESAMPLING)} | {"per": "run"}
try:
    answer = ask.answer("gap", asked.chosen, asked.policy, options)
except EmptySlice as error:
    plain.note(str(error), kind="info")
    st.markdown(
        "This page needs responses with rationale labels: coverage (present, absent), evidence (supported, weak, "
        "contradicted) and logic (sound, gap, broken), or the three as numbers, beside the credit of the answer. The "
        "data dictionary on the Data page describes the columns of `responses` that hold them."
    )
    first.elsewhere(asked, "raw_verified_gap", first.with_verified())
    links.link("data", "Data dictionary on the Data page", {"view": ["dictionary"]})
    links.link("leaderboard", "Raw credit on the Leaderboard", asked.carried())
    st.stop()
rows, order, figure = by_run(asked, answer)
view = asked.options["view"] if rows.height else "credit"
if view == "stages":
    stages(asked, rows, order)
    spread(asked, rows, order)
elif view == "capability":
    by_capability(asked, rows, order, options)
elif view == "reasons":
    cells = capability_cells(asked, rows, options)
    rationale(asked, None if cells is None else str(kept_least(cells[1])[1]["capability"][0]))
elif view == "losses":
    losses(asked)
else:
    show.foot(answer, "gap", asked, options, figure=figure)
