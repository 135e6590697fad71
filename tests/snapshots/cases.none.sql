WITH populations AS (SELECT DISTINCT run_benchmark, scope FROM run_dims WHERE TRUE),
listed AS (
    SELECT item_idx FROM item_dims i
    WHERE TRUE AND (
        i.benchmark IN (SELECT run_benchmark FROM populations WHERE scope = 'none')
        OR (i.benchmark, i.item_id) IN (
            SELECT (t.benchmark, t.item_id) FROM item_tags t
            JOIN populations p ON p.run_benchmark = t.benchmark AND p.scope = t.tag WHERE t.kind = 'scope'))
),
found AS (
    SELECT item_idx, count(*) OVER ()::BIGINT AS total FROM listed
    WHERE TRUE ORDER BY item_idx LIMIT $per_page OFFSET $start
),
judged AS (
    SELECT r.*, i.*, s.hidden, s.attempts, s.usable, s.failed, s.unjudged, s.correct, s.status, s.ballot, s.tokens,
           settle(s.raw, s.usable, s.failed, rule) AS raw,
           CASE WHEN r.has_verified THEN settle(s.covered, s.usable, s.failed, rule) END AS covered,
           CASE WHEN r.has_verified THEN settle(s.evidenced, s.usable, s.failed, rule) END AS evidenced,
           CASE WHEN r.has_verified THEN settle(s.verified, s.usable, s.failed, rule) END AS verified
    FROM (SELECT * FROM scores) s
    JOIN item_dims i USING (item_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE TRUE AND s.item_idx IN (SELECT item_idx FROM found)
),
grouped AS (
    SELECT item_idx, count(*) AS runs, count(raw) AS n, avg(raw) AS raw, avg(verified) AS verified,
           min(raw) AS lowest, max(raw) AS highest, bool_or(TRUE) AS has_status
    FROM judged GROUP BY item_idx
),
wanted AS (SELECT g.*, f.total FROM grouped g JOIN found f USING (item_idx))

SELECT i.benchmark, i.item_id AS item, coalesce(i.capability, 'none') AS capability,
       coalesce(i.media_type, 'none') AS media_type, i.answer_type, i.prompt, i.reference, i.reference_known,
       w.runs::BIGINT AS runs, w.n::BIGINT AS n, w.raw, w.verified, w.lowest < w.highest AS differ, w.total
FROM wanted w JOIN items i USING (item_idx)
ORDER BY CASE WHEN $order = 'hardest' THEN w.raw END NULLS LAST,
         CASE WHEN $order = 'easiest' THEN -w.raw END NULLS LAST, w.item_idx
