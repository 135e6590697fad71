"""Conditions · What does one changed setting do to a system: its input, its memory, its effort, its harness?"""

from functools import partial

import polars as pl
import streamlit as st

from analytics.errors import EmptySlice
from analytics.questions import Answer, Option, question
from analytics.slices import Slice
from pages.ui.charts.curves import PICKED as POINT
from pages.ui.charts.curves import curves
from pages.ui.charts.heatmap import PICKED as CELL
from pages.ui.charts.heatmap import Measure, heatmap
from pages.ui.charts.labels import level_order, spoken
from pages.ui.charts.marks import PICKED as ROW
from pages.ui.charts.marks import Spot, interval_marks
from pages.ui.kit import ask, illustration, links, page, pick, plain, show, state, switch, versus
from pages.ui.kit.asked import Asked

QUESTION = question("conditions")
AVERAGE = QUESTION.option("average")
BY = Option("credit", "choice", "raw", "credit that is compared", allowed=("raw", "verified"))
SPLIT = switch.renamed(QUESTION.option("level_of"), "level_of", initial="capability")
DIMENSION = Option("dimension", "text", "", "setting that was varied")
BASE = Option("base", "text", "", "what the runs are compared with: main, lowest, or a value of the setting")
PAIR = Option("pair", "text", "", "run that is compared with its base item by item")
OF = Option("of", "text", "", "slice whose curves are drawn; empty: all items")
RESAMPLING = ("level", "resamples", "seed")
VIEWS = {"effect": "Effect", "slices": "By slice", "curves": "Curves", "items": "Item by item"}
VIEW = Option("view", "choice", "effect", "which part of the effect is shown", allowed=tuple(VIEWS))
ABOUT = {"of": "curves", "pair": "items", "outcome": "items", "level_of": "slices"}
"""The part that a parameter of the address is about; the first that is there tells. Curves have levels too."""

OWN = (
    VIEW,
    BY,
    AVERAGE,
    DIMENSION,
    BASE,
    SPLIT,
    PAIR,
    OF,
    versus.OUTCOME,
    *(QUESTION.option(name) for name in RESAMPLING),
)
QUIET = ("view", "dimension", "base", "level_of", "pair", "of", "outcome")

ABSENT = ("no", "none", "off", "without")
"""Settings that say that the thing is not there: the base of a setting without order or main run."""

MANY = 12
"""Columns of a heat map above which one setting is shown at a time."""

MAIN = (
    "model", "setting", "difference", "low", "high", "verified_difference", "verified_low", "verified_high", "raw",
    "verified", "n", "n_run", "run", "base", "is_base", "best", "best_is_highest", "kind", "regime", "average",
    "reason", "determined",
)  # fmt: skip


def columns_of(by: str) -> tuple[str, str, str]:
    """Return the answer's columns of the difference and its interval."""
    return ("difference", "low", "high") if by == "raw" else (f"{by}_difference", f"{by}_low", f"{by}_high")


def of_dimension(table: pl.DataFrame, dimension: str) -> pl.DataFrame:
    """Return the rows in which one setting was varied."""
    return table.filter(pl.col("dimension") == dimension)


def natural_base(rows: pl.DataFrame) -> str:
    """Return what a setting is compared with unless the reader says otherwise.

    The lowest value where values have an order, else the one that says that the thing is not there, else the main run.
    """
    if rows["place"].is_not_null().any():
        return "lowest"
    return next((name for name in rows["setting"] if name in ABSENT), "main")


def choices(asked: Asked, table: pl.DataFrame) -> tuple[str, str]:
    """Let the reader choose the varied setting and the base; return both."""
    paired = (pl.col("reason").is_null() & ~pl.col("is_base")).sum().alias("paired")
    counted = table.group_by("dimension").agg(paired).sort(["paired", "dimension"], descending=[True, False])
    found = counted["dimension"].to_list()
    dimension = asked.options["dimension"] if asked.options["dimension"] in found else found[0]
    rows = of_dimension(table, dimension)
    settings = rows.filter(pl.col("setting") != "main").sort("place", "setting", nulls_last=True)
    settings = settings["setting"].unique(maintain_order=True).to_list()
    bases = ["main", *(["lowest"] if rows["place"].is_not_null().any() else []), *settings]
    natural = natural_base(rows)
    base = asked.options["base"] if asked.options["base"] in bases else natural
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(found) > 1:
            switch.choose("dimension", found, dimension, default=found[0], title="Setting that was varied", width=220)
        switch.choose("base", bases, base, default=natural, title="Compared with", width=180)
    return dimension, base


