"""Printed scores beside those of the rows: found by the tables' own description, compared at the printed digits."""

import pytest

from analytics import printed as module
from analytics.errors import EmptySlice
from tests.asking import asked, one, rows
from tests.stores import toy_store

BOARDS = (
    {
        "file": "board.csv", "document": "toy", "keys": ["model"],
        "leaderboard": {
            "metrics": {"score": "raw"}, "capabilities": {"easy": "a"}, "media": {"film": "video"},
            "human": ["People"],
        },
    },
    {
        "file": "cells.csv", "document": "toy", "keys": ["system", "part"],
        "leaderboard": {"model": "system", "metrics": {"accuracy": "raw"}, "capability_column": "part"},
    },
)  # fmt: skip


def figure(file, row, column, text):
    return {
        "document": "toy", "file": file, "place": "Table 1", "row_key": row, "column_name": column, "printed": text,
        "value": float(text), "decimals": len(text.partition(".")[2]), "unit": "percent", "provenance": "published",
    }  # fmt: skip


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Three items: M gets 2 of 3 (1 of 2 on a, 1 of 1 on b), people all; a run under a condition is no main run."""
    monkeypatch.setattr(module, "boards", lambda: BOARDS)
    items = [
        {"item_id": f"i{k}", "capability": "aab"[k], "media_type": ("image", "video", "image")[k]} for k in range(3)
    ]
    runs = [
        {"run_id": "m", "model": "M"},
        {"run_id": "h", "model": "anyone", "kind": "human"},
        {"run_id": "low", "model": "M", "condition": "effort=low"},
        {"run_id": "x", "model": "Unprinted"},
    ]
    right = {"m": (1, 0, 1), "h": (1, 1, 1), "low": (0, 0, 0), "x": (0, 0, 1)}
    responses = [
        {"run_id": run, "item_id": f"i{k}", "credit": float(credit)}
        for run, credits in right.items()
        for k, credit in enumerate(credits)
    ]
    return toy_store(
        tmp_path, items=items, runs=runs, responses=responses,
        figures=[
            figure("board.csv", "M", "score", "66.7"), figure("board.csv", "M", "easy", "51.0"),
            figure("board.csv", "M", "film", "0"), figure("board.csv", "People", "score", "100.0"),
            figure("cells.csv", "M / a", "accuracy", "50.00"), figure("cells.csv", "M / b", "accuracy", "99.99"),
        ],
    )  # fmt: skip


def test_the_whole_benchmark(store):
    found = asked(store, "printed", {"benchmark": "toy"})
    table = found.table.to_dicts()
    mine = one(table, run="m")
    assert (mine["printed"], mine["score"], mine["agrees"]) == ("66.7", 2 / 3, True)
    assert one(table, run="h")["row"] == "People"
    assert {row["run"] for row in table} == {"m", "h"}
    assert found.left_out == {"runs whose score is not printed": 1}


def test_one_part_of_it(store):
    easy = rows(store, "printed", {"benchmark": "toy", "capability": "a"})
    assert [(row["file"], row["printed"], row["agrees"]) for row in easy] == [
        ("board.csv", "51.0", False), ("cells.csv", "50.00", True),
    ]  # fmt: skip
    assert one(rows(store, "printed", {"benchmark": "toy", "capability": "b"}))["agrees"] is False
    assert one(rows(store, "printed", {"benchmark": "toy", "media_type": "video"}))["agrees"] is True


@pytest.mark.parametrize(
    "where", [{"capability": ["a", "b"]}, {"capability": "a", "media_type": "video"}, {"tier": "none"}]
)
def test_nothing_is_compared_that_is_not_printed(store, where):
    with pytest.raises(EmptySlice):
        asked(store, "printed", {"benchmark": "toy"} | where)


def test_nothing_is_compared_under_another_policy(store):
    with pytest.raises(EmptySlice):
        asked(store, "printed", {"benchmark": "toy"}, missing="zero")
