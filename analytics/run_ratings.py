"""Ratings whose raters are runs: what each answered, or whether it was right, as codes by run and item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from analytics.ballots import NOBODY_VOTES, items_of, spellings
from analytics.coded import ABSENT, BALLOT, BALLOT_OR_UNPARSED, CREDIT, coded, labelled
from analytics.numeric.arrays import MISSING, CodeArray
from analytics.panel_runs import panel_runs
from analytics.policy import Policy
from analytics.rating_rows import orders_shown, respelled
from analytics.slices import Slice
from analytics.store import Connection


@dataclass(frozen=True, slots=True)
class RunRatings:
    """Ratings by the runs of one benchmark version.

    `codes` is runs x units into `labels`, MISSING without a rating. `units` has one row per item that a run declares,
    as `ratings.Ratings.units`.
    """

    benchmark: str
    runs: tuple[str, ...]
    labels: tuple[str, ...]
    codes: CodeArray
    units: pl.DataFrame


def run_ratings(
    cursor: Connection, chosen: Slice, policy: Policy, *, on: str, unparsed: str, letters: str, among: str
) -> tuple[list[RunRatings], dict[str, dict[str, int]]]:
    """Return the ratings by runs, one for each benchmark version, and what was left out by benchmark and reason.

    `on` is answer or correct. Hidden items are left out, and with answer open ones, whose answers are text.
    """
    runs = panel_runs(cursor, chosen, panel=among)
    items = items_of(cursor, chosen, runs["benchmark"].unique().to_list(), also=("cluster",))
    asked = items.filter(pl.col("reference_known"))
    if on == "answer":
        asked = asked.filter(pl.col("answer_type") != NOBODY_VOTES)
    panels = [
        (str(benchmark), members, here)
        for (benchmark,), members in runs.group_by(["benchmark"], maintain_order=True)
        if (here := asked.filter(pl.col("benchmark") == benchmark)).height
    ]
    left_out = {str(name): _left_out(part, on) for (name,), part in items.group_by(["benchmark"])}
    if not panels:
        return [], left_out
    answers = BALLOT_OR_UNPARSED if unparsed == "category" else BALLOT
    read = coded(
        cursor,
        chosen,
        policy,
        [(members, here) for _, members, here in panels],
        said=answers if on == "answer" else CREDIT,
        only="i.reference_known" + (f" AND i.answer_type <> '{NOBODY_VOTES}'" if on == "answer" else ""),
        every=items.height == asked.height,
    )
    spelled = spellings(read.values) if on == "answer" else (read.values.cast(pl.String).to_list(),) * 2
    orders = orders_shown(cursor, chosen) if on == "answer" and letters == "shown" else None
    found = [
        _one(benchmark, members, here, matrix, spelled=spelled, orders=orders)
        for (benchmark, members, here), matrix in zip(panels, read.matrices, strict=True)
    ]
    return [one for one in found if one.runs], left_out


def _left_out(items: pl.DataFrame, on: str) -> dict[str, int]:
    opened = items.filter(pl.col("reference_known") & (pl.col("answer_type") == NOBODY_VOTES)).height
    return {
        "items whose answer the benchmark hides": items.height - int(items["reference_known"].sum()),
        "open items, whose answers are text": opened if on == "answer" else 0,
    }


def _one(
    benchmark: str,
    runs: pl.DataFrame,
    items: pl.DataFrame,
    matrix: CodeArray,
    *,
    spelled: tuple[list[str | None], list[str | None]],
    orders: pl.DataFrame | None,
) -> RunRatings:
    """Return the ratings of one benchmark version, without the runs and items that have no row in common."""
    there = matrix != ABSENT
    rows, columns = there.any(axis=1), there.any(axis=0)
    if not (rows.all() and columns.all()):
        runs, items, matrix = runs.filter(rows), items.filter(columns), matrix[np.ix_(rows, columns)]
    several = (items["answer_type"] == "multiple_choice").to_numpy()
    parts = [(at, names) for at, names in zip((~several, several), spelled, strict=True) if at.any()]
    labels, codes = labelled(matrix, parts)
    if orders is not None and orders.height:
        labels, codes = _as_shown(labels, codes, items, orders)
    if codes.min(initial=0) < MISSING:
        codes = np.maximum(codes, MISSING)
    units = items.select(
        "item_idx", run_idx=pl.lit(-1), attempt=pl.lit(1), part=pl.lit("item"), cluster=pl.col("cluster")
    )
    return RunRatings(benchmark, tuple(runs["run"]), labels, codes, units)


def _as_shown(
    labels: tuple[str, ...], codes: CodeArray, items: pl.DataFrame, orders: pl.DataFrame
) -> tuple[tuple[str, ...], CodeArray]:
    """Spell answers in the letters of the order shown, once for each item and answer."""
    places = items.with_row_index("place").join(orders.select("item_idx"), on="item_idx", how="semi")
    at = places["place"].cast(pl.Int64).to_numpy()
    row, column = np.nonzero(codes[:, at] >= 0)
    row_codes = codes[row, at[column]].astype(np.int64)
    pairs, place = np.unique(column * len(labels) + row_codes, return_inverse=True)
    if not pairs.size:
        return labels, codes
    where, code = np.divmod(pairs, len(labels))
    said = pl.DataFrame(
        {"item_idx": places["item_idx"][where.tolist()], "rating": [labels[k] for k in code]},
        schema_overrides={"rating": pl.String},
    )
    shown = respelled(orders, said)["rating"]
    names = [*labels, *sorted(set(shown) - set(labels))]
    number = {name: k for k, name in enumerate(names)}
    out = codes.astype(np.int32)
    out[row, at[column]] = np.array([number[name] for name in shown], dtype=np.int32)[place]
    return labelled(out, [(np.ones(items.height, dtype=np.bool_), list(names))])
