"""Reader of published figures: CSV tables in a folder beside `figures.toml`, which says what each column is."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from analytics.errors import BadLog, did_you_mean, listing
from loaders.base import HEAD_BYTES, Batch, Field, Found, Issue, Reader, Source, shorten
from loaders.vlm_tables import CELL_BYTES

CONTRACT = "figures.toml"
_NUMBER = re.compile(r"[+\-−]?\d+(?:\.(\d+))?")

Row = dict[str, str]
Entry = Mapping[str, Any]


class Cells(msgspec.Struct):
    """Where the counts of a population stand."""

    file: str
    column: str
    where: dict[str, str] = {}


class Told(msgspec.Struct):
    """What figures.toml says of one column, or of one row of it."""

    unit: str | None = None
    n: int | str | Cells | None = None
    meaning: str | None = None
    derived: bool = False
    rows: dict[str, Told] = {}


class Contract(msgspec.Struct):
    """One [[table]] of figures.toml; keys beyond these are for others."""

    file: str
    document: str
    place: str
    keys: list[str]
    columns: dict[str, Told] = {}
    attributes: list[str] = []


def claims(path: Path, head: bytes) -> bool:
    """Recognise a folder whose figures.toml describes tables."""
    contract = path / CONTRACT
    if not contract.is_file():
        return False
    with contract.open("rb") as file:
        return b"[[table]]" in file.read(HEAD_BYTES)


def read(source: Source) -> Iterator[Found]:
    """Yield one row of `figures` per printed cell; an empty cell is not printed and makes no figure.

    Raises BadLog when figures.toml cannot be read.
    """
    folder = source.path
    try:
        entries = tomllib.loads((folder / CONTRACT).read_text(encoding="utf-8")).get("table", [])
        msgspec.convert(entries, list[dict[str, Any]])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise BadLog(f"{CONTRACT} cannot be read ({error}). Correct it and load the folder again.") from error
    load = cache(lambda name: _rows(folder / name))
    named: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        fault = _entry_fault(folder, entry, number)
        if fault is not None:
            yield fault
            continue
        named.add(entry["file"])
        yield from _table(entry, load)
    stray = [path.name for path in sorted(folder.glob("*.csv")) if path.name not in named]
    if stray:
        message = f"{CONTRACT} does not name {listing(stray)}; not read."
        yield Issue("unlisted_file", "note", message, records=0)


def _entry_fault(folder: Path, entry: Entry, number: int) -> Issue | None:
    """Return why a [[table]] entry cannot be read, or None."""
    lacking = [key for key in ("file", "document", "place", "keys") if not entry.get(key)]
    if lacking:
        message = f"Table {number} of {CONTRACT} has no {listing(lacking)}. Add it."
        file = entry.get("file")
        return Issue("incomplete_table", "refused", message, column=file if isinstance(file, str) else None)
    try:
        msgspec.convert(entry, Contract)
    except msgspec.ValidationError as error:
        message = f"Table {number} of {CONTRACT} is not written as it must be ({shorten(str(error))}). Correct it."
        return Issue("wrong_type", "refused", message)
    path = folder / entry["file"]
    if Path(entry["file"]).name != entry["file"] or not path.is_file():
        message = f"{entry['file']} is named by table {number} of {CONTRACT} and is not beside it."
        return Issue("missing_file", "refused", message, column=entry["file"])
    return None


def _rows(path: Path) -> list[Row]:
    """Return the rows of a CSV file, every cell as printed; raises BadLog when it is no table in UTF-8."""
    csv.field_size_limit(CELL_BYTES)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return [{k: v or "" for k, v in row.items() if k is not None} for row in csv.DictReader(file)]
    except UnicodeDecodeError as error:
        raise BadLog(f"{path.name} is not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    except csv.Error as error:
        raise BadLog(f"{path.name} is no table ({error}). Check its quotation marks.") from error


def _table(entry: Entry, load: Any) -> Iterator[Found]:  # noqa: ANN401 - a cached function
    """Yield the figures of one CSV, and an issue for each column or population that is not there."""
    file, columns = entry["file"], entry.get("columns", {})
    rows: list[Row] = load(file)
    header = list(rows[0]) if rows else []
    for name in [*entry["keys"], *columns]:
        if name not in header:
            near = did_you_mean(name, header)
            message = f"{file} has no column '{name}', which {CONTRACT} names.{near}"
            yield Issue("missing_column", "refused", message, column=name, records=len(rows) if name in columns else 0)
    if not set(entry["keys"]) <= set(header):
        return
    figures: list[dict[str, object]] = []
    lost: dict[str, str] = {}
    for row in rows:
        for name in (name for name in columns if name in header and row[name].strip()):
            figure, fault = _figure(entry, columns[name], row, name, load)
            figures.append(figure)
            if fault:
                lost.setdefault(name, fault)
    for name, fault in lost.items():
        yield Issue("unknown_n", "doubted", f"{file}, {name}: {fault}; n was left out.", column=name)
    if figures:
        yield Batch("figures", pl.DataFrame(figures, schema=FIGURE_TYPES), primary=True)


FIGURE_TYPES: dict[str, type[pl.DataType]] = {
    "document": pl.String,
    "file": pl.String,
    "place": pl.String,
    "row_key": pl.String,
    "column_name": pl.String,
    "printed": pl.String,
    "value": pl.Float64,
    "decimals": pl.Int64,
    "unit": pl.String,
    "n": pl.Int64,
    "meaning": pl.String,
    "provenance": pl.String,
}


_LARGEST = 10**15
_COUNT = re.compile(r"[0-9]{1,15}")


def _figure(entry: Entry, told: Entry, row: Row, name: str, load: Any) -> tuple[dict[str, object], str]:  # noqa: ANN401
    """Return one figure, and why its population is not known although it is told (else an empty text)."""
    key = " / ".join(row[part] for part in entry["keys"])
    told = {k: v for k, v in told.items() if k != "rows"} | told.get("rows", {}).get(key, {})
    printed = row[name].strip()
    match = _NUMBER.fullmatch(printed)
    value = float(printed.replace("−", "-")) if match else None
    n, fault = _population(told.get("n"), row, load)
    return {
        "document": entry["document"],
        "file": entry["file"],
        "place": row["place"] if "place" in entry.get("attributes", ()) and row.get("place") else entry["place"],
        "row_key": key,
        "column_name": name,
        "printed": printed,
        "value": value,
        "decimals": len(match[1] or "") if match else None,
        "unit": told.get("unit"),
        "n": n,
        "meaning": told.get("meaning"),
        # a column that the document does not print was worked out from what it prints
        "provenance": "reconstructed" if told.get("derived") else "published",
    }, fault


def _population(told: object, row: Row, load: Any) -> tuple[int | None, str]:  # noqa: ANN401
    """Return n from a number, a column of the row, or cells of a table that are added up."""
    if told is None or isinstance(told, int):
        return (told, "") if told is None or told < _LARGEST else (None, f"n is {told:,}, no count")
    if isinstance(told, str):
        if told not in row:
            return None, f"n is the column '{told}', which is not there"
        cell = row[told].strip()
        return (int(cell), "") if _COUNT.fullmatch(cell) else (None, "" if not cell else f"n is '{cell}', no count")
    assert isinstance(told, Mapping)
    return _counted(told, row, load)


def _counted(told: Mapping[str, Any], row: Row, load: Any) -> tuple[int | None, str]:  # noqa: ANN401
    """Return n from cells of a table beside the contract that are added up."""
    if Path(told["file"]).name != told["file"]:
        return None, f"n names {told['file']}, which is not beside {CONTRACT}"
    where = {k: row.get(v[1:], "") if v.startswith("$") else v for k, v in told.get("where", {}).items()}
    try:
        cells = [other[told["column"]] for other in load(told["file"]) if all(other[k] == v for k, v in where.items())]
    except (OSError, KeyError, ValueError) as error:
        return None, f"n names {error}, which is not there"
    if not cells or not all(_COUNT.fullmatch(cell) for cell in cells):
        return None, f"n finds no counts in {told['file']} where {where}"
    return sum(map(int, cells)), ""


READER = Reader(
    name="published",
    version="1",
    title="published figures (folder of CSV tables with figures.toml)",
    unit="folder",
    fields=tuple(
        Field(f"figures.{target}", (path,), note)
        for target, path, note in (
            ("document", "table.document", ""),
            ("file", "table.file", ""),
            ("place", "table.place", "a column `place` among the attributes comes first"),
            ("row_key", "table.keys", "values of the key columns, joined with ' / '"),
            ("column_name", "table.columns.NAME", ""),
            ("printed", "cell", "as printed, outer blanks removed"),
            ("unit", "table.columns.NAME.unit", "rows.KEY.unit comes first"),
            ("n", "table.columns.NAME.n", "a count, a column of the row, or cells of another table added up"),
            ("meaning", "table.columns.NAME.meaning", "rows.KEY.meaning comes first"),
            ("provenance", "table.columns.NAME.derived", "published, or reconstructed for a derived column"),
        )
    ),
    claims=claims,
    read=read,
)
