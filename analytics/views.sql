-- Shared views. Each states its grain first. Questions read these and the built tables, nothing else.
-- Dimensions that a log does not state are spelled 'none', so that a slice can name them.

-- one row per item
CREATE VIEW item_dims AS
SELECT item_idx, cell_idx, benchmark, item_id,
       coalesce(capability, 'none') AS capability,
       coalesce(subcapability, 'none') AS subcapability,
       coalesce(axis, 'none') AS axis,
       coalesce(media_type, 'none') AS media_type,
       answer_type,
       coalesce(tier, 'none') AS tier,
       cluster, reference_known, chance
FROM items;

-- one row per run x item of its declared population, whether or not it was answered
CREATE VIEW panel AS
SELECT r.run_idx, i.item_idx
FROM runs r JOIN items i ON i.benchmark = r.benchmark
WHERE r.scope IS NULL
   OR (i.benchmark, i.item_id, r.scope) IN (SELECT (t.benchmark, t.item_id, t.tag) FROM item_tags t WHERE t.kind = 'scope');

-- one row per benchmark: the weights of its declared rubric. A rubric that nobody described gives no verified credit:
-- otherwise wrong answers, worth 0 under any weights, would be the only ones that have one.
CREATE VIEW benchmark_weights AS
SELECT b.benchmark,
       b.verified_means IS NOT NULL AND (b.rubric IS NULL OR count(w.weight) > 0) AS has_verified,
       max(w.weight) FILTER (w.label = 'present') AS present,
       max(w.weight) FILTER (w.label = 'absent') AS absent,
       max(w.weight) FILTER (w.label = 'supported') AS supported,
       max(w.weight) FILTER (w.label = 'weak') AS weak,
       max(w.weight) FILTER (w.label = 'contradicted') AS contradicted,
       max(w.weight) FILTER (w.label = 'sound') AS sound,
       max(w.weight) FILTER (w.label = 'gap') AS gap,
       max(w.weight) FILTER (w.label = 'broken') AS broken
FROM benchmarks b LEFT JOIN rubric_weights w ON w.rubric = b.rubric
GROUP BY b.benchmark, b.verified_means, b.rubric;

-- one row per run
CREATE VIEW run_dims AS
SELECT run_idx, run_id, r.benchmark AS run_benchmark, model,
       coalesce(vendor, 'none') AS vendor,
       coalesce(access, 'none') AS access,
       kind,
       coalesce(regime, 'none') AS regime,
       coalesce(condition, 'none') AS condition,
       coalesce(scope, 'none') AS scope,
       coalesce(parser, 'none') AS parser,
       complete, provenance, source_id,
       b.missing_policy, w.has_verified
FROM runs r JOIN benchmarks b USING (benchmark) JOIN benchmark_weights w USING (benchmark);

-- one row per run, with the missing rule that counts: the benchmark's own where the caller's is 'declared'
CREATE MACRO ruled_runs(missing_rule) AS TABLE
SELECT *, CASE WHEN missing_rule = 'declared' THEN missing_policy ELSE missing_rule END AS rule FROM run_dims;

-- one truth value: an attempt that brought no usable answer (schema.FAILED)
CREATE MACRO is_failed(status) AS status IN ('missing', 'error', 'refused', 'truncated', 'skipped');

-- one number: factor of a label under weights given by the caller, else the log's own number, else the declared weight
CREATE MACRO factor(given, own, declared) AS coalesce(given, own, declared);

-- one number: a mean over usable attempts, turned into the item's credit under a missing rule
CREATE MACRO settle(mean_credit, usable, failed, rule) AS
CASE WHEN rule = 'zero'
     THEN CASE WHEN usable + failed = 0 THEN NULL WHEN usable = 0 THEN 0.0
               ELSE mean_credit * usable / (usable + failed) END
     ELSE mean_credit END;

