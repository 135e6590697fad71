"""Labelled failures: one row per failed response and labeller, with the dimensions of its item and run."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.errors import UnknownValue, did_you_mean, listing
from analytics.panel_runs import main_only
from analytics.policy import Policy
from analytics.questions import Option
from analytics.scores import GRADED
from analytics.slices import Slice, empty
from analytics.store import Connection, frame

NEEDS = "named causes of failures (table failure_labels)"

BY = Option("by", "choice", "cause", "name failures by cause, or by family of causes", allowed=("cause", "family"))
LABELLER = Option("labeller", "text", "all", "who named the causes; with all, a label of each counts")

LABELS = """
SELECT r.run_benchmark AS benchmark, f.run_idx, f.item_idx, f.attempt, f.labeller, f.cause,
       coalesce(f.family, 'none') AS family, r.run_id AS run, r.model, r.vendor, r.access, i.item_id AS item,
       i.capability, i.subcapability, i.axis, i.media_type, i.answer_type, i.tier, i.cluster
FROM failure_labels f
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE {where} AND {main}
ORDER BY f.run_idx, f.item_idx, f.attempt, f.labeller
"""

# responses of attempts that were labelled at all: failures that nobody named, and labels on responses that did not fail
UNNAMED = """
WITH labelled AS (SELECT DISTINCT run_idx, item_idx, attempt FROM failure_labels),
looked AS (SELECT DISTINCT run_idx, attempt FROM failure_labels)
SELECT count(*) FILTER (g.raw < 1 AND l.run_idx IS NULL)::BIGINT AS unnamed,
       count(*) FILTER (g.raw = 1 AND l.run_idx IS NOT NULL)::BIGINT AS solved
FROM {graded} g
JOIN looked USING (run_idx, attempt)
LEFT JOIN labelled l USING (run_idx, item_idx, attempt)
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE {where} AND {main}
"""


def failure_rows(
    cursor: Connection, chosen: Slice, policy: Policy, *, labeller: str, main: bool
) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return the labelled failures of the slice and what was left out.

    One row per failed response and labeller. With `main` only main runs of models count, unless the slice names
    conditions, kinds or runs: an agent run or a sweep is a run of its own.
    Raises EmptySlice without labels, UnknownValue for a labeller that is not there.
    """
    where, params = chosen.where()
    kept = main_only(chosen, kinds=("model",)) if main else "TRUE"
    rows = frame(cursor, LABELS.format(where=where, main=kept), params)
    if not rows.height:
        raise empty(chosen, needs=NEEDS)
    known = rows["labeller"].unique(maintain_order=True).to_list()
    if labeller != "all":
        if labeller not in known:
            near = did_you_mean(labeller, known)
            raise UnknownValue(f"'{labeller}' named no failure of the slice.{near} It has: {listing(known)}.")
        rows = rows.filter(pl.col("labeller") == labeller)
    counted = frame(cursor, UNNAMED.format(where=where, main=kept, graded=GRADED), params | policy.params())
    unnamed, solved = counted.row(0)
    return rows, {"failed responses whose cause nobody named": unnamed, "labels on responses with full credit": solved}


def notes_of(rows: pl.DataFrame) -> tuple[str, ...]:
    """Return what a reader must know of these labels."""
    if rows["labeller"].n_unique() > 1:
        names = listing(rows["labeller"].unique(maintain_order=True))
        return (f"Several labellers ({names}): a response counts once for each. Choose one to count responses.",)
    return ()


def counts_of(
    rows: pl.DataFrame, names: pl.Series, levels: pl.Series
) -> tuple[list[str], list[str], npt.NDArray[np.int64]]:
    """Return causes (most frequent first), levels (in order), and the matrix of their counts."""
    causes = rows.group_by(names.alias("name")).len().sort(["len", "name"], descending=[True, False])["name"].to_list()
    order = levels.unique().sort().to_list()
    row = names.replace_strict({name: k for k, name in enumerate(causes)}, return_dtype=pl.Int64).to_numpy()
    column = levels.replace_strict({name: k for k, name in enumerate(order)}, return_dtype=pl.Int64).to_numpy()
    table = np.bincount(row * len(order) + column, minlength=len(causes) * len(order))
    return causes, order, table.reshape(len(causes), len(order))


def family_of(rows: pl.DataFrame) -> dict[str, str]:
    """Return the family of each cause; a cause that stands in several is named with all of them."""
    pairs = rows.select("cause", "family").unique().sort("cause", "family")
    return dict(pairs.group_by("cause", maintain_order=True).agg(pl.col("family").str.join(" or ")).iter_rows())
