"""What a mapping makes of a file's first records: how many are kept and refused, by which rule, and ten rows."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import streamlit as st

from loaders.mapping_profile import parse_profile
from loaders.mapping_try import TRIAL_ROWS, Trial, try_profile
from pages.ui.kit import plain


@st.cache_resource(max_entries=8, show_spinner="Trying the mapping ...")
def _tried(path: str, stat: tuple[float, int], text: str, name: str) -> Trial:
    del stat
    return try_profile(parse_profile(text, name), Path(path))


def show(path: str, stat: tuple[float, int], text: str, name: str) -> None:
    """Show the trial of one profile on one file."""
    trial = _tried(path, stat, text, name)
    st.markdown("**What would be stored**")
    with st.container(horizontal=True, gap="large"):
        for title, n in (
            ("Records", trial.seen),
            ("Kept", trial.kept),
            ("Refused", trial.refused),
            ("Doubted", trial.doubted),
            ("Items", trial.items),
        ):
            st.metric(title, n, format="localized", width="content")
    rows = "the whole file" if trial.whole else f"the first {TRIAL_ROWS:,} rows of the file; the rest is not counted"
    st.caption(f"Of {rows}. In a wide file each row counts once for each run.")
    _runs(trial.runs)
    _rules(trial.rules)
    _rows(trial.preview)


def _runs(runs: pl.DataFrame) -> None:
    if runs.is_empty():
        return
    config = {
        "run": st.column_config.TextColumn("run"),
        "responses": st.column_config.NumberColumn("responses", format="localized"),
        "judged": st.column_config.NumberColumn("with a credit", format="localized"),
        "mean_credit": st.column_config.NumberColumn("mean of these", format="%.3f", help="over those with a credit"),
        "invalid": st.column_config.NumberColumn("invalid format", format="localized"),
        "missing": st.column_config.NumberColumn("missing", format="localized"),
    }
    st.dataframe(
        runs, hide_index=True, column_config=config, key="mapping runs", alt=f"Responses of {runs.height} runs"
    )


def _rules(rules: pl.DataFrame) -> None:
    """Show what was refused, doubted or noted, by rule."""
    if rules.is_empty():
        st.caption("No record is refused or doubted.")
        return
    config = {
        "severity": st.column_config.TextColumn("what"),
        "rule": st.column_config.TextColumn("rule"),
        "records": st.column_config.NumberColumn("records", format="localized"),
        "example": st.column_config.TextColumn("first message", width="large"),
    }
    st.dataframe(
        rules, hide_index=True, column_config=config, key="mapping rules", alt="Records refused or doubted, by rule"
    )


def _rows(preview: pl.DataFrame) -> None:
    """Show the first responses as they would be stored; columns without a value are left away."""
    if preview.is_empty():
        plain.note("No record would be kept.", kind="warning")
        return
    held = [name for name in preview.columns if preview[name].null_count() < preview.height]
    st.caption(f"The first {preview.height} responses as they would be stored")
    config = {
        "chance": st.column_config.NumberColumn(
            "chance", format="%.3f", help="credit that guessing earns: 1 over the number of options of a single choice"
        ),
        "credit": st.column_config.NumberColumn("credit"),
        "line": st.column_config.NumberColumn("line"),
        "status": st.column_config.TextColumn("status", width=120),
    }
    st.dataframe(
        preview.select(held), hide_index=True, column_config=config, key="mapping preview",
        alt=f"Preview of {preview.height} responses",
    )  # fmt: skip
