"""Which benchmark a page opens on when its address names none: one that has what the page shows."""

from __future__ import annotations

import polars as pl

from analytics.policy import Policy
from analytics.slices import Slice
from pages.ui.kit import ask, contrast, links, plain
from pages.ui.kit.asked import Asked


def most_runs(fits: pl.Expr) -> str | None:
    """Return the fitting benchmark with most runs, a demo last; None where none fits: the page opens as every other."""
    held = ask.answer("benchmarks", Slice(), Policy(), {}).table.filter(fits & (pl.col("runs") > 0))
    return (
        None
        if held.is_empty()
        else str(held.sort(pl.col("provenance") == "demo", -pl.col("runs").cast(pl.Int64), "benchmark")["benchmark"][0])
    )


def with_verified() -> str | None:
    """Return the benchmark with most runs among those with verified credit."""
    return most_runs(pl.col("verified_means").is_not_null())


def with_contrast() -> str | None:
    """Return the benchmark with most runs among those for which a paper tests two groups of items."""
    named = ask.answer("benchmarks", Slice(), Policy(), {}).table["benchmark"].to_list()
    tested = [name for name in named if contrast.published(tuple(contrast.groups(name)), name) is not None]
    return most_runs(pl.col("benchmark").is_in(tested)) if tested else None


def with_choices() -> str | None:
    """Return the benchmark with most runs among those with choice items, whose answers can vote."""
    items = ask.answer("composition", Slice(), Policy(), {}).table
    named = items.filter(pl.col("answer_type") != "open")["benchmark"].unique().to_list()
    return most_runs(pl.col("benchmark").is_in(named))


def elsewhere(asked: Asked, stem: str, fitting: str | None) -> None:
    """Lead to the same page on a loaded benchmark that has what the chosen one lacks; nothing where there is none."""
    if fitting is not None and fitting != asked.benchmark:
        links.link(stem, f"This page on {plain.label(fitting, most=40)}, which has it", {"benchmark": [fitting]})
