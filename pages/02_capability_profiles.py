"""Capability profiles · What is each run good at, against the best run and against people?"""

from functools import partial

import polars as pl
import streamlit as st

from analytics.determined import ILLUSTRATION
from analytics.export import written
from analytics.questions import Answer, Option, question
from analytics.slices import NONE
from pages.ui.charts.dumbbell import PICKED as ROW
from pages.ui.charts.dumbbell import End, dumbbell
from pages.ui.charts.heatmap import PICKED as CELL
from pages.ui.charts.heatmap import Measure, heatmap
from pages.ui.charts.labels import level_order, spoken
from pages.ui.charts.profile import crossed, parallel, radar
from pages.ui.kit import ask, illustration, main_runs, page, pick, plain, show, switch
from pages.ui.kit.asked import Asked

QUESTION = question("profiles")
LEVEL_OF = QUESTION.option("level_of")
MEASURE = Option(
    "measure",
    "choice",
    "credit",
    "what the cells hold: credit, gap (raw minus verified), rank, difference to the best run or to people",
    allowed=("credit", "gap", "rank", "to_best", "to_human"),
)
RUNS = Option("runs", "choice", "main", "runs without a varied condition, or every run", allowed=main_runs.SHOWN)
VIEWS = {"map": "Every run", "parallel": "A few runs", "radar": "Radar", "splits": "Two splits", "tiers": "Tiers"}
VIEW = Option("view", "choice", "map", "which part of the profiles is shown", allowed=tuple(VIEWS))
WITHOUT = Option("without", "text", "", "tier that is left out in the comparison of tiers")
GRID_OF = Option("grid_of", "text", "", "run of the grid of capability and second axis")
RESAMPLING = ("level", "resamples", "seed")
OWN = (QUESTION.option("by"), RUNS, MEASURE, LEVEL_OF, VIEW, WITHOUT, GRID_OF,
       *(QUESTION.option(name) for name in RESAMPLING))  # fmt: skip
QUIET = ("measure", "level_of", "view", "without", "grid_of")

WORDS = {"credit": "credit", "gap": "gap", "rank": "rank", "to_best": "vs best", "to_human": "vs human"}
MOST = 5
"""Runs that are drawn side by side."""

CREDITS = ("raw", "raw_low", "raw_high", "verified", "verified_low", "verified_high")
OTHERS = (
    "rank", "to_best", "to_human", "gap", "retention", "best", "chance", "n", "n_verified", "declared", "hidden",
    "failed", "unjudged", "not_applicable", "small_n", "kind", "regime", "condition", "scope", "run", "determined",
    "provenance",
)  # fmt: skip


CROSSED = (
    "model", "value", "other", "rate", "low", "high", "k", "n", "small_n", "declared", "hidden", "failed", "unjudged",
    "not_applicable", "kind", "regime", "condition", "scope", "method", "reason", "run", "determined", "provenance",
)  # fmt: skip
REST = (
    "model", "credit", "rest", "change", "credit_low", "credit_high", "rest_low", "rest_high", "n", "n_rest", "value",
    "kind", "regime", "condition", "scope", "by", "average", "run", "determined", "provenance",
)  # fmt: skip


def columns(by: str) -> list[str]:
    """Return what the table shows: the chosen credit first, so that a narrow screen has it."""
    chosen = [name for name in CREDITS if name.startswith(by)]
    return ["model", "value", *chosen, *OTHERS, *(name for name in CREDITS if name not in chosen)]


def measure_of(name: str, by: str) -> Measure:
    """Return how the heat map writes what the page's switch names."""
    return {
        "credit": Measure(by, f"{by} credit (%)"),
        "gap": Measure("gap", "raw minus verified (points)"),
        "rank": Measure("rank", "rank (1 is best)", scale=1, digits=0, reverse=True),
        "to_best": Measure("to_best", f"{by} minus best run (points)"),
        "to_human": Measure("to_human", f"{by} minus people (points)", middle=True),
    }[name]


