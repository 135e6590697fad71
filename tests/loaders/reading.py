"""One reader on one source, with the account that a build keeps of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from loaders.base import Issue, Reader, Source
from loaders.stage import open_stage, take


@dataclass
class Read:
    """Rows by table as staged, issues in order, and how many records were seen and refused."""

    tables: dict[str, pl.DataFrame]
    issues: list[Issue]
    seen: int
    refused: int
    kept: int = field(default=0)

    def places(self) -> list[tuple[str, str, int | None, str | None]]:
        return sorted((i.rule, i.severity, i.line, i.column) for i in self.issues)  # type: ignore[type-var]


def read_sample(reader: Reader, path: Path) -> Read:
    """Read one path as a build does, into a staging database in memory."""
    con = open_stage(":memory:")
    try:
        tally = take(
            con,
            reader,
            Source(path, path.name, str(path)),
            source_id="s",
            provenance="imported",
            on_rows=lambda _: None,
        )
        tables = {}
        for name in sorted(tally.filled):
            frame = con.sql(f"SELECT * FROM log.{name}").pl()
            tables[name] = frame.sort([c for c in frame.columns if frame[c].dtype != pl.List(pl.String)])
    finally:
        con.close()
    return Read(tables, tally.issues, tally.seen, tally.refused, tally.kept)
