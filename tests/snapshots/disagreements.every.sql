SELECT r.run_benchmark AS benchmark, 'none' AS condition, v.judge_id AS rater, 0 AS place, v.run_idx, v.item_idx,
       v.attempt, i.cluster, v.criterion || CASE WHEN v.on_judge = '' THEN '' ELSE ' of ' || v.on_judge END AS part,
       CASE WHEN v.status <> 'ok' THEN NULL WHEN $on = 'met' THEN CASE WHEN v.met THEN 'met' WHEN NOT v.met THEN 'unmet'
       END WHEN $on = 'label' THEN v.label ELSE v.score::VARCHAR END AS rating
FROM verdicts v
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE (v.on_judge <> '') = $reviewed AND ($attempts = 'mean' OR v.attempt = 1) AND access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
