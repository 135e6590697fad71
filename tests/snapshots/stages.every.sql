WITH settled AS (
    SELECT r.*, i.*, s.hidden, s.attempts, s.usable, s.failed, s.unjudged, s.correct, s.status, s.ballot, s.tokens,
           settle(s.raw, s.usable, s.failed, rule) AS raw,
           CASE WHEN r.has_verified THEN settle(s.covered, s.usable, s.failed, rule) END AS covered,
           CASE WHEN r.has_verified THEN settle(s.evidenced, s.usable, s.failed, rule) END AS evidenced,
           CASE WHEN r.has_verified THEN settle(s.verified, s.usable, s.failed, rule) END AS verified
    FROM (SELECT * FROM scores) s
    JOIN item_dims i USING (item_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE access = ANY($where_access) AND answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND condition = ANY($where_condition) AND kind = ANY($where_kind) AND media_type = ANY($where_media_type) AND model = ANY($where_model) AND provenance = ANY($where_provenance) AND regime = ANY($where_regime) AND run_id = ANY($where_run) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier) AND vendor = ANY($where_vendor)

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
