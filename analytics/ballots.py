"""Ballots: what each run of a panel chose on each item, as codes that votes and agreement between runs start from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.coded import ABSENT, BALLOT, coded, labelled
from analytics.numeric.arrays import CodeArray
from analytics.panel_runs import about_items
from analytics.policy import Policy
from analytics.questions import Option
from analytics.slices import Slice
from analytics.store import Connection, frame

WHOLE = "whole"
LEVELS = (WHOLE, "capability", "subcapability", "axis", "media_type", "answer_type", "tier")
LEVEL_OF = Option("level_of", "choice", WHOLE, "what the rows split items by", allowed=LEVELS)

NOBODY_VOTES = "open"

NEEDED = ("item_idx", "benchmark", "answer_type", "reference_known", "reference")
DESCRIBED = ("item", "capability", "subcapability", "axis", "media_type", "tier", "cluster", "chance", "options")
"""Columns of items: those that ballots rest on, and those that a question may ask for beside them."""

SPELLED = {"item": "i.item_id AS item", "reference": "t.reference", "options": "t.options"}

ITEMS = """
SELECT {columns}
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
    choices: CodeArray
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


def items_of(
    cursor: Connection, chosen: Slice, benchmarks: list[str], *, also: tuple[str, ...] = DESCRIBED
) -> pl.DataFrame:
    """Items of the slice in these benchmark versions by item_idx: the columns NEEDED, and those of DESCRIBED asked for.

    Each text of 400 thousand items costs as much as their numbers and answers' codes together.
    """
    where, params = about_items(chosen).where()
    columns = ", ".join(SPELLED.get(name, f"i.{name}") for name in (*NEEDED, *also))
    return frame(cursor, ITEMS.format(columns=columns, where=where), params | {"benchmarks": benchmarks})


def spellings(values: pl.Series) -> tuple[list[str | None], list[str | None]]:
    """Return answers as they are compared where one option is right, and where several may be; see `as_set`."""
    rows = values.cast(pl.String).to_frame("answer")
    one, several = (rows.select(as_set(pl.col("answer"), pl.lit(value=k)))["answer"].to_list() for k in (False, True))
    return one, several


def ballots(
    cursor: Connection, chosen: Slice, policy: Policy, runs: pl.DataFrame, *, also: tuple[str, ...] = DESCRIBED
) -> list[Ballots]:
    """Return the ballots of these runs, one panel for each benchmark version that has choice items in the slice.

    A ballot is the answer of the first attempt where its status is 'ok': an unparsed, refused or guessed answer is
    none. The ballot of a multiple-choice item is its whole option set, whatever the order of the letters.
    """
    every = items_of(cursor, chosen, runs["benchmark"].unique().to_list(), also=also)
    asked = []
    for (benchmark,), members in runs.group_by(["benchmark"], maintain_order=True):
        closed, left_out = _closed(every.filter(pl.col("benchmark") == benchmark))
        if closed.height:
            asked.append((str(benchmark), members, closed, left_out))
    if not asked:
        return []
    read = coded(
        cursor,
        chosen,
        policy,
        [(members, closed) for _, members, closed, _ in asked],
        said=BALLOT,
        only=f"i.reference_known AND i.answer_type <> '{NOBODY_VOTES}'",
        every=every.height == sum(closed.height for _, _, closed, _ in asked),
    )
    one, several = spellings(read.values)
    found = [
        _panel(benchmark, members, closed, matrix, left_out, spelled=(one, several))
        for (benchmark, members, closed, left_out), matrix in zip(asked, read.matrices, strict=True)
    ]
    return [panel for panel in found if panel.items.height]


def _closed(items: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return the items that have votes, and how many others there are by reason."""
    known = items.filter("reference_known")
    closed = known.filter((pl.col("answer_type") != NOBODY_VOTES) & pl.col("reference").is_not_null())
    return closed, {
        "items whose answer the benchmark hides": items.height - known.height,
        "open items, on which nobody votes": known.height - closed.height,
    }


def _panel(
    benchmark: str,
    runs: pl.DataFrame,
    closed: pl.DataFrame,
    matrix: CodeArray,
    left_out: dict[str, int],
    *,
    spelled: tuple[list[str | None], list[str | None]],
) -> Ballots:
    """Return the panel on the items that every run declares."""
    declared = (matrix != ABSENT).all(axis=0)
    shared = closed
    if not declared.all():
        shared, matrix = closed.filter(declared), matrix[:, declared]
    shared = as_sets(shared, "reference", name="right")
    several = (shared["answer_type"] == "multiple_choice").to_numpy()
    parts = [(columns, names) for columns, names in zip((~several, several), spelled, strict=True) if columns.any()]
    labels, choices = labelled(matrix, parts, more=shared["right"].unique().to_list())
    code = {label: k for k, label in enumerate(labels)}
    correct = shared["right"].replace_strict(code, return_dtype=pl.Int64).to_numpy()
    left_out = left_out | {"items outside the declared population of a member": closed.height - shared.height}
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
