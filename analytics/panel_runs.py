"""Which runs a panel is made of: main runs of models, an access, or the runs and models that a reader names."""

from __future__ import annotations

import polars as pl

from analytics.errors import UnknownValue, did_you_mean, listing
from analytics.questions import Option
from analytics.slices import NONE, Slice, empty
from analytics.store import Connection, frame

ALL = "all"
SEPARATOR = "|"

PANEL = Option(
    "panel",
    "text",
    ALL,
    "all: main runs of models over the whole population; an access such as proprietary; "
    "or runs and models joined by '|'",
)

RUNS = """
SELECT run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, condition, scope,
       provenance
FROM run_dims
WHERE {where}
ORDER BY run_idx
"""


def about_runs(chosen: Slice) -> Slice:
    """Return the part of a slice that is about runs; the benchmark stands with the items."""
    keys = ("run", "model", "vendor", "access", "kind", "regime", "condition", "provenance")
    return Slice.of(**{name: values for name, values in chosen.choices if name in keys})


def about_items(chosen: Slice) -> Slice:
    """Return the part of a slice that is about items: benchmark, capability, tag ..."""
    held = dict(about_runs(chosen).choices)
    return Slice.of(**{name: values for name, values in chosen.choices if name not in held})


def main_only(chosen: Slice, *, kinds: tuple[str, ...]) -> str:
    """Return the predicate of main runs: no varied condition, of one of these kinds, unless the slice names others.

    A sweep or an ablation is a run of its own; it counts when the slice asks for its condition or for the run.
    """
    named = {name for name, _ in chosen.choices}
    clauses = []
    if not named & {"condition", "run"}:
        clauses.append(f"condition = '{NONE}'")
    if not named & {"kind", "run"}:
        clauses.append(f"kind IN ({', '.join(repr(kind) for kind in kinds)})")
    return " AND ".join(clauses) or "TRUE"


def runs_of(cursor: Connection, chosen: Slice, *, kinds: tuple[str, ...]) -> pl.DataFrame:
    """Runs of the slice that are main runs of the kinds named; see `main_only`.

    One row per run: run_idx, run, benchmark, model, vendor, access, kind, condition, scope, provenance.
    """
    return _runs(cursor, chosen, extra=main_only(chosen, kinds=kinds))


def panel_runs(cursor: Connection, chosen: Slice, *, panel: str) -> pl.DataFrame:
    """Runs of a panel.

    One row per run, in the store's order, as `runs_of`. `panel` is 'all' (main runs of models in the slice) or parts
    joined by '|', each a run, a model (its main runs) or an access. A run that is named counts whatever it is; one that
    is not must have the benchmark version's whole population where any has, so that all have the same items.
    Raises UnknownValue for a part that the slice does not have, EmptySlice when no run is left.
    """
    main = _whole(runs_of(cursor, chosen, kinds=("model",)))
    if panel == ALL:
        picked = main
    else:
        every = _runs(cursor, chosen, extra="TRUE")
        numbers: list[int] = []
        for part in [text.strip() for text in panel.split(SEPARATOR) if text.strip()]:
            numbers += _part(part, every, main)
        picked = every.filter(pl.col("run_idx").is_in(numbers))
    if not picked.height:
        raise empty(chosen, needs="a main run of a model; name runs in the panel to have others")
    return picked


def _whole(runs: pl.DataFrame) -> pl.DataFrame:
    """Leave out runs of a partial population where the benchmark version has runs of the whole one."""
    whole = pl.col("scope") == NONE
    return runs.filter(whole | ~whole.any().over("benchmark"))


def _runs(cursor: Connection, chosen: Slice, *, extra: str) -> pl.DataFrame:
    where, params = about_runs(chosen).where()
    benchmarks = chosen.values("benchmark")
    clause = "run_benchmark = ANY($benchmarks)" if benchmarks else "TRUE"
    sql = RUNS.format(where=f"{where} AND {extra} AND {clause}")
    return frame(cursor, sql, params | {"benchmarks": list(benchmarks)})


def _part(part: str, every: pl.DataFrame, main: pl.DataFrame) -> list[int]:
    """Return the runs that one part of a panel names."""
    for rows, column in ((every, "run"), (main, "model"), (every, "model"), (main, "access")):
        found = rows.filter(pl.col(column) == part)
        if found.height:
            return found["run_idx"].to_list()
    known = [*every["run"], *every["model"].unique(maintain_order=True), *main["access"].unique(maintain_order=True)]
    raise UnknownValue(
        f"The panel names '{part}', which is no run, model or access of the slice.{did_you_mean(part, known)} "
        f"It has: {listing(known)}."
    )