-- one row per response: its verdicts settled into one, when a rule other than 'logged' asks for it
CREATE MACRO settled(judge_rule) AS TABLE
WITH by_judge AS (
    SELECT run_idx, item_idx, attempt, judge_id,
           -- a number that is neither met nor unmet (a metric between 0 and 1) is no criterion, so that all of them are
           -- no pass or fail; else one that is not met settles it, whatever another without a verdict would be
           CASE WHEN bool_or(status = 'ok' AND met IS NULL) THEN NULL
                WHEN bool_or(NOT met) FILTER (status = 'ok') THEN FALSE
                WHEN bool_or(status <> 'ok') THEN NULL
                -- a criterion that the log has no row of for this judge is unjudged, not met
                WHEN count(*) FILTER (criterion <> 'answer') BETWEEN 1 AND any_value(a.criteria) - 1 THEN NULL
                ELSE TRUE END AS passed
    FROM verdicts LEFT JOIN asked_criteria a USING (item_idx, judge_id)
    WHERE on_judge = '' AND judge_rule <> 'logged'
      AND (judge_rule IN ('majority', 'any', 'all') OR judge_id = judge_rule)
    GROUP BY run_idx, item_idx, attempt, judge_id
)
SELECT run_idx, item_idx, attempt,
       CASE WHEN judge_rule = 'any' THEN CASE WHEN met > 0 THEN TRUE WHEN met + unmet = judges THEN FALSE END
            WHEN judge_rule = 'majority' THEN CASE WHEN met > unmet THEN TRUE WHEN met < unmet THEN FALSE END
            ELSE CASE WHEN unmet > 0 THEN FALSE WHEN met + unmet = judges THEN TRUE END
       END AS passed
FROM (SELECT run_idx, item_idx, attempt, count(*) AS judges,
             count(*) FILTER (passed) AS met, count(*) FILTER (NOT passed) AS unmet
      FROM by_judge GROUP BY run_idx, item_idx, attempt);

-- one row per response: raw credit under the rules, and what is left of it after coverage, evidence and logic.
-- credit is null where the attempt failed or nobody judged it; the stages are null where a label is unknown.
CREATE MACRO graded(judge_rule, guessed_rule, weights) AS TABLE
WITH credited AS (
    SELECT r.*,
           CASE WHEN is_failed(r.status) THEN NULL
                WHEN r.status IN ('judge_failed', 'not_applicable') THEN NULL
                WHEN NOT i.reference_known THEN NULL
                WHEN r.status = 'guessed' AND guessed_rule = 'wrong' THEN 0.0
                WHEN r.status = 'guessed' AND guessed_rule = 'left_out' THEN NULL
                WHEN judge_rule = 'logged' THEN r.credit
                ELSE s.passed::DOUBLE END AS raw,
           i.benchmark, i.reference_known
    FROM responses r
    JOIN items i USING (item_idx)
    LEFT JOIN settled(judge_rule) s USING (run_idx, item_idx, attempt)
),
factored AS (
    SELECT c.*, w.has_verified,
           factor(CASE c.coverage WHEN 'present' THEN struct_extract(weights, 'present')
                                  WHEN 'absent' THEN struct_extract(weights, 'absent') END,
                  c.coverage_factor,
                  CASE c.coverage WHEN 'present' THEN w.present WHEN 'absent' THEN w.absent END) AS c,
           factor(CASE c.evidence WHEN 'supported' THEN struct_extract(weights, 'supported')
                                  WHEN 'weak' THEN struct_extract(weights, 'weak')
                                  WHEN 'contradicted' THEN struct_extract(weights, 'contradicted') END,
                  c.evidence_factor,
                  CASE c.evidence WHEN 'supported' THEN w.supported WHEN 'weak' THEN w.weak
                                  WHEN 'contradicted' THEN w.contradicted END) AS e,
           factor(CASE c.logic WHEN 'sound' THEN struct_extract(weights, 'sound')
                               WHEN 'gap' THEN struct_extract(weights, 'gap')
                               WHEN 'broken' THEN struct_extract(weights, 'broken') END,
                  c.logic_factor,
                  CASE c.logic WHEN 'sound' THEN w.sound WHEN 'gap' THEN w.gap WHEN 'broken' THEN w.broken END) AS l,
           greatest(coalesce(struct_extract(weights, 'supported'), w.supported),
                    coalesce(struct_extract(weights, 'weak'), w.weak),
                    coalesce(struct_extract(weights, 'contradicted'), w.contradicted)) AS e_max,
           greatest(coalesce(struct_extract(weights, 'sound'), w.sound),
                    coalesce(struct_extract(weights, 'gap'), w.gap),
                    coalesce(struct_extract(weights, 'broken'), w.broken)) AS l_max
    FROM credited c JOIN benchmark_weights w USING (benchmark)
)
SELECT run_idx, item_idx, attempt, status::VARCHAR AS status, answer, reference_known, raw,
       coverage::VARCHAR AS coverage, evidence::VARCHAR AS evidence, logic::VARCHAR AS logic,
       c, e, l, e_max, l_max,
       CASE WHEN NOT has_verified THEN NULL WHEN raw = 0 THEN 0.0 ELSE raw * c END AS covered,
       CASE WHEN NOT has_verified THEN NULL WHEN raw = 0 THEN 0.0 ELSE raw * c * e / e_max END AS evidenced,
       CASE WHEN NOT has_verified THEN NULL WHEN raw = 0 THEN 0.0
            WHEN raw IS NULL THEN NULL
            WHEN weights IS NOT NULL OR judge_rule <> 'logged' THEN raw * c * e * l / (e_max * l_max)
            ELSE coalesce(raw * c * e * l / (e_max * l_max), verified) END AS verified,
       output_tokens AS tokens, steps, seconds
