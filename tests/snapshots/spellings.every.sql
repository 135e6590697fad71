WITH held AS (
    SELECT benchmark, key, value, items + runs AS n, count(*) OVER (PARTITION BY benchmark, key) AS size,
           trim(regexp_replace(lower(value), '[^\p{L}\p{N}]+', ' ', 'g')) AS folded,
           regexp_replace(value, '[^0-9]+', ' ', 'g') AS digits
    FROM dimensions WHERE key = ANY($keys) AND value <> 'none' AND benchmark = ANY($names)
),
pairs AS (
    SELECT a.benchmark, a.key, a.value AS a, b.value AS b, a.n AS n_a, b.n AS n_b, a.folded = b.folded AS alike,
           a.digits = b.digits AS same_digits, least(length(a.folded), length(b.folded)) AS shortest,
           CASE WHEN abs(length(a.folded) - length(b.folded)) <= 2
                THEN damerau_levenshtein(a.folded, b.folded) END AS distance
    FROM held a JOIN held b ON b.benchmark = a.benchmark AND b.key = a.key AND b.value > a.value
    WHERE a.size <= $most
)
SELECT benchmark, key, a, n_a::BIGINT AS n_a, b, n_b::BIGINT AS n_b, distance::BIGINT AS distance,
       CASE WHEN alike AND lower(a) = lower(b) THEN 'differ in case alone'
            WHEN alike THEN 'differ in spaces, signs or case alone'
            ELSE 'differ in ' || distance || ' letter' || CASE WHEN distance > 1 THEN 's' ELSE '' END END AS why
FROM pairs
WHERE alike OR (same_digits AND (distance = 1 AND shortest >= $shortest
                                 OR distance = 2 AND shortest >= 2 * $shortest))
ORDER BY benchmark, key, alike DESC, distance, a, b;

SELECT coalesce(sum(size), 0)::BIGINT AS n FROM (
    SELECT count(*) AS size FROM dimensions WHERE key = ANY($keys) AND value <> 'none' AND benchmark = ANY($names)
    GROUP BY benchmark, key HAVING count(*) > $most)
