SELECT r.run_id AS run, r.model, v.attempt, v.judge_id AS judge, j.judge_kind, v.criterion, v.on_judge,
       v.met, v.label, v.score, v.justification, v.status
FROM verdicts v
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
LEFT JOIN (SELECT judge_id, kind AS judge_kind FROM judges) j USING (judge_id)
WHERE i.benchmark = $benchmark AND i.item_id = $item AND access = ANY($where_access) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND vendor = ANY($where_vendor)
ORDER BY r.kind DESC, r.model, r.run_id, v.attempt, v.judge_id, v.criterion, v.on_judge
