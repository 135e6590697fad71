"""Credit calculator · How does one response's credit come about, and what would other weights change?"""

from dataclasses import dataclass
from functools import partial

import polars as pl
import streamlit as st

from analytics.questions import Option, question
from analytics.rubric import LABELS, Rubric, rubrics
from pages.ui.charts.dumbbell import PICKED, End, dumbbell
from pages.ui.charts.waterfall import waterfall
from pages.ui.kit import ask, first, illustration, links, main_runs, page, pick, plain, show, state, switch, weights
from pages.ui.kit.asked import Asked

STEPS, BOARD = question("credit_steps"), question("reweighted")
ITEM = Option("item", "text", "", "item of the response")
OF = Option("of", "text", "", "run of the response")
ATTEMPT = Option("attempt", "integer", 1, "attempt of the response", low=1)
RUNS = Option("runs", "choice", "main", "runs without a varied condition, or every run", allowed=main_runs.SHOWN)
TYPED = tuple(Option(name, "text", "", STEPS.option(name).meaning) for name in ("raw", *LABELS))
VIEWS = {"response": "One response", "what_if": "What if"}
VIEW = Option("view", "choice", "response", "one response step by step, or other weights", allowed=tuple(VIEWS))
AVERAGE = BOARD.option("average")
OF_RESPONSE = ("item", "of", "attempt", "raw", *LABELS)
OWN = (VIEW, AVERAGE, RUNS, ITEM, OF, ATTEMPT, *TYPED)
QUIET = tuple(option.name for option in OWN)

MAIN = (
    "rank", "model", "verified", "change", "rank_change", "rank_declared", "verified_declared", "raw", "gap",
    "gap_declared", "kind", "regime", "condition", "scope", "n_verified", "unlabelled", "average", "run", "determined",
    "provenance",
)  # fmt: skip


@dataclass(frozen=True)
class Start:
    """What the calculator starts from: answer credit and one label or number per check, as text."""

    raw: str
    coverage: str
    evidence: str
    logic: str
    unknown: tuple[str, ...]
    determined: bool


IDEAL = Start("1", *(labels[0] for labels in LABELS.values()), unknown=(), determined=True)


def meant(asked: Asked) -> str | None:
    """Return the part that an address without one is about: weights of its own alone are about other weights."""
    if asked.policy.weights() is None:
        return None
    return "response" if any(name in state.params() for name in OF_RESPONSE) else "what_if"


def rubric_of(asked: Asked) -> Rubric:
    """Return the rubric that the benchmark declares, else the first that is known."""
    known = rubrics()
    loaded = ask.answer("benchmarks", show.EVERYTHING, show.DECLARED).table
    named = loaded.filter(pl.col("benchmark") == (asked.benchmark or ""))["rubric"].to_list()
    return known.get(next(iter(named), None) or "", next(iter(known.values())))


