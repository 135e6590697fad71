SELECT r.run_benchmark AS benchmark, r.run_id AS run, i.item_id AS item, i.capability, i.media_type,
       count(*) OVER ()::BIGINT AS every
FROM scores s JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx)
WHERE s.attempts = 0 AND TRUE
ORDER BY s.run_idx, s.item_idx LIMIT $most
