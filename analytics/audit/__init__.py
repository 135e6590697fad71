"""Recompute what a document prints, and say where that cannot be done; one file per kind of check in `kinds`."""
