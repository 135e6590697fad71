SELECT source_id, path, argument, loader, loader_version, role, provenance, seen, kept, refused, doubted, trust,
       bytes, modified, sha256
FROM sources ORDER BY argument, path
