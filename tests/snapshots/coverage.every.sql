WITH sized AS (
    SELECT benchmark, min(item_idx) AS first, least($bins, count(*)) AS bins, count(*) AS size
    FROM items GROUP BY benchmark
),
counted AS (
    SELECT s.run_idx, ((i.item_idx - z.first) * z.bins // z.size)::INTEGER AS bin,
           count(*) AS items, count(*) FILTER (s.attempts > 0) AS answered,
           min(i.item_idx) AS first_idx, max(i.item_idx) AS last_idx
    FROM scores s JOIN item_dims i USING (item_idx) JOIN run_dims r USING (run_idx) JOIN sized z USING (benchmark)
    WHERE access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)
    GROUP BY s.run_idx, bin
)
SELECT r.run_benchmark AS benchmark, r.run_id AS run, r.model, r.scope, r.complete, c.bin::BIGINT + 1 AS bin,
       f.item_id AS first_item, l.item_id AS last_item, c.items::BIGINT AS items, c.answered::BIGINT AS answered,
       (c.items - c.answered)::BIGINT AS missing, c.answered / c.items AS share, r.provenance
FROM counted c JOIN run_dims r USING (run_idx)
JOIN items f ON f.item_idx = c.first_idx JOIN items l ON l.item_idx = c.last_idx
ORDER BY benchmark, run, bin
