-- The cube: sums and counts that overview pages read instead of responses. Portable SQL (a test transpiles it to
-- Spark SQL): a cluster can build the same tables from `scores`, `responses`, `items` and `runs` in Parquet.

-- one row per run x cell x missing rule. A cell is a combination of item dimensions (table `cells`).
-- n counts items with a credit under the rule; sums run over them. Pairs (raw, verified) only where both are known.
CREATE TABLE cube AS
WITH rules AS (SELECT 'zero' AS missing UNION ALL SELECT 'exclude' AS missing),
counted AS (
    SELECT s.run_idx, i.cell_idx, rules.missing, s.hidden, s.attempts, s.usable, s.failed, s.unjudged, s.correct, s.tokens,
           CASE WHEN s.hidden THEN NULL
                WHEN rules.missing = 'zero' AND s.usable = 0 AND s.failed > 0 THEN 0.0
                WHEN rules.missing = 'zero' THEN s.raw * s.usable / (s.usable + s.failed)
                ELSE s.raw END AS raw,
           CASE WHEN s.hidden OR NOT b.has_verified THEN NULL
                WHEN rules.missing = 'zero' AND s.usable = 0 AND s.failed > 0 THEN 0.0
                WHEN rules.missing = 'zero' THEN s.verified * s.usable / (s.usable + s.failed)
                ELSE s.verified END AS verified
    FROM scores s
    JOIN items i ON i.item_idx = s.item_idx
    JOIN benchmark_weights b ON b.benchmark = i.benchmark
    CROSS JOIN rules
)
SELECT run_idx, cell_idx, missing,
       count(*) AS declared,
       sum(CASE WHEN hidden THEN 1 ELSE 0 END) AS hidden,
       sum(CASE WHEN NOT hidden AND usable = 0 AND failed > 0 THEN 1 ELSE 0 END) AS failed,
       sum(CASE WHEN NOT hidden AND usable = 0 AND failed = 0 AND unjudged > 0 THEN 1 ELSE 0 END) AS unjudged,
       sum(CASE WHEN NOT hidden AND usable = 0 AND failed = 0 AND unjudged = 0 THEN 1 ELSE 0 END) AS not_applicable,
       sum(CASE WHEN NOT hidden AND attempts = 0 THEN 1 ELSE 0 END) AS absent,
       sum(attempts) AS attempts,
       sum(usable) AS usable,
       sum(correct) AS correct,
       max(usable) AS most_usable,
       count(tokens) AS n_tokens,
       sum(tokens) AS sum_tokens,
       count(raw) AS n,
       sum(raw) AS sum_raw,
       sum(raw * raw) AS sum_raw2,
       sum(CASE WHEN raw = 0 OR raw = 1 THEN 1 ELSE 0 END) AS binary_n,
       sum(CASE WHEN raw = 0 THEN 1 ELSE 0 END) AS none_raw,
       sum(CASE WHEN raw = 0.5 THEN 1 ELSE 0 END) AS half_raw,
       sum(CASE WHEN raw = 1 THEN 1 ELSE 0 END) AS full_raw,
       sum(CASE WHEN verified = 0 THEN 1 ELSE 0 END) AS none_verified,
       sum(CASE WHEN verified = 0.5 THEN 1 ELSE 0 END) AS half_verified,
       sum(CASE WHEN verified = 1 THEN 1 ELSE 0 END) AS full_verified,
       sum(CASE WHEN raw > 0 AND verified = 0 THEN 1 ELSE 0 END) AS lost_all,
       sum(CASE WHEN raw > 0 AND verified IS NOT NULL THEN 1 ELSE 0 END) AS labelled,
       count(verified) AS n_verified,
       sum(verified) AS sum_verified,
       sum(verified * verified) AS sum_verified2,
       sum(CASE WHEN verified IS NOT NULL THEN raw END) AS sum_raw_paired,
       sum(CASE WHEN verified IS NOT NULL THEN raw * raw END) AS sum_raw2_paired,
       sum(raw * verified) AS sum_raw_verified
FROM counted
GROUP BY run_idx, cell_idx, missing;

-- one row per run x cell x status x credit x labels: counts of responses. Credit is rounded to two decimals.
CREATE TABLE cube_levels AS
SELECT r.run_idx, i.cell_idx, CAST(r.status AS VARCHAR) AS status, round(r.credit, 2) AS credit,
       CAST(r.coverage AS VARCHAR) AS coverage, CAST(r.evidence AS VARCHAR) AS evidence,
       CAST(r.logic AS VARCHAR) AS logic,
       count(*) AS n,
       count(r.output_tokens) AS n_tokens,
       sum(r.output_tokens) AS sum_tokens
FROM responses r
JOIN items i ON i.item_idx = r.item_idx
GROUP BY r.run_idx, i.cell_idx, CAST(r.status AS VARCHAR), round(r.credit, 2), CAST(r.coverage AS VARCHAR),
         CAST(r.evidence AS VARCHAR), CAST(r.logic AS VARCHAR);

-- one row per pair of runs x cell: cross-products over items that both have a credit for, missing left out.
-- Only for benchmark versions above the number of items where moments replace resampling.
CREATE TABLE cube_pairs AS
WITH large AS (
    SELECT benchmark FROM items GROUP BY benchmark HAVING count(*) > 10000
),
known AS (
    SELECT s.run_idx, s.item_idx, i.cell_idx, s.raw, s.verified
    FROM scores s
    JOIN items i ON i.item_idx = s.item_idx
    JOIN large ON large.benchmark = i.benchmark
    WHERE s.raw IS NOT NULL
)
SELECT a.run_idx AS run_a, b.run_idx AS run_b, a.cell_idx,
       count(*) AS n,
       sum(a.raw * b.raw) AS sum_raw_raw,
       sum(a.raw) AS sum_raw_a,
       sum(b.raw) AS sum_raw_b,
       sum(a.raw * a.raw) AS sum_raw2_a,
       sum(b.raw * b.raw) AS sum_raw2_b,
       sum(CASE WHEN a.raw = 1 AND b.raw = 0 THEN 1 ELSE 0 END) AS only_a,
       sum(CASE WHEN a.raw = 0 AND b.raw = 1 THEN 1 ELSE 0 END) AS only_b,
       count(a.verified * b.verified) AS n_verified,
       sum(a.verified * b.verified) AS sum_verified_verified
FROM known a
JOIN known b ON b.item_idx = a.item_idx AND b.run_idx > a.run_idx
GROUP BY a.run_idx, b.run_idx, a.cell_idx;
