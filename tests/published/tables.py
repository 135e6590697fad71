"""Read the published tables and resolve selectors, without leaning on the product that they test."""

from __future__ import annotations

import csv
import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "logs" / "published"
NUMERAL = re.compile(r"[<>]?[+-]?\d+(\.\d+)?(e-?\d+)?")
EXACT = {"count"}


@dataclass(frozen=True)
class Cell:
    """One printed cell as an interval; `low == high` where the print is exact."""

    name: str
    printed: str
    low: Fraction
    high: Fraction


@cache
def records(name: str, key: str) -> tuple[dict, ...]:
    with (FOLDER / name).open("rb") as stream:
        return tuple(tomllib.load(stream)[key])


@cache
def rows(file: str) -> tuple[dict[str, str], ...]:
    with (FOLDER / file).open(newline="") as stream:
        return tuple(csv.DictReader(stream))


@cache
def table(file: str) -> dict:
    (found,) = [entry for entry in records("figures.toml", "table") if entry["file"] == file]
    return found


def row_key(file: str, row: dict[str, str]) -> str:
    return " / ".join(row[column] for column in table(file)["keys"])


def settings(file: str, row: dict[str, str], column: str) -> dict:
    entry = table(file)["columns"][column]
    return entry | entry.get("rows", {}).get(row_key(file, row), {})


def decimals(printed: str) -> int:
    return len(printed.split(".")[1]) if "." in printed else 0


def interval(printed: str, unit: str) -> tuple[Fraction, Fraction]:
    """Interval of the numbers that print so; '<1e-4' is everything from 0 up to it."""
    if printed.startswith("<"):
        return Fraction(0), Fraction(printed[1:])
    value = Fraction(printed)
    half = Fraction(0) if unit in EXACT else Fraction(1, 2 * 10 ** decimals(printed))
    return value - half, value + half


def cell(file: str, row: dict[str, str], column: str) -> Cell | None:
    printed = row[column]
    if printed == "":
        return None
    if column not in table(file).get("columns", {}):
        return Cell(f"{file}: {row_key(file, row)}: {column}", printed, Fraction(0), Fraction(0))
    low, high = interval(printed, settings(file, row, column)["unit"])
    return Cell(f"{file}: {row_key(file, row)}: {column}", printed, low, high)


def as_list(value: object) -> list:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def bound(values: object, here: dict[str, str]) -> list[str]:
    return [here[v[1:]] if str(v).startswith("$") else str(v) for v in as_list(values)]


def kept(file: str, where: dict, without: dict, here: dict[str, str]) -> list[dict[str, str]]:
    wanted = {column: bound(values, here) for column, values in where.items()}
    barred = {column: bound(values, here) for column, values in without.items()}
    found = [
        row
        for row in rows(file)
        if all(row[c] in v for c, v in wanted.items()) and not any(row[c] in v for c, v in barred.items())
    ]
    for column in reversed([c for c, v in where.items() if isinstance(v, list)]):
        found.sort(key=lambda row, c=column: wanted[c].index(row[c]))
    return found


def places(selector: object, file: str, group: list[dict[str, str]]) -> list[tuple[str, dict[str, str], str]]:
    """(file, row, column) of every cell that a selector names."""
    if isinstance(selector, str):
        selector = {"column": selector}
    source = selector.get("file", file)
    here = group[0] if group else {}
    if group and source == file and "where" not in selector and "without" not in selector:
        chosen = group
    else:
        chosen = kept(source, selector.get("where", {}), selector.get("without", {}), here)
    return [(source, row, column) for row in chosen for column in as_list(selector["column"])]


def select(selector: object, file: str, group: list[dict[str, str]]) -> list[Cell]:
    """Resolve a selector, a number, or a list of them into cells."""
    if isinstance(selector, list):
        return [found for part in selector for found in select(part, file, group)]
    if isinstance(selector, (int, float)):
        exact = Fraction(str(selector))
        return [Cell("constant", str(selector), exact, exact)]
    times = Fraction(str(selector.get("times", 1))) if isinstance(selector, dict) else Fraction(1)
    found = [cell(*place) for place in places(selector, file, group)]
    cells = [Cell(c.name, c.printed, c.low * times, c.high * times) for c in found if c is not None]
    agg = selector.get("agg") if isinstance(selector, dict) else None
    if agg is None:
        return cells
    divisor = len(cells) if agg == "mean" else 1
    reduce = {"sum": sum, "mean": sum, "min": min, "max": max}[agg]
    low, high = reduce(c.low for c in cells) / divisor, reduce(c.high for c in cells) / divisor
    return [Cell("; ".join(c.name for c in cells), "", low, high)]


def groups(record: dict) -> list[list[dict[str, str]]]:
    """Rows at hand for each check of a record; one empty group without `each`."""
    if "each" not in record:
        return [[]]
    chosen = kept(record["file"], record.get("only", {}), record.get("skip", {}), {})
    if record["each"] == "row":
        return [[row] for row in chosen]
    split: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in chosen:
        split.setdefault(tuple(row[c] for c in record["each"]), []).append(row)
    return list(split.values())
