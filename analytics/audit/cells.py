"""Selectors resolved into cells: each a printed number with its interval and the places that it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from analytics.audit.numbers import Interval, Printed, exactly, is_number, parse, total
from analytics.audit.tables import Folder, Record, Row, Table
from analytics.errors import UnknownName, UnknownValue, did_you_mean

EXACT_UNITS = ("count",)

Rows = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a printed number stands."""

    file: str
    row: str
    column: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A number that takes part in a check: an interval, the text where one place prints it, and its places."""

    interval: Interval
    places: tuple[Place, ...]
    printed: Printed | None = None
    exact: bool = False
    derived: bool = False
    row: Row | None = None

    @property
    def text(self) -> str:
        """The printed text, or empty for a constant or a number made of several cells."""
        return "" if self.printed is None else self.printed.text


def as_list(value: object) -> list[Any]:
    """Return a list of one or more."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def bound(values: object, here: Row) -> list[str]:
    """Return wanted values, '$name' replaced by that column of the row at hand."""
    out = []
    for value in as_list(values):
        text = str(value)
        if text.startswith("$"):
            if text[1:] not in here:
                raise UnknownName(f"'{text}' names no column of the row at hand.{did_you_mean(text[1:], here)}")
            text = here[text[1:]]
        out.append(text)
    return out


def kept(table: Table, where: Record, without: Record, here: Row) -> Rows:
    """Return the rows that a filter keeps; a list of values also sets their order."""
    for column in [*where, *without]:
        if column not in table.header:
            near = did_you_mean(column, table.header)
            raise UnknownName(f"{table.file} has no column '{column}'.{near}")
    wanted = {column: bound(values, here) for column, values in where.items()}
    barred = {column: bound(values, here) for column, values in without.items()}
    found = [
        row
        for row in table.rows
        if all(row[c] in v for c, v in wanted.items()) and not any(row[c] in v for c, v in barred.items())
    ]
    for column in reversed([c for c, v in where.items() if isinstance(v, list)]):
        found.sort(key=lambda row, c=column: wanted[c].index(row[c]))  # type: ignore[misc]
    return tuple(found)


def groups(folder: Folder, record: Record) -> list[Rows]:
    """Return the rows at hand for each check of a record; one empty group without `each`."""
    if "each" not in record:
        return [()]
    table = folder.table(record.get("file", ""))
    chosen = kept(table, record.get("only", {}), record.get("skip", {}), {})
    if record["each"] == "row":
        return [(row,) for row in chosen]
    split: dict[tuple[str, ...], list[Row]] = {}
    for row in chosen:
        split.setdefault(tuple(row[c] for c in as_list(record["each"])), []).append(row)
    return [tuple(rows) for rows in split.values()]


def chosen_rows(folder: Folder, selector: Record, file: str, group: Rows) -> tuple[Table, Rows]:
    """Return the table and the rows that a selector means."""
    table = folder.table(selector.get("file", file))
    here = group[0] if group else {}
    if "row" in selector:
        (key,) = bound(selector["row"], here)
        rows = tuple(row for row in table.rows if table.key(row) == key)
        if not rows:
            near = did_you_mean(key, [table.key(row) for row in table.rows])
            raise UnknownName(f"{table.file} has no row '{key}'.{near}")
        return table, rows
    if group and table.file == file and "where" not in selector and "without" not in selector:
        return table, group
    return table, kept(table, selector.get("where", {}), selector.get("without", {}), here)


def cell(table: Table, row: Row, column: str, *, reading: str) -> Cell | None:
    """Return one cell, or None where nothing is printed; a text cell has an empty interval at 0."""
    if column not in table.header:
        raise UnknownName(f"{table.file} has no column '{column}'.{did_you_mean(column, table.header)}")
    if row[column] == "":
        return None
    place = Place(table.file, table.key(row), column)
    told = table.told(row, column)
    if column not in table.columns and not is_number(row[column]):
        return Cell(exactly(0), (place,), None, exact=True, row=row)
    printed = parse(row[column])
    exact = told.get("unit", "count" if column not in table.columns else "") in EXACT_UNITS
    return Cell(
        printed.interval(exact=exact, reading=reading), (place,), printed, exact, bool(told.get("derived")), row
    )


def reduced(cells: Sequence[Cell], agg: str) -> Cell:
    """Return the sum, mean, least or greatest of cells as one number."""
    parts = [c.interval for c in cells]
    if agg == "sum":
        whole = total(parts)
    elif agg == "mean":
        whole = total(parts).times(Fraction(1, len(parts)))
    elif agg in ("min", "max"):
        pick = min if agg == "min" else max
        values = [p.value for p in parts if p.value is not None]
        whole = Interval(pick(p.low for p in parts), pick(p.high for p in parts), pick(values) if values else None)
    else:
        raise UnknownValue(f"'{agg}' is not a way to put cells together. Allowed: sum, mean, min, max.")
    places = tuple(place for c in cells for place in c.places)
    return Cell(whole, places, None, all(c.exact for c in cells), any(c.derived for c in cells))


def constant(number: object, *, unit: str, reading: str) -> Cell:
    """Return a number that a record states itself: a numeral as exact, a text as printed."""
    if isinstance(number, str):
        printed = parse(number)
        exact = unit in EXACT_UNITS
        return Cell(printed.interval(exact=exact, reading=reading), (), printed, exact)
    assert isinstance(number, (int, float))
    return Cell(exactly(number), (), None, exact=True)


def select(folder: Folder, selector: object, file: str, group: Rows, *, reading: str) -> tuple[Cell, ...]:
    """Resolve a selector, a number, or a list of them into cells; unprinted cells drop out.

    Raises UnknownName for a file, column or row that is not there, UnknownValue for a cell that is no number.
    """
    if isinstance(selector, list):
        return tuple(c for part in selector for c in select(folder, part, file, group, reading=reading))
    if isinstance(selector, (int, float)):
        return (constant(selector, unit="", reading=reading),)
    if isinstance(selector, str):
        if not file and is_number(selector):
            return (constant(selector, unit="percent", reading=reading),)
        selector = {"column": selector}
    if not isinstance(selector, dict):
        raise UnknownValue(f"'{selector}' points at no cell: a selector is a column, a number or a table of them.")
    if "printed" in selector:
        return (constant(str(selector["printed"]), unit=selector.get("unit", "percent"), reading=reading),)
    if "column" not in selector:
        raise UnknownName("A selector names no column.")
    table, rows = chosen_rows(folder, selector, file, group)
    found = [cell(table, row, column, reading=reading) for row in rows for column in as_list(selector["column"])]
    cells = [c for c in found if c is not None]
    if "times" in selector:
        factor = Fraction(str(selector["times"]))
        cells = [replace(c, interval=c.interval.times(factor)) for c in cells]
    if "agg" in selector and cells:
        return (reduced(cells, selector["agg"]),)
    return tuple(cells)
