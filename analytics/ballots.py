"""Ballots: what each run of a panel chose on each item, as codes that votes and agreement between runs start from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.panel_runs import about_items
from analytics.policy import Policy
from analytics.questions import Option
from analytics.scores import relation
from analytics.slices import Slice
from analytics.store import Connection, frame

WHOLE = "whole"
LEVELS = (WHOLE, "capability", "subcapability", "axis", "media_type", "answer_type", "tier")
LEVEL_OF = Option("level_of", "choice", WHOLE, "what the rows split items by", allowed=LEVELS)

NOBODY_VOTES = "open"

CAST = """
SELECT s.run_idx, s.item_idx, s.ballot, s.status, s.raw
FROM (SELECT * FROM {scores}) s
JOIN item_dims i USING (item_idx)
WHERE s.run_idx = ANY($members) AND NOT s.hidden AND {where}
"""

ITEMS = """
SELECT i.item_idx, i.benchmark, i.item_id AS item, i.capability, i.subcapability, i.axis, i.media_type, i.answer_type,
       i.tier, i.cluster, i.reference_known, i.chance, t.reference, t.options
FROM (SELECT * FROM item_dims WHERE benchmark = ANY($benchmarks) AND {where}) i
JOIN items t USING (item_idx)
ORDER BY i.item_idx
"""


@dataclass(frozen=True, slots=True)
class Ballots:
    """Choices of a panel on one benchmark version.

    `choices` is runs x items of codes into `labels`, -1 without a valid choice; `correct` the code of the reference.
    `runs` and `items` hold one row per row and column. Only choice items that every run declares and whose answer is
    known are columns; `left_out` counts the others by reason.
    """

    benchmark: str
    runs: pl.DataFrame
    items: pl.DataFrame
    labels: tuple[str, ...]
    choices: npt.NDArray[np.int64]
    correct: npt.NDArray[np.int64]
    left_out: dict[str, int]


def as_set(answer: pl.Expr, several: pl.Expr) -> pl.Expr:
    """Return an answer as it is compared: trimmed, and the option set in order where several options may be right."""
    trimmed = answer.str.strip_chars()
    tokens = trimmed.str.extract_all(r"[\p{L}\p{N}]+")
    glued = (tokens.list.len() == 1) & trimmed.str.contains(r"^[A-Z]{2,}$")
    letters = pl.when(glued).then(trimmed.str.extract_all(r"[A-Z]")).otherwise(tokens)
    return pl.when(several).then(letters.list.unique().list.sort().list.join(",")).otherwise(trimmed)


def as_sets(rows: pl.DataFrame, answer: str, *, name: str) -> pl.DataFrame:
    """Add the column `name`: `as_set` of the column `answer`, worked out once for each different answer.

    Needs the column answer_type; keeps the rows and their order.
    """
    several = pl.col("answer_type") == "multiple_choice"
    keys = [answer, "answer_type"]
    spelled = rows.select(keys).unique().with_columns(as_set(pl.col(answer), several).alias(name))
    return rows.join(spelled, on=keys, how="left", nulls_equal=True, maintain_order="left")


def items_of(cursor: Connection, chosen: Slice, benchmarks: list[str]) -> pl.DataFrame:
    """Items of the slice in these benchmark versions, with dimensions, cluster, reference and options, by item_idx."""
    where, params = about_items(chosen).where()
    return frame(cursor, ITEMS.format(where=where), params | {"benchmarks": benchmarks})


def cast_by(cursor: Connection, chosen: Slice, policy: Policy, runs: pl.DataFrame) -> pl.DataFrame:
    """Ballot, status and raw credit of these runs on the items of the slice whose answer is known."""
    where, params = about_items(chosen).where()
    bound = params | policy.params() | {"members": runs["run_idx"].to_list()}
    return frame(cursor, CAST.format(scores=relation(policy), where=where), bound)


def ballots(cursor: Connection, chosen: Slice, policy: Policy, runs: pl.DataFrame) -> list[Ballots]:
    """Return the ballots of these runs, one panel for each benchmark version that has choice items in the slice.

    A ballot is the answer of the first attempt where its status is 'ok': an unparsed, refused or guessed answer is
    none. The ballot of a multiple-choice item is its whole option set, whatever the order of the letters.
    """
    every = items_of(cursor, chosen, runs["benchmark"].unique().to_list())
    cast = cast_by(cursor, chosen, policy, runs)
    found = []
    for (benchmark,), members in runs.group_by(["benchmark"], maintain_order=True):
        mine = cast.filter(pl.col("run_idx").is_in(members["run_idx"].to_list()))
        panel = _panel(str(benchmark), members, every.filter(pl.col("benchmark") == benchmark), mine)
        if panel.items.height:
            found.append(panel)
    return found


def _panel(benchmark: str, runs: pl.DataFrame, items: pl.DataFrame, cast: pl.DataFrame) -> Ballots:
    hidden = items.filter(~pl.col("reference_known"))
    known = items.filter("reference_known")
    opened = known.filter((pl.col("answer_type") == NOBODY_VOTES) | pl.col("reference").is_null())
    closed = known.join(opened, on="item_idx", how="anti")
    declared = cast.group_by("item_idx").len().filter(pl.col("len") == runs.height)
    shared = closed.join(declared, on="item_idx", how="semi").sort("item_idx")
    shared = as_sets(shared, "reference", name="right")
    voted = as_sets(cast.join(shared.select("item_idx", "answer_type"), on="item_idx"), "ballot", name="choice")
    voted = voted.filter(pl.col("choice").is_not_null() & (pl.col("choice") != ""))
    labels = tuple(sorted({*voted["choice"].unique(), *shared["right"].unique()}))
    code = {label: k for k, label in enumerate(labels)}
    choices = np.full((runs.height, shared.height), -1, dtype=np.int64)
    at = (
        np.searchsorted(runs["run_idx"].to_numpy(), voted["run_idx"].to_numpy()),
        np.searchsorted(shared["item_idx"].to_numpy(), voted["item_idx"].to_numpy()),
    )
    choices[at] = voted["choice"].replace_strict(code, return_dtype=pl.Int64).to_numpy()
    correct = shared["right"].replace_strict(code, return_dtype=pl.Int64).to_numpy()
    left_out = {
        "items whose answer the benchmark hides": hidden.height,
        "open items, on which nobody votes": opened.height,
        "items outside the declared population of a member": closed.height - shared.height,
    }
    return Ballots(benchmark, runs, shared, labels, choices, correct, left_out)


def levels(items: pl.DataFrame, level_of: str) -> Iterator[tuple[str, npt.NDArray[np.int64]]]:
    """Yield each level of a dimension with the places of its items; one level for 'whole'."""
    if level_of == WHOLE:
        yield WHOLE, np.arange(items.height)
        return
    for (level,), part in items.with_row_index("place").group_by([level_of], maintain_order=True):
        yield str(level), part["place"].cast(pl.Int64).to_numpy()


def added(*counts: dict[str, int]) -> dict[str, int]:
    """Add counts of what was left out, reason by reason."""
    total: dict[str, int] = {}
    for held in counts:
        for reason, n in held.items():
            total[reason] = total.get(reason, 0) + n
    return total