def headline(table: pl.DataFrame, by: str, order: list[str]) -> None:
    """Show the main run that is first in most cells, with its strongest and weakest one."""
    held = main_runs.shown(table, "main").filter(pl.col(by).is_not_null())
    models = held.filter(pl.col("kind") == "model")
    pool = models if models.height else held
    first = pool.group_by("run", "name").agg((pl.col("rank") == 1).sum().alias("led"), pl.len().alias("cells"))
    place = {name: at for at, name in enumerate(order)}
    best = first.sort(
        -pl.col("led").cast(pl.Int64), pl.col("name").replace_strict(place, default=len(place), return_dtype=pl.Int64)
    ).row(0, named=True)
    own = held.filter(pl.col("run") == best["run"]).sort(by, "value", descending=[True, False])
    st.subheader(plain.label(best["name"]), anchor=False)
    illustration.headline(own)
    with st.container(horizontal=True, gap="medium"):
        st.metric("First in", f"{best['led']} of {best['cells']}", width="content", help="cells where no run is better")
        for word, row in (("Strongest", own.head(1)), ("Weakest", own.tail(1))):
            name = plain.label(spoken(row["value"][0]), most=40)
            show.share(f"{word}: {name}", row[by][0], help=f"{row['n'][0]} items")
        st.metric("Runs", held["run"].n_unique(), width="content", help="main runs with such a credit")


def strengths(table: pl.DataFrame, run: str, by: str) -> str | None:
    """Return a run's nearest and farthest value from the best run, in words; None where nothing is compared."""
    own = table.filter((pl.col("run") == run) & pl.col(by).is_not_null())
    if own.height < 2:
        return None
    column = "to_best" if own["to_best"].is_not_null().any() else by
    own = own.filter(pl.col(column).is_not_null()).sort(column, by, "value", descending=[True, True, False])
    units = {result.name: result for result in QUESTION.columns}

    def told(row: dict[str, object]) -> str:
        place = "" if row["rank"] is None else f"rank {row['rank']}, "
        behind = row["to_best"]
        far = "" if not behind else f", {written(abs(float(str(behind))), units['to_best'])} points behind the best"
        few = ", fewer than 30 items" if row["small_n"] else ""
        return f"{spoken(str(row['value']))} ({place}{written(row[by], units[by])} %{far}{few})"

    strong, weak = (own.row(at, named=True) for at in (0, -1))
    return f"{own['name'][0]}: strongest in {told(strong)}; weakest in {told(weak)}."


def chosen_runs(table: pl.DataFrame, asked: Asked, by: str, order: list[str]) -> None:
    """Draw up to five runs with intervals, and say in words what each is good and bad at."""
    st.subheader("A few runs side by side", anchor=False)
    names = dict(table.select("name", "run").unique().iter_rows())
    runs = [names[name] for name in order if name in names]
    held = set(table.filter(pl.col(by).is_not_null())["run"])
    first = [run for run in runs if run in held][:3]
    picked = [run for run in asked.many["compare"] if run in runs][:MOST] or first
    for run in asked.many["compare"]:
        if run not in runs:
            plain.note(f"Left aside from the address: no run '{run}' is shown here.", kind="warning")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        switch.several("compare", runs, picked, default=first, title=f"Runs, up to {MOST}", most=MOST)
    rows = table.filter(pl.col("run").is_in(picked) & pl.col(by).is_not_null())
    if rows.is_empty():
        switch.lacking(f"a {by} credit for these runs")
        return
    levels = [value for value in level_order(table) if value in set(rows["value"])]
    shown = [run for run in picked if run in set(rows["run"])]
    draw = radar if asked.options["view"] == "radar" and len(levels) > 2 else parallel
    figure = draw(rows, by=by, runs=shown, levels=levels, title=f"{by} credit (%)")
    if illustration.doubtful(rows):
        figure = crossed(figure, ILLUSTRATION)
    sentences = [words for words in (strengths(table, run, by) for run in shown) if words]
    words = f"Profiles of {len(shown)} runs over {len(levels)} values of {spoken(asked.options['level_of'])}. "
    illustration.headline(rows)
    st.plotly_chart(figure, key="profile", alt=illustration.spoken(words + " ".join(sentences), rows))
    for sentence in sentences:
        plain.text(sentence)
    level = f"{asked.options['level']:.0%}"
    st.caption(
        f"Strokes: {level} interval. Strongest and weakest: nearest to and farthest from the best comparable run."
    )


