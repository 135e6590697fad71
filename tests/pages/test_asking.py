"""Asking the store from a page: one look-up per run, each answer worked out once, its refusal too, a timeout again."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from analytics import questions
from analytics.errors import EmptySlice, QueryTimeout
from pages.ui.kit import ask


def page() -> None:
    import streamlit as st  # noqa: PLC0415

    from analytics.errors import ScoreproofError  # noqa: PLC0415
    from analytics.policy import Policy  # noqa: PLC0415
    from analytics.slices import Slice  # noqa: PLC0415
    from pages.ui.kit import ask  # noqa: PLC0415

    ask.begin()
    for _ in range(2):
        try:
            st.text(str(ask.answer("leaderboard", Slice(), Policy()).table.height))
        except ScoreproofError as error:
            st.text(f"{type(error).__name__}: {error}")


@pytest.fixture
def shown(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("SCOREPROOF_STORE", str(shipped / "embedded"))
    st.cache_resource.clear()
    return AppTest.from_function(page, default_timeout=60)


@pytest.mark.parametrize(("error", "asked_in_two_runs"), [(EmptySlice, 1), (QueryTimeout, 4)])
def test_a_refusal_is_kept_and_a_timeout_asked_again(
    shown: AppTest, monkeypatch: pytest.MonkeyPatch, error: type[Exception], asked_in_two_runs: int
) -> None:
    calls = []

    def refuse(*given: object) -> questions.Answer:
        calls.append(given)
        raise error("No row is left.")

    monkeypatch.setattr(ask.questions, "ask", refuse)
    for _ in range(2):
        assert [text.value for text in shown.run().text] == [f"{error.__name__}: No row is left."] * 2
    assert len(calls) == asked_in_two_runs


def test_an_answer_is_worked_out_once_for_all_sessions(shown: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, asked = [], questions.ask

    def counted(*given: object) -> questions.Answer:
        calls.append(given)
        return asked(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(ask.questions, "ask", counted)
    first = [text.value for text in shown.run().text]
    assert [text.value for text in AppTest.from_function(page, default_timeout=60).run().text] == first
    assert len(calls) == 1


def test_a_run_looks_its_store_up_once(shown: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, found = [], ask.folder
    monkeypatch.setattr(ask, "folder", lambda: calls.append(1) or found())
    shown.run()
    shown.run()
    assert len(calls) == 2
