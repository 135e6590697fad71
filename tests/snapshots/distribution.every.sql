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
GROUP BY ALL
