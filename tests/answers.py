"""Ask a question of a store as the command line does, and hold the answer to what the question declares."""

from __future__ import annotations

from typing import Any

import polars as pl

from analytics.questions import Answer, question
from analytics.store import Store
from tests import asking

COUNTED = {"count", "rank"}


def asked(store: Store, name: str, where: dict[str, Any] | None = None, **given: object) -> Answer:
    """Answer of a question, its columns held to their declared names and units."""
    answer = asking.asked(store, name, where, **given)
    for column in question(name).columns:
        values = answer.table[column.name]
        if values.dtype.is_float():
            assert not values.is_nan().any(), f"{column.name}: undefined is null, not NaN"
        if column.unit in COUNTED:
            assert values.dtype.is_integer(), f"{column.name} is a count and has type {values.dtype}"
        if column.unit == "proportion" and column.name != "change":
            known = values.drop_nulls().cast(pl.Float64)
            assert known.is_empty() or (known.min() >= -1e-12 and known.max() <= 1 + 1e-12), column.name
    assert all(isinstance(n, int) and n >= 0 for n in answer.left_out.values())
    return answer


def rows(answer: Answer, **equal: object) -> list[dict[str, Any]]:
    """Rows of an answer whose columns have these values."""
    return answer.table.filter(*[pl.col(name) == value for name, value in equal.items()]).to_dicts()


def row(answer: Answer, **equal: object) -> dict[str, Any]:
    """Return the one row of an answer whose columns have these values."""
    (found,) = rows(answer, **equal)
    return found
