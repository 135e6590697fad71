"""The store that is served, and asking it: cached by build, question, slice, policy and options."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from analytics import questions
from analytics.errors import EmptySlice, NoStore, ScoreproofError, Undefined, UnknownName, UnknownValue
from analytics.policy import Policy
from analytics.questions import Answer
from analytics.slices import Slice, dimensions
from analytics.store import POINTER, Build, Store
from loaders import own_store
from loaders.embedded import embedded_store
from loaders.progress import Progress
from pages.ui.kit import plain

_BUILD, _RUN = "build of this run", "what this run reads"
MOST_ANSWERS = 400
"""Answers kept in memory; the oldest leave first."""


def named_store() -> Path | None:
    """Return the store that the environment names; None when the embedded logs are meant."""
    named = os.environ.get("SCOREPROOF_STORE")
    return Path(named) if named else None


def folder() -> Path:
    """Return the folder of the store that is served; builds the embedded one, with progress, when it is not there."""
    named = named_store()
    if named is not None:
        return named
    return own_store.own_store() if own_store.serves() else _embedded()


@st.cache_resource(show_spinner=False)
def _checked() -> dict[str, Path]:
    """Return what this process knows of the embedded store: nothing until it was checked against the shipped logs."""
    return {}


def _embedded() -> Path:
    """Return the embedded store; the first page of a process checks it, and builds it, with progress, where it must."""
    known = _checked()
    if "folder" not in known:
        shown = st.empty()

        def report(progress: Progress) -> None:
            words = {"read": "Reading the shipped logs", "build": "Building the store", "done": "Done"}[progress.stage]
            of = f"{words} ({progress.done} of {progress.total})"
            shown.progress(progress.done / max(1, progress.total), text=of)

        try:
            known["folder"] = embedded_store(on_progress=report)
        finally:
            shown.empty()
    return known["folder"]


@st.cache_resource(show_spinner=False)
def _open(where: str) -> Store:
    opened = Store(Path(where))
    _opened().add(where)
    return opened


@st.cache_resource(show_spinner=False)
def _opened() -> set[str]:
    """Return the folders whose stores this process has open: they answer even when the folder is deleted."""
    return set()


def begin() -> None:
    """Start a run of a page: all that it asks is answered from the build that is current now."""
    st.session_state.pop(_BUILD, None)
    st.session_state.pop(_RUN, None)


def store() -> Build:
    """Return the build that this run reads. Raises NoStore or BadStore with a sentence.

    A run asks for it a hundred times: the folder is looked up once, unless a change of this run moved it.
    """
    named = named_store()
    held: tuple[Path | None, Build] | None = st.session_state.get(_RUN)
    if held is not None and held[0] == named:
        return held[1]
    build = _current()
    st.session_state[_RUN] = (named, build)
    return build


def _current() -> Build:
    where = folder()
    if not (where / POINTER).exists() and str(where.resolve()) not in _opened():
        raise NoStore(
            f"No store at {where}. Build one with `scoreproof build LOGS --store {where}` and load this page again."
        )
    place = str(where.resolve())
    at, begun = st.session_state.get(_BUILD, (place, None))
    build = _open(place).build(begun if at == place else None)
    st.session_state[_BUILD] = (place, build.build_id)
    return build


@st.cache_resource(max_entries=MOST_ANSWERS, show_spinner="Working it out ...")
def _answer(
    key: str,
    _build: Build,
    _name: str,
    _chosen: Slice,
    _policy: Policy,
    _options: Mapping[str, Any],
) -> Answer | tuple[type[ScoreproofError], tuple[Any, ...]]:
    """Ask a question of one build, or return why the rows have no answer; every session shares what is found.

    `key` spells build, question, slice, policy and options: a text is hashed in a tenth of the time of the values.
    """
    try:
        return questions.ask(_build, _name, _chosen, _policy, dict(_options))
    except (EmptySlice, Undefined, UnknownName, UnknownValue) as error:  # not a timeout: it may not come again
        return type(error), error.args


def answer(name: str, chosen: Slice, policy: Policy, options: Mapping[str, Any] | None = None) -> Answer:
    """Return the answer to one question; options that are not given have their initial values.

    Raises ScoreproofError with a sentence for the reader.
    """
    asked = questions.question(name)
    own = {option.name: option.initial for option in asked.options} | dict(options or {})
    build = store()
    key = repr((str(build.folder), build.build_id, name, chosen, policy, sorted(own.items())))
    found = _answer(key, build, name, chosen, policy, own)
    if isinstance(found, tuple):
        raise found[0](*found[1])
    return found


def ask(name: str, chosen: Slice, policy: Policy, options: Mapping[str, Any] | None = None) -> Answer | None:
    """Return the answer to one question, or show why there is none and return None."""
    try:
        return answer(name, chosen, policy, options)
    except ScoreproofError as error:
        plain.note(str(error), kind="info")
        return None


@st.cache_resource(max_entries=64, show_spinner=False)
def _values(folder: str, build_id: str, benchmark: str | None, _asked: Build) -> dict[str, list[str]]:
    with _asked.cursor() as cursor:
        table = dimensions(cursor, benchmarks=None if benchmark is None else [benchmark])
    return {str(key): group["value"].to_list() for (key,), group in table.group_by(["key"], maintain_order=True)}


def values(benchmark: str | None) -> dict[str, list[str]]:
    """Return the values that the store has for each slice key, of one benchmark version or of all."""
    build = store()
    return _values(str(build.folder), build.build_id, benchmark, build)


@st.cache_data(max_entries=16, show_spinner=False)
def _judge_ids(build: tuple[str, str], _asked: Build) -> list[str]:
    with _asked.cursor() as cursor:
        return questions.judges(cursor)


def judges() -> list[str]:
    """Return the ids of the judges that the store has."""
    build = store()
    return _judge_ids((str(build.folder), build.build_id), build)
