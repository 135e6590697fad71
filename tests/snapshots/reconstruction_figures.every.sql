SELECT count(*) AS n FROM items WHERE provenance = 'reconstructed'
