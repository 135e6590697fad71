"""Whether the numeric factors of a log are on the scale that the rubric divides by."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import polars as pl

from loaders.base import Issue
from loaders.finish import RUBRIC

WEIGHED = ("evidence", "logic")
"""The factors whose best weights verified credit is divided by."""

OWN = "rationale"


def note_largest(largest: dict[str, float], rows: pl.DataFrame) -> None:
    """Raise the largest numeric factors, by name, to those of one block of responses; labels alone are no numbers."""
    for name in WEIGHED:
        top = rows[f"{name}_factor"].cast(pl.Float64).max()
        if isinstance(top, float):
            largest[name] = max(top, largest.get(name, top))


def off_scale(largest: dict[str, float]) -> Iterator[Issue]:
    """Yield a doubt where no factor reaches above 1, or where one exceeds the best weight of its rubric.

    Verified credit is a c e l / (best e x best l): factors that are divided by their best already are divided twice.
    """
    weights = tomllib.loads(RUBRIC.read_text(encoding="utf-8"))[OWN]
    best = {name: max(weights[name].values()) for name in WEIGHED}
    beyond = {name: top for name, top in largest.items() if top > best[name]}
    for name, top in beyond.items():
        message = (
            f"The largest {name} factor is {top:g}, above the best weight of the rubric, {best[name]:g}: verified "
            "credit would exceed raw credit. Rescale the factors, or give the labels and choose weights."
        )
        yield Issue("factor_scale", "doubted", message, column=f"responses.{name}_factor", records=0)
    if not beyond and len(largest) == len(WEIGHED) and max(largest.values()) <= 1:
        least = 1 / (best["evidence"] * best["logic"])
        message = (
            f"No evidence or logic factor is above 1, while the best weights are {best['evidence']:g} and "
            f"{best['logic']:g}: no response can reach more than {least:.1%} of its raw credit. If the factors are "
            "divided by their best already, multiply them by it, or give the log's own verified credit."
        )
        yield Issue("factor_scale", "doubted", message, column="responses.evidence_factor", records=0)
