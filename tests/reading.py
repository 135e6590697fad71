"""Read a file through one reader as the warehouse does, and keep the whole account of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from loaders.base import HEAD_BYTES, Issue, Reader, Source
from loaders.discover import discover
from loaders.validate import validate


@dataclass
class Reading:
    """Rows by table after validation, issues, and how many records were seen."""

    tables: dict[str, pl.DataFrame] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    seen: int = 0
    kept: int = 0

    @property
    def refused(self) -> int:
        return sum(issue.records for issue in self.issues if issue.severity == "refused")

    def rules(self) -> dict[str, int]:
        """Records by rule."""
        found: dict[str, int] = {}
        for issue in self.issues:
            found[issue.rule] = found.get(issue.rule, 0) + issue.records
        return found

    def __getitem__(self, table: str) -> pl.DataFrame:
        return self.tables[table]


def claimed(reader: Reader, path: Path) -> bool:
    """Whether the reader claims the file, as discovery asks it."""
    if path.is_dir():
        return reader.unit == "folder" and reader.claims(path, b"")
    with path.open("rb") as file:
        return reader.unit == "file" and reader.claims(path, file.read(HEAD_BYTES))


def read_all(reader: Reader, paths: Iterable[Path]) -> Reading:
    """Read files one after another; every record must end as a row or as a refused issue."""
    reading = Reading()
    for path in paths:
        for found in reader.read(Source(path, path.name, str(path.parent))):
            if isinstance(found, Issue):
                reading.issues.append(found)
                reading.seen += found.records if found.severity == "refused" else 0
                continue
            valid, issues = validate(found.table, found.frame.with_columns(**_given(found.table, found.frame)))
            reading.issues += issues
            if found.primary:
                reading.seen += found.frame.height
                reading.kept += valid.height
            so_far = reading.tables.get(found.table)
            reading.tables[found.table] = valid if so_far is None else pl.concat([so_far, valid])
    return reading


def _given(table: str, frame: pl.DataFrame) -> dict[str, pl.Expr]:
    """What the warehouse adds to every row."""
    lacking = table in ("items", "runs", "figures") and "provenance" not in frame.columns
    return {"provenance": pl.lit("imported")} if lacking else {}


def found_by(reader: Reader, folder: Path) -> list[Path]:
    """Files under a folder that discovery gives to this reader."""
    return [c.source.path for c in discover(str(folder), known=[reader]) if c.reader is reader]
