WITH settled AS (
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
SELECT benchmark, run_id AS run, model, kind, regime, condition, scope, 'all' AS capability,
       count(raw)::BIGINT AS n,
       count(*) FILTER (raw = 0)::BIGINT AS k_none,
       count(*) FILTER (raw > 0 AND raw < 1 AND raw <> 0.5)::BIGINT AS k_other,
       count(*) FILTER (raw = 0.5)::BIGINT AS k_half,
       count(*) FILTER (raw = 1)::BIGINT AS k_full,
       count(*) FILTER (raw > 0 AND verified = 0)::BIGINT AS lost_all,
       count(*) FILTER (raw > 0 AND verified IS NOT NULL) AS labelled, count(*) FILTER (raw > 0) AS earning,
       count(*) FILTER (hidden)::BIGINT AS hidden,
       count(*) FILTER (NOT hidden AND raw IS NULL)::BIGINT AS without
FROM settled
GROUP BY ALL;

SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND TRUE
