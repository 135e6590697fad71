SELECT run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, condition, scope,
       provenance
FROM run_dims
WHERE TRUE AND condition = 'none' AND kind IN ('model') AND TRUE
ORDER BY run_idx
