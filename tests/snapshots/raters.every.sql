WITH held AS (
    SELECT r.run_benchmark AS benchmark, CASE WHEN v.on_judge = '' THEN 'judges' ELSE 'reviewers' END AS raters,
           'none' AS condition, v.judge_id AS rater
    FROM verdicts v JOIN run_dims r USING (run_idx) JOIN item_dims i USING (item_idx) WHERE access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
    UNION ALL
    SELECT r.run_benchmark, 'annotators', r.condition, a.run_idx || ' ' || a.attempt
    FROM responses a JOIN run_dims r USING (run_idx) JOIN item_dims i USING (item_idx)
    WHERE r.kind = 'human' AND a.answer IS NOT NULL AND i.reference_known AND i.answer_type <> 'open' AND access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
    UNION ALL
    SELECT r.run_benchmark, 'runs', 'none', r.run_id
    FROM run_dims r
    WHERE r.kind = 'model' AND r.condition = 'none' AND access = ANY($where_access) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND vendor = ANY($where_vendor) AND r.run_benchmark IN
          (SELECT benchmark FROM item_dims WHERE reference_known AND answer_type <> 'open' AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND media_type = ANY($where_media_type) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier))
    UNION ALL
    SELECT c.benchmark, 'preferences', 'none', c.judge_id
    FROM comparisons c WHERE c.benchmark IN (SELECT benchmark FROM item_dims WHERE answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND media_type = ANY($where_media_type) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier))
),
grouped AS (
    SELECT benchmark, raters, condition, count(DISTINCT rater)::BIGINT AS size, count(*)::BIGINT AS rows
    FROM held GROUP BY benchmark, raters, condition
)
SELECT benchmark, raters, max(size)::BIGINT AS size, count(*)::BIGINT AS groups, sum(rows)::BIGINT AS rows
FROM grouped GROUP BY benchmark, raters ORDER BY benchmark, raters
