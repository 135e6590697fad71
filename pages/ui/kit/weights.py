"""The rubric's weights as fields: the address holds them, a change rewrites it, and it can be taken back."""

from __future__ import annotations

import streamlit as st

from analytics.rubric import LABELS, Weights, spell_weights
from pages.ui.kit import state

BEFORE = "rubrics before"
"""Key of the spellings that were replaced in this session, oldest first; they are offers, no state of the page."""

PART = {"view": "what_if"}
"""What a change keeps in the address: without weights of its own it would mean another part of the page."""


def fields(current: Weights, *, assumed: tuple[str, ...]) -> None:
    """Show one number field per label, set from the address; a star marks a weight that no document states."""
    held = current.as_dict()
    for column, (kind, labels) in zip(st.columns(len(LABELS)), LABELS.items(), strict=True):
        with column:
            st.caption(kind.capitalize())
            for label in labels:
                key = f"weight {label}"
                st.session_state[key] = held[label]
                star = " *" if f"{kind}.{label}" in assumed else ""
                st.number_input(
                    f"{label}{star}", key=key, min_value=0.0, max_value=1.0 if kind == "coverage" else 100.0, step=0.1,
                    format="%.3g", on_change=_changed,
                )  # fmt: skip


def buttons(declared: Weights) -> None:
    """Show the ways back: the last change, and all of them."""
    now = state.params().get("rubric", [spell_weights(declared)])[-1]
    past = st.session_state.get(BEFORE, [])
    with st.container(horizontal=True):
        st.button("Undo", on_click=_undo, disabled=not past, help="Take back the last change of a weight")
        st.button("Reset", on_click=_reset, disabled=now == spell_weights(declared), help="The declared rubric again")


def _changed() -> None:
    names = [label for labels in LABELS.values() for label in labels]
    new = Weights(**{label: float(st.session_state[f"weight {label}"]) for label in names})
    _remember()
    state.turn(PART | {"rubric": spell_weights(new)})


def _remember() -> None:
    st.session_state.setdefault(BEFORE, []).append(state.params().get("rubric", [""])[-1])


def _undo() -> None:
    past = st.session_state.get(BEFORE, [])
    if past:
        state.turn(PART | {"rubric": past.pop() or None})


def _reset() -> None:
    _remember()
    state.turn(PART | {"rubric": None})
