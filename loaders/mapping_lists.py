"""Elements of lists within records, by their place: `answers[0].text` is the field `text` of the first answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from loaders.base import Issue
from loaders.jsonlines import column

_INDEX = re.compile(r"\[(\d{1,6})\]")


@dataclass(slots=True)
class Lists:
    """Which elements of which lists a mapping reads, and in how many records such a list has more of them.

    `singles` opens every list of at most one record too, for a suggestion.
    """

    places: Mapping[str, frozenset[int]]
    singles: bool = False
    longer: dict[str, int] = field(default_factory=dict)

    def elements(self, series: pl.Series, taken: Iterable[str]) -> list[pl.Series]:
        """Return the wanted elements of one column as columns of their own, null where a list is shorter.

        None where the file has a column that is called so already (`taken`).
        """
        name = str(series.name)
        wanted = sorted(self.places.get(name, ()))
        if not wanted and self.singles and _single(series):
            wanted = [0]
        wanted = [at for at in wanted if f"{name}[{at}]" not in set(taken)]
        if not wanted:
            return []
        if isinstance(series.dtype, pl.List):
            lengths = series.list.len().fill_null(0)
            found = [series.list.get(at, null_on_oob=True) for at in wanted]
        elif series.dtype == pl.String:
            cells = [_list(text) for text in series.to_list()]
            lengths = pl.Series([len(cell) for cell in cells], dtype=pl.Int64)
            found = [column(name, [cell[at] if at < len(cell) else None for cell in cells]) for at in wanted]
        else:
            return []
        more = int((lengths > max(wanted) + 1).sum())
        if more:
            self.longer[name] = self.longer.get(name, 0) + more
        return [element.alias(f"{name}[{at}]") for at, element in zip(wanted, found, strict=True)]

    def unread(self) -> Iterable[Issue]:
        """Yield a note for each list of which some records have more than the mapping reads."""
        for name, records in self.longer.items():
            last = max(self.places[name])
            message = f"In {records} records {name} has more elements than {name}[{last}]; those were not read."
            yield Issue("list_not_whole", "note", message, column=name, records=records)


def lists_of(names: Iterable[str], *, singles: bool = False) -> Lists:
    """Return the elements of lists that column names ask for; `a[0].b[1]` asks for one of `a` and one of `a[0].b`."""
    places: dict[str, set[int]] = {}
    for name in names:
        for found in _INDEX.finditer(name):
            if found.start():
                places.setdefault(name[: found.start()], set()).add(int(found.group(1)))
    return Lists({name: frozenset(at) for name, at in places.items()}, singles)


def _single(series: pl.Series) -> bool:
    """Whether a column holds lists of at most one record each."""
    if isinstance(series.dtype, pl.List):
        lengths = series.list.len().drop_nulls()
        return isinstance(series.dtype.inner, pl.Struct) and bool((lengths == 1).any() and (lengths <= 1).all())
    if series.dtype != pl.String:
        return False
    texts = series.drop_nulls()
    if not texts.len() or not texts.str.starts_with("[{").all():
        return False
    cells = [_list(text) for text in texts]
    return all(len(cell) == 1 and isinstance(cell[0], dict) for cell in cells)


def _list(text: str | None) -> list[Any]:
    """Return the JSON list in a cell; empty where it holds none."""
    if text is None or not text.lstrip().startswith("["):
        return []
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []
