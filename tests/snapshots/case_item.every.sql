SELECT item_idx, benchmark, item_id AS item, capability, subcapability, axis, media_type, answer_type, tier, cluster,
       prompt, options, reference, reference_known, media_path, chance, provenance,
       (SELECT list(kind || ': ' || tag ORDER BY kind, tag) FROM item_tags t
        WHERE t.benchmark = items.benchmark AND t.item_id = items.item_id) AS tags,
       (SELECT list(option || ': ' || type ORDER BY option) FROM option_types o
        WHERE o.benchmark = items.benchmark AND o.item_id = items.item_id) AS option_types,
       (SELECT list(criterion || ': ' || coalesce(description, '') ORDER BY criterion) FROM criteria c
        WHERE c.benchmark = items.benchmark AND c.item_id = items.item_id) AS criteria
FROM items WHERE benchmark = $benchmark AND item_id = $item;

SELECT max(item_idx) FILTER (item_idx < $at) AS before, min(item_idx) FILTER (item_idx > $at) AS after
FROM item_dims WHERE answer_type = ANY($where_answer_type) AND axis = ANY($where_axis) AND benchmark = ANY($where_benchmark) AND capability = ANY($where_capability) AND media_type = ANY($where_media_type) AND subcapability = ANY($where_subcapability) AND (benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag)) AND tier = ANY($where_tier);

SELECT item_idx, item_id FROM items WHERE item_idx = ANY($numbers)
