SELECT i.rule, i.severity, i.rule = ANY($doubles) AS doubled, sum(i.records)::BIGINT AS records,
       count(*)::BIGINT AS issues, count(DISTINCT i.source_id)::BIGINT AS sources,
       string_agg(DISTINCT s.loader, ', ' ORDER BY s.loader) AS loaders, arg_min(i.message, i.issue) AS example
FROM issues i LEFT JOIN sources s USING (source_id)
GROUP BY i.rule, i.severity
ORDER BY array_position(['refused', 'doubted', 'note'], i.severity), records DESC, i.rule
