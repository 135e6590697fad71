SELECT benchmark, capability, media_type, answer_type, count(*)::BIGINT AS items,
       count(*) FILTER (NOT reference_known)::BIGINT AS hidden
FROM item_dims
WHERE TRUE
GROUP BY benchmark, capability, media_type, answer_type
ORDER BY benchmark, capability, media_type, answer_type
