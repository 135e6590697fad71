SELECT r.run_benchmark AS benchmark, 'none' AS condition, v.judge_id AS rater, 0 AS place, v.run_idx, v.item_idx,
       v.attempt, i.cluster, v.criterion || CASE WHEN v.on_judge = '' THEN '' ELSE ' of ' || v.on_judge END AS part,
       CASE WHEN v.status <> 'ok' THEN NULL WHEN $on = 'met' THEN CASE WHEN v.met THEN 'met' WHEN NOT v.met THEN 'unmet'
       END WHEN $on = 'label' THEN v.label ELSE v.score::VARCHAR END AS rating
FROM verdicts v
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE (v.on_judge <> '') = $reviewed AND ($attempts = 'mean' OR v.attempt = 1) AND TRUE