def grid(table: pl.DataFrame, asked: Asked, order: list[str]) -> None:
    """Show one run's share of right answers in each pair of capability and second axis, and every run's as a table."""
    st.subheader("Capability and second axis", anchor=False)
    names = dict(table.select("name", "run").unique().iter_rows())
    runs = [names[name] for name in order if name in names]
    run = asked.options["grid_of"] if asked.options["grid_of"] in runs else runs[0]
    switch.choose("grid_of", runs, run, default=runs[0], title="Run of the grid")
    options = {"level_of": "capability", "across": "axis", "level": asked.options["level"]}
    answer = ask.ask("crossed", asked.chosen, asked.policy, options)
    if answer is None:
        return
    rows = answer.table.filter(pl.col("run") == run)
    drawn = rows.with_columns(
        name=pl.col("value"), capability=pl.col("value"), value=pl.col("other"), rate_low="low", rate_high="high",
        run="value",
    )  # fmt: skip
    figure = illustration.marked(
        partial(
            heatmap, drawn, measure=Measure("rate", "mean raw credit (%)"), runs=level_order(rows),
            levels=rows["other"].unique().sort().to_list(), level_title="second axis",
        ),
        rows,
    )  # fmt: skip
    words = f"Heat map of one run: {rows['value'].n_unique()} capabilities by {rows['other'].n_unique()} values of the "
    illustration.headline(rows)
    hit = pick.chart(
        figure, drawn, asked, picked=CELL, fields=["run", "value"],
        alt_text=illustration.spoken(f"{words}second axis. The table has every number.", rows), key="grid",
    )  # fmt: skip
    st.caption("A star marks fewer than 30 items. Click a cell, or select rows of the table, to open the cases.")
    hit = rows.join(hit.select(value="capability", other="value"), on=["value", "other"], how="semi")
    chosen = rows.clear()
    box = st.expander(
        "Two splits crossed: table of every run, exports, how computed", key="fold grid", on_change="rerun"
    )
    with box:
        if box.open:
            sorted_rows = answer.table.sort(pl.col("run") != run, maintain_order=True)
            chosen = show.table(
                answer, "crossed", asked, rows=sorted_rows, columns=CROSSED, select="multi", key="crossed"
            )
            show.proof(answer, "crossed", asked, options, figure=figure)
    both = pl.concat([hit, chosen], how="diagonal_relaxed")
    show.to_cases(both, asked, {"run": "run", "capability": "value", "axis": "other"})


def tiers(asked: Asked, by: str) -> None:
    """Compare each run on every tier with the same run without one of them."""
    found = [value for value in ask.values(asked.benchmark).get("tier", []) if value != NONE]
    st.subheader("With and without a tier", anchor=False)
    default = "C" if "C" in found else found[-1]
    left = asked.options["without"] if asked.options["without"] in found else default
    switch.choose("without", found, left, default=default, title="Tier left out", width=160)
    options = {"key": "tier", "value": left, "by": by, **{name: asked.options[name] for name in RESAMPLING}}
    answer = ask.ask("without", asked.chosen, asked.policy, options)
    if answer is None:
        return
    rows, order = main_runs.ordered(main_runs.shown(answer.table, asked.options["runs"]), asked, by=by)
    drawn = partial(
        dumbbell, rows, ends=(End("credit", "every tier"), End("rest", f"without tier {left}")), label="name",
        order=order, title=f"{by} credit (%)", fields=["run"],
    )  # fmt: skip
    figure = illustration.marked(drawn, rows)
    words = f"Dumbbells of {rows.height} runs: {by} credit on every tier and without tier {left}."
    illustration.headline(rows)
    hit = pick.chart(
        figure, rows, asked, picked=ROW, fields=["run"],
        alt_text=illustration.spoken(f"{words} The table has every number.", rows), key="tiers",
    )  # fmt: skip
    st.caption("The two means share items: their intervals are no test of the change.")
    rows = main_runs.sorted_by(rows, order)
    chosen = show.table(answer, "without", asked, rows=rows, columns=REST, select="multi", key="without")
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run"})
    with show.fold("With and without a tier: exports, how computed", key="tiers") as fold:
        if fold.open:
            show.proof(answer, "without", asked, options, figure=figure)


def levels_with_values(asked: Asked) -> list[str]:
    """Return the slice keys that split the items of this benchmark."""
    here = ask.values(asked.benchmark)
    return [key for key in LEVEL_OF.allowed if len([v for v in here.get(key, []) if v != "none"]) > (key != "tag")]


