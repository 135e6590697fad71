"""Tables and figures on screen, with how they were computed, their exports, and the way to the cases behind a row."""

from __future__ import annotations

import hashlib
import inspect
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import altair as alt
import polars as pl
import streamlit as st

from analytics import export
from analytics.policy import Policy
from analytics.questions import Answer, Question, Result, question
from analytics.slices import NONE, Slice
from loaders.own_store import own_store
from pages.ui.charts.picture import png, svg
from pages.ui.kit import ask, links, plain, state
from pages.ui.kit.asked import Asked

EVERYTHING, DECLARED = Slice(), Policy()
"""Slice and policy of questions that neither applies to."""

Figure = alt.Chart | alt.LayerChart
Draw = Callable[[], Figure]

WRITTEN: dict[str, dict[str, Any]] = {
    "proportion": {"format": "%.2f%%"},  # the format "percent" cuts digits off where it should round
    "points": {"format": "%.2f"},
    "count": {"format": "localized", "step": 1},
    "rank": {"format": "localized", "step": 1},
    "tokens": {"format": "localized", "step": 1},
    "p": {"format": "%.3g"},
    "number": {},
    "seconds": {"format": "%.2f"},
}
"""How numbers of each unit are written; the only place where they become text."""


def share(label: str, value: float | None, *, help: str | None = None) -> None:  # noqa: A002 - as Streamlit names it
    """Show a proportion as a metric, in the digits that tables give it: those of a row have equally many."""
    percent = None if value is None else 100 * value
    st.metric(label, percent, format=WRITTEN["proportion"]["format"], width="content", help=help)


def table(
    answer: Answer,
    name: str,
    asked: Asked,
    *,
    columns: Sequence[str] | None = None,
    select: Literal["none", "single", "multi"] = "none",
    opens: tuple[str, str] | None = None,
    keep: Sequence[str] = (),
    rows: pl.DataFrame | None = None,
    key: str = "table",
    height: int | None = None,
) -> pl.DataFrame:
    """Show the rows of an answer and return those that the reader selected.

    `columns` names what is shown and in which order; columns without a single value are left away. `rows` replaces the
    answer's rows by some of them. A selection is bound to the rows it was made on: other rows start without one.
    `opens` names a parameter of the address and a column: selecting a row sets the one to the row's value of the other.
    `keep` names the columns that tell rows apart: their values hold the selection in the address, so that Back and a
    copied address restore it; at most one table of a page has it.
    """
    shown = answer.table if rows is None else rows
    results = [c for c in question(name).columns if c.name in shown.columns]
    empty = says_nothing(shown)
    order = [c for c in (columns or [c.name for c in results]) if c in shown.columns and c not in empty]
    results = sorted((c for c in results if c.name in order), key=lambda c: order.index(c.name))
    view = shown.select(_seen(column, shown.schema[column.name]) for column in results)
    digest = _digest(view)
    place = f"{key} {digest}" + (f" {state.turns()}" if keep else "")
    on_select: Any = "ignore" if select == "none" else "rerun"
    held: Any = None
    if keep:
        named = shown.select(pl.concat_str(keep, separator=" / ", ignore_nulls=True)).to_series()
        on_select = partial(_keep, place, named.to_list())
        rows_kept = named.is_in(list(asked.many[state.ROW])).arg_true().to_list()
        held = {"selection": {"rows": rows_kept}} if rows_kept else None
    if opens is not None:
        on_select = partial(_open, place, opens[0], shown[opens[1]].to_list())
    chosen = st.dataframe(
        view.to_arrow(),  # as Polars it would pass through pandas, which turns whole numbers beside a null to fractions
        key=place,
        hide_index=True,
        column_config={column.name: _config(column, small=_is_small(view[column.name])) for column in results},
        on_select=on_select,
        selection_mode="single-row" if select == "single" else "multi-row",
        selection_default=held,
        height=height or "auto",
        alt=f"{question(name).title}: table of {view.height} rows",
        placeholder="\N{EN DASH}",
    )
    picked = [] if select == "none" else chosen["selection"]["rows"]
    return shown[[row for row in picked if row < shown.height]]


def _digest(view: pl.DataFrame) -> str:
    """Return a short hash of what a table shows: one that shows the same after a click stays, scrolled as it was."""
    held = view.hash_rows().to_list()
    return hashlib.sha256(repr((ask.store().build_id, view.schema, held)).encode()).hexdigest()[:12]


def says_nothing(shown: pl.DataFrame) -> set[str]:
    """Return the columns in which no row has a value: null, or the word for 'the log says nothing here'."""
    if shown.is_empty():
        return set()
    text = pl.col(pl.String)
    found = shown.select(pl.exclude(pl.String).is_null().all(), (text.is_null() | text.is_in([NONE, ""])).all())
    return {name for name, empty in found.row(0, named=True).items() if empty}


