"""Runs of one benchmark from several files: joined on the item, never merged in silence, compared on what is common."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analytics.store import Store
from loaders.warehouse import LoadReport
from tests.asking import asked, one, rows
from tests.stores import toy_build, write_log


def log(folder: Path, name: str, run: str, credits: dict[str, float], *, model: str = "", **said: Any) -> Path:
    """Write one run over the items that `credits` names, each said to be as `said` has it."""
    return write_log(
        folder / name,
        items=[{"item_id": item} | said for item in credits],
        runs=[{"run_id": run, "model": model or run}],
        responses=[{"run_id": run, "item_id": item, "credit": credit} for item, credit in credits.items()],
    )


def built(folder: Path, *logs: Path) -> tuple[Store, LoadReport]:
    report = toy_build(folder, *logs)
    return Store(folder / "store"), report


def test_runs_of_two_files_join_on_the_item_id(tmp_path: Path) -> None:
    store, report = built(
        tmp_path,
        log(tmp_path, "a.json", "a", {"i1": 1, "i2": 0, "i3": 1}),
        log(tmp_path, "b.json", "b", {"i3": 1, "i1": 0, "i2": 0}),  # another order
    )
    assert report.issues == []
    assert report.rows["items"] == 3
    pair = one(rows(store, "pairwise", flips=99, resamples=100), a="a", b="b")
    assert (pair["n"], pair["both"], pair["only_a"], pair["only_b"], pair["neither"]) == (3, 1, 1, 0, 1)


@pytest.mark.parametrize(
    ("column", "first", "second"),
    [
        ("prompt", "What is it?", "What was it?"),
        ("reference", "A", "B"),
        ("capability", "Counting", "Depth"),
        ("answer_type", "single_choice", "open"),
    ],
)
def test_an_item_that_two_files_describe_differently_is_an_issue(
    tmp_path: Path, column: str, first: str, second: str
) -> None:
    store, report = built(
        tmp_path,
        log(tmp_path, "a.json", "a", {"i1": 1, "i2": 0}, **{column: first}),
        log(tmp_path, "b.json", "b", {"i1": 1, "i2": 0}, **{column: second}),
    )
    (issue,) = report.issues
    assert (issue["rule"], issue["severity"], issue["records"]) == ("item_conflict", "doubted", 2)
    assert issue["column_name"] == f"items.{column}"
    assert "the first file's is kept" in str(issue["message"])
    with store.cursor() as cursor:
        held = cursor.execute(f"SELECT DISTINCT {column} FROM items").fetchall()
    assert held == [(first,)]
    doubting = next(source for source in report.sources if source["path"] == "b.json")
    assert "item_conflict" in str(doubting["trust"])


def test_options_in_another_order_are_an_issue_too(tmp_path: Path) -> None:
    _, report = built(
        tmp_path,
        log(tmp_path, "a.json", "a", {"i1": 1}, options=["yes", "no"], reference="A"),
        log(tmp_path, "b.json", "b", {"i1": 1}, options=["no", "yes"], reference="A"),
    )
    (issue,) = report.issues
    assert (issue["rule"], issue["column_name"], issue["records"]) == ("item_conflict", "items.options", 1)


def test_a_description_that_is_lacking_is_no_conflict(tmp_path: Path) -> None:
    _, report = built(
        tmp_path,
        log(tmp_path, "a.json", "a", {"i1": 1}),
        log(tmp_path, "b.json", "b", {"i1": 1}, prompt="What is it?", options=["yes", "no"]),
    )
    assert report.issues == []


def test_one_model_twice_is_two_runs(tmp_path: Path) -> None:
    store, report = built(
        tmp_path,
        log(tmp_path, "monday.json", "same", {"i1": 1, "i2": 0}, model="M"),
        log(tmp_path, "tuesday.json", "same", {"i1": 0, "i2": 0}, model="M"),
    )
    assert [issue["rule"] for issue in report.issues] == ["run_again"]
    board = rows(store, "leaderboard", resamples=100)
    assert sorted((row["run"], row["model"], row["raw"]) for row in board) == [("same", "M", 0.5), ("same~2", "M", 0.0)]


def test_a_partial_run_is_shown_as_partial_and_compared_on_common_items_only(tmp_path: Path) -> None:
    whole = {f"i{k}": float(k < 6) for k in range(10)}  # right on the first six
    part = {f"i{k}": 1.0 for k in range(4)}  # right on all four that it has
    store, report = built(tmp_path, log(tmp_path, "a.json", "whole", whole), log(tmp_path, "b.json", "part", part))
    board = rows(store, "leaderboard", resamples=100)
    assert {row["run"]: (row["partial"], row["n"], row["declared"]) for row in board} == {
        "whole": (False, 10, 10), "part": (True, 4, 10),
    }  # fmt: skip
    pair = one(rows(store, "pairwise", flips=99, resamples=100), a="part", b="whole")
    assert (pair["n"], pair["mean_a"], pair["mean_b"], pair["difference"]) == (4, 1.0, 1.0, 0.0)
    notes = asked(store, "leaderboard", resamples=100).notes
    assert any("compare two runs on the items that both have" in note for note in notes)
    sentence = next(str(source["trust"]) for source in report.sources if source["path"] == "b.json")
    assert "1 of its 1 runs lack items of the population. Compare runs on common items alone" in sentence