def headline(rows: pl.DataFrame, by: str) -> None:
    """Show who gains and who loses most, and how many differences their intervals tell from none."""
    value, low, high = columns_of(by)
    held = rows.filter(pl.col(value).is_not_null()).sort(value, "run", descending=[True, False])
    illustration.headline(held)
    if held.is_empty():
        return
    first, last = held.row(0, named=True), held.row(-1, named=True)
    clear = held.filter((pl.col(low) > 0) | (pl.col(high) < 0)).height
    with st.container(horizontal=True, gap="medium"):
        for row in (first,) if held.height == 1 else (first, last):
            name = plain.label(f"{row['model']}, {row['setting']}", most=50)
            st.metric(f"{name} (points)", row[value] * 100, format="%+.2f", width="content",
                      help=f"{row['n']} common items; {row[low] * 100:+.2f} to {row[high] * 100:+.2f}")  # fmt: skip
        st.metric("Told from none", f"{clear} of {held.height}", width="content",
                  help="differences whose interval leaves out zero; not adjusted for their number")  # fmt: skip


def ranked(rows: pl.DataFrame, asked: Asked) -> list[str]:
    """Return the systems of these rows in the order of the leaderboard; those that it lacks come last, by name."""
    about = ("run", "condition", "kind")
    chosen = Slice.of(**{name: values for name, values in asked.chosen.choices if name not in about})
    board = ask.answer("leaderboard", chosen, asked.policy, {"by": asked.options["credit"]}).table
    main = board.filter(pl.col("condition") == "none").sort(asked.options["credit"], descending=True, nulls_last=True)
    held = set(rows["model"])
    first = [model for model in main["model"].unique(maintain_order=True) if model in held]
    return [*first, *sorted(held - set(first))]


def differences(asked: Asked, answer: Answer, rows: pl.DataFrame, dimension: str) -> show.Draw | None:
    """Draw every run's difference to its base; return what draws it."""
    by = asked.options["credit"]
    value, low, high = columns_of(by)
    held = rows.filter(pl.col(value).is_not_null()).sort("place", "setting", nulls_last=True)
    settings = held["setting"].unique(maintain_order=True).to_list()
    draw, hit = None, held.clear()
    if held.is_empty():
        reasons = ", ".join(sorted(rows["reason"].drop_nulls().unique().to_list())) or f"no {by} credit"
        plain.note(
            f"No difference to draw: {reasons}. The table has the means; choose another base above.", kind="info"
        )
    else:
        order = ranked(held, asked)
        spot = Spot(value, low, high, f"{by} credit, difference to the base (points)", "points")
        draw = illustration.marked(
            partial(interval_marks, held, spot=spot, label="model", order=order, series="setting",
                    series_order=settings, fields=["run"], n=("n", "common items"), zero=True), held)  # fmt: skip
        words = f"Differences of {held.height} runs to their base, {spoken(dimension)} varied, with intervals."
        hit = pick.chart(draw, held, asked, picked=ROW, fields=["run"], key="differences",
                         alt_text=illustration.spoken(words, held))  # fmt: skip
        st.caption(f"Line: paired {asked.options['level']:.0%} interval over common items; dashed: no difference.")
    chosen = show.table(answer, "conditions", asked, rows=rows, columns=MAIN, select="multi", key="conditions")
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run"})
    return draw


def splits(asked: Asked) -> list[str]:
    """Return the slice keys that split the items here."""
    here = ask.values(asked.benchmark)
    return [key for key in SPLIT.allowed if key != "none" and len(here.get(key, [])) > 1]


def sliced(asked: Asked, options: dict[str, object]) -> tuple[Answer, str] | None:
    """Return the differences by slice and the key that splits the items; None where nothing does."""
    offered = splits(asked)
    if not offered:
        return None
    level_of = str(asked.options["level_of"] if asked.options["level_of"] in offered else offered[0])
    answer = ask.ask("conditions", asked.chosen, asked.policy, options | {"level_of": level_of})
    return None if answer is None else (answer, level_of)


def by_slice(asked: Asked, dimension: str, options: dict[str, object], *, ordered: bool) -> None:
    """Draw the differences by slice."""
    offered = splits(asked)
    if not offered:
        switch.lacking("items of several capabilities, domains or the like")
        return
    switch.switch(SPLIT, offered=offered)
    found = sliced(asked, options)
    if found is not None:
        answer, level_of = found
        slices(asked, answer, of_dimension(answer.table, dimension), level_of, options, ordered=ordered)


