"""Failure causes by slice: what fails where, and which cell stands out?"""

from __future__ import annotations

import polars as pl

from analytics.ballots import LEVEL_OF, WHOLE
from analytics.determined import COLUMN, mark, note
from analytics.failure_rows import BY, LABELLER, NEEDS, counts_of, failure_rows, family_of, notes_of
from analytics.numeric.adjust import holm
from analytics.numeric.association import adjusted_residuals, residual_p
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import Slice
from analytics.store import Connection
from analytics.tables import table_of

DIMENSION = Option(LEVEL_OF.name, "choice", "capability", LEVEL_OF.meaning, allowed=LEVEL_OF.allowed)


def failures(cursor: Connection, chosen: Slice, policy: Policy, *, level_of: str, by: str, labeller: str) -> Answer:
    """Matrix of failure causes by slice of items, over the labelled failures of main runs.

    One row per cause (or family) and level, zero counts included. `failures` of the `level_failures` in that level and
    the `cause_failures` of that cause; `share_in_level` and `share_in_cause` are over these. `residual` is the adjusted
    (standardised Pearson) residual: about standard normal when cause and slice are independent. `p_holm` is its
    two-sided p, Holm-adjusted over the `family_size` cells of the benchmark version that have a residual. Failures of
    several runs on one item are not independent, so the p values are too small: read them as an order of cells.
    Sources: Haberman 1973, doi:10.2307/2529686; Holm 1979, https://www.jstor.org/stable/4615733.
    Raises EmptySlice without labels, UnknownValue for a labeller that is not there.
    """
    rows, left_out = failure_rows(cursor, chosen, policy, labeller=labeller, main=True)
    families = family_of(rows)
    found: list[dict[str, object]] = []
    for (benchmark,), part in rows.group_by(["benchmark"], maintain_order=True):
        levels = part[level_of] if level_of != WHOLE else pl.Series([WHOLE] * part.height)
        causes, order, table = counts_of(part, part[by], levels)
        residual = adjusted_residuals(table)
        p, size = holm(residual_p(residual).ravel())
        for i, cause in enumerate(causes):
            for j, level in enumerate(order):
                found.append(
                    {
                        "benchmark": benchmark,
                        "level_of": level_of,
                        "level": level,
                        "family": families[cause] if by == "cause" else cause,
                        "cause": cause,
                        "failures": table[i, j],
                        "share_in_level": table[i, j] / table[:, j].sum(),
                        "share_in_cause": table[i, j] / table[i].sum(),
                        "residual": residual[i, j],
                        "p_holm": p.reshape(table.shape)[i, j],
                        "family_size": size,
                        "level_failures": table[:, j].sum(),
                        "cause_failures": table[i].sum(),
                        "n": table.sum(),
                    }
                )
    table_ = mark(
        cursor,
        table_of(found, COLUMNS[:-1]),
        chosen,
        question="failures",
        column="share_in_level",
        options={"level_of": level_of},
    )
    return Answer(table_, "counts of labels; adjusted residuals, Holm over all cells", left_out,
                  (*notes_of(rows), *note(table_)))  # fmt: skip


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("level_of", "text", "what the columns of the matrix split items by"),
    Result("level", "text", "slice of items"),
    Result("family", "text", "family of the cause"),
    Result("cause", "text", "cause, or family where failures are named by family"),
    Result("failures", "count", "labelled failures with this cause in this level"),
    Result("share_in_level", "proportion", "their share of the level's failures"),
    Result("share_in_cause", "proportion", "their share of the cause's failures"),
    Result("residual", "number", "adjusted residual: standard errors above what independence gives"),
    Result("p_holm", "p", "its two-sided p, Holm-adjusted over all cells"),
    Result("family_size", "count", "cells in the Holm family"),
    Result("level_failures", "count", "labelled failures of the level"),
    Result("cause_failures", "count", "labelled failures of the cause"),
    Result("n", "count", "labelled failures of the benchmark version"),
    COLUMN,
)

QUESTION = Question(
    name="failures",
    title="Failure causes by slice",
    asks="What fails where, and which cell stands out?",
    source="Haberman 1973, doi:10.2307/2529686; Holm 1979, https://www.jstor.org/stable/4615733",
    needs=NEEDS,
    options=(DIMENSION, BY, LABELLER),
    columns=COLUMNS,
    ask=failures,
)
