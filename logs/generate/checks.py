"""Printed figures against what the rows give, and the committed lists of exceptions."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from logs.generate.exact import PUBLISHED, ROOT, decimals, matches, table

Values = dict[tuple[str, str, str], Fraction]
"""Exact value that the rows give, by file, row key (key columns joined with ' / ') and column."""


@dataclass(frozen=True)
class Check:
    """One printed figure, the exact value that the rows give for it (None: undefined) and what became of it."""

    file: str
    row: str
    column: str
    printed: str
    reached: Fraction | None
    status: str  # matched, assumption, unreachable, outside or mismatch
    reason: str

    @property
    def text(self) -> str:
        """Return the value reached at the decimals printed; two more where it does not match."""
        if self.reached is None:
            return "–"
        digits = decimals(number(self.printed)) + (0 if self.status in {"matched", "assumption"} else 2)
        value = Decimal(self.reached.numerator) / Decimal(self.reached.denominator)
        return str(value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN))


@dataclass(frozen=True)
class Listed:
    """One entry of a committed list; in row and column a ``*`` stands for any text, in column ``|`` means or."""

    file: str
    row: str
    column: str
    status: str
    reason: str
    tolerance: str | None = None
    at_least: bool = False
    printed: str | None = None
    reached: str | None = None

    def covers(self, file: str, row: str, column: str) -> bool:
        """Tell whether the entry is about a figure."""
        columns = self.column.split("|")
        return self.file == file and _like(row, self.row) and any(_like(column, name) for name in columns)


def _like(text: str, pattern: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), text) is not None


def number(printed: str) -> str:
    """Return a printed figure as a plain number, without sign mark, thousands comma or minus glyph."""
    return printed.lstrip("+±").replace("−", "-").replace(",", "")


def is_number(printed: str) -> bool:
    """Tell whether a printed cell is a number at all."""
    return number(printed).lstrip("-").replace(".", "", 1).isdigit()


def listed(folder: Path = ROOT) -> list[Listed]:
    """Read the committed lists: figures that are unreachable, assumed, resampled or outside what rows carry."""
    found: list[Listed] = []
    for name in ("unreachable.toml", "outside.toml"):
        entries = tomllib.loads((folder / name).read_text(encoding="utf-8"))["figure"]
        found += [Listed(**entry) for entry in entries]
    return found


def judge(figure: tuple[str, str, str], printed: str, values: Values, entries: list[Listed]) -> Check:
    """Compare one printed figure with the value that the rows give, in the light of the committed lists."""
    file, row, column = figure
    reached = values.get(figure)
    entry = next((entry for entry in entries if entry.covers(file, row, column)), None)
    if reached is None:
        outcome = entry.status if entry is not None and entry.status in {"outside", "unreachable"} else "mismatch"
        return Check(file, row, column, printed, None, outcome, entry.reason if entry else "no value from the rows")
    text = number(printed)
    fits = reached < Fraction(printed[1:]) if printed.startswith("<") else matches(reached, text)
    if entry is not None and entry.at_least:
        fits = reached >= Fraction(text)
    if entry is not None and entry.tolerance is not None:
        fits = abs(reached - Fraction(text)) <= Fraction(entry.tolerance)
    if fits and (entry is None or entry.status != "assumption"):
        return Check(
            file, row, column, printed, reached, "matched", entry.reason if entry and entry.status == "matched" else ""
        )
    if entry is not None and entry.status == ("assumption" if fits else "unreachable"):
        return Check(file, row, column, printed, reached, entry.status, entry.reason)
    return Check(file, row, column, printed, reached, "mismatch", "not on the committed list")


def tables() -> list[dict[str, Any]]:
    """Return what figures.toml says of every published table: file, document, place, keys and columns of figures."""
    return list(tomllib.loads((PUBLISHED / "figures.toml").read_text(encoding="utf-8"))["table"])


def checks(values: Values, entries: list[Listed]) -> list[Check]:
    """Compare every printed number of the published tables with the rows."""
    out: list[Check] = []
    for described in tables():
        file = str(described["file"]).removesuffix(".csv")
        for line in table(file):
            row = " / ".join(line[key] for key in described["keys"])
            printed = {column: line[column] for column in described.get("columns", {}) if line[column]}
            out += [judge((file, row, column), text, values, entries) for column, text in printed.items()]
    return out


def read(folder: Path, name: str) -> pl.DataFrame:
    """Read one table of a folder of the native form."""
    return pl.read_parquet(folder / f"{name}.parquet")
