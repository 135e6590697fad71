"""The URL is the one source of what a page shows.

A run reads the URL; where it differs from what the widgets were last set from (a link, Back, a reload), the
widgets are set from it before they are made. A widget that changes writes the URL. Nothing else holds a choice that
changes a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from analytics.errors import UnknownValue
from analytics.questions import Option

Params = dict[str, list[str]]

_SEEN = "url seen"
_MOVED = "url moved"
_FIELDS = "url fields"
_TURN = "url turn"

ROW = "row"
"""Parameter that holds the selected rows of a page's main table."""

MOST_ROWS = 50
"""Selected rows that an address holds; the others are selected until the page is left."""


def params() -> Params:
    """Return the parameters of the URL, each with all its values, in the order of the address."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def begin(page: str) -> None:
    """Start a run of one page: note whether the address differs from what the widgets were last set from."""
    now = (page, params())
    st.session_state[_MOVED] = st.session_state.get(_SEEN) != now
    st.session_state[_SEEN] = now
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + st.session_state[_MOVED]
    if st.session_state[_MOVED] or _FIELDS not in st.session_state:
        st.session_state[_FIELDS] = {}


def hold(name: str, value: str | list[str], *, default: str | list[str]) -> str:
    """Return the key of the widget for one parameter, after setting it from the address where it must be.

    `value` is what the address says, `default` what an address without the parameter means.
    """
    key = f"url {name}"
    if st.session_state[_MOVED] or key not in st.session_state:
        st.session_state[key] = value
    st.session_state[_FIELDS][name] = default
    return key


def hold_option(option: Option) -> str:
    """Return the key of the widget for an option of a page, set from the address or else to its initial value."""
    given = params().get(option.name, [str(option.initial)])[-1]
    try:
        option.read(given)
    except UnknownValue:
        given = str(option.initial)  # the page has said already that the value was left aside
    return hold(option.name, given, default=str(option.initial))


def write(drops: Iterable[str] = ()) -> None:
    """Write every held widget's value to the address: the `on_change` of each of them.

    A widget that is not on screen, in another part of the page, keeps what the address says of it.
    Values that equal their default leave the address, and so do the parameters named in `drops`, whose meaning ends
    with the change (the page of a list, say).
    """
    new = params()
    for name, default in st.session_state.get(_FIELDS, {}).items():
        if f"url {name}" not in st.session_state:
            continue
        value = st.session_state[f"url {name}"]
        new.pop(name, None)
        if value is None or value in (default, []):
            continue
        new[name] = [str(v) for v in value] if isinstance(value, list) else [str(value)]
    for name in drops:
        new.pop(name, None)
    st.query_params.from_dict(new)
    page, _ = st.session_state.get(_SEEN, ("", {}))
    st.session_state[_SEEN] = (page, params())


def here() -> str:
    """Return the path of the page of this run."""
    return str(st.session_state.get(_SEEN, ("", {}))[0])


def turns() -> int:
    """Return how often the address was changed by other things than the page's own widgets: a link, Back, a reload."""
    return int(st.session_state[_TURN])


def select(values: list[str]) -> None:
    """Write the selected rows of the page's main table to the address; none removes them."""
    new = params()
    new.pop(ROW, None)
    if values:
        new[ROW] = values[:MOST_ROWS]
    st.query_params.from_dict(new)
    page, _ = st.session_state.get(_SEEN, ("", {}))
    st.session_state[_SEEN] = (page, params())


def turn(changes: Mapping[str, str | list[str] | None]) -> None:
    """Change the address as a link would: for the callbacks of buttons. None removes a parameter."""
    new = params()
    for name, value in changes.items():
        new.pop(name, None)
        if value:
            new[name] = value if isinstance(value, list) else [value]
    st.query_params.from_dict(new)
