WITH credited AS (
    SELECT r.*, i.*, s.hidden, s.attempts, s.usable, s.failed, s.unjudged, s.correct, s.status, s.ballot, s.tokens,
           settle(s.raw, s.usable, s.failed, rule) AS raw,
           CASE WHEN r.has_verified THEN settle(s.covered, s.usable, s.failed, rule) END AS covered,
           CASE WHEN r.has_verified THEN settle(s.evidenced, s.usable, s.failed, rule) END AS evidenced,
           CASE WHEN r.has_verified THEN settle(s.verified, s.usable, s.failed, rule) END AS verified
    FROM (SELECT * FROM scores) s
    JOIN item_dims i USING (item_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
),
ruled AS (
    SELECT run_idx, item_idx, attempt, criterion,
           CASE WHEN $judge_rule = 'any' THEN CASE WHEN sum(met::INTEGER) > 0 THEN 1.0 WHEN count(met) = count(*) THEN 0.0 END
                WHEN $judge_rule = 'all' THEN CASE WHEN sum((NOT met)::INTEGER) > 0 THEN 0.0 WHEN count(met) = count(*) THEN 1.0 END
                WHEN $judge_rule = 'majority' THEN CASE WHEN 2 * sum(met::INTEGER) > count(met) THEN 1.0
                                                        WHEN 2 * sum(met::INTEGER) < count(met) THEN 0.0 END
                ELSE avg(met::INTEGER) END AS met
    FROM verdicts
    WHERE on_judge = '' AND criterion <> $whole AND ($judge_rule IN ('logged', 'majority', 'any', 'all') OR judge_id = $judge_rule)
      AND ($attempt_rule = 'mean' OR attempt = 1)
    GROUP BY run_idx, item_idx, attempt, criterion
),
usable AS (
    SELECT run_idx, item_idx, attempt FROM graded($judge_rule, $guessed_rule, CAST($weights AS STRUCT(present DOUBLE, absent DOUBLE, supported DOUBLE, weak DOUBLE, contradicted DOUBLE, sound DOUBLE, gap DOUBLE, broken DOUBLE))) WHERE raw IS NOT NULL
),
shared AS (
    SELECT run_idx, ruled.item_idx, attempt, count(*) AS criteria,
           CASE WHEN any_value(u.attempt) IS NOT NULL AND count(met) = count(*)
                     AND count(*) >= coalesce(max(a.criteria), 0) THEN avg(met ORDER BY criterion) END AS share
    FROM ruled LEFT JOIN usable u USING (run_idx, item_idx, attempt)
    LEFT JOIN asked_criteria a ON a.item_idx = ruled.item_idx AND a.judge_id = $judge_rule
    GROUP BY run_idx, ruled.item_idx, attempt
),
by_item AS (
    SELECT run_idx, item_idx, max(criteria) AS criteria, count(share) AS judged, avg(share ORDER BY attempt) AS share
    FROM shared GROUP BY run_idx, item_idx
)
SELECT c.run_idx::BIGINT AS run_idx, c.item_idx, c.benchmark, c.cluster, c.raw,
       max(b.criteria) OVER (PARTITION BY c.item_idx)::BIGINT AS criteria,
       CASE WHEN c.usable > 0 AND b.judged IS DISTINCT FROM c.usable THEN NULL
            ELSE settle(b.share, c.usable, c.failed, c.rule) END AS share
FROM credited c LEFT JOIN by_item b USING (run_idx, item_idx)
WHERE NOT c.hidden
ORDER BY run_idx, item_idx