def start(asked: Asked) -> Start:
    """Return the logged response that the address names, or a response that earns everything."""
    item = asked.options["item"]
    if not item or asked.benchmark is None:
        links.link("cases", "Start from a real case: open one on the Cases page", asked.carried())
        return IDEAL
    named = {"benchmark": asked.benchmark, "item": item}
    answer = ask.ask("case_responses", asked.chosen, asked.policy, named)
    if answer is None or answer.table.is_empty():
        plain.note(f"No run of the slice answered item '{item}'.", kind="info")
        return IDEAL
    table = answer.table
    runs = table["run"].unique(maintain_order=True).to_list()
    run = asked.options["of"] if asked.options["of"] in runs else runs[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        plain.text(f"Item {item}")
        switch.choose("of", runs, run, default=runs[0], title="Response of")
        links.link("cases", "Open the case", asked.carried() | {"benchmark": [asked.benchmark], "item": [item]})
        st.button("Leave the case", on_click=state.turn, args=(dict.fromkeys(OF_RESPONSE) | {"view": "response"},))
    own = table.filter(pl.col("run") == run)
    row = own.filter(pl.col("attempt") == asked.options["attempt"])
    return logged((row if row.height else own).row(0, named=True))


def logged(row: dict[str, object]) -> Start:
    """Return what the log says of one response; what it lacks starts as the best, and is named."""
    found: dict[str, str] = {}
    unknown = []
    for kind, labels in LABELS.items():
        value = row[kind] if row[kind] is not None else row[f"{kind}_factor"]
        found[kind] = labels[0] if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        unknown += [kind] if value is None else []
    raw = row["raw"]
    unknown += ["raw"] if raw is None else []
    return Start("1" if raw is None else f"{raw:g}", **found, unknown=tuple(unknown),
                 determined=row["provenance"] != "reconstructed")  # fmt: skip


def inputs(asked: Asked, begun: Start) -> dict[str, object]:
    """Show the four choices of a response and return them as options of the question."""
    given: dict[str, object] = {}
    offered = {"raw": ("0", "0.5", "1"), **LABELS}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, values in offered.items():
            first = getattr(begun, name)
            current = asked.options[name] or first
            every = [*values, *(v for v in dict.fromkeys([first, current]) if v not in values)]
            key = state.hold(name, current, default=first)
            st.segmented_control(
                "Answer credit" if name == "raw" else name.capitalize(), every, key=key, on_change=state.write,
                required=True,
            )  # fmt: skip
            given[name] = current
    try:
        given["raw"] = STEPS.option("raw").read(str(given["raw"]))
    except ValueError as error:
        plain.note(f"Left aside from the address: {error}", kind="warning")
        given["raw"] = float(begun.raw)
    return given


def one_response(asked: Asked, rubric: Rubric) -> None:
    """Show the formula of one response, step by step."""
    begun = start(asked)
    if begun.unknown:
        words = ", ".join(begun.unknown)
        plain.note(f"The log does not say: {words}. The best is filled in until you choose.", kind="info")
    options = {"weights_of": rubric.name, **inputs(asked, begun)}
    answer = ask.ask("credit_steps", asked.chosen, asked.policy, options)
    if answer is None:
        return
    table = answer.table
    known = pl.DataFrame({"determined": [begun.determined]})
    illustration.headline(known)
    raw, verified = table["credit"][0], table["credit"][-1]
    with st.container(horizontal=True, gap="medium"):
        show.share("Verified credit", verified)
        show.share("Raw credit", raw)
        st.metric("Lost (points)", (raw - verified) * 100, format="%.2f", width="content")
    c, e, lo = table["factor"][1:].to_list()
    best_e, best_l = table["best"][2:].to_list()
    st.latex(
        r"v = \frac{a \cdot c \cdot e \cdot l}{e_{\max} \cdot l_{\max}} = "
        rf"\frac{{{raw:g} \cdot {c:g} \cdot {e:g} \cdot {lo:g}}}{{{best_e:g} \cdot {best_l:g}}} = {verified:.4f}"
    )
    st.caption(
        "a answer credit, c coverage, e evidence, l logic; the divisor holds the best weight of evidence and logic"
    )
    figure = illustration.marked(partial(waterfall, table), known)
    words = "Waterfall: credit after each check: " + ", ".join(
        f"{s} {v:.2%}" for s, v in table["stage", "credit"].rows()
    )
    show.chart(figure, alt_text=illustration.spoken(f"{words}.", known), key="waterfall", asked=asked)
    show.table(answer, "credit_steps", asked, key="steps")
    for note in answer.notes:
        plain.text(note)
    show.foot(answer, "credit_steps", asked, options, figure=figure)


def what_if(asked: Asked, rubric: Rubric) -> None:
    """Let the reader edit the rubric's weights, and show what becomes of the leaderboard."""
    with st.container(horizontal=True):
        switch.switch(RUNS)
        switch.switch(AVERAGE, words={"declared": "benchmark's own"})
    current = asked.policy.weights() or rubric.weights
    weights.fields(current, assumed=rubric.assumed)
    weights.buttons(rubric.weights)
    known = rubric.weights.as_dict()
    stated = ", ".join(f"{name} = {known[name.split('.')[1]]:g}" for name in rubric.assumed)
    plain.text(f"* assumed, stated in no document: {stated}. Source of the others: {rubric.source}.")
    options = {"average": asked.options["average"]}
    answer = ask.ask("reweighted", asked.chosen, asked.policy, options)
    if answer is None:
        return
    rows, order = main_runs.ordered(main_runs.shown(answer.table, asked.options["runs"]), asked, by="verified")
    held = rows.filter(pl.col("verified").is_not_null() & pl.col("verified_declared").is_not_null())
    if held.is_empty():
        switch.lacking("rationale labels on answers that earn credit")
        return
    ranked = held.filter(pl.col("rank").is_not_null())
    moved = ranked.filter(pl.col("rank_change") != 0)
    illustration.headline(held)
    with st.container(horizontal=True, gap="medium"):
        st.metric("Runs that change place", f"{moved.height} of {ranked.height}", width="content")
        change = held.sort(pl.col("change").abs(), descending=True)["change"][0]
        st.metric("Largest change (points)", change * 100, format="%+.2f", width="content", help="of verified credit")
        st.metric(
            "Largest gap (points)", held["gap"].max() * 100, format="%.2f", width="content", help="under these weights"
        )
    ends = (End("verified_declared", "declared weights"), End("verified", "these weights"))
    title = f"verified credit, {held['average'][0]} mean (%)"
    drawn = held.with_columns(n=pl.col("n_verified"))
    figure = partial(dumbbell, drawn, ends=ends, label="name", order=order, title=title, fields=["run"])
    figure = illustration.marked(figure, held)
    words = f"Dumbbells of {held.height} runs: verified credit under the declared weights and under these; "
    hit = pick.chart(figure, held, asked, picked=PICKED, fields=["run"], key="what if",
                     alt_text=illustration.spoken(f"{words}{moved.height} change place.", held))  # fmt: skip
    for row in moved.sort("rank", "run").head(8).iter_rows(named=True):
        sign = "\N{UPWARDS ARROW}" if row["rank_change"] < 0 else "\N{DOWNWARDS ARROW}"
        plain.text(f"{sign} {row['name']}: place {row['rank_declared']} before, {row['rank']} now")
    if moved.height > 8:
        st.caption(f"{moved.height - 8} more changed place: see the column rank change.")
    chosen = show.table(answer, "reweighted", asked, rows=held, columns=MAIN, select="multi", key="reweighted")
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run"})
    show.foot(answer, "reweighted", asked, options, figure=figure)


asked = page.begin(__file__, own=OWN, quiet=QUIET, one_benchmark=True, first=first.with_verified)
declared = rubric_of(asked)
if switch.part(VIEW, words=VIEWS, offered=tuple(VIEWS), meant=meant(asked)) == "response":
    one_response(asked, declared)
elif asked.benchmark is None:
    page.nothing("rationale labels, for the leaderboard under other weights")
else:
    what_if(asked, declared)
