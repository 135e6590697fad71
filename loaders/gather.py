"""Rows gathered by table until they make a batch, and doubts of one rule folded into one issue."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import polars as pl

from analytics.schema import LOG_TABLES
from loaders import jsonlines
from loaders.base import Batch, Issue, shorten
from loaders.validate import POLARS_TYPE

ROWS = 20_000
"""Rows of the primary table that make a batch."""

CHARACTERS = 32_000_000
"""Characters of text that make a batch, so that a log of long transcripts keeps to bounded memory."""


@dataclass(slots=True)
class _Doubt:
    """One rule and column: how often, and the first case."""

    message: str
    line: int | None
    excerpt: str | None
    records: int = 0
    lines: array[int] = field(default_factory=lambda: array("q"))


@dataclass(slots=True)
class Gather:
    """What a reader collects between two batches. `primary` is the table whose rows stand for the records."""

    primary: str
    _rows: dict[str, list[dict[str, object]]] = field(default_factory=dict)
    _doubts: dict[tuple[str, str | None], _Doubt] = field(default_factory=dict)
    _characters: int = 0

    def add(self, table: str, **values: object) -> None:
        """Add one row."""
        self._rows.setdefault(table, []).append(values)
        if table in (self.primary, "verdicts", "items"):
            for value in values.values():
                if isinstance(value, str):
                    self._characters += len(value)

    def doubt(
        self, rule: str, message: str, *, line: int | None = None, column: str | None = None, excerpt: object = None
    ) -> None:
        """Note a doubt about one record; those of one rule and column become one issue that counts them."""
        shown = None if excerpt is None else shorten(str(excerpt))
        found = self._doubts.setdefault((rule, column), _Doubt(message, line, shown))
        found.records += 1
        if line is not None:
            found.lines.append(line)

    def full(self) -> bool:
        """Whether there is enough for a batch."""
        return len(self._rows.get(self.primary, ())) >= ROWS or self._characters >= CHARACTERS

    def batches(self) -> Iterator[Batch]:
        """Yield what was gathered, table by table in schema order, and start afresh."""
        for name in LOG_TABLES:
            rows = self._rows.pop(name, None)
            if not rows:
                continue
            named = frozenset().union(*rows)
            yield Batch(name, _frame(rows, _schema(name, named)), primary=name == self.primary)
        self._characters = 0

    def issues(self) -> Iterator[Issue]:
        """Yield the doubts, one issue per rule and column, with the first case as the example."""
        for (rule, column), doubt in self._doubts.items():
            many = "" if doubt.records == 1 else f" ({doubt.records} records; the first is shown)"
            yield Issue(
                rule,
                "doubted",
                doubt.message + many,
                line=doubt.line,
                column=column,
                excerpt=doubt.excerpt,
                records=doubt.records,
                lines=doubt.lines if len(doubt.lines) == doubt.records else None,
            )
        self._doubts.clear()


@lru_cache(maxsize=256)
def _schema(table: str, named: frozenset[str]) -> pl.Schema:
    """Return the types of a table's columns that have these names: the same for each of many small logs."""
    known = {c.name: POLARS_TYPE[c.kind] for c in LOG_TABLES[table].columns if c.name in named}
    return pl.Schema(known | dict.fromkeys(named - set(known), pl.String))  # a wrong name: validation reports it


def _frame(rows: list[dict[str, object]], schema: pl.Schema) -> pl.DataFrame:
    """Return the rows in the types of the schema; a column with a value that does not fit comes as it can be held.

    Validation then says which value it was.
    """
    try:
        if len(rows) == 1:  # most tables of a small log: in the schema's order, Polars takes it a fifth faster
            return pl.DataFrame([{name: rows[0][name] for name in schema}], schema_overrides=schema)
        return pl.DataFrame(rows, schema=schema)
    except (pl.exceptions.PolarsError, TypeError, OverflowError):
        return pl.DataFrame([jsonlines.column(name, [row.get(name) for row in rows]) for name in schema])