def _open(place: str, parameter: str, values: list[str]) -> None:
    """Set a parameter of the address to the value of the selected row."""
    rows = st.session_state[place]["selection"]["rows"]
    if rows:
        state.turn({parameter: values[rows[0]]})


def _keep(place: str, values: list[str]) -> None:
    """Write the selected rows to the address."""
    rows = st.session_state[place]["selection"]["rows"]
    state.select([values[row] for row in rows if row < len(values)])


def _seen(column: Result, kind: pl.DataType) -> pl.Expr:
    """Return a column as it is shown: proportions and points in hundredths; a long text cut, which it says."""
    shown = pl.col(column.name)
    if column.unit in {"points", "proportion"}:
        return shown * 100
    if kind != pl.String:
        return shown
    length = shown.str.len_chars()
    said = pl.format("{} ... (the first {} of {} characters)", shown.str.head(CELL), pl.lit(CELL), length)
    return pl.when(length > CELL).then(said).otherwise(shown).alias(column.name)


GROUPED = 10_000
"""Whole numbers from here on have their digits grouped; the browser takes a hundred times longer to write those."""


def _is_small(column: pl.Series) -> bool:
    """Whether a column has whole numbers alone, none so large that its digits are to be grouped."""
    if not column.dtype.is_integer():
        return False
    most = column.abs().max()
    return most is None or int(most) < GROUPED  # type: ignore[call-overload]


def _config(column: Result, *, small: bool) -> Any:  # noqa: ANN401 - Streamlit's own untyped dict
    """Return how one column is titled, explained and written."""
    title = column.name.replace("_", " ")
    meaning = plain.label(column.meaning, most=300)
    if column.unit == "text":
        return st.column_config.TextColumn(title, help=meaning)
    if column.unit == "boolean":
        return st.column_config.CheckboxColumn(title, help=meaning)
    if column.unit == "points":
        title += " (pp)"
    written = WRITTEN[column.unit]
    if written.get("format") == "localized" and small:
        written = written | {"format": "%d"}
    return st.column_config.NumberColumn(title, help=meaning, **written)


def chart(figure: Figure | Draw, *, alt_text: str, key: str, asked: Asked | None = None) -> None:
    """Show an Altair figure as wide as the page, with its text alternative.

    A figure given as the function that draws it, with what the page was asked, is drawn and validated once for each
    build and address; that costs more than all else that a page does.
    """
    if isinstance(figure, alt.TopLevelMixin):
        st.altair_chart(figure, width="stretch", key=key, alt=alt_text)
        return
    address = "" if asked is None else asked.view()
    drawn = spec((ask.store().build_id, address, key, alt_text), _draw=figure)
    st.vega_lite_chart(None, drawn, width="stretch", key=key, alt=alt_text)


@st.cache_data(max_entries=300, show_spinner=False)
def spec(place: tuple[str, ...], _draw: Draw) -> dict[str, Any]:
    """Return a figure as Vega-Lite; `place` says which figure of which build and address it is.

    Its data come from a frame, whose columns have one type each, and leave as Arrow tables: as rows they would pass
    through pandas on every run.
    """
    drawn = _draw().to_dict()
    for name, rows in drawn.get("datasets", {}).items():
        drawn["datasets"][name] = pl.DataFrame(rows, infer_schema_length=None).to_arrow()
    return drawn


