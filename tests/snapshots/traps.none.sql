SELECT run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, condition, scope,
       provenance
FROM run_dims
WHERE TRUE AND condition = 'none' AND kind IN ('model', 'human', 'control') AND TRUE
ORDER BY run_idx;

SELECT o.benchmark, i.item_idx, o.option, o.type
FROM option_types o JOIN item_dims i ON i.benchmark = o.benchmark AND i.item_id = o.item_id
WHERE o.benchmark = ANY($benchmarks) AND o.type <> 'correct'
ORDER BY o.benchmark, o.type, i.item_idx, o.option
