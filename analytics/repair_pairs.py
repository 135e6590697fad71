"""Pairs of runs of one system: the main run, and a run of it under a condition such as a harness."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.errors import UnknownValue, did_you_mean, listing
from analytics.numeric.failures import Repair, agent_repair
from analytics.panel_runs import about_runs
from analytics.slices import NONE, Slice
from analytics.store import Connection, frame

RUNS = """
SELECT run_id AS run, run_benchmark AS benchmark, model, condition FROM run_dims
WHERE kind = 'model' AND ($benchmarks IS NULL OR run_benchmark = ANY($benchmarks)) AND {where}
ORDER BY run_idx
"""


def pairs_of_runs(cursor: Connection, chosen: Slice, *, a: str, b: str, condition: str) -> list[tuple[str, str, str]]:
    """Return (benchmark, run before, run after) of the slice.

    The run after is `b`, or every run whose condition is `condition` or has it as its key; the run before is `a`, or
    the main run of the same model. Keys of the slice about kind and condition do not restrict: they name neither half.
    Raises UnknownValue for a named run that is not there, or for two runs of different benchmark versions.
    """
    kept = [(name, values) for name, values in about_runs(chosen).choices if name not in ("condition", "kind", "run")]
    where, params = Slice.of(**dict(kept)).where()
    benchmarks = list(chosen.values("benchmark")) or None
    runs = frame(cursor, RUNS.format(where=where), params | {"benchmarks": benchmarks})
    known = runs["run"].to_list()
    for name in (a, b):
        if name and name not in known:
            near = did_you_mean(name, known)
            raise UnknownValue(f"'{name}' is no run of a model in the slice.{near} It has: {listing(known)}.")
    key = pl.col("condition").str.split("=").list.first()
    after = (
        runs.filter(pl.col("run") == b) if b else runs.filter((pl.col("condition") == condition) | (key == condition))
    )
    named = chosen.values("run")
    if named and not b:
        after = after.filter(pl.col("run").is_in(list(named)))
    before = runs.filter(pl.col("run") == a) if a else runs.filter(pl.col("condition") == NONE)
    found = []
    for run, benchmark, model, _ in after.iter_rows():
        mine = before.filter(pl.col("benchmark") == benchmark)
        mine = mine if a else mine.filter(pl.col("model") == model)
        found += [(benchmark, first, run) for first in mine["run"] if first != run]
    if a and b and not found:
        raise UnknownValue(f"'{a}' and '{b}' are not two runs on one benchmark version: nothing pairs them.")
    return found


@dataclass(frozen=True, slots=True)
class Pair:
    """Outcomes (1 solved, 0 failed, NaN missing) and cause codes (-1 none) of two runs on the items both declare."""

    name: str
    run_a: str
    run_b: str
    items: npt.NDArray[np.int64]
    before: npt.NDArray[np.float64]
    after: npt.NDArray[np.float64]
    cause_before: npt.NDArray[np.int64]
    cause_after: npt.NDArray[np.int64]

    def repair(self, causes: int, level: float) -> Repair:
        """Return the pair's counts by cause."""
        return agent_repair(self.before, self.after, self.cause_before, self.cause_after, causes=causes, level=level)

    def whole(self) -> Pair:
        """Return the pair with one cause for every failure, named or not."""
        return replace(self, cause_before=0 * self.items, cause_after=0 * self.items)


def line_up(outcome: pl.DataFrame, coded: pl.DataFrame, runs: dict[str, int], *, a: str, b: str) -> Pair:
    """Line two runs up on the items that both declare.

    `outcome` has run_idx, item_idx and raw (credit of the first attempt); `coded` run_idx, item_idx and code.
    """

    def of(run: str) -> pl.DataFrame:
        mine = outcome.filter(pl.col("run_idx") == runs[run]).drop("run_idx")
        named = coded.filter(pl.col("run_idx") == runs[run]).drop("run_idx")
        solved = pl.when(pl.col("raw").is_not_null()).then((pl.col("raw") == 1).cast(pl.Float64))
        return mine.join(named, on="item_idx", how="left").with_columns(raw=solved, code=pl.col("code").fill_null(-1))

    both = of(a).join(of(b), on="item_idx", suffix="_b").sort("item_idx")
    both = both.with_columns(pl.col("raw", "raw_b").fill_null(float("nan")))
    columns = ("raw", "raw_b", "code", "code_b")
    return Pair(f"{a} -> {b}", a, b, both["item_idx"].cast(pl.Int64).to_numpy(), *(both[c].to_numpy() for c in columns))
