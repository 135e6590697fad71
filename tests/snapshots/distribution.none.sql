WITH counted AS (
    SELECT r.*, k.*, c.* RENAME (n AS n_raw)
    FROM cube c
    JOIN cells k USING (cell_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE c.missing = r.rule AND TRUE
)
SELECT benchmark, run_id AS run, model, kind, regime, condition, scope, 'all' AS capability,
       sum(n_raw)::BIGINT AS n, sum(none_raw)::BIGINT AS k_none,
       sum(n_raw - none_raw - half_raw - full_raw)::BIGINT AS k_other,
       sum(half_raw)::BIGINT AS k_half, sum(full_raw)::BIGINT AS k_full, sum(lost_all)::BIGINT AS lost_all,
       sum(labelled)::BIGINT AS labelled, sum(n_raw - none_raw)::BIGINT AS earning,
       sum(hidden)::BIGINT AS hidden, sum(declared - hidden - n_raw)::BIGINT AS without
FROM counted
GROUP BY ALL;

SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND TRUE
