"""Which figures on reconstructed rows a published figure fixes, and which are an illustration.

Reconstructed rows re-aggregate to printed figures. A number that no printed figure pins is one of many that would do,
so an answer about such rows carries a column `determined`: true where the rows are not reconstructed, or where a pin
of logs/reconstructed/determined.toml, beside those rows, names the printed one. Nothing here knows a benchmark.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from analytics.panel_runs import about_runs
from analytics.policy import Policy
from analytics.questions import Result
from analytics.slices import Slice
from analytics.store import Connection, frame

PINS_FILE = Path(__file__).resolve().parent.parent / "logs" / "reconstructed" / "determined.toml"

ILLUSTRATION = "illustration: simulated, not determined by the published figures"

COLUMN = Result(
    "determined", "boolean", "false where reconstructed rows give the number and no published figure fixes it"
)

RECONSTRUCTED = """
SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND {where}
"""


RUN_KEYS = ("run", "model", "vendor", "access", "kind", "regime", "condition", "provenance")
"""Keys that choose runs: where a row is about one run, choosing among runs leaves the row as it is."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A published figure that fixes rows of an answer.

    `columns` are the columns that it fixes. `options` must have been asked as given and `rows` holds the values that
    the answer's columns may have; `cells` lists values of the two columns `cells_of`, joined with ' / '. `within` is
    the slice of items that the figure is about, met by the slice or by a row whose level it is. A slice that restricts
    anything but these and the `free` keys is about other rows, and nothing is pinned. `met_on` is a slice on which the
    answer has the printed rows, where the whole benchmark has others.
    """

    question: str
    benchmark: str
    place: str
    columns: tuple[str, ...]
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    rows: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    within: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cells: tuple[str, ...] = ()
    cells_of: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    met_on: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def pins() -> tuple[Pin, ...]:
    """Return every pin of logs/reconstructed/determined.toml."""
    raw = tomllib.loads(PINS_FILE.read_text(encoding="utf-8"))
    return tuple(
        Pin(
            question=entry["question"],
            benchmark=entry["benchmark"],
            place=entry["place"],
            columns=tuple(entry["columns"]),
            options={name: tuple(values) for name, values in entry.get("options", {}).items()},
            rows={name: tuple(values) for name, values in entry.get("rows", {}).items()},
            within={name: tuple(values) for name, values in entry.get("within", {}).items()},
            cells=tuple(entry.get("cells", ())),
            cells_of=tuple(entry.get("cells_of", ())),
            free=("benchmark", *entry.get("free", ())),
            met_on={name: tuple(values) for name, values in entry.get("met_on", {}).items()},
        )
        for entry in raw["pin"]
    )


def mark(
    cursor: Connection,
    table: pl.DataFrame,
    chosen: Slice,
    *,
    question: str,
    options: Mapping[str, Any],
    column: str | None = None,
    policy: Policy | None = None,
) -> pl.DataFrame:
    """Add the column `determined` to an answer that has a column `benchmark`.

    A pin holds where every option that it names was asked as it says; options that are not given here are not looked
    at. `column` is the answer's main figure, which a pin must fix; None takes any pin of the question. Under a policy
    other than the declared one nothing is pinned; None leaves the policy out of the matter.
    """
    where, params = about_runs(chosen).where()
    doubtful = frame(cursor, RECONSTRUCTED.format(where=where), params)["benchmark"].to_list()
    sure = ~pl.col("benchmark").is_in(doubtful)
    declared = policy is None or not policy.to_params()
    for pin in pins() if declared else ():
        if pin.question == question and (column is None or column in pin.columns) and _asked(pin, options):
            sure = sure | _pinned(pin, table, chosen, options)
    return table.with_columns(determined=sure)


def stated(
    chosen: Slice, policy: Policy, *, question: str, benchmark: str, column: str, options: Mapping[str, Any],
    row: Mapping[str, Any],
) -> str | None:  # fmt: skip
    """Return where a published statement fixes one column of a row whose other numbers are simulated.

    Which part of a benchmark is lowest may be printed while the values are not: then the row is an illustration, and
    that it is the lowest is none. None where no pin names the column for such a row, or slice or policy change it.
    """
    if policy.to_params():
        return None
    for pin in pins():
        about = pin.question == question and pin.benchmark == benchmark and column in pin.columns
        fits = all(row.get(name) in values for name, values in pin.rows.items())
        free = {*pin.free, *pin.within}
        if about and fits and _asked(pin, options) and all(name in free for name, _ in chosen.choices):
            return pin.place
    return None


def printed_on(question: str, benchmark: str) -> tuple[str, Mapping[str, tuple[str, ...]]] | None:
    """Return which place of a document prints figures of a question, and on which slice the rows have them.

    None where no document does, or where the whole benchmark has them.
    """
    found = (pin for pin in pins() if pin.question == question and pin.benchmark == benchmark and pin.met_on)
    return next(((pin.place, pin.met_on) for pin in found), None)


def _asked(pin: Pin, options: Mapping[str, Any]) -> bool:
    return all(options[name] in values for name, values in pin.options.items() if name in options)


def _pinned(pin: Pin, table: pl.DataFrame, chosen: Slice, options: Mapping[str, Any]) -> pl.Expr:
    """Return which rows of the answer the pin fixes."""
    of_runs = RUN_KEYS if "run" in table.columns and not table["run"].null_count() else ()
    free = {*pin.free, *pin.within, *of_runs, options.get("level_of")}
    if any(name not in free for name, _ in chosen.choices):
        return pl.lit(value=False)
    fixed = pl.col("benchmark") == pin.benchmark
    for column, values in pin.rows.items():
        fixed = fixed & (pl.col(column).is_in(list(values)) if column in table.columns else pl.lit(value=True))
    for name, values in pin.within.items():
        asked = chosen.values(name)
        if len(asked) == 1 and asked[0] in values:
            if "level_of" in table.columns:
                fixed = fixed & pl.col("level_of").is_in(["whole", name])
        elif "level_of" in table.columns:
            fixed = fixed & (pl.col("level_of") == name) & pl.col("level").is_in(list(values))
        else:
            return pl.lit(value=False)
    if pin.cells:
        fixed = fixed & pl.concat_str(list(pin.cells_of), separator=" / ").is_in(list(pin.cells))
    return fixed


def note(table: pl.DataFrame) -> tuple[str, ...]:
    """Return the sentence that an answer with undetermined rows carries."""
    doubtful = table.height - int(table["determined"].sum())
    if not doubtful:
        return ()
    return (f"{doubtful} of {table.height} rows are an {ILLUSTRATION}.",)
