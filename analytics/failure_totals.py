"""Failure totals: how often does each cause occur, in all, by run and by media type?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.failure_rows import BY, LABELLER, NEEDS, failure_rows, family_of, notes_of
from analytics.numeric.arrays import ratio
from analytics.numeric.resampling import percentiles, resampled_sums
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.scores import clusters_of
from analytics.slices import Slice
from analytics.store import Connection
from analytics.tables import table_of

WHOLE = "whole"
GROUPS = (WHOLE, "run", "model", "vendor", "access", "media_type")
PER = Option("per", "choice", WHOLE, "what makes a group", allowed=GROUPS)


def failure_totals(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    per: str,
    by: str,
    labeller: str,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Number and share of failures by cause, over the labelled failures of main runs.

    One row per group of runs (or of items, by `media_type`) and cause (or family) that occurs in the benchmark version.
    `failures` of the group's `n` labelled failures; `share` is over these, with a percentile bootstrap interval over
    items (or what items share) drawn with all their failures: several runs fail on one item (Efron 1979,
    doi:10.1214/aos/1176344552). `runs` is the number of runs of the group with labels. Raises EmptySlice without
    labels, UnknownValue for a labeller that is not there.
    """
    rows, left_out = failure_rows(cursor, chosen, policy, labeller=labeller, main=True)
    families = family_of(rows)
    found: list[dict[str, object]] = []
    for (benchmark,), part in rows.group_by(["benchmark"], maintain_order=True):
        causes = part.group_by(by).len().sort(["len", by], descending=[True, False])[by].to_list()
        groups = (
            [(WHOLE, part)]
            if per == WHOLE
            else [(str(k), own) for (k,), own in part.group_by([per], maintain_order=True)]
        )
        for group, own in groups:
            counts, low, high = _shares(own, own[by], causes, level=level, resamples=resamples, seed=seed)
            found += [
                {
                    "benchmark": benchmark,
                    "per": per,
                    "group": group,
                    "family": families[cause] if by == "cause" else cause,
                    "cause": cause,
                    "failures": counts[k],
                    "share": counts[k] / own.height,
                    "low": low[k],
                    "high": high[k],
                    "n": own.height,
                    "runs": own["run_idx"].n_unique(),
                }
                for k, cause in enumerate(causes)
            ]
    table = mark(
        cursor,
        table_of(found, COLUMNS[:-1]),
        chosen,
        question="failure_totals",
        column="failures",
        options={"per": per},
    )
    drawn = f"percentile bootstrap over items with all their failures, {resamples} resamples, seed {seed}"
    method = f"{level:.0%} interval: {drawn}"
    return Answer(table, method, left_out, (*notes_of(rows), *note(table)), seed)


def _shares(
    own: pl.DataFrame, names: pl.Series, causes: list[str], *, level: float, resamples: int, seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return counts by cause and the ends of their shares' intervals."""
    code = names.replace_strict({cause: k for k, cause in enumerate(causes)}, return_dtype=pl.Int64).to_numpy()
    shared = clusters_of(own)
    lead = np.unique(own["item_idx"].to_numpy() if shared is None else shared, return_inverse=True)[1]
    features = np.zeros((int(lead.max()) + 1, len(causes)))
    np.add.at(features, (lead, code), 1.0)
    drawn = resampled_sums(features, resamples=resamples, seed=seed)
    tail = (1 - level) / 2
    low, high = percentiles(ratio(drawn, drawn.sum(axis=1, keepdims=True)), (tail, 1 - tail))
    return features.sum(axis=0), low, high


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("per", "text", "what makes a group"),
    Result("group", "text", "group of runs, or of items of one media type"),
    Result("family", "text", "family of the cause"),
    Result("cause", "text", "cause, or family where failures are named by family"),
    Result("failures", "count", "labelled failures with this cause"),
    Result("share", "proportion", "their share of the group's labelled failures"),
    Result("low", "proportion", "lower end of its interval"),
    Result("high", "proportion", "upper end of its interval"),
    Result("n", "count", "labelled failures of the group"),
    Result("runs", "count", "runs of the group with labelled failures"),
    COLUMN,
)

QUESTION = Question(
    name="failure_totals",
    title="Failure totals",
    asks="How often does each cause of failure occur?",
    source="Efron 1979, doi:10.1214/aos/1176344552",
    needs=NEEDS,
    options=(PER, BY, LABELLER, LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=failure_totals,
)
