"""What the first records of a file tell of each column: its kind, how many values, whether they are letters or 0/1."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from analytics.errors import BadLog
from loaders.base import Issue, shorten
from loaders.located import Located
from loaders.mapping_columns import text_of
from loaders.mapping_lists import lists_of
from loaders.mapping_open import blocks

SAMPLE_ROWS = 2_000
"""Records that a suggestion is made from."""

_LETTERS = re.compile(r"[(\[]?[A-Ha-h][)\].:]?")
_SEVERAL = re.compile(r"[A-H](?:\s*[,;/|]\s*[A-H])+")
SEPARATORS = (";", "|", ",", "/")

WORDS = {
    "true": "1", "yes": "1", "y": "1", "correct": "1", "right": "1", "pass": "1", "passed": "1",
    "false": "0", "no": "0", "n": "0", "incorrect": "0", "wrong": "0", "fail": "0", "failed": "0",
}  # fmt: skip
"""Words of a verdict whose credit nobody disputes."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One column in the sample: `values` are up to 12 distinct texts, `low` and `high` its range as numbers."""

    name: str
    rows: int
    filled: int
    distinct: int
    values: tuple[str, ...]
    numeric: bool
    boolean: bool
    whole: bool
    low: float | None
    high: float | None
    letters: bool
    several: bool
    longest: int
    separator: str | None
    is_list: bool

    @property
    def zero_one(self) -> bool:
        """Whether the column holds 0 and 1 alone: a credit, a flag, or a label of two classes."""
        return self.numeric and self.whole and self.distinct <= 2 and self.low in (0, 1) and self.high in (0, 1)

    @property
    def verdict_words(self) -> bool:
        """Whether the column holds a few words, one of them at least the usual word of a verdict."""
        few = not self.numeric and not self.letters and 0 < self.distinct <= 6 and self.longest <= 24
        return self.boolean or (few and any(value.lower() in WORDS for value in self.values))

    def said(self) -> str:
        """Return what the column holds, in words."""
        if not self.filled:
            return "empty"
        shown = ", ".join(shorten(value, most=24) for value in self.values[:3])
        if self.numeric and self.low is not None:
            if self.zero_one:
                return "0 and 1 alone: a credit, or a label of two classes"
            return f"numbers from {self.low:g} to {self.high:g}"
        more = " ..." if self.distinct > 3 else ""
        return f"{self.distinct} different of {self.filled}: {shown}{more}"


def sample(
    path: Path,
    name: str,
    kind: str,
    *,
    records: Sequence[str] | None,
    sheet: str | None,
    header_row: int | None = None,
    most: int = SAMPLE_ROWS,
) -> tuple[pl.DataFrame, bool]:
    """Return the first records as a flat frame, and whether they are all.

    Raises BadLog when no record can be read.
    """
    faults: list[str] = []
    lists = lists_of((), singles=True)
    for found in blocks(path, name, kind, Located(), records=records, sheet=sheet, header_row=header_row, lists=lists):
        if isinstance(found, Issue):
            faults.append(found.message)
            continue
        frame = found[0]
        return frame.head(most), frame.height <= most
    raise BadLog(f"No record of {name} can be read. {faults[0] if faults else 'It holds none.'}")


def facts(frame: pl.DataFrame) -> dict[str, Facts]:
    """Return the facts of every column by its name."""
    return {series.name: _facts(series) for series in frame}


def _facts(series: pl.Series) -> Facts:
    texts = text_of(series, prose=False).drop_nulls()
    distinct = texts.unique(maintain_order=True)
    numbers = texts.cast(pl.Float64, strict=False) if series.dtype != pl.Boolean else pl.Series([], dtype=pl.Float64)
    numeric = bool(texts.len()) and numbers.len() == texts.len() and numbers.is_finite().fill_null(value=False).all()
    is_list = isinstance(series.dtype, pl.List)
    shown = distinct.head(200).to_list()
    return Facts(
        name=series.name,
        rows=series.len(),
        filled=texts.len(),
        distinct=distinct.len(),
        values=tuple(distinct.head(12).to_list()),
        numeric=numeric,
        boolean=series.dtype == pl.Boolean,
        whole=numeric and bool((numbers % 1 == 0).all()),
        low=float(str(numbers.min())) if numeric else None,
        high=float(str(numbers.max())) if numeric else None,
        letters=bool(shown) and all(_LETTERS.fullmatch(value) or _SEVERAL.fullmatch(value) for value in shown),
        several=any(_SEVERAL.fullmatch(value) for value in shown),
        longest=max((len(value) for value in shown), default=0),
        separator=None if is_list or numeric else _separator(shown),
        is_list=is_list,
    )


def _separator(values: Sequence[str]) -> str | None:
    """Return what separates short labels in many cells, or None: sentences hold commas too."""
    for mark in SEPARATORS:
        parted = [value.split(mark) for value in values if mark in value]
        short = all(0 < len(part.strip()) <= 40 and part.count(" ") <= 4 for parts in parted for part in parts)
        if parted and short and len({part.strip() for parts in parted for part in parts}) < 2 * len(values):
            return mark
    return None
