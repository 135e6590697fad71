"""What a reader is, and what it hands over: batches of rows and issues with a place.

A reader is one file in this folder with a `READER`. It never opens a store, never decides what a duplicate
is and never drops a record silently: each input record ends as a row of a primary batch or as a refused issue.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

import polars as pl

HEAD_BYTES = 65_536
"""How much of a file its content is recognised by."""

EXCERPT = 240
"""Longest excerpt of a refused record that an issue keeps."""

MESSAGE = 2_000
COLUMN = 300
"""Longest message and name of a column that an issue keeps."""


@dataclass(frozen=True, slots=True)
class Field:
    """One declared column: `target` is 'table.column' of ours, `paths` where the log keeps it, first found wins."""

    target: str
    paths: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One file or folder to read. `name` is its path relative to the argument that named it."""

    path: Path
    name: str
    argument: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one table, columns a subset of the schema's; absent columns are null.

    `primary` marks the rows that stand one to one for the input's records, so that kept + refused = seen.
    """

    table: str
    frame: pl.DataFrame
    primary: bool = False


@dataclass(frozen=True, slots=True)
class Issue:
    """A record refused or doubted: the rule, the place, what was found, what is allowed and what to do.

    `lines` are the places of all the records that it stands for, where they are known: what has two doubts counts once.
    """

    rule: str
    severity: Literal["refused", "doubted", "note"]
    message: str
    line: int | None = None
    column: str | None = None
    excerpt: str | None = None
    records: int = 1
    lines: Sequence[int] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Cut what a log could make too long or unprintable: a message may quote a cell of any length."""
        for name, most in (("message", MESSAGE), ("column", COLUMN)):
            text = getattr(self, name)
            if text is not None and (len(text) > most or not text.isprintable()):
                object.__setattr__(self, name, shorten(" ".join(text.split()), most=most))
        if self.lines is None and self.line is not None and self.records == 1:
            object.__setattr__(self, "lines", (self.line,))


Found = Batch | Issue


@dataclass(frozen=True, slots=True)
class Reader:
    """One log format.

    `claims(path, head)` recognises a file by its first HEAD_BYTES (a folder reader gets b''), never by its name alone.
    `read` yields batches and issues, and raises BadLog when the file cannot be read at all.
    `whole_run`: a run comes whole from one source, so a second source of the same run is the same run again.
    `named_by_path`: run or task stand in the path alone, so that equal bytes at two paths are two logs.
    `companion` recognises files that belong to the format but hold no rows.
    `looks_beside`: what a file gives depends on the files of this format beside it, which need not be sources yet.
    `beside` names the files of other kinds that say more of a log, there or not: a change of theirs is a change of it.
    """

    name: str
    version: str
    title: str
    unit: Literal["file", "folder"]
    fields: tuple[Field, ...]
    claims: Callable[[Path, bytes], bool]
    read: Callable[[Source], Iterator[Found]]
    whole_run: bool = False
    named_by_path: bool = False
    companion: Callable[[Path, bytes], bool] | None = None
    looks_beside: bool = False
    beside: Callable[[Path], tuple[Path, ...]] | None = None


def shorten(text: str | bytes, *, most: int = EXCERPT) -> str:
    """Return the start of a record for an issue, control characters replaced."""
    raw = text[: 4 * most + 4].decode("utf-8", errors="replace") if isinstance(text, bytes) else text
    clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in raw[: most + 1])
    return clean if len(clean) <= most else clean[:most] + " ..."


@cache
def readers() -> tuple[Reader, ...]:
    """Return the `READER` of every file in this folder, by name."""
    package = importlib.import_module("loaders")
    found = []
    for module in pkgutil.iter_modules(package.__path__):
        reader = getattr(importlib.import_module(f"loaders.{module.name}"), "READER", None)
        if isinstance(reader, Reader):
            found.append(reader)
    return tuple(sorted(found, key=lambda reader: reader.name))
