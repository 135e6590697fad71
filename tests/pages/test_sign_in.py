"""Where a sign-in is demanded nothing is shown without one, a broken configuration included."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.ui.kit import sign_in
from pages.ui.kit.sign_in import VARIABLE
from tests.stores import toy_build, write_log

APP = str(Path(__file__).resolve().parents[2] / "app.py")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    log = write_log(
        tmp_path / "log.json",
        items=[{"item_id": "i", "capability": "c"}],
        runs=[{"run_id": "hidden run"}],
        responses=[{"run_id": "hidden run", "item_id": "i", "credit": 1.0}],
    )
    toy_build(tmp_path, log)
    monkeypatch.setenv("SCOREPROOF_STORE", str(tmp_path / "store"))
    st.cache_resource.clear()
    return AppTest.from_file(APP, default_timeout=120)


def test_without_a_demand_the_page_is_shown(app: AppTest) -> None:
    assert len(app.run().text) + len(app.markdown) > 1
    assert not any(button.label == "Sign in" for button in app.button)


def test_a_configured_sign_in_comes_first(app: AppTest) -> None:
    app.secrets["auth"] = {"redirect_uri": "http://127.0.0.1/oauth2callback", "cookie_secret": "x", "client_id": "y"}
    app.run()
    assert not app.exception
    assert [button.label for button in app.button] == ["Sign in"]
    assert not app.dataframe
    assert not app.selectbox


def test_a_demand_without_configuration_shows_nothing(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    app.run()
    assert not app.exception
    assert any("Nothing is shown" in text.value for text in app.text)
    assert not app.button
    assert not app.dataframe


def test_a_configuration_that_cannot_be_read_shows_nothing(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = tmp_path / "secrets.toml"
    secrets.write_text("[auth\n")
    monkeypatch.setattr(sign_in, "secret_files", lambda: [secrets])
    monkeypatch.setattr(sign_in, "configured", lambda: False)
    monkeypatch.setattr(sign_in, "readable", lambda: False)
    app.run()
    assert any("Nothing is shown" in text.value for text in app.text)
    assert not app.dataframe
    secrets.unlink()
    assert not sign_in.demanded()
