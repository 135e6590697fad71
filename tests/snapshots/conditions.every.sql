SELECT run_idx::BIGINT AS run_idx FROM run_dims
WHERE condition <> $none AND ($benchmarks IS NULL OR run_benchmark = ANY($benchmarks)) AND access = ANY($where_access) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND vendor = ANY($where_vendor);

SELECT run_idx::BIGINT AS run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, regime,
       condition, scope, provenance, r.missing_policy, b.headline
FROM run_dims r JOIN benchmarks b ON b.benchmark = r.run_benchmark
ORDER BY run_idx
