"""Sums by run and slice value: what means are made of. From the cube where it can answer, else from the scores."""

from __future__ import annotations

import polars as pl

from analytics.policy import Policy
from analytics.scores import settled
from analytics.slices import KEYS, Slice
from analytics.store import Connection, frame

COLUMNS = """
SELECT run_idx, run_id, run_benchmark AS benchmark, {by}, sum(declared)::BIGINT AS declared,
       sum(hidden)::BIGINT AS hidden, sum(failed)::BIGINT AS failed, sum(unjudged)::BIGINT AS unjudged,
       sum(not_applicable)::BIGINT AS not_applicable,
       sum(absent)::BIGINT AS absent, sum(attempts)::BIGINT AS attempts, sum(usable)::BIGINT AS usable,
       sum(correct)::BIGINT AS correct,
       max(most_usable)::BIGINT AS most_usable, sum(n_tokens)::BIGINT AS n_tokens,
       sum(sum_tokens)::DOUBLE AS sum_tokens,
       sum(n)::BIGINT AS n, sum(sum_raw)::DOUBLE AS sum_raw, sum(sum_raw2)::DOUBLE AS sum_raw2,
       sum(binary_n)::BIGINT AS binary_n, sum(n_verified)::BIGINT AS n_verified,
       sum(sum_verified)::DOUBLE AS sum_verified, sum(sum_verified2)::DOUBLE AS sum_verified2,
       sum(sum_raw_paired)::DOUBLE AS sum_raw_paired, sum(sum_raw2_paired)::DOUBLE AS sum_raw2_paired,
       sum(sum_raw_verified)::DOUBLE AS sum_raw_verified
FROM counted
GROUP BY run_idx, run_id, run_benchmark, {by} ORDER BY run_idx, {by}
"""

FROM_CUBE = (
    """
WITH counted AS (
    SELECT r.run_id, r.run_benchmark, k.*, c.*
    FROM cube c
    JOIN cells k USING (cell_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE c.missing = r.rule AND {where}
)"""
    + COLUMNS
)

FROM_SCORES = (
    """
WITH settled AS ({settled}),
counted AS (
    SELECT run_idx, run_id, run_benchmark, {by}, 1 AS declared, hidden::INTEGER AS hidden,
           (NOT hidden AND usable = 0 AND failed > 0)::INTEGER AS failed,
           (NOT hidden AND usable = 0 AND failed = 0 AND unjudged > 0)::INTEGER AS unjudged,
           (NOT hidden AND usable = 0 AND failed = 0 AND unjudged = 0)::INTEGER AS not_applicable,
           (NOT hidden AND attempts = 0)::INTEGER AS absent, attempts, usable, correct, usable AS most_usable,
           (tokens IS NOT NULL)::INTEGER AS n_tokens, tokens AS sum_tokens,
           (raw IS NOT NULL)::INTEGER AS n, raw AS sum_raw, raw * raw AS sum_raw2,
           (raw IN (0, 1))::INTEGER AS binary_n,
           (verified IS NOT NULL)::INTEGER AS n_verified, verified AS sum_verified,
           verified * verified AS sum_verified2,
           CASE WHEN verified IS NOT NULL THEN raw END AS sum_raw_paired,
           CASE WHEN verified IS NOT NULL THEN raw * raw END AS sum_raw2_paired,
           raw * verified AS sum_raw_verified
    FROM settled
)"""
    + COLUMNS
)


TAGGED = "(SELECT d.*, t.tag FROM item_dims d JOIN item_tags t USING (benchmark, item_id) WHERE t.kind <> 'scope')"
"""Items once for each of their tags; the tags that name the population of a partial run are no labels."""


def cubed(chosen: Slice, policy: Policy) -> bool:
    """Whether the cube answers for this slice and policy: no tag, and the rules that the build was made under."""
    return policy.stored and not any(KEYS[name].of == "tag" for name, _ in chosen.choices)


def sums(cursor: Connection, chosen: Slice, policy: Policy, by: str = "capability") -> pl.DataFrame:
    """Sums of credit by run and value of the slice key `by`.

    One row per run and value; a tag is multi-valued, so its rows may add up to more than the run's items. `declared`
    counts items of the run's population, `hidden`, `failed`, `unjudged`, `not_applicable` those without a usable
    attempt and why (of the failed ones the log has no record at all for `absent`), `n` those with a credit; `sum_raw`
    and so on run over the n items, `..._paired` over items that have raw and verified credit.
    `correct` counts attempts with full credit among `usable` ones.
    """
    where, params = chosen.where()
    live = by == "tag" or not cubed(chosen, policy)
    if live:
        text = FROM_SCORES.format(settled=settled(policy, where, TAGGED if by == "tag" else "item_dims"), by=by)
    else:
        text = FROM_CUBE.format(where=where, by=by)
    return frame(cursor, text, params | policy.params())
