"""Items: how hard, how telling, and solved by the wrong runs?"""

from __future__ import annotations

import numpy as np
import polars as pl

from analytics.ballots import items_of
from analytics.determined import COLUMN, mark, note
from analytics.numeric.items import item_statistics
from analytics.panel_runs import PANEL, about_items, panel_runs
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.scores import panel as matrices
from analytics.scores import scores
from analytics.slices import Slice, empty
from analytics.store import Connection

INVERTED_ABOVE = 0.5
"""Above this share of run pairs in which the better run is the one that missed the item, good runs miss it."""

ON = Option("on", "choice", "raw", "credit that the statistics are of", allowed=("raw", "verified"))


def items(cursor: Connection, chosen: Slice, policy: Policy, *, panel: str, on: str) -> Answer:
    """Item statistics over a panel of runs.

    One row per item that a run has a credit for. `n` runs have one. `difficulty` is their mean credit (1 is easy);
    `discrimination` the correlation of the item's credit with the run's mean on the other items of the slice;
    `inversion` the share of (run right, run wrong) pairs in which the run that missed the item is better elsewhere.
    Both are null, with a `reason`, where undefined. `nobody` and `everybody` solve it: no credit, or full credit, for
    all n. `suspicious`: the inversion is above one half and the discrimination negative, so good runs miss it and
    weak runs hit it; look at its reference. `chance` is what guessing earns, where the log says. With few runs all of
    this is rough.

    Sources: Henrysson 1963, doi:10.1007/BF02289618; inversion is 1 minus the area under the ROC curve of ability.
    Raises EmptySlice without credits, UnknownValue for a panel that is not there.
    """
    members = panel_runs(cursor, chosen, panel=panel)
    about = Slice.of(**(dict(about_items(chosen).choices) | {"run": members["run"].to_list()}))
    rows = scores(cursor, about, policy)
    known = items_of(cursor, chosen, members["benchmark"].unique().to_list())
    parts = [_statistics(part, on) for _, part in rows.group_by(["benchmark"], maintain_order=True)]
    found = pl.concat(parts) if parts else pl.DataFrame()
    if not found.height:
        raise empty(chosen, needs=f"{on} credit of a run")
    below = pl.when(pl.col("chance").is_not_null()).then(pl.col("difficulty") < pl.col("chance"))
    inverted = (pl.col("inversion") > INVERTED_ABOVE) & (pl.col("discrimination") < 0)
    table = (
        found.join(known.cast({"item_idx": pl.Int64}), on="item_idx")
        .with_columns(below_chance=below, suspicious=inverted.fill_null(value=False))
        .sort("benchmark", "item_idx")
        .select([c.name for c in COLUMNS[:-1]])
    )
    marked = mark(cursor, table, chosen, question="items", options={})
    hidden = known.height - int(known["reference_known"].sum())
    left_out = {
        "items whose answer the benchmark hides": hidden,
        "items without a credit of any run": known.height - hidden - table.height,
    }
    method = "mean credit, corrected item-total correlation, and inverted pairs of runs"
    return Answer(marked, method, left_out, note(marked))


def _statistics(part: pl.DataFrame, on: str) -> pl.DataFrame:
    """Return the statistics of one benchmark version's items."""
    held = matrices(part)
    credit = held.raw if on == "raw" else held.verified
    used = ~np.isnan(credit).all(axis=0)
    found = item_statistics(credit[:, used])
    return pl.DataFrame(
        {
            "item_idx": held.items[used].astype(np.int64),
            "n": found.n.astype(np.int64),
            "difficulty": found.difficulty,
            "discrimination": found.discrimination,
            "inversion": found.inversion,
            "nobody": found.nobody,
            "everybody": found.everybody,
            "reason": found.reason.astype(object).tolist(),
        },
        schema_overrides={"reason": pl.String},
    ).with_columns(pl.selectors.float().fill_nan(None))


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("item", "text", "item"),
    Result("capability", "text", "primary slice"),
    Result("subcapability", "text", "finer slice"),
    Result("media_type", "text", "media type"),
    Result("answer_type", "text", "how the item is answered"),
    Result("n", "count", "runs with a credit for it"),
    Result("difficulty", "proportion", "mean credit of these runs; 1 is easy"),
    Result("discrimination", "number", "correlation of its credit with the runs' means on the other items"),
    Result("inversion", "proportion", "share of run pairs in which the better run is the one that missed it"),
    Result("nobody", "boolean", "no run earns credit"),
    Result("everybody", "boolean", "every run earns full credit"),
    Result("suspicious", "boolean", "good runs miss it and weak runs hit it"),
    Result("chance", "proportion", "credit that guessing earns; null where the log does not say"),
    Result("below_chance", "boolean", "difficulty is below chance; null where chance is unknown"),
    Result("reason", "text", "why discrimination and inversion are undefined; empty where they are defined"),
    COLUMN,
)

QUESTION = Question(
    name="items",
    title="Items",
    asks="Which items are hard, telling, dead or suspicious?",
    source="Henrysson 1963, doi:10.1007/BF02289618",
    needs="credits of two runs or more on the same items",
    options=(PANEL, ON),
    columns=COLUMNS,
    ask=items,
)
