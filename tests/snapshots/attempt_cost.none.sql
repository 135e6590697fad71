SELECT r.run_benchmark AS benchmark, r.run_id AS run, r.model, r.condition,
       CASE WHEN is_failed(g.status) THEN 'no usable answer' WHEN g.raw = 1 THEN 'solved' WHEN g.raw < 1 THEN 'failed'
            ELSE 'unjudged' END AS outcome,
       count(*)::BIGINT AS n,
       count(g.steps)::BIGINT AS n_steps, avg(g.steps)::DOUBLE AS steps, median(g.steps)::DOUBLE AS steps_median,
       count(g.tokens)::BIGINT AS n_tokens, avg(g.tokens)::DOUBLE AS tokens, median(g.tokens)::DOUBLE AS tokens_median,
       count(g.seconds)::BIGINT AS n_seconds, avg(g.seconds)::DOUBLE AS seconds,
       median(g.seconds)::DOUBLE AS seconds_median
FROM graded($judge_rule, $guessed_rule, CAST($weights AS STRUCT(present DOUBLE, absent DOUBLE, supported DOUBLE, weak DOUBLE, contradicted DOUBLE, sound DOUBLE, gap DOUBLE, broken DOUBLE))) g
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE TRUE AND ($attempt_rule = 'mean' OR g.attempt = 1)
GROUP BY ALL
HAVING bool_or(g.steps IS NOT NULL OR g.tokens IS NOT NULL OR g.seconds IS NOT NULL)
ORDER BY benchmark, run, outcome
