"""Pairs of runs: their names, and the way to the items on which they differ."""

from __future__ import annotations

import polars as pl
import streamlit as st

from pages.ui.kit import ask, links, main_runs, versus
from pages.ui.kit.asked import Asked


def named(asked: Asked, table: pl.DataFrame, *, by: str) -> tuple[pl.DataFrame, list[str], pl.DataFrame]:
    """Return pairs (columns a and b) with the names of both runs, the order of names, and the leaderboard."""
    board = ask.answer("leaderboard", asked.chosen, asked.policy, {"by": by}).table
    ranked, order = main_runs.ordered(board, asked, by=by)
    names = ranked.select("run", "name")
    for side in ("a", "b"):
        own = names.rename({"run": side, "name": f"name_{side}"})
        table = table.join(own, on=side, how="left", maintain_order="left")
    return table, order, ranked


def to_items(picked: pl.DataFrame, asked: Asked) -> None:
    """Link the runs of selected pairs to the items on which they earn different credit, and one pair to its listing."""
    if picked.is_empty():
        st.caption("Click a cell, or select rows of the table, to open the items on which two runs differ.")
        return
    runs = list(dict.fromkeys([*picked["a"].to_list(), *picked["b"].to_list()]))
    params = asked.carried() | {"benchmark": [str(asked.benchmark)], "run": runs, "differ": ["yes"]}
    if len(runs) == 2:
        links.link("leaderboard", "Compare the two item by item", versus.address(asked, runs[1], runs[0]))
    links.link("cases", f"Open the items on which these {len(runs)} runs differ", params)
