"""The slice bar: which rows, what counts, and the page's own switches; every one of them is in the address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import streamlit as st

from analytics.policy import ATTEMPTS, GUESSED, JUDGE_RULES, MEANING, MISSING, Policy
from analytics.questions import Option
from analytics.rubric import rubrics, spell_weights
from analytics.slices import KEYS
from pages.ui.kit import ask, plain, state, switch
from pages.ui.kit.asked import Asked

DROPS = ("page", "item", state.ROW)
"""Parameters whose meaning ends when the slice changes."""

ITEM_KEYS = tuple(name for name, key in KEYS.items() if key.of in ("item", "tag") and name != "benchmark")
RUN_KEYS = tuple(name for name, key in KEYS.items() if key.of == "run")


IN_THE_OPEN = 3
"""Longest choice that stands in the bar itself."""


def bar(asked: Asked, own: Sequence[Option], *, one_benchmark: bool, rows: bool, policy: bool) -> None:
    """Show the controls of a page and, under them, slice and policy in words."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if rows:
            _benchmark(asked, one_benchmark=one_benchmark)
            _rows(asked)
        if policy:
            _counts(asked)
        _switches(own)
    if not rows:
        return
    words = f"Rows: {asked.chosen.sentence()}."
    plain.text(words + (f"\nCounted: {asked.policy.sentence()}." if policy else ""))


def _benchmark(asked: Asked, *, one_benchmark: bool) -> None:
    every = ask.values(None).get("benchmark", [])
    if not every or (len(every) == 1 and not asked.explicit.values("benchmark")):
        return
    if one_benchmark and asked.benchmark is not None:
        key = state.hold("benchmark", asked.benchmark, default="")
        st.selectbox("Benchmark", every, key=key, on_change=state.write, args=(DROPS,), width=190)
    else:
        _many("benchmark", every, asked)


def _rows(asked: Asked) -> None:
    """Multiselects for every key that has more than one value here, items first, then runs."""
    here = ask.values(asked.benchmark)
    chosen = sum(name != "benchmark" for name, _ in asked.chosen.choices)
    with st.popover(f"Choose rows ({chosen})" if chosen else "Choose rows", help="Which items and runs are shown"):
        shown = 0
        for title, names in (("Items", ITEM_KEYS), ("Runs", RUN_KEYS)):
            offered = [n for n in names if len(here.get(n, [])) > 1 or asked.chosen.values(n)]
            if offered:
                st.caption(title)
            for name in offered:
                _many(name, here.get(name, []), asked)
            shown += len(offered)
        if not shown:
            st.caption("Items and runs of this store agree in everything that rows can be chosen by.")
        if chosen:
            everything = {name: None for name, _ in asked.chosen.choices if name != "benchmark"}
            st.button("Show all rows", on_click=state.turn, args=(everything | dict.fromkeys(DROPS),))


def _many(name: str, offered: list[str], asked: Asked) -> None:
    held = list(asked.chosen.values(name))
    key = state.hold(name, held, default=[])
    every = [*offered, *(value for value in held if value not in offered)]
    says = KEYS[name].says.capitalize()
    st.multiselect(says, every, key=key, on_change=state.write, args=(DROPS,), placeholder="all", width=320)


def _counts(asked: Asked) -> None:
    """Selects for the policy; each rule is named by what it means."""
    changed = len(asked.policy.to_params())
    with st.popover(
        f"What counts ({changed})" if changed else "What counts", help="Rules that turn attempts into credit"
    ):
        _rule("missing", MISSING, "Missing and failed attempts", asked)
        _rule("attempts", ATTEMPTS, "Several attempts at an item", asked)
        _rule("guessed", GUESSED, "Answers drawn at random by the harness", asked)
        _rule("judge", (*JUDGE_RULES, *ask.judges()), "Judges", asked)
        weights = {spell_weights(rubric.weights): rubric for rubric in rubrics().values()}
        offered = ("declared", *weights)
        current = asked.policy.rubric
        names = {"declared": "as each benchmark declares"} | {s: f"{r.title} for all" for s, r in weights.items()}
        key = state.hold("rubric", current, default="declared")
        every = offered if current in offered else (*offered, current)
        st.selectbox("Rubric", every, key=key, on_change=state.write, format_func=lambda v: names.get(v, v))


def _rule(name: str, allowed: Sequence[str], title: str, asked: Asked) -> None:
    current = str(getattr(asked.policy, name))
    default = next(f.default for f in fields(Policy) if f.name == name)
    key = state.hold(name, current, default=str(default))
    meaning = MEANING[name]
    st.selectbox(
        title, allowed, key=key, on_change=state.write, format_func=lambda v: meaning.get(v, f"verdicts of {v} alone")
    )


def _switches(own: Sequence[Option]) -> None:
    """Controls for the page's own options: short choices in the open, longer ones and numbers behind 'More'."""
    asked_for = {option.name: option for option in own if option.kind != "text"}
    short = [o for o in asked_for.values() if o.kind == "choice" and len(o.allowed) <= IN_THE_OPEN]
    for option in short:
        st.segmented_control(
            switch.title(option),
            option.allowed,
            key=state.hold_option(option),
            on_change=state.write,
            args=(DROPS,),
            help=option.meaning,
            required=True,
            format_func=_word,
        )
    others = [option for option in asked_for.values() if option not in short]
    if others:
        with st.popover("More", help="Order, confidence level, resamples, seed and the like"):
            for option in others:
                more(option)


def more(option: Option) -> None:
    """Show one option as a select or as a field to type in."""
    key = state.hold_option(option)
    if option.kind == "choice":
        st.selectbox(
            switch.title(option), option.allowed, key=key, on_change=state.write, args=(DROPS,), help=option.meaning,
            format_func=_word,
        )  # fmt: skip
    else:
        st.text_input(switch.title(option), key=key, on_change=state.write, args=(DROPS,), help=option.meaning)


def _word(value: str) -> str:
    """Return a value of an option as a reader says it."""
    return "benchmark's own" if value == "declared" else value.replace("_", " ")