def stamp(answer: Answer, name: str, asked: Asked, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the stamp of this answer's exports; its command names the store unless it is the shipped one."""
    served = ask.store()
    data_hash = served.pointer.data_hash
    said = export.stamp(
        question(name), answer, asked.chosen, asked.policy, options=dict(options), data_hash=data_hash[:16]
    )
    if ask.named_store() or served.folder == own_store().resolve():
        said["ask"] += f" --store {shlex.quote(str(served.folder))}"
    return said


def foot(
    answer: Answer,
    name: str,
    asked: Asked,
    options: Mapping[str, Any],
    *,
    figure: Figure | Draw | None = None,
) -> None:
    """Show the fold under a table: exports of the answer, how it was computed, and the address of this view."""
    with fold(FOOT, key=f"foot {name}", icon=":material/download:") as opened:
        if opened.open:
            proof(answer, name, asked, options, figure=figure)


def proof(
    answer: Answer,
    name: str,
    asked: Asked,
    options: Mapping[str, Any],
    *,
    figure: Figure | Draw | None = None,
) -> None:
    """Show what `foot` holds, for a table that stands in a fold of its own."""
    said = stamp(answer, name, asked, options)
    _exports(answer, question(name), said, figure)
    _computed(answer, question(name), said)
    st.caption("Address of this view")
    base = (st.context.url or "").split("?")[0]
    plain.block(f"{base}?{asked.query()}")


FOOT = "Export, how computed, address"


def fold(label: str, *, key: str, icon: str | None = None) -> Any:  # noqa: ANN401 - Streamlit does not export the type
    """Return a closed fold; what is in it is to be made when its `open` is true, so that a closed one costs nothing."""
    return st.expander(label, key=f"fold {key}", icon=icon, on_change="rerun")


CELL = 2_000
"""Characters of a text that a table shows; exports have all of it."""

STAMPED = "stamped with method, n, left out, seed and data hash"
GUARDED = (
    "; text that a spreadsheet would run as a formula has an apostrophe before it (Parquet has every text as it is)"
)


TABLES = (
    ("CSV", "csv", "text/csv"),
    ("Parquet", "parquet", "application/vnd.apache.parquet"),
    ("LaTeX", "tex", "application/x-tex"),
)
AT_ONCE = 20_000
"""Cells of a table up to which its files are written when the fold is opened."""


def _exports(answer: Answer, asked: Question, said: Mapping[str, str], figure: Figure | Draw | None) -> None:
    """Show one button per format. The file of a large table, or of a figure, is made when the button is pressed.

    Streamlit forgets a file made that way when the scripts of two other sessions have ended, which on a busy server is
    before the browser has fetched it; one that is there before the press stays as long as the page shows its button.
    """
    small = answer.table.height * answer.table.width <= AT_ONCE
    made: list[tuple[str, str, str, Any]] = []
    for label, ending, mime in TABLES:
        write = partial(_file, ending, answer.table, asked, said)
        made.append((label, ending, mime, write() if small else write))
    if figure is not None:
        lines = [f"{name}: {said[name]}" for name in ("slice", "method", "n", "left out", "seed", "data hash")]
        made += [
            ("SVG", "svg", "image/svg+xml", lambda: svg(_drawn(figure), asked.title, lines)),
            ("PNG", "png", "image/png", lambda: png(_drawn(figure), asked.title, lines)),
        ]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Export", width="content")
        for label, ending, mime, data in made:
            st.download_button(
                label,
                data,
                file_name=f"scoreproof-{asked.name}.{ending}",
                mime=mime,
                key=f"export {asked.name} {ending}",
                on_click="ignore",
                type="tertiary",
                help=STAMPED + (GUARDED if ending == "csv" else ""),
            )


def _file(ending: str, rows: pl.DataFrame, asked: Question, said: Mapping[str, str]) -> bytes:
    """Return a table as the bytes of a file of one kind."""
    if ending == "parquet":
        return export.to_parquet(rows, said=said)
    if ending == "csv":
        return export.to_csv(rows, said=said, guard=True).encode()
    return export.to_latex(rows, asked.columns, said=said).encode()


def _drawn(figure: Figure | Draw) -> Figure:
    return figure if isinstance(figure, alt.TopLevelMixin) else figure()


def _computed(answer: Answer, asked: Question, said: Mapping[str, str]) -> None:
    """Show method, n, what was left out, notes and seed, the command that repeats it, and the definition."""
    lines = [f"{name.capitalize()}: {words}" for name, words in said.items() if name not in ("question", "ask")]
    lines += [f"Note: {note}" for note in answer.notes if note != said["policy"]]
    plain.text("\n".join([*lines, f"Build: {ask.store().build_id}"]))
    st.caption("The same table on the command line")
    st.code(said["ask"], language="bash", wrap_lines=True)
    st.caption("Definition")
    st.markdown(inspect.getdoc(asked.ask) or "")
    plain.text(f"Source: {asked.source}")
    links.link("methods", "Options and columns on Methods", {"method": [asked.name]})


def to_cases(picked: pl.DataFrame, asked: Asked, columns: Mapping[str, str]) -> None:
    """Show the link from selected rows to their cases; `columns` maps a slice key to the column with its value."""
    if not links.has("cases"):
        return
    params: state.Params = dict(asked.carried())
    if asked.benchmark is not None:
        params["benchmark"] = [asked.benchmark]
    if picked.is_empty():
        st.caption("Select rows of the table to open the cases behind them; by keyboard: arrows, then Shift+Space.")
        return
    for key, column in columns.items():
        params[key] = picked[column].unique(maintain_order=True).to_list()
    links.link("cases", f"Open the cases of {picked.height} selected row{'s' * (picked.height > 1)}", params)
