"""Votes of a panel: plurality, oracle and best member with intervals, and how far choices lean to a position."""

from __future__ import annotations

import altair as alt
import polars as pl

from pages.ui.charts.heatmap import Measure, heatmap
from pages.ui.charts.marks import Spot, interval_marks

WORDS = {"oracle": "oracle", "plurality": "plurality", "single": "best single"}
"""Measures of a panel, in the order in which they are drawn, and their words."""


def vote_marks(table: pl.DataFrame, *, order: list[str], title: str) -> alt.LayerChart:
    """Draw the three measures with intervals for each level, in the order given; a click picks a level.

    Needs the columns level, n and the three measures with their _low and _high.
    """
    parts = [
        table.select(
            "level", "n", pl.lit(word).alias("measure"), pl.col(name).alias("at"),
            pl.col(f"{name}_low").alias("low"), pl.col(f"{name}_high").alias("high"),
        )
        for name, word in WORDS.items()
    ]  # fmt: skip
    return interval_marks(
        pl.concat(parts), spot=Spot("at", "low", "high", title, "percent"), label="level", order=order,
        series="measure", series_order=list(WORDS.values()), fields=["level"], n=("n", "items"), zero=False,
    )  # fmt: skip


def vote_steps(table: pl.DataFrame) -> pl.DataFrame:
    """Return the curve of a panel as one row per size and measure: k, measure, rate, low, high, n.

    Low and high are the range over panels of one size; the oracle's mean over all of them has none.
    """
    kept = ("k", "n", "determined")
    plural = table.select(*kept, pl.lit(WORDS["plurality"]).alias("measure"), pl.col("plurality").alias("rate"),
                          "low", "high")  # fmt: skip
    bare = pl.lit(None, pl.Float64)
    best = table.select(*kept, pl.lit(WORDS["oracle"]).alias("measure"), pl.col("oracle").alias("rate"),
                        bare.alias("low"), bare.alias("high"))  # fmt: skip
    return pl.concat([plural, best]).with_columns(size=pl.col("k").cast(pl.String))


def position_map(table: pl.DataFrame, *, runs: list[str]) -> alt.LayerChart:
    """Draw by run and position how much more often the run chooses it than it is right, in points; a click picks one.

    Needs the columns name, run, position, chosen, right and n.
    """
    held = table.with_columns(
        value=pl.col("position"), excess=pl.col("chosen") - pl.col("right"), small_n=pl.col("n") < 30
    )
    return heatmap(
        held, measure=Measure("excess", "chosen - right (points)", middle=True), runs=runs,
        levels=sorted(set(held["position"])), level_title="position of the option as shown",
    )  # fmt: skip
