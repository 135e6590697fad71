"""Ask questions as the command line does: options are texts, the slice is keys and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analytics.questions import Answer, ask, options_of, question
from analytics.slices import Slice
from analytics.store import Store

Where = Mapping[str, str | Sequence[str]]


def asked(store: Store, name: str, where: Where | None = None, **given: Any) -> Answer:
    """Ask one question; the answer's columns are the declared ones, in their order, whatever was asked."""
    policy, options = options_of(question(name), {key: str(value) for key, value in given.items()})
    answer = ask(store, name, Slice.of(**(where or {})), policy, options)
    assert answer.table.columns == [column.name for column in question(name).columns]
    return answer


def rows(store: Store, name: str, where: Where | None = None, **given: Any) -> list[dict[str, Any]]:
    """Return the rows of an answer."""
    return asked(store, name, where, **given).table.to_dicts()


def one(found: Sequence[dict[str, Any]], **values: Any) -> dict[str, Any]:
    """Return the only row that has these values."""
    hits = [row for row in found if all(row[name] == value for name, value in values.items())]
    assert len(hits) == 1, f"{len(hits)} rows with {values}"
    return hits[0]
