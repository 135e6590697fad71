SELECT key, value, sum(items)::BIGINT AS items, sum(runs)::BIGINT AS runs
FROM dimensions
WHERE ($benchmarks IS NULL OR benchmark = ANY($benchmarks))
GROUP BY key, value ORDER BY key, value
