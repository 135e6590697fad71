SELECT run_id AS run, run_benchmark AS benchmark, model, condition FROM run_dims
WHERE kind = 'model' AND ($benchmarks IS NULL OR run_benchmark = ANY($benchmarks)) AND TRUE
ORDER BY run_idx