def offered(asked: Asked) -> list[str]:
    """Return the parts that this log has: two splits need two dimensions, tiers need tiers."""
    here = {key: [v for v in values if v != NONE] for key, values in ask.values(asked.benchmark).items()}
    two = all(len(here.get(key, [])) > 1 for key in ("axis", "capability"))
    tiered = len(here.get("tier", [])) > 1 and not asked.chosen.values("tier")
    return [name for name in VIEWS if (name != "splits" or two) and (name != "tiers" or tiered)]


def body(asked: Asked, answer: Answer, options: dict[str, object]) -> None:
    """Show the headline and the chosen part."""
    by = str(options["by"])
    table = main_runs.labelled(main_runs.shown(answer.table, asked.options["runs"]))
    table, order = main_runs.ordered(table, asked, by=by)
    if main_runs.shown(table, "main").filter(pl.col(by).is_not_null()).height:
        headline(table, by, order)
    parts = offered(asked)
    switch.switch(VIEW, words=VIEWS, offered=parts)
    view = asked.options["view"]
    if view not in parts:
        switch.lacking("items split by two dimensions" if view == "splits" else "tiers, and a slice of more than one")
    elif view == "splits":
        grid(table, asked, order)
    elif view == "tiers":
        tiers(asked, by)
    elif view in ("parallel", "radar"):
        switch.switch(LEVEL_OF, offered=levels_with_values(asked))
        chosen_runs(table, asked, by, order)
        with show.fold("Exports, how computed", key="runs") as fold:
            if fold.open:
                show.proof(answer, "profiles", asked, options)
    else:
        every_run(table, order, asked, answer, options)


def every_run(table: pl.DataFrame, order: list[str], asked: Asked, answer: Answer, options: dict[str, object]) -> None:
    """Show every run by every value as heat map and table."""
    by, level = str(options["by"]), str(options["level_of"])
    measure = measure_of(asked.options["measure"], by)
    held = table.filter(pl.col(measure.column).is_not_null())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        switch.switch(MEASURE, words=WORDS)
        switch.switch(LEVEL_OF, offered=levels_with_values(asked))
    drawn = None
    hit = held.clear()
    if held.is_empty():
        needs = {"to_human": "human runs under the same condition", "gap": "rationale labels or factors"}
        switch.lacking(needs.get(asked.options["measure"], f"a {by} credit"))
    else:
        runs = [name for name in order if name in set(held["name"])]
        levels = level_order(held)
        drawn = illustration.marked(
            partial(heatmap, held, measure=measure, runs=runs, levels=levels, level_title=spoken(level)), held
        )
        words = f"Heat map of {len(runs)} runs by {len(levels)} values of {spoken(level)}: {measure.title}."
        hit = pick.chart(
            drawn, held, asked, picked=CELL, fields=["run", "value"],
            alt_text=illustration.spoken(f"{words} The table has every number.", held), key="heat map",
        )  # fmt: skip
        st.caption("A star marks fewer than 30 items. Click a cell, or select rows of the table, to open the cases.")
    if set(held["value"]) == {NONE}:
        others = ", ".join(spoken(key) for key in levels_with_values(asked) if key != level)
        plain.note(
            f"The log states no {spoken(level)}: one column holds every item. "
            + (f"It states: {others}." if others else "It states no other split of its items either."),
            kind="info",
        )
    if level == "tag":
        st.caption("An item may have several tags: totals over tags may exceed the items.")
    rows = main_runs.sorted_by(table, order)
    chosen = show.table(
        answer, "profiles", asked, rows=rows, columns=columns(by), select="multi", keep=["run", "value"]
    )
    show.to_cases(pl.concat([hit, chosen], how="diagonal"), asked, {"run": "run", level: "value"})
    show.foot(answer, "profiles", asked, options, figure=drawn)


asked = page.begin(__file__, own=OWN, quiet=QUIET, many=("compare",), one_benchmark=True)
if asked.benchmark is None:
    page.nothing("runs, items with a capability, and responses")
options = {option.name: asked.options[option.name] for option in QUESTION.options}
answer = ask.ask("profiles", asked.chosen, asked.policy, options)
if answer is None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        switch.switch(LEVEL_OF, offered=levels_with_values(asked))
    st.stop()
body(asked, answer, options)
