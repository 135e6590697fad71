WITH counted AS (
    SELECT r.run_id, r.run_benchmark, k.*, c.*
    FROM cube c
    JOIN cells k USING (cell_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE c.missing = r.rule AND TRUE
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
GROUP BY run_idx, run_id, run_benchmark, capability ORDER BY run_idx, capability;

SELECT run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, regime, condition, scope,
       parser, complete, provenance, b.headline
FROM run_dims r JOIN benchmarks b ON b.benchmark = r.run_benchmark;

SELECT run_idx, item_idx, benchmark, capability, cluster, hidden, attempts, usable, failed, unjudged, correct, status,
       ballot, tokens, raw, covered, evidenced, verified
FROM (
    SELECT r.*, i.*, s.hidden, s.attempts, s.usable, s.failed, s.unjudged, s.correct, s.status, s.ballot, s.tokens,
           settle(s.raw, s.usable, s.failed, rule) AS raw,
           CASE WHEN r.has_verified THEN settle(s.covered, s.usable, s.failed, rule) END AS covered,
           CASE WHEN r.has_verified THEN settle(s.evidenced, s.usable, s.failed, rule) END AS evidenced,
           CASE WHEN r.has_verified THEN settle(s.verified, s.usable, s.failed, rule) END AS verified
    FROM (SELECT * FROM scores) s
    JOIN item_dims i USING (item_idx)
    JOIN ruled_runs($missing_rule) r USING (run_idx)
    WHERE benchmark = ANY($where_benchmark) AND run_id = ANY($where_run)
) ORDER BY run_idx, item_idx;

SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND TRUE;

SELECT count(DISTINCT CASE WHEN o.unmet AND (NOT $logged OR a.credit = 0) THEN o.place END) AS zero,
       count(DISTINCT CASE WHEN NOT o.unmet THEN o.place END) AS open,
       count(DISTINCT CASE WHEN NOT o.unmet AND a.credit IS NOT NULL THEN o.place END) AS credited
FROM (SELECT *, (run_idx, item_idx, attempt) AS place FROM open_attempts) o
JOIN responses a USING (run_idx, item_idx, attempt)
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE ($judge = '' OR o.judge_id = $judge) AND ($attempts = 'mean' OR o.attempt = 1)
  AND (a.status IN ('ok', 'invalid_format') OR a.status = 'guessed' AND $guessed = 'as_logged')
  AND i.reference_known AND TRUE;

SELECT r.run_id AS run, count(*)::BIGINT AS attempts, count(a.output_tokens)::BIGINT AS n_tokens,
       avg(a.output_tokens)::DOUBLE AS tokens, median(a.output_tokens)::DOUBLE AS tokens_median
FROM responses a
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE ($attempt_rule = 'mean' OR a.attempt = 1) AND TRUE
GROUP BY r.run_id;

SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND TRUE
