SELECT r.run_benchmark AS benchmark, f.run_idx, f.item_idx, f.attempt, f.labeller, f.cause,
       coalesce(f.family, 'none') AS family, r.run_id AS run, r.model, r.vendor, r.access, i.item_id AS item,
       i.capability, i.subcapability, i.axis, i.media_type, i.answer_type, i.tier, i.cluster
FROM failure_labels f
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE TRUE AND condition = 'none' AND kind IN ('model')
ORDER BY f.run_idx, f.item_idx, f.attempt, f.labeller
