SELECT run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, condition, scope,
       provenance
FROM run_dims
WHERE access = ANY($where_access) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND vendor = ANY($where_vendor) AND TRUE AND run_benchmark = ANY($benchmarks)
ORDER BY run_idx
