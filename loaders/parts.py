"""Rows of large sources as Parquet parts beside the staging file: written once, and read once by the build.

The rows of a fact table that a source brings are held back until they are many. Few go into `incoming` as they are.
Many are written as parts, and stay parts when nothing in them can clash: no key twice, no run that another source
has. Otherwise they are thawed into tables, where every rule is applied row by row.
"""

# ruff: noqa: S608 - table names come from the schema, values are bound
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.schema import TABLES

Connection = duckdb.DuckDBPyConnection

SPLIT = ("responses", "verdicts", "failure_labels")
"""Tables that can be parts: those whose rows belong to a run and an item."""

LARGE_ROWS = 200_000
LARGE_BYTES = 64 << 20
"""From either on the rows of a table are written as parts."""

KNOWN_RUNS = (
    "SELECT run_id FROM log.runs UNION SELECT run_id FROM part_runs "
    + " ".join(f"UNION SELECT run_id FROM log.{name}" for name in SPLIT)
)  # fmt: skip


@dataclass(slots=True)
class Held:
    """Rows of one table of the source being read: in memory while few, then in `files`."""

    frames: list[pl.DataFrame] = field(default_factory=list)
    rows: int = 0
    size: int = 0
    files: list[Path] = field(default_factory=list)
    hashes: list[npt.NDArray[np.uint64]] = field(default_factory=list)


@dataclass(slots=True)
class Parts:
    """What the source being read has brought of the split tables. Without a `stem` no part is ever written."""

    stem: Path | None
    held: dict[str, Held] = field(default_factory=dict)
    runs: set[str] = field(default_factory=set)

    def add(self, table: str, frame: pl.DataFrame) -> None:
        """Hold validated rows back, and write them out once they are many."""
        held = self.held.setdefault(table, Held())
        held.frames.append(frame)
        held.rows += frame.height
        held.size += int(frame.estimated_size())
        if self.stem is not None and (held.files or held.rows >= LARGE_ROWS or held.size >= LARGE_BYTES):
            self._write(table, held, self.stem)

    def _write(self, table: str, held: Held, stem: Path) -> None:
        for frame in held.frames:
            path = stem.with_name(f"{stem.name}.{table}-{len(held.files):06d}.parquet")
            frame.write_parquet(path, compression="lz4", statistics=False)
            held.files.append(path)
            held.hashes.append(frame.select(TABLES[table].key).hash_rows().to_numpy())
            self.runs |= set(frame["run_id"].unique())
        held.frames = []

    def clash(self, con: Connection) -> bool:
        """Whether a key may be there twice, or a run is another source's too. Equal keys have equal hashes."""
        if any(_repeats(held.hashes) for held in self.held.values()):
            return True
        return bool(con.execute(f"({KNOWN_RUNS}) INTERSECT SELECT unnest(?)", [sorted(self.runs)]).fetchall())

    def pour(self, con: Connection, table: str) -> None:
        """Append the held rows of one table, written or not, to `incoming`."""
        held = self.held[table]
        for path in held.files:
            con.execute(f"INSERT INTO incoming.{table} BY NAME SELECT * FROM read_parquet(?)", [str(path)])
            path.unlink()
        if held.frames:
            insert(con, table, pl.concat(held.frames))
        held.frames, held.files = [], []

    def keep(self, con: Connection) -> None:
        """Enter the written parts into the log under names that no later source uses."""
        if self.stem is None or not any(held.files for held in self.held.values()):
            return
        number = int(con.execute("SELECT count(*) FROM parts").fetchall()[0][0])
        for table, held in self.held.items():
            for path in held.files:
                final = self.stem.with_name(f"{self.stem.name}.{number:06d}.parquet")
                path.replace(final)
                con.execute("INSERT INTO parts VALUES (?, ?)", [table, str(final)])
                number += 1
        con.execute("INSERT INTO part_runs SELECT unnest(?)", [sorted(self.runs)])

    def drop(self) -> None:
        """Remove what was written of a source that is not loaded."""
        for held in self.held.values():
            for path in held.files:
                path.unlink(missing_ok=True)


def _repeats(hashes: list[npt.NDArray[np.uint64]]) -> bool:
    if not hashes:
        return False
    together = np.concatenate(hashes)
    hashes.clear()
    together.sort()
    return bool((together[1:] == together[:-1]).any())


def insert(con: Connection, table: str, frame: pl.DataFrame) -> None:
    """Append validated rows to a table of `incoming`."""
    con.register("batch_rows", frame.to_arrow())
    con.execute(f"INSERT INTO incoming.{table} BY NAME SELECT * FROM batch_rows")
    con.unregister("batch_rows")


def create(con: Connection) -> None:
    """Create the lists of parts and of their runs in a staging file."""
    con.execute("CREATE TABLE parts (table_name VARCHAR NOT NULL, path VARCHAR NOT NULL)")
    con.execute("CREATE TABLE part_runs (run_id VARCHAR NOT NULL)")


def met_again(con: Connection) -> bool:
    """Whether `incoming` has rows of a run that is kept in parts."""
    rows = " UNION ".join(f"SELECT run_id FROM incoming.{name}" for name in SPLIT)
    return bool(con.execute(f"SELECT run_id FROM part_runs INTERSECT ({rows})").fetchall())


def thaw(con: Connection) -> None:
    """Turn every part of the log into rows of its tables."""
    rows = con.execute("SELECT table_name, path FROM parts").fetchall()
    for table, path in rows:
        con.execute(f"INSERT INTO log.{table} BY NAME SELECT * FROM read_parquet(?)", [path])
    con.execute("DELETE FROM parts")
    con.execute("DELETE FROM part_runs")
    remove(Path(path) for _, path in rows)


def remove(paths: Iterable[Path]) -> None:
    """Delete files that may be gone already."""
    for path in paths:
        path.unlink(missing_ok=True)


def gather(con: Connection) -> None:
    """In a build whose attached database `stage` holds the log: create a view on all rows of each split table."""
    for name in SPLIT:
        paths = [row[0] for row in con.execute("SELECT path FROM stage.parts WHERE table_name = ?", [name]).fetchall()]
        listed = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
        more = f" UNION ALL BY NAME SELECT * FROM read_parquet([{listed}])" if paths else ""
        con.execute(f"CREATE TEMP VIEW staged_{name} AS SELECT * FROM stage.log.{name}{more}")
