SELECT key, value, sum(items)::BIGINT AS items, sum(runs)::BIGINT AS runs
FROM dimensions
WHERE ($benchmarks IS NULL OR benchmark = ANY($benchmarks))
GROUP BY key, value ORDER BY key, value;

WITH counted AS (
    SELECT r.run_id, r.run_benchmark, k.*, c.*
    FROM cube c
    JOIN cells k USING (cell_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE c.missing = r.rule AND axis = ANY($where_axis)
)
SELECT run_idx, run_id, run_benchmark AS benchmark, capability, sum(declared)::BIGINT AS declared,
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
GROUP BY run_idx, run_id, run_benchmark, capability ORDER BY run_idx, capability;

SELECT benchmark, capability AS value, count(cluster) > count(DISTINCT cluster) AS shared
FROM item_dims WHERE reference_known AND axis = ANY($where_axis)
GROUP BY benchmark, capability;

SELECT run_idx::BIGINT AS run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, regime,
       condition, scope, provenance, r.missing_policy, b.headline
FROM run_dims r JOIN benchmarks b ON b.benchmark = r.run_benchmark
ORDER BY run_idx;

SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND TRUE;

SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND TRUE
