"""Claims · Which statements of the papers follow from their own figures and from the rows, and which do not?"""

from dataclasses import replace
from functools import partial

import polars as pl
import streamlit as st

from analytics import export
from analytics.audit.form import FORMS, check_form
from analytics.audit.kind import STATUSES, kind_of
from analytics.audit.records import files_of, to_toml
from analytics.audit.tables import CLAIMS, IDENTITIES, Record, embedded
from analytics.claims import chosen_rows
from analytics.errors import ScoreproofError
from analytics.policy import Policy
from analytics.questions import Answer, Option, question
from analytics.slices import KEYS, Slice
from pages.ui.charts.stacked import PICKED
from pages.ui.charts.statuses import status_bars
from pages.ui.kit import ask, links, own_claims, page, pick, plain, show, state, switch
from pages.ui.kit.asked import Asked

VIEWS = {
    "claims": "Statements",
    "cells": "Cells of tables",
    "check": "Check a statement",
    "own": "Your tables and claims",
}
VIEW = Option("view", "choice", "claims", "what is checked", allowed=tuple(VIEWS))
DOCUMENT, STATUS, FILE = (question("table_checks").option(name) for name in ("document", "status", "file"))
CLAIM = Option("claim", "text", "", "one claim")
FORM = Option("form", "choice", "k_of_n", "what kind of statement", allowed=tuple(FORMS))
PRINTED = Option("printed", "text", "", "number as printed")
TYPED = {entry.name: entry for form in FORMS.values() for entry in form.entries}
FIELDS = tuple(Option(f"with_{name}", "text", entry.initial, entry.meaning) for name, entry in TYPED.items())
OWN = (VIEW, DOCUMENT, STATUS, FILE, CLAIM, FORM, PRINTED, *FIELDS)

ORDER = ("contradicted", "conditional", "not_checkable", "consistent", "reproduced")
MEANS = {
    "reproduced": "from the inputs as printed, it rounds to the printed text",
    "consistent": "only the intervals meet, or the rows were made from it",
    "conditional": "it holds under a departure that the document allows",
    "contradicted": "no reading that the document allows gives it",
    "not_checkable": "something that it needs is missing",
}
NONE_FOUND = {
    "claims": "These files hold no statement. Put it into claims.toml, or into a CSV with id, kind and printed.",
    "table_checks": "No declaration names a cell of these tables. Say in identities.toml what they should obey.",
}
CLAIM_MAIN = (
    "id", "document", "status", "printed", "recomputed", "low", "high", "unit", "statement", "place", "n", "kind",
    "why",
)  # fmt: skip
CELL_MAIN = (
    "file", "row", "column", "status", "printed", "recomputed", "low", "high", "check", "kind", "place", "document",
    "why",
)  # fmt: skip


def word(status: str) -> str:
    """Return a status as a reader says it."""
    return status.replace("_", " ")


def headline(table: pl.DataFrame, of: str) -> None:
    """Show how many of each status there are, what fails first."""
    with st.container(horizontal=True, gap="medium"):
        for status in ORDER:
            count = table.filter(pl.col("status") == status).height
            st.metric(word(status).capitalize(), count, format="localized", width="content", help=MEANS[status])
        st.metric(of, table.height, format="localized", width="content")


def shares(table: pl.DataFrame, asked: Asked, by: str) -> object:
    """Draw the share of each status by document or table; a click leads to its rows."""
    counts = table.group_by(by, maintain_order=True).agg(
        pl.len().alias("n"), *[(pl.col("status") == status).sum().alias(f"k_{status}") for status in STATUSES]
    )
    rows = counts.with_columns((pl.col(f"k_{status}") / pl.col("n")).alias(status) for status in STATUSES)
    parts = {status: word(status) for status in reversed(ORDER)}  # all of them: a status keeps its colour
    figure = partial(status_bars, rows, parts=parts, label=by)
    said = "; ".join(
        f"{row[by]}: " + ", ".join(f"{row[f'k_{status}']} {word(status)}" for status in ORDER if row[f"k_{status}"])
        for row in rows.iter_rows(named=True)
    )
    hit = pick.chart(
        figure, rows, asked, picked=PICKED, fields=[by], alt_text=f"Stacked bars. {said}.", key=f"shares {by}"
    )
    if hit.height:
        name = str(hit[by][0])
        st.button(f"Show only {plain.label(name, most=50)}", on_click=state.turn, args=({by: name, "claim": None},))
    return figure


