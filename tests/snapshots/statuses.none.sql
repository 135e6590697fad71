SELECT r.run_benchmark AS benchmark, r.run_id AS run, l.status, sum(l.n)::BIGINT AS responses
FROM cube_levels l JOIN cells k USING (cell_idx) JOIN run_dims r USING (run_idx)
WHERE TRUE
GROUP BY r.run_benchmark, r.run_id, l.status
 UNION ALL 
SELECT r.run_benchmark AS benchmark, r.run_id AS run, 'no row' AS status, count(*)::BIGINT AS responses
FROM scores s JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx)
WHERE s.attempts = 0 AND TRUE
GROUP BY r.run_benchmark, r.run_id
 ORDER BY benchmark, run, status
