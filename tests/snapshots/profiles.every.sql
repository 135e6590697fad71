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
    SELECT run_idx, run_id, run_benchmark, capability, 1 AS declared, hidden::INTEGER AS hidden,
           (NOT hidden AND usable = 0 AND failed > 0)::INTEGER AS failed,
           (NOT hidden AND usable = 0 AND failed = 0 AND unjudged > 0)::INTEGER AS unjudged,
           (NOT hidden AND usable = 0 AND failed = 0 AND unjudged = 0)::INTEGER AS not_applicable,
           (NOT hidden AND attempts = 0)::INTEGER AS absent, attempts, usable, correct, usable AS most_usable,
           (tokens IS NOT NULL)::INTEGER AS n_tokens, tokens AS sum_tokens,
           (raw IS NOT NULL)::INTEGER AS n, raw AS sum_raw, raw * raw AS sum_raw2,
           (raw IN (0, 1))::INTEGER AS binary_n,
           (verified IS NOT NULL)::INTEGER AS n_verified, verified AS sum_verified,
           verified * verified AS sum_verified2,
           CASE WHEN verified IS NOT NULL THEN raw END AS sum_raw_paired,
           CASE WHEN verified IS NOT NULL THEN raw * raw END AS sum_raw2_paired,
           raw * verified AS sum_raw_verified
    FROM settled
)
SELECT run_idx, run_id, run_benchmark AS benchmark, capability, sum(declared)::BIGINT AS declared,
       sum(hidden)::BIGINT AS hidden, sum(failed)::BIGINT AS failed, sum(unjudged)::BIGINT AS unjudged,
       sum(not_applicable)::BIGINT AS not_applicable,
       sum(absent)::BIGINT AS absent, sum(attempts)::BIGINT AS attempts, sum(usable)::BIGINT AS usable,
       sum(correct)::BIGINT AS correct,
       max(most_usable)::BIGINT AS most_usable, sum(n_tokens)::BIGINT AS n_tokens,
       sum(sum_tokens)::DOUBLE AS sum_tokens,
       sum(n)::BIGINT AS n, sum(sum_raw)::DOUBLE AS sum_raw, sum(sum_raw2)::DOUBLE AS sum_raw2,
       sum(binary_n)::BIGINT AS binary_n, sum(n_verified)::BIGINT AS n_verified,
       sum(sum_verified)::DOUBLE AS sum_verified, sum(sum_verified2)::DOUBLE AS sum_verified2,
       sum(sum_raw_paired)::DOUBLE AS sum_raw_paired, sum(sum_raw2_paired)::DOUBLE AS sum_raw2_paired,
       sum(sum_raw_verified)::DOUBLE AS sum_raw_verified
FROM counted
GROUP BY run_idx, run_id, run_benchmark, capability ORDER BY run_idx, capability
