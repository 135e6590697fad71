SELECT source_id, path, argument, loader, loader_version, role, provenance, seen, kept, refused, doubted, trust,
       array_to_string(benchmarks, ', ') AS benchmarks, turn, places, bytes, modified, sha256
FROM sources ORDER BY argument, path
