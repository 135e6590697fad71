"""The account of a build as tables: which files were read, and which records were refused or doubted."""

from __future__ import annotations

from analytics.columns import PROVENANCES, SEVERITIES, Column, Table, integer, number, text

SOURCE = text("source_id", "File that the row was read from", null=True)
PROVENANCE = text("provenance", "Where the row comes from", allowed=PROVENANCES)

SOURCES = Table(
    "sources",
    "file read",
    ("source_id",),
    (
        text("source_id", "Short digest of path and content"),
        integer("turn", "Turn in which it was read, from 1", low=1),
        text("path", "Path as given, relative to the argument that named it"),
        text("argument", "Argument of `build` that the file was found under"),
        text("loader", "Reader that read it; 'none' when refused"),
        text("loader_version", "Version of the reader"),
        text(
            "role",
            "log: gave rows; companion: belongs to a log; refused: gave none",
            allowed=("log", "companion", "refused"),
        ),
        text("sha256", "Digest of the content"),
        integer("bytes", "Size", unit="bytes", low=0),
        number("modified", "Time of the last change on disk", unit="s since 1970"),
        PROVENANCE,
        integer("seen", "Records seen", low=0),
        integer("kept", "Records kept", low=0),
        integer("refused", "Records refused", low=0),
        integer("doubted", "Records kept with a doubt", low=0),
        text("places", "What the place of a record in it counts", allowed=("line", "row", "record")),
        Column("benchmarks", "texts", "Benchmark versions that it says something about"),
        text("trust", "One sentence: can its numbers be trusted, and what to do"),
    ),
)

ISSUES = Table(
    "issues",
    "record refused or doubted",
    ("issue",),
    (
        integer("issue", "Running number in the build", low=1),
        SOURCE,
        integer("line", "Place in the source: number of the line, row or record, where there is one", null=True),
        text("column_name", "Column at fault", null=True),
        text("rule", "Rule that was broken"),
        text("severity", "What was done with the record", allowed=SEVERITIES),
        integer("records", "Records that the issue stands for", low=0),
        text("message", "What was found, what is allowed, what to do"),
        text("excerpt", "The record's own text, shortened", null=True),
    ),
)
