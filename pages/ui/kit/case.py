"""One case: the item, every run's answer to it, and what the judges said."""

from __future__ import annotations

from typing import Any

import polars as pl
import streamlit as st

from analytics.questions import Answer
from pages.ui.kit import ask, links, origin, plain, show, state
from pages.ui.kit.asked import Asked
from pages.ui.kit.media import media

BESIDE = 3
"""Runs that are read side by side unless the address names them."""

PASSAGE = 260
"""Pixels of a passage before it scrolls."""

ITEM_FACTS = ("capability", "subcapability", "axis", "media_type", "answer_type", "tier", "cluster", "provenance")
RUN_FACTS = (
    "model", "kind", "condition", "attempt", "answer", "raw", "verified", "status", "coverage", "evidence", "logic",
    "coverage_factor", "evidence_factor", "logic_factor", "confidence", "input_tokens", "output_tokens", "steps",
    "seconds", "status_note", "run", "source", "line",
)  # fmt: skip


def show_case(asked: Asked) -> None:
    """Show the case that the address names, or say that there is none."""
    named = {"benchmark": asked.benchmark, "item": asked.options["item"]}
    found = ask.ask("case_item", asked.chosen, asked.policy, named)
    if found is None:
        st.button("Back to the list", on_click=state.turn, args=({"item": None},))
        return
    item = found.table.row(0, named=True)
    _around(item)
    responses = ask.ask("case_responses", asked.chosen, asked.policy, named)
    verdicts = ask.ask("case_verdicts", asked.chosen, asked.policy, named)
    _item(item, responses)
    if responses is not None:
        _responses(item, responses, verdicts, asked)
    if verdicts is not None and verdicts.table.height:
        st.subheader("Verdicts", anchor=False)
        show.table(verdicts, "case_verdicts", asked, key="verdicts")
    if responses is not None:
        show.foot(responses, "case_responses", asked, named)


