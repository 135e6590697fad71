"""Folders of printed tables: cells, rows, and the selectors by which records point at cells.

A folder is a mapping of file names to texts, so that a folder on disk and files uploaded on a page are read alike.
"""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from analytics.audit.numbers import is_number, parse
from analytics.errors import BadLog, NoStore, UnknownName, did_you_mean, listing

EMBEDDED = Path(__file__).resolve().parents[2] / "logs" / "published"
"""Folder of the figures that ship with the project; its declarations serve tables of the same name and columns."""

FIGURES, IDENTITIES, CLAIMS = "figures.toml", "identities.toml", "claims.toml"
PERCENT_WORDS = ("%", "pct", "percent", "share", "rate", "accuracy", "acc", "score")

Row = Mapping[str, str]
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """One CSV with what is declared of it; `columns` are the columns of figures."""

    file: str
    document: str
    place: str
    keys: tuple[str, ...]
    columns: Mapping[str, Mapping[str, Any]]
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    served: str = "own"

    def key(self, row: Row) -> str:
        """Return the name of a row: its key columns joined with ' / '."""
        return " / ".join(row[column] for column in self.keys)

    def told(self, row: Row, column: str) -> Mapping[str, Any]:
        """Return what is declared of one cell: its column's entry, and the row's own where there is one."""
        entry = self.columns.get(column, {})
        return {**entry, **entry.get("rows", {}).get(self.key(row), {})}


@dataclass(frozen=True)
class Folder:
    """The tables of one folder, with its records. `texts` maps file names to contents."""

    texts: Mapping[str, str]
    base: Folder | None = None
    name: str = "the folder"
    faults: list[str] = field(default_factory=list)
    settled: dict[str, Any] = field(default_factory=dict)
    """Checks of the folder's own records that the folder alone decides, by record: once is enough for every store."""

    def toml(self, name: str, key: str) -> list[Record]:
        """Return the records of one TOML file; none where there is no such file."""
        return toml_records(self.texts[name], key, name) if name in self.texts else []

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Every CSV of the folder: as its own figures.toml declares it, as the embedded one does, or as guessed."""
        own = {entry["file"]: entry for entry in self.toml(FIGURES, "table") if "file" in entry}
        found = {}
        for file in sorted(name for name in self.texts if name.endswith(".csv")):
            header, rows = read_rows(self.texts[file], file)
            entry, served = own.get(file), "own"
            if entry is None and self.base is not None and file in self.base.tables:
                known = self.base.tables[file]
                if set(known.keys) | set(known.columns) <= set(header):
                    found[file] = Table(
                        file, known.document, known.place, known.keys, known.columns, header, rows, "embedded"
                    )
                    continue
            if entry is None:
                entry, served = guessed(file, header, rows), "guessed"
            lacking = [c for c in [*entry.get("keys", []), *entry.get("columns", {})] if c not in header]
            if lacking:
                self.faults.append(f"{file} has no column {listing(lacking)}, which {FIGURES} names.")
            keys = tuple(c for c in entry.get("keys", ()) if c in header) or header[:1]
            columns = {name: told for name, told in entry.get("columns", {}).items() if name in header}
            document, place = entry.get("document", self.name), entry.get("place", file)
            found[file] = Table(file, document, place, keys, columns, header, rows, served)
        return found

    def table(self, file: str) -> Table:
        """Return one table; raises UnknownName with the nearest name."""
        if file not in self.tables:
            near = did_you_mean(file, self.tables)
            raise UnknownName(f"There is no table {file or '(none named)'} in {self.name}.{near}")
        return self.tables[file]


def folder_of(path: Path, *, base: Folder | None) -> Folder:
    """Return the folder at `path`; raises NoStore when it is not there, BadLog when a file is not UTF-8."""
    if not path.is_dir():
        raise NoStore(f"There is no folder {path} with published tables.")
    texts = {}
    for file in sorted([*path.glob("*.csv"), *path.glob("*.toml")]):
        try:
            texts[file.name] = file.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadLog(f"{file.name} is not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    return Folder(texts, base, path.name)


def embedded() -> Folder:
    """Return the folder of the figures that ship with the project, the same one while its files hold the same."""
    return _kept(tuple(folder_of(EMBEDDED, base=None).texts.items()))


@lru_cache(maxsize=2)
def _kept(texts: tuple[tuple[str, str], ...]) -> Folder:
    return Folder(dict(texts), None, EMBEDDED.name)


def toml_records(text: str, key: str, name: str) -> list[Record]:
    """Return the list `key` of a TOML text; raises BadLog with the place of a syntax error."""
    try:
        records = tomllib.loads(text).get(key, [])
    except tomllib.TOMLDecodeError as error:
        raise BadLog(f"{name} cannot be read as TOML ({error}).") from error
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise BadLog(f"{name}: '{key}' must be a list of records, written [[{key}]].")
    return records


def read_rows(text: str, file: str) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    """Return header and rows of a CSV, cells without outer blanks; raises BadLog for a row that is too long."""
    reader = csv.DictReader(io.StringIO(text))
    header = tuple(name.strip() for name in reader.fieldnames or ())
    reader.fieldnames = header
    rows = []
    for row in reader:
        if None in row:
            raise BadLog(f"{file}, line {reader.line_num}: more cells than the {len(header)} columns of the header.")
        rows.append({name: (row[name] or "").strip() for name in header})
    return header, tuple(rows)


def guessed(file: str, header: Sequence[str], rows: Sequence[Row]) -> dict[str, Any]:
    """Return a declaration for a table that none declares: key columns are the leading texts, the rest are figures.

    A column of whole numbers is read as exact counts unless its name speaks of a percentage; other numbers are
    proportions where none exceeds 1, else percentages.
    """
    numeric = [c for c in header if any(row[c] for row in rows) and all(is_number(row[c]) for row in rows if row[c])]
    texts = [c for c in header if c not in numeric] or list(header[:1])
    keys: list[str] = []
    for column in texts:
        keys.append(column)
        if len({tuple(row[c] for c in keys) for row in rows}) == len(rows):
            break
    columns = {}
    for column in (c for c in numeric if c not in keys):
        whole = all(row[column].lstrip("+-").replace(",", "").isdigit() for row in rows if row[column])
        if whole and not any(word in column.lower() for word in PERCENT_WORDS):
            unit = "count"
        else:
            within = all(abs(parse(row[column]).value) <= 1 for row in rows if row[column])
            unit = "proportion" if within and not whole else "percent"
        columns[column] = {"unit": unit}
    return {"file": file, "keys": keys, "columns": columns}
