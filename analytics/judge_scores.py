"""Mean scores that judges give the same responses of each run: what leniency and favour are read from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.errors import UnknownValue
from analytics.numeric.arrays import ratio
from analytics.numeric.leniency import leniency as judge_leniency
from analytics.numeric.resampling import resampled_sums
from analytics.policy import Policy
from analytics.questions import Option
from analytics.ratings import Ratings, ratings
from analytics.slices import Slice, empty
from analytics.store import Connection, frame

FloatArray = npt.NDArray[np.float64]

SCALE = Option("on", "choice", "usual", "what is scored: met (0 or 1) or the judge's score", ("usual", "met", "score"))

RUNS = "SELECT run_idx, run_id AS run, model, vendor FROM run_dims ORDER BY run_idx"
JUDGES = "SELECT judge_id AS judge, coalesce(vendor, 'none') AS vendor, version FROM judges ORDER BY judge_id"


@dataclass(frozen=True, slots=True)
class JudgeScores:
    """Judges x runs mean scores over the `n` units of a run that every judge of that run judged.

    `left_out` counts the units of each run that some judge of it left without a verdict. `runs` holds one row per
    column: run_idx, run, model, vendor. `sums` and `counts` are clusters x (judges x runs), for resampling items.
    """

    benchmark: str
    judges: tuple[str, ...]
    runs: pl.DataFrame
    scores: FloatArray
    n: npt.NDArray[np.int64]
    left_out: npt.NDArray[np.int64]
    sums: FloatArray
    counts: FloatArray

    def replicates(self, *, resamples: int, seed: int) -> tuple[FloatArray, FloatArray]:
        """Return leniency (resamples x judges) and residuals (resamples x judges x runs) over resampled items."""
        drawn = resampled_sums(np.hstack([self.sums, self.counts]), resamples=resamples, seed=seed)
        half = self.sums.shape[1]
        means = ratio(drawn[:, :half], drawn[:, half:]).reshape(resamples, *self.scores.shape)
        found = [judge_leniency(matrix) for matrix in means]
        return np.array([one.leniency for one in found]), np.array([one.residual for one in found])


def judge_scores(cursor: Connection, chosen: Slice, policy: Policy, *, unit: str, on: str) -> list[JudgeScores]:
    """Return the judges' mean scores of each run, one matrix for each benchmark version that has any.

    Raises EmptySlice without verdicts, UnknownValue where scores lie outside [0, 1].
    """
    groups = ratings(
        cursor,
        chosen,
        policy,
        raters="judges",
        unit=unit,
        on=on,
        unparsed="missing",
        letters="stored",
        among="all",
        order="",
    )
    scored = [group for group in groups if group.values]
    if not scored:
        raise empty(chosen, needs="a score of a judge (table verdicts, column score)")
    runs = frame(cursor, RUNS)
    return [_scores(group, group.values, runs) for group in scored if group.values]


def judges_of(cursor: Connection) -> dict[str, tuple[str, str | None]]:
    """Return vendor and version of each judge."""
    return {judge: (vendor, version) for judge, vendor, version in frame(cursor, JUDGES).iter_rows()}


def _scores(group: Ratings, scale: tuple[float, ...], runs: pl.DataFrame) -> JudgeScores:
    if min(scale) < 0 or max(scale) > 1:
        raise UnknownValue(
            f"The scores on {group.benchmark} run from {min(scale):g} to {max(scale):g}; judges are compared on a "
            "scale from 0 to 1. Take on=met, or load the scores divided by their maximum."
        )
    values = np.append(np.asarray(scale), np.nan)[group.codes]
    of_unit = group.units["run_idx"].to_numpy()
    present = np.unique(of_unit)
    column = np.searchsorted(present, of_unit)
    judged = ~np.isnan(values)
    # a judge counts for a run that it judged at all; a unit counts when every judge of its run judged it
    judge_of_run = np.stack([np.bincount(column[row], minlength=len(present)) > 0 for row in judged])
    common = (judged | ~judge_of_run[:, column]).all(axis=0) & judged.any(axis=0)
    lead = group.clusters if group.clusters is not None else np.arange(len(of_unit))
    cluster = np.unique(lead, return_inverse=True)[1]
    size = len(group.raters) * len(present)
    sums, counts = np.zeros((2, int(cluster.max(initial=-1)) + 1, size))
    for judge in range(len(group.raters)):
        used = np.flatnonzero(common & judged[judge])
        at = (cluster[used], judge * len(present) + column[used])
        np.add.at(sums, at, values[judge, used])
        np.add.at(counts, at, 1.0)
    shape = (len(group.raters), len(present))
    n = np.bincount(column[common], minlength=len(present))
    return JudgeScores(
        benchmark=group.benchmark,
        judges=group.raters,
        runs=pl.DataFrame({"run_idx": present}).join(runs.cast({"run_idx": pl.Int64}), on="run_idx").sort("run_idx"),
        scores=ratio(sums.sum(axis=0), counts.sum(axis=0)).reshape(shape),
        n=n,
        left_out=np.bincount(column, minlength=len(present)) - n,
        sums=sums,
        counts=counts,
    )
