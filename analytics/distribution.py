"""Credit distribution: how many items earn no, partial or full credit, and how many lose all of it?"""

from __future__ import annotations

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.scores import settled
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.sums import cubed
from analytics.tables import table_of

COUNTS = """
SELECT benchmark, run_id AS run, model, kind, regime, condition, scope, {capability} AS capability,
       sum(n_{by})::BIGINT AS n, sum(none_{by})::BIGINT AS k_none,
       sum(n_{by} - none_{by} - half_{by} - full_{by})::BIGINT AS k_other,
       sum(half_{by})::BIGINT AS k_half, sum(full_{by})::BIGINT AS k_full, sum(lost_all)::BIGINT AS lost_all,
       sum(labelled)::BIGINT AS labelled, sum(n_raw - none_raw)::BIGINT AS earning,
       sum(hidden)::BIGINT AS hidden, sum(declared - hidden - n_{by})::BIGINT AS without
FROM counted
GROUP BY ALL
"""

FROM_CUBE = (
    """
WITH counted AS (
    SELECT r.*, k.*, c.* RENAME (n AS n_raw)
    FROM cube c
    JOIN cells k USING (cell_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE c.missing = r.rule AND {where}
)"""
    + COUNTS
)

FROM_SCORES = (
    """
WITH settled AS ({settled}),
counted AS (
    SELECT benchmark, run_id, model, kind, regime, condition, scope, capability,
           1 AS declared, hidden::INTEGER AS hidden,
           (raw IS NOT NULL)::INTEGER AS n_raw, coalesce(raw = 0, FALSE)::INTEGER AS none_raw,
           coalesce(raw = 0.5, FALSE)::INTEGER AS half_raw, coalesce(raw = 1, FALSE)::INTEGER AS full_raw,
           (verified IS NOT NULL)::INTEGER AS n_verified, coalesce(verified = 0, FALSE)::INTEGER AS none_verified,
           coalesce(verified = 0.5, FALSE)::INTEGER AS half_verified,
           coalesce(verified = 1, FALSE)::INTEGER AS full_verified,
           coalesce(raw > 0 AND verified = 0, FALSE)::INTEGER AS lost_all,
           coalesce(raw > 0 AND verified IS NOT NULL, FALSE)::INTEGER AS labelled
    FROM settled
)"""
    + COUNTS
)


def distribution(cursor: Connection, chosen: Slice, policy: Policy, *, by: str, per: str) -> Answer:
    """Count the items of each run by the credit that they earn.

    One row per run, or per run and capability. Shares are over the `n` items with a credit of the kind that `by` names
    (an item's mean over its attempts): `no_credit` (0), `half_credit` (0.5 exactly), `partial_credit` (anything else
    between 0 and 1), `full_credit` (1); they add up to 1. `lost_all` counts items with raw credit whose verified credit
    is 0. `hidden` items (answer not known) and items `without` a credit are left out.
    Source: counts of the store's rows. Raises EmptySlice when no item of the slice has such a credit.
    """
    where, params = chosen.where()
    capability = "'all'" if per == "run" else "capability"
    if cubed(chosen, policy):
        sql = FROM_CUBE.format(where=where, by=by, capability=capability)
    else:
        sql = FROM_SCORES.format(settled=settled(policy, where), by=by, capability=capability)
    counted = frame(cursor, sql, params | policy.params())
    if by == "verified":  # a run that nobody labelled has verified credit on its wrong answers alone
        counted = counted.filter(
            (pl.col("labelled").sum().over("run") > 0) | (pl.col("earning").sum().over("run") == 0)
        )
    counted = counted.filter(pl.col("n") > 0).sort(
        ["benchmark", "scope", "regime", "condition", pl.col("kind") != "model", "run", "capability"]
    )
    if not counted.height:
        raise empty(chosen, needs=f"a {by} credit")
    shares = counted.with_columns(
        no_credit=pl.col("k_none") / pl.col("n"),
        half_credit=pl.col("k_half") / pl.col("n"),
        partial_credit=pl.col("k_other") / pl.col("n"),
        full_credit=pl.col("k_full") / pl.col("n"),
    )
    table = table_of(shares.to_dicts(), COLUMNS[:-1])
    asked = {"by": by, "per": per}
    table = mark(cursor, table, chosen, question="distribution", options=asked, column="full_credit", policy=policy)
    left_out = {
        "items whose answer the benchmark hides": int(table["hidden"].sum()),
        f"items without a {by} credit": int(table["without"].sum()),
    }
    return Answer(table, f"counts of items by {by} credit", left_out, (*note(table), policy.sentence()))


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "setting that was varied"),
    Result("scope", "text", "declared population, where it is not every item"),
    Result("capability", "text", "capability; 'all' for a row per run"),
    Result("no_credit", "proportion", "share of items that earn nothing"),
    Result("half_credit", "proportion", "share that earn one half"),
    Result("partial_credit", "proportion", "share that earn anything else between nothing and all"),
    Result("full_credit", "proportion", "share that earn all"),
    Result("n", "count", "items with such a credit"),
    Result("k_none", "count", "items that earn nothing"),
    Result("k_half", "count", "items that earn one half"),
    Result("k_other", "count", "items that earn anything else between nothing and all"),
    Result("k_full", "count", "items that earn all"),
    Result("lost_all", "count", "items with raw credit and a verified credit of 0"),
    Result("hidden", "count", "items whose answer the benchmark hides"),
    Result("without", "count", "other items without such a credit"),
    COLUMN,
)

QUESTION = Question(
    name="distribution",
    title="Credit distribution",
    asks="How many items earn no, partial or full credit, and how many lose all of it?",
    source="counts of the store's rows",
    needs="a run with judged responses",
    options=(
        Option("by", "choice", "raw", "credit that is counted", allowed=("raw", "verified")),
        Option("per", "choice", "run", "one row per run, or per run and capability", allowed=("run", "run_capability")),
    ),
    columns=COLUMNS,
    ask=distribution,
)
