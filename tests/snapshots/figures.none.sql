SELECT document, file, place, row_key, column_name, printed, value, decimals, unit, n, meaning, provenance
FROM figures
WHERE ($document = '' OR document = $document) AND ($file = '' OR file = $file)
ORDER BY document, file, rowid
