WITH judged AS (
SELECT s.item_idx, s.run_idx, settle(s.raw, s.usable, s.failed, rule) AS raw,
       settle(s.verified, s.usable, s.failed, rule) AS verified, s.status, s.usable, s.failed, s.unjudged
FROM (SELECT * FROM scores) s
JOIN item_dims i USING (item_idx)
JOIN (SELECT *, CASE WHEN $missing_rule = 'declared' THEN missing_policy ELSE $missing_rule END AS rule
      FROM run_dims) r USING (run_idx)
WHERE TRUE
),
grouped AS (
    SELECT item_idx, count(DISTINCT run_idx) AS runs, count(raw) AS n, avg(raw) AS raw, avg(verified) AS verified,
           min(raw) AS lowest, max(raw) AS highest, bool_or(status = $status) AS has_status
    FROM judged GROUP BY item_idx
),
wanted AS (
    SELECT g.*, count(*) OVER ()::BIGINT AS total
    FROM grouped g
    WHERE ($pattern = '%%' OR g.item_idx IN (
SELECT item_idx FROM items WHERE prompt ILIKE $pattern ESCAPE '\' OR reference ILIKE $pattern ESCAPE '\'
   OR item_id ILIKE $pattern ESCAPE '\'
UNION
SELECT item_idx FROM responses WHERE answer ILIKE $pattern ESCAPE '\' OR response ILIKE $pattern ESCAPE '\'
   OR rationale ILIKE $pattern ESCAPE '\'
))
      AND ($differ = 'no' OR g.lowest < g.highest)
      AND ($status = 'every' OR g.has_status)
      AND ($credit = 'any' OR ($credit = 'nobody' AND g.highest = 0) OR ($credit = 'everybody' AND g.lowest = 1)
           OR ($credit = 'somebody' AND g.highest > 0))
    ORDER BY CASE WHEN $order = 'hardest' THEN g.raw END NULLS LAST,
             CASE WHEN $order = 'easiest' THEN -g.raw END NULLS LAST, g.item_idx
    LIMIT $per_page OFFSET $start
)
SELECT i.benchmark, i.item_id AS item, coalesce(i.capability, 'none') AS capability,
       coalesce(i.media_type, 'none') AS media_type, i.answer_type, i.prompt, i.reference, i.reference_known,
       w.runs::BIGINT AS runs, w.n::BIGINT AS n, w.raw, w.verified, w.lowest < w.highest AS differ, w.total
FROM wanted w JOIN items i USING (item_idx)
ORDER BY CASE WHEN $order = 'hardest' THEN w.raw END NULLS LAST,
         CASE WHEN $order = 'easiest' THEN -w.raw END NULLS LAST, w.item_idx
