WITH named AS (SELECT run_a AS run_id FROM comparisons UNION SELECT run_b FROM comparisons),
twins AS (
    SELECT a.item_idx, r.run_id,
           first_value(r.run_id) OVER (PARTITION BY a.item_idx, r.model, a.response ORDER BY a.run_idx) AS twin
    FROM responses a JOIN run_dims r USING (run_idx) JOIN named USING (run_id)
    WHERE a.attempt = 1 AND a.response IS NOT NULL
),
held AS (
    SELECT c.benchmark, c.judge_id, c.attempt, c.label, c.score, c.run_a AS told_a, c.run_b AS told_b, i.item_idx,
           i.cluster, coalesce(a.twin, c.run_a) AS run_a, coalesce(b.twin, c.run_b) AS run_b
    FROM comparisons c
    JOIN item_dims i ON i.benchmark = c.benchmark AND i.item_id = c.item_id
    LEFT JOIN twins a ON a.item_idx = i.item_idx AND a.run_id = c.run_a
    LEFT JOIN twins b ON b.item_idx = i.item_idx AND b.run_id = c.run_b
    WHERE i.item_idx IN (SELECT item_idx FROM item_dims WHERE answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND media_type = ANY($where_media_type) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier))
      AND (c.run_a IN (SELECT run_id FROM run_dims WHERE access = ANY($where_access) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND vendor = ANY($where_vendor)) OR c.run_b IN (SELECT run_id FROM run_dims WHERE access = ANY($where_access) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND vendor = ANY($where_vendor)))
)
SELECT benchmark, 'none' AS condition, judge_id AS rater, 0 AS place, item_idx, cluster, run_a, run_b, label, score,
       row_number() OVER (PARTITION BY item_idx, run_a, run_b, judge_id ORDER BY attempt, told_a, told_b) AS attempt
FROM held ORDER BY benchmark, item_idx, run_a, run_b, judge_id, attempt
