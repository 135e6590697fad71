"""Overview · What is loaded, where does it come from, and where to look next?"""

from functools import partial

import polars as pl
import streamlit as st

from analytics.slices import Slice
from pages.ui.charts.composition import composition_bars
from pages.ui.kit import ask, links, origin, page, plain, show
from pages.ui.kit.asked import Asked

DRAWN = 6
"""Benchmarks that are drawn at once; the others are one choice away."""

MAIN = (
    "benchmark", "title", "items", "hidden", "capabilities", "runs", "models", "human_runs", "control_runs",
    "responses", "raw_means", "verified_means", "headline", "missing_policy", "provenance",
)  # fmt: skip


def loaded(row: dict[str, object], parts: pl.DataFrame, asked: Asked) -> None:
    """Show one benchmark: what it holds, what it is made of, and where to look next."""
    name = str(row["benchmark"])
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.subheader(plain.label(str(row["title"])), anchor=False, width="content")
            origin.badges(origin.split(row["provenance"]))  # type: ignore[arg-type]
        st.markdown(" \u00b7 ".join(f"**{row[key]:,}** {key}" for key in ("items", "runs", "responses")))
        if not row["runs"]:
            st.caption("No run is loaded: only items or published figures.")
        words = [f"raw is {row['raw_means']}"]
        words += [f"verified is {row['verified_means']}"] if row["verified_means"] else ["no verified credit"]
        words += [f"{row['hidden']} answers hidden"] if row["hidden"] else []
        said = [str(row["note"] or ""), "; ".join(words) + "."]
        drawn = parts["capability"].n_unique() > 1
        if drawn:
            kinds = parts.group_by("answer_type", maintain_order=True).agg(pl.col("items").sum())
            said.append("Answered by: " + ", ".join(f"{kind} {n}" for kind, n in kinds.iter_rows()))
        plain.text("\n".join(line for line in said if line))
        if drawn:
            slice_name = str(row["slice_name"])
            show.chart(
                partial(composition_bars, parts, slice_name=slice_name),
                alt_text=f"Bars: items by {slice_name} and media type, {parts['capability'].n_unique()} bars",
                key=f"composition {name}",
                asked=asked,
            )
        params = asked.carried() | {"benchmark": [name]}
        with st.container(horizontal=True):
            if row["runs"]:
                links.link("leaderboard", "Leaderboard", params)
            links.link("cases", "Cases", params)


def demo_case(table: pl.DataFrame, parts: pl.DataFrame) -> None:
    """Lead to a demo case with media, where one is loaded: it shows all that a case can hold."""
    demos = table.filter(pl.col("provenance") == "demo")["benchmark"].to_list()
    moving = parts.filter(pl.col("benchmark").is_in(demos) & (pl.col("media_type") == "video"))
    if moving.is_empty():
        return
    name = str(moving["benchmark"][0])
    wanted = Slice.of(benchmark=name, media_type="video")
    cases = ask.ask("cases", wanted, show.DECLARED, {"per_page": 1})
    if cases is not None and cases.table.height:
        address = {"benchmark": [name], "item": [str(cases.table["item"][0])]}
        links.link("cases", "Open a demo case: clip, answers, three judges", address)
        links.link("cases", "All demo cases", {"benchmark": [name]})


def printed() -> None:
    """Show which published figures are loaded, by document."""
    figures = ask.ask("figures", asked.explicit, asked.policy)
    if figures is None or figures.table.is_empty():
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader("Published figures", anchor=False, width="content")
        origin.badges(sorted(figures.table["provenance"].unique()))
    counted = figures.table.group_by("document", "provenance", maintain_order=True).agg(
        pl.col("file").n_unique().alias("tables"), pl.len().alias("figures")
    )
    with show.fold(f"Figures of {counted['document'].n_unique()} documents", key="figures") as fold:
        if fold.open:
            st.dataframe(
                counted.to_arrow(), hide_index=True, key="figures by document", alt="Published figures by document"
            )
    links.link("claims", "Check what the papers claim", {})


asked = page.begin(__file__, one_benchmark=False, policy=False)
answer = ask.ask("benchmarks", asked.chosen, asked.policy)
parts = ask.ask("composition", asked.chosen, asked.policy)
if answer is None or parts is None:
    st.stop()

table = answer.table
if table.is_empty():
    plain.note("No log is loaded. Add one on the Data page; it takes a file, a folder or an upload.", kind="info")
    links.link("data", "Add a log on the Data page", {})
    printed()
    st.stop()

with st.container(horizontal=True, gap="large"):
    st.metric("Benchmarks", table.height, width="content")
    for column in ("items", "runs", "responses"):
        st.metric(column.capitalize(), int(table[column].sum()), format="localized", width="content")

known = [name for joined in table["provenance"].drop_nulls() for name in origin.split(joined)]
figures = ask.ask("figures", asked.explicit, asked.policy)
known += [] if figures is None else figures.table["provenance"].unique().to_list()
with st.container(gap=None):
    origin.legend(name for name in origin.split(",".join(known)))
with st.container(horizontal=True):
    demo_case(table, parts.table)

# a demo is no result: it stands after what is one
cards = table.sort(pl.col("provenance") == "demo", nulls_last=True, maintain_order=True).head(DRAWN)
sides = st.columns(2 if table.height > 1 else 1)
for number, row in enumerate(cards.iter_rows(named=True)):
    with sides[number % len(sides)]:
        loaded(row, parts.table.filter(pl.col("benchmark") == row["benchmark"]), asked)
if table.height > DRAWN:
    st.caption(f"{table.height - DRAWN} more benchmarks stand in the table: choose one above to draw it.")

printed()
st.subheader("Every benchmark", anchor=False)
st.caption("Select a row to open its leaderboard.")
chosen = show.table(answer, "benchmarks", asked, columns=MAIN, select="single")
if chosen.height:
    links.link("leaderboard", "Open the leaderboard", {"benchmark": [chosen["benchmark"][0]]})
show.foot(answer, "benchmarks", asked, {})
