WITH sized AS (
    SELECT benchmark, min(item_idx) AS first, least($bins, count(*)) AS bins, count(*) AS size
    FROM items GROUP BY benchmark
),
counted AS (
    SELECT s.run_idx, ((i.item_idx - z.first) * z.bins // z.size)::INTEGER AS bin,
           count(*) AS items, count(*) FILTER (s.attempts > 0) AS answered,
           min(i.item_idx) AS first_idx, max(i.item_idx) AS last_idx
    FROM scores s JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx) JOIN sized z USING (benchmark)
    WHERE TRUE
    GROUP BY s.run_idx, bin
)
SELECT r.run_benchmark AS benchmark, r.run_id AS run, r.model, r.scope, r.complete, c.bin::BIGINT + 1 AS bin,
       f.item_id AS first_item, l.item_id AS last_item, c.items::BIGINT AS items, c.answered::BIGINT AS answered,
       (c.items - c.answered)::BIGINT AS missing, c.answered / c.items AS share, r.provenance
FROM counted c JOIN run_dims r USING (run_idx)
JOIN items f ON f.item_idx = c.first_idx JOIN items l ON l.item_idx = c.last_idx
ORDER BY benchmark, run, bin