def at_the_top(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of each system's highest setting."""
    return rows.filter(pl.col("place") == pl.col("place").max().over("model"))


def slices(
    asked: Asked, answer: Answer, rows: pl.DataFrame, level_of: str, options: dict[str, object], *, ordered: bool
) -> None:
    """Draw one cell per slice and run: the difference to the base, at the highest setting where there is an order."""
    by = asked.options["credit"]
    value, low, high = columns_of(by)
    held = (at_the_top(rows) if ordered else rows).filter(pl.col(value).is_not_null())
    if held.is_empty():
        switch.lacking(f"a {by} credit of the runs and their base in each {spoken(level_of)}")
        return
    illustration.headline(held)
    if ordered:
        curve = rows.filter(pl.col("best_is_highest").is_not_null()).unique(["model", "value"])
        no_better = held.filter(pl.col(value).round(12) <= 0).height
        with st.container(horizontal=True, gap="medium"):
            start = "start" if options["base"] == "lowest" else "the base"
            st.metric(f"End no better than {start}", f"{no_better} of {held.height}", width="content",
                      help="curves whose highest setting earns no more than the base")  # fmt: skip
            if curve.height:
                elsewhere = curve.filter(~pl.col("best_is_highest")).height
                st.metric("Best is not the highest", f"{elsewhere} of {curve.height}", width="content",
                          help="curves whose best raw mean is at a lower setting")  # fmt: skip
    named = held.with_columns(
        column=pl.col("model") if ordered else pl.format("{} · {}", "model", "setting"), slice="value", of="run"
    )
    cells = named.select(
        "n", "determined", "of", "model", "setting", "slice", name="value", run="value", value="column", declared="n",
        small_n=pl.col("n") < 30, shift=value, shift_low=low, shift_high=high,
    )  # fmt: skip
    place = {model: at for at, model in enumerate(ranked(held, asked))}
    cells = cells.sort(pl.col("model").replace_strict(place, return_dtype=pl.Int64), "setting")
    levels = cells["value"].unique(maintain_order=True).to_list()
    if len(levels) > MANY and not ordered:
        settings = held["setting"].unique(maintain_order=True).to_list()
        cells = cells.filter(pl.col("setting") == settings[0])
        levels = cells["value"].unique(maintain_order=True).to_list()
        st.caption(f"Drawn: the first of {len(settings)} settings; choose conditions among the rows for another.")
    order = level_order(cells.select("declared", value="slice"))
    measure = Measure("shift", f"{by}, difference (points)", middle=True)
    title = "system, at its highest setting" if ordered else "system and setting"
    draw = illustration.marked(
        partial(heatmap, cells, measure=measure, runs=order, levels=levels, level_title=title), cells
    )
    words = f"Heat map of {len(order)} values of {spoken(level_of)} by {len(levels)} runs: difference to the base."
    hit = pick.chart(draw, cells, asked, picked=CELL, fields=["run", "value"], key="slices",
                     alt_text=illustration.spoken(words, cells))  # fmt: skip
    st.caption("A star marks fewer than 30 items. Click a cell to open its cases.")
    columns = ("value", *MAIN)
    chosen = show.table(answer, "conditions", asked, rows=rows, columns=columns, select="multi", key="slices")
    both = pl.concat([hit.select("slice", run="of"), chosen.select(slice="value", run="run")])
    show.to_cases(both, asked, {"run": "run", level_of: "slice"})
    show.foot(answer, "conditions", asked, options | {"level_of": level_of}, figure=draw)


def drawn_curves(asked: Asked, whole: Answer, dimension: str, options: dict[str, object]) -> None:
    """Draw credit over the ordered settings, one line per system, on all items or one slice of them."""
    by, found = asked.options["credit"], sliced(asked, options)
    answers = [whole] if found is None else [whole, found[0]]
    rows = pl.concat(of_dimension(answer.table, dimension) for answer in answers)
    values = rows["value"].unique(maintain_order=True).to_list()
    of = asked.options["of"] if asked.options["of"] in values else values[0]
    if len(values) > 1:
        switch.switch(SPLIT, offered=splits(asked))
        switch.choose("of", values, of, default=values[0], title="Items", width=260)
    shown = rows.filter((pl.col("value") == of) & pl.col("place").is_not_null()).sort("model", "place")
    held = shown.filter(pl.col(by).is_not_null())
    if held.is_empty():
        switch.lacking(f"a {by} credit at several settings")
        return
    held = held.with_columns(n="n_run").drop("low", "high").sort("place", "model")
    steps = held.group_by("setting").agg(pl.col("place").max()).sort("place")["setting"].to_list()
    models = ranked(held, asked)
    draw = illustration.marked(
        partial(curves, held, step="setting", steps=steps, value=by, series="model", series_order=models,
                titles=(spoken(str(held["dimension"][0])), f"{by} credit (%)"), fields=["run"],
                best="best" if by == "raw" else None), held)  # fmt: skip
    illustration.headline(held)
    words = f"Curves of {len(models)} systems over {len(steps)} settings, {spoken(of)} items: {by} credit."
    hit = pick.chart(draw, held, asked, picked=POINT, fields=["run"], key="curves",
                     alt_text=illustration.spoken(words, held))  # fmt: skip
    st.caption("Large mark: the best setting of a curve. Intervals stand with the differences.")
    is_whole = found is None or of not in found[0].table["value"]
    answer, given = (whole, options) if is_whole else (found[0], options | {"level_of": found[1]})
    chosen = show.table(answer, "conditions", asked, rows=shown, columns=MAIN, select="multi", key="curves table")
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run"})
    show.foot(answer, "conditions", asked, given, figure=draw)


def with_base(rows: pl.DataFrame, by: str) -> pl.DataFrame:
    """Return the rows of runs that can be set against their base item by item."""
    return rows.filter(pl.col(columns_of(by)[0]).is_not_null() & (pl.col("run") != pl.col("base")))


def item_by_item(asked: Asked, rows: pl.DataFrame, by: str) -> None:
    """Set one run against its base, item by item."""
    value, held = columns_of(by)[0], with_base(rows, by)
    if held.is_empty():
        switch.lacking(f"a run with a {by} credit on items of its base")
        return
    runs = held["run"].to_list()
    most = str(held.sort(pl.col(value).abs(), "run", descending=[True, False])["run"][0])
    run = asked.options["pair"] if asked.options["pair"] in runs else most
    with st.container(horizontal=True, vertical_alignment="bottom"):
        switch.choose("pair", runs, run, default=most, title="Run, against its base", width=420)
        switch.switch(versus.OUTCOME)
    base = str(held.filter(pl.col("run") == run)["base"][0])
    versus.items(asked, versus.all_runs(asked.chosen), base, run)


def lacking(error: EmptySlice) -> None:
    """Say that no setting was varied here, what log has one, and where to look instead."""
    plain.note(str(error), kind="info")
    st.markdown(
        "This page needs runs of one system under several settings: runs of the same `model` whose `condition` says "
        "what was changed as `dimension=value`, such as `input=audio_muted`, `effort=low` or `frames=100`, beside a "
        "run without one. The data dictionary on the Data page describes `condition` and the other columns of `runs`."
    )
    links.link("data", "Data dictionary on the Data page", {"view": ["dictionary"]})
    links.link("leaderboard", "The runs without a varied setting on the Leaderboard", asked.carried())


asked = page.begin(__file__, own=OWN, quiet=QUIET, one_benchmark=True)
if asked.benchmark is None:
    page.nothing("runs of one system under several settings (column condition of runs)")
shared = {name: asked.options[name] for name in ("average", *RESAMPLING)} | {"level_of": "none"}
try:
    first = ask.answer("conditions", asked.chosen, asked.policy, shared | {"base": "main"})
except EmptySlice as error:
    lacking(error)
    st.stop()
dimension, base = choices(asked, first.table)
options = shared | {"base": base}
answer = ask.ask("conditions", asked.chosen, asked.policy, options)
if answer is None:
    st.stop()
rows = of_dimension(answer.table, dimension)
by = asked.options["credit"]
ordered = rows["place"].drop_nulls().n_unique() > 1
has = {"effect": True, "slices": bool(splits(asked)), "curves": ordered, "items": with_base(rows, by).height > 0}
meant = next((part for name, part in ABOUT.items() if name in state.params()), None)
view = switch.part(VIEW, words=VIEWS, offered=[name for name, there in has.items() if there], meant=meant)
if view == "slices":
    by_slice(asked, dimension, options, ordered=ordered)
elif view == "curves":
    drawn_curves(asked, answer, dimension, options)
elif view == "items":
    item_by_item(asked, rows, by)
else:
    headline(rows, by)
    draw = differences(asked, answer, rows, dimension)
    show.foot(answer, "conditions", asked, options, figure=draw)
