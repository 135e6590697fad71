"""Rows gathered by table until they make a batch, and doubts of one rule folded into one issue."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

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
            self._characters += sum(len(value) for value in values.values() if isinstance(value, str))

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
        for name, table in LOG_TABLES.items():
            rows = self._rows.pop(name, None)
            if not rows:
                continue
            named = {key for row in rows for key in row}
            schema = {c.name: POLARS_TYPE[c.kind] for c in table.columns if c.name in named}
            schema |= dict.fromkeys(named - set(schema), pl.String)  # a wrong name is validation's to report
            yield Batch(name, _frame(rows, schema), primary=name == self.primary)
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


def _frame(rows: list[dict[str, object]], schema: dict[str, pl.DataType | type[pl.DataType]]) -> pl.DataFrame:
    """Return the rows in the types of the schema; a column with a value that does not fit comes as it can be held.

    Validation then says which value it was.
    """
    try:
        return pl.from_dicts(rows, schema=schema)
    except (pl.exceptions.PolarsError, TypeError, OverflowError):
        return pl.DataFrame([jsonlines.column(name, [row.get(name) for row in rows]) for name in schema])
