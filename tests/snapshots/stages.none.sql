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

),
staged AS (
    SELECT * FROM settled
    WHERE raw IS NOT NULL AND covered IS NOT NULL AND evidenced IS NOT NULL AND verified IS NOT NULL
)

SELECT run_idx::BIGINT AS run_idx, capability,
       count(*) FILTER (NOT hidden AND raw IS NOT NULL)::BIGINT AS with_raw,
       count(*) FILTER (NOT hidden)::BIGINT AS open_items,
       count(raw) FILTER (labelled)::BIGINT AS n, sum(raw) FILTER (NOT hidden) AS earned,
       avg(raw) FILTER (labelled) AS raw, avg(covered) FILTER (labelled) AS covered,
       avg(evidenced) FILTER (labelled) AS evidenced, avg(verified) FILTER (labelled) AS verified
FROM (SELECT *, raw IS NOT NULL AND covered IS NOT NULL AND evidenced IS NOT NULL AND verified IS NOT NULL AS labelled
      FROM settled)
GROUP BY run_idx, capability ORDER BY run_idx, capability