def _around(item: dict[str, Any]) -> None:
    """Show the item's name and the way to its neighbours and back to the list."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Back to the list", on_click=state.turn, args=({"item": None, "beside": None},))
        for side in ("previous", "next"):
            st.button(
                f"{side.capitalize()} item",
                disabled=item[side] is None,
                on_click=state.turn,
                args=({"item": item[side]},),
            )
    st.subheader(plain.label(f"Item {item['item']}", most=160), anchor=False)
    facts = [f"{name.replace('_', ' ')}: {item[name]}" for name in ITEM_FACTS if item[name] is not None]
    plain.text("  ·  ".join(facts + list(item["tags"] or [])))
    origin.say(origin.split(item["provenance"]))


def _item(item: dict[str, Any], responses: Answer | None) -> None:
    """Show prompt, options with the reference marked, criteria and media."""
    texts = [] if responses is None else [responses.table[c].null_count() for c in ("response", "rationale")]
    silent = responses is None or all(n == responses.table.height for n in texts)
    if item["prompt"] is None and silent:
        st.caption("No text in this log: it holds answers, factors and verdicts only.")
    if item["prompt"] is not None:
        plain.block(item["prompt"], height=PASSAGE if len(item["prompt"]) > 900 else None)
    if item["media_path"] is not None:
        sources = ask.ask("sources", show.EVERYTHING, show.DECLARED)
        media(item["media_path"], [] if sources is None else sources.table["argument"].unique().to_list())
    right = set(str(item["reference"] or "").split(","))
    letters = [chr(ord("A") + number) for number in range(len(item["options"] or []))]
    marks = ["  \N{CHECK MARK}" if letter in right else "" for letter in letters]
    lines = [f"{c}  {words}{m}" for m, c, words in zip(marks, letters, item["options"] or [], strict=True)]
    if lines:
        plain.text("\n".join(lines))
    if not item["reference_known"]:
        plain.text("Reference: the benchmark hides it; the item enters no rate.")
    elif item["reference"] is not None:
        plain.text(f"Reference: {item['reference']}")
    for name in ("option_types", "criteria"):
        if item[name]:
            plain.text(f"{name.replace('_', ' ').capitalize()}: " + "; ".join(item[name]))
    if item["chance"] is not None:
        show.share("Credit that guessing earns", item["chance"])


def _responses(item: dict[str, Any], responses: Answer, verdicts: Answer | None, asked: Asked) -> None:
    """Show every response as a row, and the chosen ones side by side."""
    st.subheader("Answers", anchor=False)
    table = responses.table
    if table.is_empty():
        plain.note(f"No run of the slice answered item '{item['item']}'.", kind="info")
        return
    show.table(responses, "case_responses", asked, columns=RUN_FACTS, key="responses")
    runs = table["run"].unique(maintain_order=True).to_list()
    first = _first(table)
    chosen = [run for run in asked.many["beside"] if run in runs] or first
    key = state.hold("beside", chosen, default=first)
    st.multiselect("Read side by side", runs, key=key, on_change=state.write, max_selections=6)
    shown = table.filter(pl.col("run").is_in(chosen))
    said = None if verdicts is None else verdicts.table
    for column, row in zip(st.columns(max(1, min(shown.height, 6))), shown.head(6).iter_rows(named=True), strict=False):
        with column:
            _response(row, said)
            checked = any(row[f"{kind}_factor"] is not None for kind in ("coverage", "evidence", "logic"))
            if checked and asked.benchmark is not None:
                named = {"benchmark": [asked.benchmark], "item": [item["item"]], "of": [row["run"]]}
                at = {"attempt": [str(row["attempt"])]} if row["attempt"] > 1 else {}
                links.link("credit_calculator", "Credit, step by step", asked.carried() | named | at)


def _first(table: pl.DataFrame) -> list[str]:
    """Return the runs that are read first: those with text before those without, and different credits before equal."""
    told = table.with_columns(
        words=pl.coalesce(pl.col("rationale"), pl.col("response")).is_not_null(),
        turn=pl.int_range(pl.len()).over("raw"),
    ).sort("words", "turn", descending=[True, False], maintain_order=True)
    return told["run"].unique(maintain_order=True).head(BESIDE).to_list()


def _response(row: dict[str, Any], verdicts: pl.DataFrame | None) -> None:
    """Show one response in full, with its verdicts."""
    with st.container(border=True):
        attempt = f"  ·  attempt {row['attempt']}" if row["attempt"] > 1 else ""
        plain.text(f"{row['model']}{attempt}")
        with st.container(horizontal=True, gap="medium"):
            for name in ("raw", "verified"):
                if row[name] is not None:
                    show.share(name.capitalize(), row[name])
        if row["status"] != "ok":
            plain.text(f"status: {row['status']}" + (f" ({row['status_note']})" if row["status_note"] else ""))
        plain.text(f"Answer: {row['answer'] if row['answer'] is not None else 'none'}")
        if row["order_shown"]:
            plain.text("Options shown as: " + ", ".join(row["order_shown"]))
        for name in ("rationale", "response"):
            if row[name] is not None:
                st.caption(name.capitalize())
                plain.block(row[name], height=PASSAGE if len(row[name]) > 500 else None)
        if row["rationale"] is None and row["response"] is None:
            st.caption("No text in this log.")
        labels = [f"{name}: {row[name]}" for name in ("coverage", "evidence", "logic") if row[name] is not None]
        if labels:
            plain.text("; ".join(labels))
        if verdicts is not None:
            own = verdicts.filter((pl.col("run") == row["run"]) & (pl.col("attempt") == row["attempt"]))
            for verdict in own.iter_rows(named=True):
                _verdict(verdict)


def _verdict(verdict: dict[str, Any]) -> None:
    """Show one verdict with its justification."""
    met = {True: "met", False: "not met", None: None}[verdict["met"]]
    score = None if verdict["score"] is None else f"score {verdict['score']:g}"
    status = verdict["status"] if verdict["status"] != "ok" else None
    outcome = ", ".join(word for word in (met, verdict["label"], score, status) if word) or "no verdict"
    on = f" on {verdict['on_judge']}" if verdict["on_judge"] else ""
    plain.text(f"{verdict['judge']}{on}, {verdict['criterion']}: {outcome}")
    if verdict["justification"]:
        plain.block(verdict["justification"], height=160 if len(verdict["justification"]) > 400 else None)
