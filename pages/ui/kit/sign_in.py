"""Sign-in before anything is shown, where whoever runs the server asked for it; see docs/serving.md."""

from __future__ import annotations

import os

import streamlit as st

from pages.ui.kit import plain

VARIABLE = "SCOREPROOF_SIGN_IN"
"""Set to 1, nothing is shown without a sign-in, even where its configuration is missing or broken."""


def demanded() -> bool:
    """Whether a visitor has to sign in: demanded by the environment, or configured in secrets.toml."""
    return os.environ.get(VARIABLE, "") == "1" or configured()


def configured() -> bool:
    """Whether secrets.toml can be read and has a section [auth]."""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def check() -> None:
    """End the run with a sign-in button unless the visitor has signed in, or nobody has to."""
    if not demanded() or st.user.get("is_logged_in", False):
        return
    st.title("scoreproof", anchor=False)
    if configured():
        plain.text("This server shows its pages to people who have signed in.")
        st.button("Sign in", on_click=st.login, type="primary")
    else:
        plain.note(
            f"{VARIABLE} asks for a sign-in, and .streamlit/secrets.toml has no section [auth] that can be read. "
            "Nothing is shown until it has; see docs/serving.md.",
            kind="error",
        )
    st.stop()
