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
counted AS (
    SELECT benchmark, run_id, model, kind, regime, condition, scope, capability,
           1 AS declared, hidden::INTEGER AS hidden,
           (raw IS NOT NULL)::INTEGER AS n_raw, coalesce(raw = 0, FALSE)::INTEGER AS none_raw,
           coalesce(raw = 0.5, FALSE)::INTEGER AS half_raw, coalesce(raw = 1, FALSE)::INTEGER AS full_raw,
           (verified IS NOT NULL)::INTEGER AS n_verified, coalesce(verified = 0, FALSE)::INTEGER AS none_verified,
           coalesce(verified = 0.5, FALSE)::INTEGER AS half_verified,
           coalesce(verified = 1, FALSE)::INTEGER AS full_verified,
           coalesce(raw > 0 AND verified = 0, FALSE)::INTEGER AS lost_all,
           coalesce(raw > 0 AND verified IS NOT NULL, FALSE)::INTEGER AS labelled
    FROM settled
)
SELECT benchmark, run_id AS run, model, kind, regime, condition, scope, 'all' AS capability,
       sum(n_raw)::BIGINT AS n, sum(none_raw)::BIGINT AS k_none,
       sum(n_raw - none_raw - half_raw - full_raw)::BIGINT AS k_other,
       sum(half_raw)::BIGINT AS k_half, sum(full_raw)::BIGINT AS k_full, sum(lost_all)::BIGINT AS lost_all,
       sum(labelled)::BIGINT AS labelled, sum(n_raw - none_raw)::BIGINT AS earning,
       sum(hidden)::BIGINT AS hidden, sum(declared - hidden - n_raw)::BIGINT AS without
FROM counted
GROUP BY ALL
