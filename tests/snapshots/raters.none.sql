WITH held AS (
    SELECT r.run_benchmark AS benchmark, CASE WHEN v.on_judge = '' THEN 'judges' ELSE 'reviewers' END AS raters,
           'none' AS condition, v.judge_id AS rater
    FROM verdicts v JOIN run_dims r USING (run_idx) JOIN item_dims i USING (item_idx) WHERE TRUE
    UNION ALL
    SELECT r.run_benchmark, 'annotators', r.condition, a.run_idx || ' ' || a.attempt
    FROM responses a JOIN run_dims r USING (run_idx) JOIN item_dims i USING (item_idx)
    WHERE r.kind = 'human' AND a.answer IS NOT NULL AND i.reference_known AND i.answer_type <> 'open' AND TRUE
    UNION ALL
    SELECT r.run_benchmark, 'runs', 'none', r.run_id
    FROM run_dims r
    WHERE r.kind = 'model' AND r.condition = 'none' AND TRUE AND r.run_benchmark IN
          (SELECT benchmark FROM item_dims WHERE reference_known AND answer_type <> 'open' AND TRUE)
    UNION ALL
    SELECT c.benchmark, 'preferences', 'none', c.judge_id
    FROM comparisons c WHERE c.benchmark IN (SELECT benchmark FROM item_dims WHERE TRUE)
),
grouped AS (
    SELECT benchmark, raters, condition, count(DISTINCT rater)::BIGINT AS size, count(*)::BIGINT AS rows
    FROM held GROUP BY benchmark, raters, condition
)
SELECT benchmark, raters, max(size)::BIGINT AS size, count(*)::BIGINT AS groups, sum(rows)::BIGINT AS rows
FROM grouped GROUP BY benchmark, raters ORDER BY benchmark, raters
