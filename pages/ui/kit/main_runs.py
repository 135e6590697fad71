"""Which runs a figure shows first, and in which order: the leaderboard's, on every page."""

from __future__ import annotations

import polars as pl

from pages.ui.charts.labels import run_names
from pages.ui.kit import ask
from pages.ui.kit.asked import Asked

SHOWN = ("main", "every")
"""Runs without a varied condition, or all of them."""


def shown(table: pl.DataFrame, which: str) -> pl.DataFrame:
    """Return the rows of the main runs, those whose log states no varied condition; all where every run has one."""
    main = table.filter(pl.col("condition") == "none")
    return table if which == "every" or main.is_empty() else main


def ordered(table: pl.DataFrame, asked: Asked, *, by: str) -> tuple[pl.DataFrame, list[str]]:
    """Return the table with the column `name`, and the names in the order of the leaderboard by a credit.

    Models stand before human and control runs. Runs that the leaderboard has no credit for come last, by name.
    """
    named = table.join(run_names(table), on="run", how="left")
    board = ask.answer("leaderboard", asked.chosen, asked.policy, {"by": by}).table
    place = board.sort(pl.col("kind") != "model", by, "run", descending=[False, True, False], nulls_last=True)
    order = place.select("run").join(named.select("run", "name").unique("run"), on="run", maintain_order="left")
    return named, order["name"].to_list()


def sorted_by(table: pl.DataFrame, order: list[str]) -> pl.DataFrame:
    """Return rows in the order of their names, rows of one run as they were."""
    place = {name: at for at, name in enumerate(order)}
    return table.sort(
        pl.col("name").replace_strict(place, default=len(place), return_dtype=pl.Int64), maintain_order=True
    )


def labelled(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table without verified credit and gap where they rest on wrong answers alone.

    A wrong answer has a verified credit of 0 whatever its labels. Where a run has labels for nothing else, such as
    people who were asked for no rationale, a mean of these zeros would read as a loss of all credit.
    """
    bare = (pl.col("n_verified") < pl.col("n")) & pl.col("retention").is_null()
    columns = [f"{name}{end}" for name in ("verified", "gap") for end in ("", "_low", "_high")]
    return table.with_columns(pl.when(~bare).then(pl.col(name)).alias(name) for name in columns)
