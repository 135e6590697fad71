WITH tried AS (
    SELECT s.run_idx::BIGINT AS run_idx, i.item_idx, coalesce(i.cluster, 'item ' || i.item_idx) AS unit, s.hidden,
           s.correct AS c, CASE WHEN rule = 'zero' THEN s.usable + s.failed ELSE s.usable END AS n
    FROM (SELECT * FROM scores) s
    JOIN item_dims i USING (item_idx)
    JOIN (SELECT *, CASE WHEN $missing_rule = 'declared' THEN missing_policy ELSE $missing_rule END AS rule
          FROM run_dims) r USING (run_idx)
    WHERE access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
)

SELECT run_idx, count(*) FILTER (hidden)::BIGINT AS hidden,
       count(*) FILTER (NOT hidden AND n = 0)::BIGINT AS without
FROM tried GROUP BY run_idx;

WITH tried AS (
    SELECT s.run_idx::BIGINT AS run_idx, i.item_idx, coalesce(i.cluster, 'item ' || i.item_idx) AS unit, s.hidden,
           s.correct AS c, CASE WHEN rule = 'zero' THEN s.usable + s.failed ELSE s.usable END AS n
    FROM (SELECT * FROM scores) s
    JOIN item_dims i USING (item_idx)
    JOIN (SELECT *, CASE WHEN $missing_rule = 'declared' THEN missing_policy ELSE $missing_rule END AS rule
          FROM run_dims) r USING (run_idx)
    WHERE access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
)

SELECT run_idx, dense_rank() OVER (ORDER BY pattern)::BIGINT AS pattern_id, pattern, count(*)::BIGINT AS times
FROM (SELECT run_idx, unit, list_sort(list(struct_pack(n := n::BIGINT, c := c::BIGINT))) AS pattern
      FROM tried WHERE NOT hidden AND n > 0 GROUP BY run_idx, unit)
GROUP BY run_idx, pattern ORDER BY run_idx, pattern_id