def filters(table: pl.DataFrame, asked: Asked, *, files: bool) -> None:
    """Show the choice of document, status and table."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        documents = ["", *table["document"].unique().sort().to_list()]
        switch.choose(
            "document",
            documents,
            asked.options["document"] if asked.options["document"] in documents else "",
            default="",
            title="Document (empty: all)",
            width=200,
        )
        if files:
            names = ["", *table["file"].unique().sort().to_list()]
            switch.choose(
                "file",
                names,
                asked.options["file"] if asked.options["file"] in names else "",
                default="",
                title="Table (empty: all)",
                width=280,
            )
    switch.switch(STATUS, words={status: word(status) for status in STATUSES})


def of_document(table: pl.DataFrame, asked: Asked) -> pl.DataFrame:
    """Return the rows of the document that the address names, whatever their status."""
    document = asked.options["document"]
    return table.filter(pl.col("document") == document) if document else table


def kept(answer: Answer, asked: Asked) -> Answer:
    """Return the answer with the rows that the address names."""
    document, status = str(asked.options["document"]), str(asked.options["status"])
    rows, left = chosen_rows(answer.table, document=document, status=status)
    return replace(answer, table=rows, left_out=dict(answer.left_out) | left)


def record_of(name: str) -> Record | None:
    """Return the record of a shipped claim."""
    return next((record for record in embedded().toml(CLAIMS, "claim") if record["id"] == name), None)


def number(value: object) -> str:
    """Return a recomputed number as text, without digits that say nothing."""
    return "none" if value is None else f"{value:.6g}"


def change(row: dict[str, object]) -> str:
    """Say what would have to change for a claim that does not hold as printed."""
    if row["low"] is None:
        return "No single number would settle it; the reason above names what departs."
    low, high = number(row["low"]), number(row["high"])
    span = low if low == high else f"a number from {low} to {high}"
    agree = f"It would agree if it printed {span} ({row['unit']}), or if one of its inputs were another"
    return f"{agree}; it prints {row['printed']}."


def where(record: Record, asked: Asked) -> None:
    """Lead to the rows or the cells that a claim rests on."""
    if record.get("kind") == "ask":
        chosen = {key: value for key, value in record.get("where", {}).items() if key in KEYS}
        params = {key: value if isinstance(value, list) else [str(value)] for key, value in chosen.items()}
        options = [f"--set {key}={value}" for key, value in record.get("set", {}).items()]
        wheres = [f"--where {key}={value}" for key, values in params.items() for value in values]
        st.code(" ".join(["scoreproof ask", str(record.get("question")), *wheres, *options]), language="bash")
        links.link("cases", "Open the rows that it asks for", params)
        return
    identities = {str(one["id"]): one for one in embedded().toml(IDENTITIES, "identity")}
    files = files_of(record).union(
        *(files_of(identities[name]) for name in record.get("ids", []) if name in identities)
    )
    for file in sorted(files):
        links.link("claims", f"Checked cells of {plain.label(file)}", {"view": ["cells"], "file": [file]})


def one_claim(row: dict[str, object], asked: Asked) -> None:
    """Show one claim: what it says, what the figures give, by which formula, and why."""
    with st.container(border=True):
        st.subheader(
            f"{plain.label(str(row['id']))}: {word(str(row['status']))}", anchor=False, help=MEANS[str(row["status"])]
        )
        plain.text(f"{row['statement']}\n{row['document']}, {row['place']}")
        with st.container(horizontal=True, gap="medium"):
            st.metric("Printed", plain.label(str(row["printed"]), most=60), width="content")
            st.metric("Recomputed", number(row["recomputed"]), width="content", help=plain.label(str(row["unit"])))
            if row["low"] is not None:
                st.metric("from", number(row["low"]), width="content", help="least that the printed inputs allow")
                st.metric("to", number(row["high"]), width="content", help="greatest that the printed inputs allow")
        plain.text(f"Why: {row['why']}")
        if row["status"] in ("contradicted", "conditional"):
            plain.text(f"What would have to change: {change(row)}")
        record = record_of(str(row["id"]))
        if record is not None:
            plain.text(f"Formula: {kind_of(record).says}")
            with st.expander("Inputs, as the record names them"):
                plain.block(to_toml(record))
            where(record, asked)
        st.button("Close", on_click=state.turn, args=({"claim": None},))


def claims_view(asked: Asked) -> None:
    """Show the statements by document and status."""
    answer = ask.ask("claims", asked.chosen, asked.policy)
    if answer is None:
        return
    part = kept(answer, asked)
    headline(of_document(answer.table, asked), "Statements")
    figure = shares(answer.table, asked, "document")
    filters(answer.table, asked, files=False)
    table = part.table
    wanted = table.filter(pl.col("id") == asked.options["claim"])
    if wanted.height:
        one_claim(wanted.row(0, named=True), asked)
    elif asked.options["claim"]:
        plain.note(f"No statement '{asked.options['claim']}' is among these.", kind="warning")
    if table.is_empty():
        plain.note("No statement has this document and status.", kind="info")
    place = {status: at for at, status in enumerate(ORDER)}
    rows = table.sort(pl.col("status").replace_strict(place, return_dtype=pl.Int64), maintain_order=True)
    st.caption("Select a row to see formula, inputs and what would have to change.")
    show.table(
        part, "claims", asked, rows=rows, columns=CLAIM_MAIN, select="single", opens=("claim", "id"), key="claims"
    )
    options = {"document": asked.options["document"], "status": asked.options["status"]}
    show.foot(part, "claims", asked, options, figure=figure)  # type: ignore[arg-type]


def cells_view(asked: Asked) -> None:
    """Show the printed cells in the identities that they should obey."""
    answer = ask.ask("table_checks", asked.chosen, asked.policy)
    if answer is None:
        return
    part = kept(answer, asked)
    file = str(asked.options["file"])
    whole = of_document(answer.table, asked)
    if file:
        part = replace(part, table=part.table.filter(pl.col("file") == file))
        whole = whole.filter(pl.col("file") == file)
    headline(whole, "Cells in checks")
    drawn = of_document(answer.table, asked)
    by = "file" if asked.options["document"] or file else "document"
    figure = shares(drawn, asked, by) if drawn.height else None
    filters(answer.table, asked, files=True)
    if part.table.is_empty():
        plain.note("No checked cell has this document, table and status.", kind="info")
    place = {status: at for at, status in enumerate(ORDER)}
    rows = part.table.sort(pl.col("status").replace_strict(place, return_dtype=pl.Int64), maintain_order=True)
    chosen = show.table(part, "table_checks", asked, rows=rows, columns=CELL_MAIN, select="single", key="cells")
    for row in chosen.iter_rows(named=True):
        plain.text(f"{row['file']}: {row['row']}, {row['column']}: {word(row['status'])}\nWhy: {row['why']}")
        if row["status"] in ("contradicted", "conditional"):
            plain.text(f"What would have to change: {change(row | {'unit': row['column']})}")
    options = {"document": asked.options["document"], "status": asked.options["status"], "file": file, "role": "target"}
    show.foot(part, "table_checks", asked, options, figure=figure)  # type: ignore[arg-type]


def check_view(asked: Asked) -> None:
    """Check the numbers of one typed statement."""
    form = FORMS[str(asked.options["form"])]
    key = state.hold_option(FORM)
    st.selectbox(
        "Statement", FORM.allowed, key=key, on_change=state.write, format_func=lambda name: FORMS[name].title, width=320
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = state.hold_option(PRINTED)
        st.text_input(form.printed.capitalize(), key=key, on_change=state.write, width=240)
        for entry in form.entries:
            option = next(field for field in FIELDS if field.name == f"with_{entry.name}")
            key = state.hold_option(option)
            if entry.kind == "choice":
                st.selectbox(entry.meaning.capitalize(), entry.allowed, key=key, on_change=state.write, width=180)
            else:
                st.text_input(entry.meaning.capitalize(), key=key, on_change=state.write, width=240)
    printed = str(asked.options["printed"])
    if not printed.strip():
        st.caption("Type the number as it is printed: its trailing zeros count. The address holds what you type.")
        return
    values = {entry.name: str(asked.options[f"with_{entry.name}"]) for entry in form.entries}
    try:
        verdict, record = check_form(
            form.name, printed, values, claim_id="typed", statement=form.title, document="own", place=""
        )
    except ScoreproofError as error:
        plain.note(str(error), kind="warning")
        return
    st.subheader(word(verdict.status).capitalize(), anchor=False, help=MEANS.get(verdict.status, ""))
    with st.container(horizontal=True, gap="medium"):
        st.metric("Printed", plain.label(printed), width="content")
        for title, value in (("Recomputed", verdict.recomputed), ("from", verdict.low), ("to", verdict.high)):
            if value is not None:
                st.metric(title, number(float(value)), width="content")
    plain.text(f"Why: {verdict.why}\nFormula: {kind_of(record).says}")
    text = to_toml(record)
    st.caption("Claim record: add it to a file of claims, with an id, a document and a place of its own.")
    plain.block(text)
    st.download_button(
        "Save the claim record", text, file_name="claim.toml", mime="application/toml", on_click="ignore"
    )
    st.caption("The address of this page is the permalink of this check:")
    plain.block(f"{(st.context.url or '').split('?')[0]}?{asked.query()}")


def own_view(asked: Asked) -> None:
    """Check the reader's own tables and claims."""
    st.markdown(
        "A table is a CSV whose cells are the text as printed. What it should obey stands in `identities.toml`, what "
        "its columns mean in `figures.toml`, statements in `claims.toml` or a CSV of claims; each is optional, and a "
        "table with the name and columns of a shipped one uses the shipped declarations. The heads of the shipped "
        "TOML files describe the forms. On the command line: "
        f"`{own_claims.COMMAND}`."
    )
    found = own_claims.form()
    if found is None:
        return
    claims, cells, texts = found
    for name, answer, columns in (("claims", claims, CLAIM_MAIN), ("table_checks", cells, CELL_MAIN)):
        st.subheader("Statements" if name == "claims" else "Cells of tables", anchor=False)
        if answer.table.is_empty():
            plain.note(NONE_FOUND[name], kind="info")
            continue
        headline(answer.table, "Checks")
        show.table(answer, name, asked, columns=columns, key=f"own {name}")
        # There before the press: a file made on it may be forgotten before it is fetched (see the exports of `show`).
        csv = export.to_csv(answer.table, said=own_claims.stamp(name, answer, texts), guard=True)
        st.download_button(
            "CSV", csv, file_name=f"{name}.csv", mime="text/csv", key=f"own csv {name}", on_click="ignore",
            help="stamped with method, n, left out and the hash of the files",
        )  # fmt: skip
    for reason, count in claims.left_out.items():
        plain.text(f"Left out: {reason}: {count}")


asked = page.begin(
    __file__, own=OWN, quiet=[option.name for option in OWN], one_benchmark=False, rows=False, policy=False
)
st.badge("published", color="blue", help=page.BADGES["published"][1])
bare = replace(asked, chosen=Slice(), policy=Policy(), explicit=Slice())
switch.switch(VIEW, words=VIEWS)
{"claims": claims_view, "cells": cells_view, "check": check_view, "own": own_view}[str(asked.options["view"])](bare)
