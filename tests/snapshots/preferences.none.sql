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
    WHERE i.item_idx IN (SELECT item_idx FROM item_dims WHERE TRUE)
      AND (c.run_a IN (SELECT run_id FROM run_dims WHERE TRUE) OR c.run_b IN (SELECT run_id FROM run_dims WHERE TRUE))
)
SELECT benchmark, 'none' AS condition, judge_id AS rater, 0 AS place, item_idx, cluster, run_a, run_b, label, score,
       row_number() OVER (PARTITION BY item_idx, run_a, run_b, judge_id ORDER BY attempt, told_a, told_b) AS attempt
FROM held ORDER BY benchmark, item_idx, run_a, run_b, judge_id, attempt
