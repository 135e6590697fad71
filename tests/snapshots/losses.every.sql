WITH earned AS (
    SELECT i.benchmark, r.run_id AS run, r.model, r.provenance, i.item_id AS item, i.item_idx, i.capability, g.attempt,
           g.answer, g.raw, g.verified, g.raw - g.verified AS lost, g.coverage, g.evidence, g.logic,
           g.c AS coverage_factor, g.e AS evidence_factor, g.l AS logic_factor
    FROM (SELECT * FROM graded($judge_rule, $guessed_rule, CAST($weights AS STRUCT(present DOUBLE, absent DOUBLE, supported DOUBLE, weak DOUBLE, contradicted DOUBLE, sound DOUBLE, gap DOUBLE, broken DOUBLE)))) g
    JOIN item_dims i USING (item_idx)
    JOIN run_dims r USING (run_idx)
    WHERE g.raw > 0 AND ($attempt_rule = 'mean' OR g.attempt = 1) AND access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
),
wanted AS (
    SELECT * FROM earned
    WHERE verified IS NOT NULL AND lost > 1e-12 AND ($lost = 'any' OR verified = 0)
      AND ($evidence = 'any' OR evidence = ANY($labels))
)
SELECT benchmark, run, model, item, capability, attempt::BIGINT AS attempt, answer, raw, verified, lost,
       coverage::VARCHAR AS coverage, evidence::VARCHAR AS evidence, logic::VARCHAR AS logic, coverage_factor,
       evidence_factor, logic_factor, provenance, (SELECT count(*) FROM wanted)::BIGINT AS total,
       (SELECT count(*) FROM earned WHERE verified IS NULL)::BIGINT AS unlabelled,
       (SELECT count(verified) FROM earned)::BIGINT AS earned
FROM wanted ORDER BY lost DESC, benchmark, run, item_idx, attempt LIMIT $most;

SELECT count(*)::BIGINT AS n FROM (SELECT * FROM graded($judge_rule, $guessed_rule, CAST($weights AS STRUCT(present DOUBLE, absent DOUBLE, supported DOUBLE, weak DOUBLE, contradicted DOUBLE, sound DOUBLE, gap DOUBLE, broken DOUBLE)))) g
JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx)
WHERE g.raw > 0 AND g.verified IS NOT NULL AND access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
