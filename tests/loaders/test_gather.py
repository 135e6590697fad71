"""Rows gathered into frames: one row alone takes another road than several, to the same columns."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

import polars as pl
import pytest

from loaders.gather import Gather

ODD: tuple[Any, ...] = (
    None, "x", "", "1", 1, 0, 1.5, True, math.nan, math.inf, 2**70, 2**53 + 1, [], ["a"], [1], [None], [["a"]],
    {"a": 1}, {}, b"x", dt.date(2020, 1, 1), "\ud800",
)  # fmt: skip
COLUMNS = ("prompt", "options", "chance", "reference_known", "unheard_of")


def frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    rows_of = Gather("items")
    for row in rows:
        rows_of.add("items", **row)
    (batch,) = rows_of.batches()
    return batch.frame


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("value", ODD, ids=repr)
def test_a_row_alone_comes_as_two_of_it_do(column: str, value: object) -> None:
    row = {"chance": None, "item_id": "1", column: value}
    try:
        two = frame([row, row])
    except Exception as error:  # noqa: BLE001 - whatever two rows meet, one meets as well
        with pytest.raises(type(error)):
            frame([row])
        return
    one = frame([row])
    assert one.schema == two.schema
    assert one.equals(two.head(1))


def test_columns_come_in_the_order_and_types_of_the_schema_whatever_order_they_were_given_in() -> None:
    given = frame([{"chance": 1, "prompt": None, "benchmark": "b", "item_id": "1", "options": ["x", None]}])
    assert given.schema == {
        "benchmark": pl.String(),
        "item_id": pl.String(),
        "prompt": pl.String(),
        "options": pl.List(pl.String()),
        "chance": pl.Float64(),
    }
    assert given.rows() == [("b", "1", None, ["x", None], 1.0)]
    assert given.columns == ["benchmark", "item_id", "prompt", "options", "chance"]


def test_a_column_that_only_the_last_of_many_rows_has_is_kept() -> None:
    given = frame([{"item_id": str(place)} for place in range(200)] + [{"item_id": "200", "tier": "hard"}])
    assert given["tier"].to_list() == [None] * 200 + ["hard"]
