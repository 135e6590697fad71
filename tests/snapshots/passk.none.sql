WITH tried AS (
    SELECT run_idx::BIGINT AS run_idx, item_idx, coalesce(cluster, 'item ' || item_idx) AS unit, hidden,
           correct AS c, CASE WHEN rule = 'zero' THEN usable + failed ELSE usable END AS n
    FROM (
    SELECT r.*, i.*, s.hidden, s.attempts, s.usable, s.failed, s.unjudged, s.correct, s.status, s.ballot, s.tokens,
           settle(s.raw, s.usable, s.failed, rule) AS raw,
           CASE WHEN r.has_verified THEN settle(s.covered, s.usable, s.failed, rule) END AS covered,
           CASE WHEN r.has_verified THEN settle(s.evidenced, s.usable, s.failed, rule) END AS evidenced,
           CASE WHEN r.has_verified THEN settle(s.verified, s.usable, s.failed, rule) END AS verified
    FROM (SELECT * FROM scores) s
    JOIN item_dims i USING (item_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE TRUE
)
)

SELECT run_idx, count(*) FILTER (hidden)::BIGINT AS hidden,
       count(*) FILTER (NOT hidden AND n = 0)::BIGINT AS without
FROM tried GROUP BY run_idx;

WITH tried AS (
    SELECT run_idx::BIGINT AS run_idx, item_idx, coalesce(cluster, 'item ' || item_idx) AS unit, hidden,
           correct AS c, CASE WHEN rule = 'zero' THEN usable + failed ELSE usable END AS n
    FROM (
    SELECT r.*, i.*, s.hidden, s.attempts, s.usable, s.failed, s.unjudged, s.correct, s.status, s.ballot, s.tokens,
           settle(s.raw, s.usable, s.failed, rule) AS raw,
           CASE WHEN r.has_verified THEN settle(s.covered, s.usable, s.failed, rule) END AS covered,
           CASE WHEN r.has_verified THEN settle(s.evidenced, s.usable, s.failed, rule) END AS evidenced,
           CASE WHEN r.has_verified THEN settle(s.verified, s.usable, s.failed, rule) END AS verified
    FROM (SELECT * FROM scores) s
    JOIN item_dims i USING (item_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE TRUE
)
)

SELECT run_idx, dense_rank() OVER (ORDER BY pattern)::BIGINT AS pattern_id, pattern, count(*)::BIGINT AS times
FROM (SELECT run_idx, unit, list_sort(list(struct_pack(n := n::BIGINT, c := c::BIGINT))) AS pattern
      FROM tried WHERE NOT hidden AND n > 0 GROUP BY run_idx, unit)
GROUP BY run_idx, pattern ORDER BY run_idx, pattern_id;

SELECT run_idx::BIGINT AS run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, regime,
       condition, scope, provenance, r.missing_policy, b.headline
FROM run_dims r JOIN benchmarks b ON b.benchmark = r.run_benchmark
ORDER BY run_idx;

SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND TRUE
