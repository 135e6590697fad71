"""Options of score-factor records in every spelling: each keeps its letter, an empty one between two as empty text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase

import msgspec
import polars as pl

from loaders.psycheme_rows import one_text

PREFIX = "options."


def together(columns: pl.DataFrame) -> pl.DataFrame:
    """Return the columns with one list `options` made of those by letter (`options.A`, ...), where they have none."""
    letters = [name for name in columns.columns if name.startswith(PREFIX)]
    if not letters or "options" in columns.columns:
        return columns
    columns = columns.with_columns(one_text(columns[name]) for name in letters)
    names = {name: name.removeprefix(PREFIX) for name in letters}
    cells = columns.select(letters).rename(names).unique(maintain_order=True)
    lists = [by_key(row) for row in cells.iter_rows(named=True)]
    known = cells.with_columns(pl.Series("options", lists, dtype=pl.List(pl.String)))
    keyed = (
        columns.select(letters)
        .rename(names)
        .join(known, on=list(names.values()), how="left", nulls_equal=True, maintain_order="left")
    )
    return columns.with_columns(keyed["options"])


def options_of(value: str | None) -> list[str] | None:
    """Return options from a JSON list or object, or from text with one option per line or bars between them.

    Nothing between two bars is an empty option; a blank line between two options is none.
    """
    if value is None:
        return None
    try:
        found = msgspec.json.decode(value)
    except msgspec.DecodeError:
        if "\n" in value.strip():
            return [line.strip() for line in value.splitlines() if line.strip()]
        return in_row(value.strip().removeprefix("|").split("|"))
    if isinstance(found, dict):
        return by_key(found)
    return in_row(found) if isinstance(found, list) else [value]


def by_key(given: Mapping[str, object]) -> list[str] | None:
    """Return options that are keyed by letter, each in the place of its letter; by other keys, in their order.

    Keys that are numbers are in the order of the numbers.
    """
    keys = list(given)
    if all(len(key) == 1 and key.upper() in ascii_uppercase for key in keys):
        by_letter = {key.upper(): given[key] for key in keys}
        return in_row([by_letter.get(letter) for letter in ascii_uppercase])
    numbers = all(key.isdecimal() for key in keys)
    return in_row([given[key] for key in sorted(keys, key=lambda key: (int(key) if numbers else 0, key))])


def in_row(given: Sequence[object]) -> list[str] | None:
    """Return options up to the last that is not empty; None where all are."""
    texts = ["" if part is None else str(part).strip() for part in given]
    last = max((place for place, text in enumerate(texts) if text), default=-1)
    return texts[: last + 1] or None
