"""What runs and levels are called in a figure."""

from __future__ import annotations

import altair as alt
import polars as pl

SPACED = "replace(datum.label, /_/g, ' ')"
"""Axis labels as they are read: values of a log often write a space as an underscore."""


PERCENT = "format(datum.value * 100, '~r')"
"""Ticks of proportions as they are read; the sign stands in the axis title, once."""


def row_axis(*, lines: bool = False) -> alt.Axis:
    """Return the axis of a figure's rows: every name, at its row, cut where it would leave no room at 400 pixels."""
    return alt.Axis(
        labelLimit=136, labelOverlap=False, labelFlush=False, labelPadding=6, labelExpr=SPACED, ticks=False,
        domain=False, grid=lines, gridOpacity=0.35,
    )  # fmt: skip


def run_names(table: pl.DataFrame) -> pl.DataFrame:
    """Return one row per run with `name`, what a figure calls it: its model, and what sets runs of one model apart.

    Needs the columns run, model, kind and condition. Runs of one model are told apart by their condition, else by their
    id; human and control runs say their kind.
    """
    runs = table.select("run", "model", "kind", "condition").unique("run", maintain_order=True)
    kind = pl.col("kind")
    told = (kind == "model") | pl.col("model").str.to_lowercase().str.contains(kind, literal=True)
    plain = pl.when(told).then("model").otherwise(pl.format("{} ({})", "model", "kind"))
    runs = runs.with_columns(plain.alias("name"))
    varied = pl.col("name").is_duplicated() & (pl.col("condition") != "none")
    runs = runs.with_columns(name=pl.when(varied).then(pl.format("{} · {}", "name", "condition")).otherwise("name"))
    twice = pl.col("name").is_duplicated()
    return runs.select("run", name=pl.when(twice).then(pl.format("{} · {}", "name", "run")).otherwise("name"))


def level_order(table: pl.DataFrame) -> list[str]:
    """Return the values of a slice key from many items to few, ties by name; 'none' last."""
    sized = table.group_by("value").agg(pl.col("declared").max())
    return sized.sort(pl.col("value") == "none", -pl.col("declared").cast(pl.Int64), "value")["value"].to_list()


def spoken(level: str) -> str:
    """Return a level's name as an axis writes it."""
    return level.replace("_", " ")
