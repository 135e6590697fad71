SELECT run_id AS run, run_benchmark AS benchmark, model, condition FROM run_dims
WHERE kind = 'model' AND ($benchmarks IS NULL OR run_benchmark = ANY($benchmarks)) AND access = ANY($where_access) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND vendor = ANY($where_vendor)
ORDER BY run_idx
