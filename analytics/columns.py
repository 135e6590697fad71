"""What a column and a table are, and the closed vocabularies that columns draw on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "integer", "number", "boolean", "texts", "json"]

SQL_TYPE: dict[str, str] = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "boolean": "BOOLEAN",
    "texts": "VARCHAR[]",
    "json": "VARCHAR",
}

PROVENANCES = ("released", "published", "reconstructed", "demo", "imported")
STATUSES = (
    "ok",
    "missing",
    "invalid_format",
    "guessed",
    "error",
    "refused",
    "truncated",
    "judge_failed",
    "skipped",
    "not_applicable",
)
FAILED = ("missing", "error", "refused", "truncated", "skipped")
"""Statuses of an attempt that brought no usable answer: zero or left out, as the missing policy says."""
RUN_KINDS = ("model", "human", "control")
ANSWER_TYPES = ("single_choice", "multiple_choice", "open")
SEVERITIES = ("refused", "doubted", "note")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `kind` is its type, `low` and `high` the closed range of a number."""

    name: str
    kind: Kind
    meaning: str
    null: bool = False
    unit: str | None = None
    allowed: tuple[str, ...] | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One table: what one row is, its columns, and the columns that identify a row."""

    name: str
    grain: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def names(self) -> tuple[str, ...]:
        """Return the column names in order."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        """Return the column called `name`; StopIteration cannot occur for names from `names()`."""
        return next(column for column in self.columns if column.name == name)

    def ddl(self) -> str:
        """Return the CREATE TABLE statement of the table as logs hold it."""
        lines = [f"    {c.name} {SQL_TYPE[c.kind]}{'' if c.null else ' NOT NULL'}" for c in self.columns]
        return f"CREATE TABLE {self.name} (\n" + ",\n".join(lines) + "\n)"


def text(name: str, meaning: str, *, null: bool = False, allowed: tuple[str, ...] | None = None) -> Column:
    """Return a text column."""
    return Column(name, "text", meaning, null=null, allowed=allowed)


def number(
    name: str,
    meaning: str,
    *,
    unit: str | None = None,
    low: float | None = None,
    high: float | None = None,
    null: bool = True,
) -> Column:
    """Return a column of floating-point numbers, nullable unless it says otherwise."""
    return Column(name, "number", meaning, null=null, unit=unit, low=low, high=high)


def integer(
    name: str, meaning: str, *, unit: str | None = None, low: float | None = None, null: bool = False
) -> Column:
    """Return a column of integers."""
    return Column(name, "integer", meaning, null=null, unit=unit, low=low)
