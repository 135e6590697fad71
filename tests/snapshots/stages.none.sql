WITH settled AS (
    SELECT s.run_idx, s.item_idx, i.benchmark, i.capability, s.usable, s.failed, s.hidden, rule,
           settle(s.raw, s.usable, s.failed, rule) AS raw,
           CASE WHEN r.has_verified THEN settle(s.covered, s.usable, s.failed, rule) END AS covered,
           CASE WHEN r.has_verified THEN settle(s.evidenced, s.usable, s.failed, rule) END AS evidenced,
           CASE WHEN r.has_verified THEN settle(s.verified, s.usable, s.failed, rule) END AS verified
    FROM (SELECT * FROM scores) s
    JOIN item_dims i USING (item_idx)
    JOIN (SELECT *, CASE WHEN $missing_rule = 'declared' THEN missing_policy ELSE $missing_rule END AS rule
          FROM run_dims) r USING (run_idx)
    WHERE TRUE
),
staged AS (
    SELECT * FROM settled
    WHERE raw IS NOT NULL AND covered IS NOT NULL AND evidenced IS NOT NULL AND verified IS NOT NULL
)

SELECT run_idx::BIGINT AS run_idx, capability,
       count(*) FILTER (NOT hidden AND raw IS NOT NULL)::BIGINT AS with_raw,
       count(*) FILTER (NOT hidden)::BIGINT AS open_items,
       count(raw) FILTER (complete)::BIGINT AS n, sum(raw) FILTER (NOT hidden) AS earned,
       avg(raw) FILTER (complete) AS raw, avg(covered) FILTER (complete) AS covered,
       avg(evidenced) FILTER (complete) AS evidenced, avg(verified) FILTER (complete) AS verified
FROM (SELECT *, raw IS NOT NULL AND covered IS NOT NULL AND evidenced IS NOT NULL AND verified IS NOT NULL AS complete
      FROM settled)
GROUP BY run_idx, capability ORDER BY run_idx, capability
