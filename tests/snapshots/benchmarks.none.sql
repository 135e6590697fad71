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
