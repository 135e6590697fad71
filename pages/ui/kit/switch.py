"""A page's own switches beside the figure that they change; each is in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from analytics.questions import Option
from pages.ui.kit import plain, state

DROPS = ("page", state.ROW)


TITLES = {"by": "Ranked by", "average": "Mean", "differ": "Only where runs differ"}
"""Titles of options whose name alone says too little."""


def title(option: Option) -> str:
    """Return what stands above the control of an option, the same on every page."""
    return TITLES.get(option.name, option.name.replace("_", " ").capitalize())


def switch(option: Option, *, offered: Sequence[str] | None = None, words: Mapping[str, str] | None = None) -> None:
    """Show a choice as a row of buttons. `offered` are the values with something to show, `words` name them."""
    key = state.hold_option(option)
    current = st.session_state[key]
    values = [v for v in option.allowed if offered is None or v in offered or v == current]
    named = words or {}
    st.segmented_control(
        title(option),
        values,
        key=key,
        on_change=state.write,
        args=(DROPS,),
        help=option.meaning,
        required=True,
        format_func=lambda value: named.get(value, value.replace("_", " ")),
    )


def part(view: Option, *, words: Mapping[str, str], offered: Sequence[str], meant: str | None = None) -> str:
    """Show the switch between the parts of a page and return the one that is on screen.

    `meant` is the part that an address without one is about, where what else it says belongs to a single part; None
    where it says nothing, which means the first. An address that says so keeps the part that was chosen in it.
    """
    named = view.name in state.params()
    given = state.params()[view.name][-1] if named else meant or str(view.initial)
    current = given if given in view.allowed else str(view.initial)
    key = state.hold(view.name, current, default=str(view.initial) if meant is None else "")
    shown = str(st.session_state[key])
    values = [name for name in view.allowed if name in offered or name == shown]
    if len(values) > 1:
        st.segmented_control(
            view.name.capitalize(), values, key=key, on_change=state.write, args=(DROPS,), help=view.meaning,
            required=True, format_func=lambda name: words.get(name, name),
        )  # fmt: skip
    return shown


def choose(name: str, values: Sequence[str], current: str, *, default: str, title: str, width: int = 300) -> None:
    """Show a choice among values of the log as a list to pick from."""
    key = state.hold(name, current, default=default)
    if st.session_state[key] not in values:
        st.session_state[key] = current
    st.selectbox(title, values, key=key, on_change=state.write, args=(DROPS,), width=width)


def several(
    name: str, values: Sequence[str], current: Sequence[str], *, default: Sequence[str], title: str, most: int
) -> None:
    """Show a choice of several values of the log, at most `most` of them."""
    key = state.hold(name, list(current), default=list(default))
    st.multiselect(title, values, key=key, on_change=state.write, max_selections=most, width=640)


def renamed(option: Option, name: str, *, initial: str | None = None) -> Option:
    """Return an option of a question under another name of the address, for a page that asks several questions."""
    return replace(option, name=name, initial=option.initial if initial is None else initial)


def lacking(needs: str) -> None:
    """Say what log a part of a page needs."""
    plain.note(f"Nothing to show here: this part needs a log with {needs}.", kind="info")