FROM factored;

-- one row per run x item of its declared population: means over usable attempts, and what became of the rest.
-- hidden: the benchmark hides the answer; such an item is neither failed nor unjudged. An item without any attempt has
-- failed = 1 and status 'missing'.
CREATE MACRO scored(attempt_rule, guessed_rule, judge_rule, weights) AS TABLE
WITH tried AS (
    SELECT run_idx, item_idx,
           count(*) AS attempts,
           count(raw) AS usable,
           count(*) FILTER (is_failed(status)) AS failed,
           count(*) FILTER (raw IS NULL AND NOT is_failed(status) AND status <> 'not_applicable') AS unjudged,
           count(*) FILTER (raw = 1) AS correct,
           avg(raw) AS raw,
           CASE WHEN count(covered) = count(raw) THEN avg(covered) END AS covered,
           CASE WHEN count(evidenced) = count(raw) THEN avg(evidenced) END AS evidenced,
           CASE WHEN count(verified) = count(raw) THEN avg(verified) END AS verified,
           arg_min(status, attempt) AS status,
           max(answer) FILTER (attempt = 1 AND status = 'ok') AS ballot,
           avg(tokens) AS tokens
    FROM graded(judge_rule, guessed_rule, weights)
    WHERE attempt_rule = 'mean' OR attempt = 1
    GROUP BY run_idx, item_idx
)
SELECT p.run_idx, p.item_idx,
       NOT i.reference_known AS hidden,
       coalesce(t.attempts, 0)::INTEGER AS attempts,
       coalesce(t.usable, 0)::INTEGER AS usable,
       CASE WHEN NOT i.reference_known THEN 0 WHEN t.attempts IS NULL THEN 1 ELSE t.failed END::INTEGER AS failed,
       CASE WHEN i.reference_known THEN coalesce(t.unjudged, 0) ELSE 0 END::INTEGER AS unjudged,
       coalesce(t.correct, 0)::INTEGER AS correct,
       t.raw, t.covered, t.evidenced, t.verified,
       coalesce(t.status, 'missing') AS status,
       t.ballot, t.tokens
FROM panel p
JOIN items i USING (item_idx)
LEFT JOIN tried t USING (run_idx, item_idx);
