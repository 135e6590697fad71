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
FROM item_dims WHERE benchmark = ANY($where_benchmark);

SELECT item_idx, item_id FROM items WHERE item_idx = ANY($numbers)
