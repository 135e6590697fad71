"""Counts that were once under a wrong name: items that do not apply among the unjudged, a second attempt's status."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analytics.policy import Policy
from analytics.questions import ask, question
from analytics.slices import Slice
from analytics.store import Store
from loaders import finish
from tests.stores import toy_build, toy_store, write_log

ITEMS = [{"item_id": f"i{k}", "capability": "c"} for k in range(5)]
RESPONSES = [
    {"item_id": "i0", "credit": 1.0},
    {"item_id": "i1", "status": "not_applicable"},
    {"item_id": "i2", "credit": None},
    {"item_id": "i3", "status": "error"},
    {"item_id": "i4", "credit": 0.0},
    {"item_id": "i4", "attempt": 2, "status": "refused"},
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    responses = [{"run_id": "r"} | row for row in RESPONSES]
    return toy_store(tmp_path_factory.mktemp("s"), items=ITEMS, runs=[{"run_id": "r"}], responses=responses)


def rows(store: Store, name: str, chosen: Slice | None = None, **options: object) -> pl.DataFrame:
    own = {option.name: option.initial for option in question(name).options} | options
    return ask(store, name, chosen or Slice(), Policy(), own).table


@pytest.mark.parametrize("name", ["leaderboard", "profiles", "cells"])
@pytest.mark.parametrize("live", [False, True], ids=["cube", "scores"])
def test_what_does_not_apply_is_not_unjudged(store: Store, name: str, live: bool) -> None:
    policy = Policy(guessed="wrong") if live else Policy()
    own = {option.name: option.initial for option in question(name).options}
    answer = ask(store, name, Slice(), policy, own)
    row = answer.table.row(0, named=True)
    assert {key: row[key] for key in ("declared", "n", "failed", "unjudged", "not_applicable")} == {
        "declared": 5, "n": 2, "failed": 1, "unjudged": 1, "not_applicable": 1,
    }  # fmt: skip
    assert answer.left_out["items that do not apply"] == 1
    assert answer.left_out["items that nobody judged"] == 1


@pytest.mark.parametrize(
    ("status", "items"),
    [("refused", ["i4"]), ("not_applicable", ["i1"]), ("ok", ["i0", "i2", "i4"]), ("missing", []), ("error", ["i3"])],
)
def test_any_attempt_with_the_status_lists_the_item(store: Store, status: str, items: list[str]) -> None:
    assert rows(store, "cases", status=status)["item"].to_list() == items


def test_a_slice_of_other_runs_lists_no_item(store: Store) -> None:
    assert rows(store, "cases", Slice.of(run="r"), status="refused")["item"].to_list() == ["i4"]


def test_the_data_hash_knows_provenance_and_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exports of two stores with other numbers once bore the same stamp."""
    log = write_log(tmp_path / "log.json", items=ITEMS, runs=[{"run_id": "r"}], responses=[])

    def stamped(**options: str) -> str:
        toy_build(tmp_path, log, **options)
        return Store(tmp_path / "store").pointer.data_hash

    plain = stamped()
    assert stamped() == plain
    assert stamped(provenance="released") != plain
    weights = tmp_path / "rubric.toml"
    weights.write_text(finish.RUBRIC.read_text(encoding="utf-8").replace("0.5", "0.4"), encoding="utf-8")
    monkeypatch.setattr(finish, "RUBRIC", weights)
    assert stamped() != plain
