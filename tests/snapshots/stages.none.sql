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
       count(raw) FILTER (complete)::BIGINT AS n, sum(raw) FILTER (NOT hidden) AS earned,
       avg(raw) FILTER (complete) AS raw, avg(covered) FILTER (complete) AS covered,
       avg(evidenced) FILTER (complete) AS evidenced, avg(verified) FILTER (complete) AS verified
FROM (SELECT *, raw IS NOT NULL AND covered IS NOT NULL AND evidenced IS NOT NULL AND verified IS NOT NULL AS complete
      FROM settled)
GROUP BY run_idx, capability ORDER BY run_idx, capability;

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

SELECT t.run_idx::BIGINT AS run_idx, t.capability, g.raw, g.c, g.e, g.l, g.e_max, g.l_max,
       sum(1.0 / CASE WHEN t.rule = 'zero' THEN t.usable + t.failed ELSE t.usable END) AS weight,
       bool_or(g.coverage = 'absent') AS absent, bool_or(g.evidence = 'contradicted') AS contradicted,
       bool_or(g.logic = 'broken') AS broken
FROM staged t
JOIN (SELECT * FROM graded($judge_rule, $guessed_rule, CAST($weights AS STRUCT(present DOUBLE, absent DOUBLE, supported DOUBLE, weak DOUBLE, contradicted DOUBLE, sound DOUBLE, gap DOUBLE, broken DOUBLE)))) g USING (run_idx, item_idx)
WHERE g.raw > 0 AND ($attempt_rule = 'mean' OR g.attempt = 1)
GROUP BY ALL;

SELECT run_idx::BIGINT AS run_idx, run_id AS run, run_benchmark AS benchmark, model, vendor, access, kind, regime,
       condition, scope, provenance, r.missing_policy, b.headline
FROM run_dims r JOIN benchmarks b ON b.benchmark = r.run_benchmark
ORDER BY run_idx;

SELECT DISTINCT run_benchmark AS benchmark FROM run_dims
WHERE provenance = 'reconstructed' AND TRUE;

SELECT benchmark, rubric FROM benchmarks WHERE rubric IS NOT NULL ORDER BY benchmark
