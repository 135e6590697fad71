"""An answer was once kept under the name of another build: the id was read, a new build came, the query read that."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from analytics import questions
from analytics.store import HELD_BUILDS, Store, frame
from pages.ui.kit import ask
from tests.stores import toy_build, write_log


def log(folder: Path, credit: float) -> Path:
    return write_log(
        folder / f"log-{credit}.json",
        items=[{"item_id": "i", "capability": "c"}],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": "i", "credit": credit}],
    )


def total(build: object) -> float:
    with build.cursor() as cursor:  # type: ignore[attr-defined]
        return float(frame(cursor, "SELECT sum(credit) AS s FROM responses").item())


def test_a_build_answers_from_its_own_rows_while_newer_ones_come(tmp_path: Path) -> None:
    toy_build(tmp_path, log(tmp_path, 0.25))
    store = Store(tmp_path / "store")
    first = store.build()
    for number in range(HELD_BUILDS - 1):
        toy_build(tmp_path, log(tmp_path, number / 2))
        assert total(store) == number / 2
        assert total(first) == 0.25
        assert store.build(first.build_id) is first
    toy_build(tmp_path, log(tmp_path, 1.0))
    assert store.build(first.build_id).build_id == store.build_id != first.build_id
    assert total(first) == 0.25  # whoever still holds it reads on


def page() -> None:
    import streamlit as st  # noqa: PLC0415

    from analytics.policy import Policy  # noqa: PLC0415
    from analytics.slices import Slice  # noqa: PLC0415
    from pages.ui.kit import ask  # noqa: PLC0415

    ask.begin()
    for _ in range(2):
        table = ask.answer("leaderboard", Slice(), Policy()).table
        st.text(f"{ask.store().build_id} {table['raw'][0]}")


def test_a_swap_between_key_and_query_leaves_no_foreign_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy_build(tmp_path, log(tmp_path, 0.25))
    monkeypatch.setenv("SCOREPROOF_STORE", str(tmp_path / "store"))
    st.cache_resource.clear()
    st.cache_data.clear()
    asked, ready = questions.ask, []

    def swap_then_ask(*given: object) -> object:
        if not ready:
            ready.append(toy_build(tmp_path, log(tmp_path, 1.0)))
        return asked(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(ask.questions, "ask", swap_then_ask)
    test = AppTest.from_function(page, default_timeout=60).run()
    assert not test.exception
    first = [text.value.split() for text in test.text]
    assert [value for _, value in first] == ["0.25", "0.25"]
    assert first[0][0] == first[1][0] != ready[0].build_id
    second = [text.value.split() for text in test.run().text]
    assert second == [[ready[0].build_id, "1.0"]] * 2
