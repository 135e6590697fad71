SELECT run_idx::BIGINT AS run_idx FROM run_dims
WHERE condition <> $none AND ($benchmarks IS NULL OR run_benchmark = ANY($benchmarks)) AND TRUE;

SELECT run_idx::BIGINT AS run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, regime,
       condition, scope, provenance, r.missing_policy, b.headline
FROM run_dims r JOIN benchmarks b ON b.benchmark = r.run_benchmark
ORDER BY run_idx;

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

SELECT run_idx::BIGINT AS run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, regime,
       condition, scope, provenance, r.missing_policy, b.headline
FROM run_dims r JOIN benchmarks b ON b.benchmark = r.run_benchmark
ORDER BY run_idx;

SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND TRUE
