"""The store that is served, and asking it: cached by build, question, slice, policy and options."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import streamlit as st

from analytics import questions
from analytics.errors import NoStore, ScoreproofError
from analytics.policy import Policy
from analytics.questions import Answer
from analytics.slices import Slice, dimensions
from analytics.store import POINTER, Store
from loaders.embedded import embedded_store
from loaders.own_store import own_store
from loaders.warehouse import Progress
from pages.ui.kit import plain

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
    own = own_store()
    return own if (own / POINTER).exists() else _embedded()


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
    return Store(Path(where))


def store() -> Store:
    """Return the store that is served. Raises NoStore or BadStore with a sentence."""
    where = folder()
    if not (where / POINTER).exists():
        raise NoStore(
            f"No store at {where}. Build one with `scoreproof build LOGS --store {where}` and load this page again."
        )
    return _open(str(where.resolve()))


@st.cache_data(max_entries=MOST_ANSWERS, show_spinner="Working it out ...")
def _answer(
    build: tuple[str, str], name: str, chosen: Slice, policy: Policy, options: tuple[tuple[str, Any], ...]
) -> Answer:
    """Ask a question of one build (folder and id): another build is another key."""
    return questions.ask(_open(build[0]), name, chosen, policy, dict(options))


def answer(name: str, chosen: Slice, policy: Policy, options: Mapping[str, Any] | None = None) -> Answer:
    """Return the answer to one question; options that are not given have their initial values.

    Raises ScoreproofError with a sentence for the reader.
    """
    asked = questions.question(name)
    own = {option.name: option.initial for option in asked.options} | dict(options or {})
    served = store()
    return _answer((str(served.folder), served.build_id), name, chosen, policy, tuple(sorted(own.items())))


def ask(name: str, chosen: Slice, policy: Policy, options: Mapping[str, Any] | None = None) -> Answer | None:
    """Return the answer to one question, or show why there is none and return None."""
    try:
        return answer(name, chosen, policy, options)
    except ScoreproofError as error:
        plain.note(str(error), kind="info")
        return None


@st.cache_data(max_entries=64, show_spinner=False)
def _values(where: str, build_id: str, benchmark: str | None) -> pl.DataFrame:
    del build_id
    with _open(where).cursor() as cursor:
        return dimensions(cursor, benchmarks=None if benchmark is None else [benchmark])


def values(benchmark: str | None) -> dict[str, list[str]]:
    """Return the values that the store has for each slice key, of one benchmark version or of all."""
    served = store()
    table = _values(str(served.folder), served.build_id, benchmark)
    return {str(key): group["value"].to_list() for (key,), group in table.group_by(["key"], maintain_order=True)}


@st.cache_data(max_entries=16, show_spinner=False)
def _judge_ids(where: str, build_id: str) -> list[str]:
    del build_id
    with _open(where).cursor() as cursor:
        return questions.judges(cursor)


def judges() -> list[str]:
    """Return the ids of the judges that the store has."""
    served = store()
    return _judge_ids(str(served.folder), served.build_id)
