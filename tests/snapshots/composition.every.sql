SELECT benchmark, capability, media_type, answer_type, count(*)::BIGINT AS items,
       count(*) FILTER (NOT reference_known)::BIGINT AS hidden
FROM item_dims
WHERE answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND media_type = ANY($where_media_type) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier)
GROUP BY benchmark, capability, media_type, answer_type
ORDER BY benchmark, capability, media_type, answer_type
