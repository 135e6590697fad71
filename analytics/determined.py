"""Which figures on reconstructed rows a published figure fixes, and which are an illustration.

Reconstructed rows re-aggregate to printed figures. A number that no printed figure pins is one of many that would do,
so an answer about such rows carries a column `determined`: true where the rows are not reconstructed, or where a pin
below names the printed figure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from analytics.panel_runs import about_runs
from analytics.questions import Result
from analytics.slices import Slice
from analytics.store import Connection, frame

ILLUSTRATION = "illustration: simulated, not determined by the published figures"

COLUMN = Result(
    "determined", "boolean", "false where reconstructed rows give the number and no published figure fixes it"
)

RECONSTRUCTED = """
SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND {where}
"""


@dataclass(frozen=True, slots=True)
class Pin:
    """A published figure that fixes rows of an answer.

    `options` must have been asked as given and `rows` holds the values that the answer's columns may have. `within` is
    the slice of items that the figure is about, met by the slice or by a row whose level it is. A slice that restricts
    anything but these and the `free` keys is about other rows, and nothing is pinned.
    """

    question: str
    benchmark: str
    place: str
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    rows: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    within: Mapping[str, str] = field(default_factory=dict)
    free: tuple[str, ...] = ("benchmark",)


PINS = (
    Pin(
        "voting",
        "psycheme",
        "PsycheMME project page, votes of eight proprietary models on Timing",
        options={"panel": ("proprietary",), "tie_rule": ("share",)},
        within={"capability": "timing"},
    ),
    Pin("endorsements", "psycheme", "PsycheMME project page, review of the judge", rows={"reviewer": ("all",)}),
    Pin(
        "agreement",
        "srb",
        "SocialReasonBench Table 9",
        options={"raters": ("annotators",), "on": ("usual", "answer"), "among": ("all",)},
        rows={"coefficient": ("Fleiss' kappa", "unanimity"), "condition": ("pass=overlap",)},
        free=("benchmark", "condition", "kind"),
    ),
    Pin(
        "judges",
        "hss-judges",
        "Humanity's Sixth Sense Table 12 and Figure 6",
        options={"raters": ("judges",), "unit": ("item",), "on": ("usual", "met")},
    ),
    Pin("leniency", "hss-judges", "Humanity's Sixth Sense Table 12", options={"unit": ("item",)}),
    Pin("self_preference", "hss-judges", "Humanity's Sixth Sense Table 12", options={"unit": ("item",)}),
    Pin("rank_agreement", "hss-judges", "Humanity's Sixth Sense Table 12", options={"unit": ("item",)}),
    Pin("failure_totals", "hss", "Humanity's Sixth Sense Table 6", options={"per": ("whole",)}),
    Pin("failures", "hss", "Humanity's Sixth Sense Table 6", options={"level_of": ("media_type", "whole")}),
    Pin("association", "hss", "Humanity's Sixth Sense Table 6", rows={"with": ("media type",)}),
    Pin("repair", "hss", "Humanity's Sixth Sense Table 7", rows={"pair": ("all pairs",)}),
)


def mark(
    cursor: Connection, table: pl.DataFrame, chosen: Slice, *, question: str, options: Mapping[str, Any]
) -> pl.DataFrame:
    """Add the column `determined` to an answer that has a column `benchmark`."""
    where, params = about_runs(chosen).where()
    doubtful = frame(cursor, RECONSTRUCTED.format(where=where), params)["benchmark"].to_list()
    sure = ~pl.col("benchmark").is_in(doubtful)
    for pin in PINS:
        if pin.question == question and _asked(pin, options):
            sure = sure | _pinned(pin, table, chosen)
    return table.with_columns(determined=sure)


def _asked(pin: Pin, options: Mapping[str, Any]) -> bool:
    return all(options.get(name) in values for name, values in pin.options.items())


def _pinned(pin: Pin, table: pl.DataFrame, chosen: Slice) -> pl.Expr:
    """Return which rows of the answer the pin fixes."""
    if any(name not in {*pin.free, *pin.within} for name, _ in chosen.choices):
        return pl.lit(value=False)
    fixed = pl.col("benchmark") == pin.benchmark
    for column, values in pin.rows.items():
        fixed = fixed & pl.col(column).is_in(list(values))
    for name, value in pin.within.items():
        if chosen.values(name) == (value,):
            if "level_of" in table.columns:
                fixed = fixed & pl.col("level_of").is_in(["whole", name])
        elif "level_of" in table.columns:
            fixed = fixed & (pl.col("level_of") == name) & (pl.col("level") == value)
        else:
            return pl.lit(value=False)
    return fixed


def note(table: pl.DataFrame) -> tuple[str, ...]:
    """Return the sentence that an answer with undetermined rows carries."""
    doubtful = table.height - int(table["determined"].sum())
    if not doubtful:
        return ()
    return (f"{doubtful} of {table.height} rows are an {ILLUSTRATION}.",)
