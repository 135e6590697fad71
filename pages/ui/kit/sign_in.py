"""Sign-in before anything is shown, where whoever runs the server asked for it; see docs/serving.md."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from pages.ui.kit import plain

VARIABLE = "SCOREPROOF_SIGN_IN"
"""Set to 1, nothing is shown without a sign-in, even where its configuration is missing or broken."""


def demanded() -> bool:
    """Whether a visitor has to sign in: demanded by the environment, or configured, or perhaps so (`broken`)."""
    return os.environ.get(VARIABLE, "") == "1" or configured() or broken()


def configured() -> bool:
    """Whether secrets.toml can be read and has a section [auth]."""
    return readable() and "auth" in st.secrets


def broken() -> bool:
    """Whether a secrets.toml lies there that cannot be read: it may ask for a sign-in, so nothing is shown."""
    return any(path.exists() for path in secret_files()) and not readable()


def secret_files() -> list[Path]:
    """Return where a secrets.toml may lie."""
    return [Path(path) for path in st.get_option("secrets.files")]


def readable() -> bool:
    """Whether there are secrets that can be read."""
    return st.secrets.load_if_toml_exists()


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
            "A sign-in is asked for, and .streamlit/secrets.toml has no section [auth] that can be read. "
            "Nothing is shown until it has; see docs/serving.md.",
            kind="error",
        )
    st.stop()
