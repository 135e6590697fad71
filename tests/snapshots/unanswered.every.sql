SELECT r.run_benchmark AS benchmark, r.run_id AS run, i.item_id AS item, i.capability, i.media_type,
       count(*) OVER ()::BIGINT AS every
FROM scores s JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx)
WHERE s.attempts = 0 AND access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
ORDER BY s.run_idx, s.item_idx LIMIT $most
