SELECT r.run_benchmark AS benchmark, v.on_judge AS judge, v.judge_id AS reviewer, v.item_idx, i.cluster,
       CASE WHEN v.status = 'ok' THEN v.met END AS endorsed
FROM verdicts v
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE v.on_judge <> '' AND TRUE
ORDER BY benchmark, judge, reviewer, v.item_idx
