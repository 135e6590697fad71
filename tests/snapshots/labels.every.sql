WITH held AS (
    SELECT i.benchmark, r.run_id AS run, i.capability, r.provenance, TRUE AS item_group,
           coalesce(i.cluster, 'item ' || i.item_idx) AS unit, i.cluster IS NOT NULL AS shared, i.item_idx,
           g.coverage, g.evidence, g.logic
    FROM (SELECT * FROM graded($judge_rule, $guessed_rule, CAST($weights AS STRUCT(present DOUBLE, absent DOUBLE, supported DOUBLE, weak DOUBLE, contradicted DOUBLE, sound DOUBLE, gap DOUBLE, broken DOUBLE)))) g
    JOIN item_dims i USING (item_idx)
    JOIN run_dims r USING (run_idx)
    WHERE g.raw IS NOT NULL AND ($credit = 'any' OR g.raw = 1) AND ($attempt_rule = 'mean' OR g.attempt = 1) AND access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
)

SELECT benchmark, item_group, count(*)::BIGINT AS responses, count(evidence)::BIGINT AS n,
       count(*) FILTER (evidence = 'supported')::BIGINT AS k_supported,
       count(*) FILTER (evidence = 'weak')::BIGINT AS k_weak,
       count(*) FILTER (evidence = 'contradicted')::BIGINT AS k_contradicted,
       count(coverage)::BIGINT AS n_coverage, count(*) FILTER (coverage = 'absent')::BIGINT AS k_absent,
       count(logic)::BIGINT AS n_logic, count(*) FILTER (logic = 'gap')::BIGINT AS k_gap,
       count(*) FILTER (logic = 'broken')::BIGINT AS k_broken,
       count(DISTINCT item_idx)::BIGINT AS items, count(DISTINCT unit)::BIGINT AS units
FROM held GROUP BY benchmark, item_group ORDER BY benchmark, item_group
