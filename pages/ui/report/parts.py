"""Parts of the report: one question each, its rows as cells, and what a reader must know beside them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from analytics import export
from analytics.determined import ILLUSTRATION
from analytics.errors import ScoreproofError, UnknownName, did_you_mean
from analytics.policy import Policy
from analytics.questions import Answer, Question, Result, ask, question
from analytics.slices import NONE, Slice
from analytics.store import Store
from pages.ui.charts.illustration import across
from pages.ui.report.figures import Drawn, Picture, fit_to_draw, picture

MOST_ROWS = 2_000
"""Rows of one table; a page with more is slow to open, and the command beside the table gives them all."""

LONGEST = 600
"""Characters of one cell."""

JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"

Draw = Callable[[pl.DataFrame], tuple[Drawn, str] | None]
Order = Callable[[pl.DataFrame], pl.DataFrame]


@dataclass(frozen=True, slots=True)
class Setting:
    """What the whole report is asked: the store, the policy, options as spelled, and where `ask` finds the rows."""

    store: Store
    policy: Policy
    given: Mapping[str, str]
    source: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One value: as a person reads it, and unrounded where it is a number."""

    shown: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Head:
    """One column: its title, what it means, and whether it holds numbers."""

    title: str
    meaning: str
    number: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One question and its answer; where there is none, `lacking` says why and what log it needs."""

    name: str
    title: str
    asks: str
    heads: tuple[Head, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    more: int = 0
    said: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    source: str = ""
    figure: Picture | None = None
    illustration: str = ""
    lacking: str = ""


def options_of(setting: Setting, asked: Question, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return every option of a question: what the report was given, else what the part wants, else its initial one."""
    named = {option.name: option for option in asked.options}
    initial = {name: option.initial for name, option in named.items()} | dict(own)
    return initial | {name: named[name].read(text) for name, text in setting.given.items() if name in named}


def check_options(given: Mapping[str, str], names: Sequence[str]) -> None:
    """Raise UnknownName for an option that no question of the report has."""
    known = sorted({option.name for name in names for option in question(name).options})
    for name in given:
        if name not in known:
            raise UnknownName(
                f"No part of the report has an option '{name}'.{did_you_mean(name, known)} Options: {', '.join(known)}."
            )


def part(
    setting: Setting,
    name: str,
    chosen: Slice,
    *,
    columns: Sequence[str],
    draw: Draw | None = None,
    order: Order | None = None,
    options: Mapping[str, Any] | None = None,
    title: str = "",
) -> tuple[Part, Answer | None]:
    """Ask one question; return what the page shows of it, and the answer itself where there is one."""
    asked = question(name)
    title = title or asked.title
    typed = options_of(setting, asked, options or {})
    try:
        answer = ask(setting.store, name, chosen, setting.policy, typed)
    except ScoreproofError as error:
        return Part(name, title, asked.asks, lacking=f"{error} It needs a log with {asked.needs}."), None
    if answer.table.is_empty():
        why = f"There is nothing to compare here. It needs a log with {asked.needs}."
        return Part(name, title, asked.asks, lacking=why), answer
    said = export.stamp(asked, answer, chosen, setting.policy, options=typed, data_hash=setting.store.pointer.data_hash)
    said["ask"] += setting.source
    return laid(asked, answer, said, title=title, columns=columns, draw=draw, order=order), answer


def laid(
    asked: Question,
    answer: Answer,
    said: Mapping[str, str],
    *,
    title: str,
    columns: Sequence[str],
    draw: Draw | None,
    order: Order | None,
) -> Part:
    """Return what the page shows of an answer that has rows; `said` stands beside them, its `ask` as the command."""
    shown = columns_of(answer.table, asked, columns)
    rows = (answer.table if order is None else order(answer.table)).head(MOST_ROWS)
    return Part(
        asked.name,
        title,
        asked.asks,
        heads=tuple(head(column, answer.table) for column in shown),
        rows=tuple(zip(*[[cell(value, column) for value in rows[column.name]] for column in shown], strict=True)),
        more=answer.table.height - rows.height,
        said={key: plain(text, whole=key == "ask") for key, text in said.items() if key != "question"},
        notes=tuple(plain(note) for note in answer.notes if note != said.get("policy")),
        source=asked.source,
        figure=figure_of(answer.table, draw),
        illustration=ILLUSTRATION if doubtful(answer.table) else "",
    )


def doubtful(table: pl.DataFrame) -> bool:
    """Whether some of these rows are fixed by no published figure."""
    return "determined" in table.columns and not bool(table["determined"].all())


def figure_of(table: pl.DataFrame, draw: Draw | None) -> Picture | None:
    """Return the figure of an answer, the words of an illustration across it where its numbers are one."""
    drawn = None if draw is None else draw(fit_to_draw(table))
    if drawn is None:
        return None
    figure, words = drawn
    if doubtful(table):
        return picture(across(figure), f"{words} {ILLUSTRATION.capitalize()}.")
    return picture(figure, words)


def columns_of(table: pl.DataFrame, asked: Question, wanted: Sequence[str]) -> list[Result]:
    """Return the columns that a table shows, in the order wanted; those without a single value are left away."""
    by_name = {column.name: column for column in asked.columns}
    return [by_name[name] for name in wanted if name in table.columns and not _says_nothing(table[name])]


def _says_nothing(column: pl.Series) -> bool:
    held = column.drop_nulls()
    return held.is_empty() or (held.dtype == pl.String and bool(held.is_in([NONE, ""]).all()))


UNITS = {"proportion": "%", "points": "points"}


def head(column: Result, table: pl.DataFrame) -> Head:
    """Return the head of one column."""
    unit = f" ({UNITS[column.unit]})" if column.unit in UNITS else ""
    return Head(column.name.replace("_", " ") + unit, column.meaning, table[column.name].dtype.is_numeric())


def cell(value: object, column: Result) -> Cell:
    """Return one value; a number that is none is an empty cell."""
    shown = plain(export.written(value, column))
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if number and column.unit in ("count", "rank"):
        shown = f"{value:,}"
    return Cell(shown, repr(value) if number else None)


def plain(text: str, *, whole: bool = False) -> str:
    """Return text of a log fit for a page: control and direction characters replaced, very long text cut.

    Blanks of any width and the joiners that emoji and some scripts are spelled with are text.
    """
    kept = text if whole or len(text) <= LONGEST else text[:LONGEST] + "\N{HORIZONTAL ELLIPSIS}"
    return "".join(
        c if c.isprintable() or c in "\n\t" + JOINERS or unicodedata.category(c) == "Zs"
        else "\N{REPLACEMENT CHARACTER}"
        for c in kept
    )  # fmt: skip
