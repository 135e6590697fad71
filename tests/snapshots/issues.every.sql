SELECT i.issue, s.path, s.places || ' ' || i.line AS place, i.line, i.column_name,
       i.rule, i.severity, i.records, i.message, i.excerpt, i.source_id
FROM issues i LEFT JOIN sources s USING (source_id)
WHERE ($severity = 'every' OR i.severity = $severity) AND ($rule = '' OR i.rule = $rule)
ORDER BY i.issue
