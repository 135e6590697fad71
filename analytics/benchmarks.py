"""Benchmarks: what is loaded, how much of it, and where it comes from."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.slices import Slice
from analytics.store import Connection, frame

BENCHMARKS = """
WITH item_counts AS (
    SELECT benchmark, count(*) AS items, count(*) FILTER (NOT reference_known) AS hidden,
           count(DISTINCT capability) AS capabilities, count(DISTINCT media_type) AS media_types,
           count(DISTINCT cluster) AS clusters
    FROM items GROUP BY benchmark
),
run_counts AS (
    SELECT run_benchmark AS benchmark, count(*) AS runs, count(DISTINCT model) FILTER (kind = 'model') AS models,
           count(*) FILTER (kind = 'human') AS human_runs, count(*) FILTER (kind = 'control') AS control_runs,
           string_agg(DISTINCT provenance, ', ' ORDER BY provenance) AS provenance
    FROM run_dims GROUP BY run_benchmark
),
response_counts AS (
    SELECT k.benchmark, sum(l.n) AS responses
    FROM cube_levels l JOIN cells k USING (cell_idx) GROUP BY k.benchmark
)
SELECT b.benchmark, b.title, b.version, coalesce(i.items, 0)::BIGINT AS items, coalesce(i.hidden, 0)::BIGINT AS hidden,
       coalesce(i.capabilities, 0)::BIGINT AS capabilities, coalesce(i.media_types, 0)::BIGINT AS media_types,
       coalesce(i.clusters, 0)::BIGINT AS clusters, coalesce(r.runs, 0)::BIGINT AS runs,
       coalesce(r.models, 0)::BIGINT AS models, coalesce(r.human_runs, 0)::BIGINT AS human_runs,
       coalesce(r.control_runs, 0)::BIGINT AS control_runs, coalesce(c.responses, 0)::BIGINT AS responses,
       b.slice_name, b.raw_means, b.verified_means, b.missing_policy, b.headline, b.rubric, b.note, r.provenance
FROM benchmarks b
LEFT JOIN item_counts i USING (benchmark)
LEFT JOIN run_counts r USING (benchmark)
LEFT JOIN response_counts c USING (benchmark)
WHERE $all OR b.benchmark = ANY($chosen)
ORDER BY b.benchmark
"""


def benchmarks(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Return what the store holds of each benchmark version.

    One row per benchmark version: counts of items, runs and responses, and what its authors declare. Of the slice only
    the benchmark counts here. Nothing is left out.
    """
    del policy  # counts do not depend on it
    names = list(chosen.values("benchmark"))
    table = frame(cursor, BENCHMARKS, {"all": not names, "chosen": names})
    hidden = {"items whose answer the benchmark hides": int(table["hidden"].sum() or 0)}
    return Answer(table, "counts of the store's rows", hidden)


QUESTION = Question(
    name="benchmarks",
    title="Benchmarks",
    asks="What is loaded?",
    source="counts of the store's rows",
    needs="any log",
    options=(),
    columns=(
        Result("benchmark", "text", "benchmark version"),
        Result("title", "text", "name as its authors write it"),
        Result("version", "text", "release or subset"),
        Result("items", "count", "items: the declared population"),
        Result("hidden", "count", "items whose answer the benchmark hides"),
        Result("capabilities", "count", "values of the primary slice"),
        Result("media_types", "count", "media types"),
        Result("clusters", "count", "episodes, videos or passages that items share"),
        Result("runs", "count", "runs"),
        Result("models", "count", "systems"),
        Result("human_runs", "count", "runs of people"),
        Result("control_runs", "count", "control runs"),
        Result("responses", "count", "responses"),
        Result("slice_name", "text", "what the primary slice is called"),
        Result("raw_means", "text", "what raw credit is"),
        Result("verified_means", "text", "what verified credit is"),
        Result("missing_policy", "text", "how missing and failed attempts count"),
        Result("headline", "text", "mean that its authors print first"),
        Result("rubric", "text", "rubric of verified credit"),
        Result("note", "text", "what a reader must know"),
        Result("provenance", "text", "where its runs come from"),
    ),
    ask=benchmarks,
)
