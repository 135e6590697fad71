SELECT r.run_id AS run, r.model, r.kind, r.condition, r.provenance, a.attempt, a.answer, a.response, a.rationale,
       g.raw, g.verified, a.coverage::VARCHAR AS coverage, a.evidence::VARCHAR AS evidence, a.logic::VARCHAR AS logic,
       g.c AS coverage_factor, g.e AS evidence_factor, g.l AS logic_factor, a.order_shown, a.confidence,
       a.input_tokens, a.output_tokens, a.steps, a.seconds, a.status::VARCHAR AS status, a.status_note,
       s.path AS source, a.line
FROM responses a
JOIN graded($judge_rule, $guessed_rule, CAST($weights AS STRUCT(present DOUBLE, absent DOUBLE, supported DOUBLE, weak DOUBLE, contradicted DOUBLE, sound DOUBLE, gap DOUBLE, broken DOUBLE))) g USING (run_idx, item_idx, attempt)
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
LEFT JOIN (SELECT source_id AS read_from, path FROM sources) s ON s.read_from = a.source_id
WHERE i.benchmark = $benchmark AND i.item_id = $item AND TRUE
ORDER BY r.kind DESC, r.model, r.run_id, a.attempt
