"""A read-only server writes nothing and reads no path that a visitor names, whatever road is tried."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analytics.errors import ReadOnly
from analytics.store import Store
from loaders import own_store
from loaders.background import start
from loaders.mapping_find import save_profile
from loaders.read_only import VARIABLE, is_read_only
from loaders.warehouse import build, locked
from pages.ui.kit import logs, own_claims
from tests.stores import TOY, toy_build, write_log


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of one row under a home of its own, served without writing."""
    log = write_log(
        tmp_path / "log.json",
        items=[{"item_id": "i", "capability": "c"}],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": "i", "credit": 1.0}],
    )
    toy_build(tmp_path, log)
    monkeypatch.setenv("SCOREPROOF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(VARIABLE, "1")
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


ROADS: dict[str, Callable[[Path], object]] = {
    "add": lambda at: build([str(at / "log.json")], at / "store", add=True, known=[TOY]),
    "replace": lambda at: build([str(at / "log.json")], at / "store", add=False, known=[TOY]),
    "remove": lambda at: build([], at / "store", add=True, remove=["x"], known=[TOY]),
    "a new store": lambda at: build([str(at / "log.json")], at / "fresh", add=False, known=[TOY]),
    "begin": lambda at: own_store.begin(at / "store"),
    "restore": lambda at: own_store.restore(at / "store", own_store.pointer_text(at / "store"), instead_of=""),
    "set aside": lambda at: own_store.set_aside(),
    "bring back": lambda at: own_store.bring_back(),
    "lock": lambda at: locked(at / "store").__enter__(),
    "profile": lambda at: save_profile(at / "log.json", "x"),
    "upload": lambda at: logs.keep([]),
    "claims of a folder": lambda at: own_claims.folder_at(str(at)),
}


@pytest.mark.parametrize("road", ROADS)
def test_every_road_is_closed(served: Path, road: str) -> None:
    before = files(served)
    with pytest.raises(ReadOnly, match="read-only"):
        ROADS[road](served)
    assert files(served) == before
    assert Store(served / "store").pointer.rows["responses"] == 1


def test_a_job_in_the_background_says_so(served: Path) -> None:
    job = start(served / "store", [str(served / "log.json")], [], {})
    assert job.wait(30)
    assert "read-only" in job.error


@pytest.mark.parametrize(("value", "means"), [("1", True), ("yes", True), ("", False), ("0", False), ("false", False)])
def test_the_variable(monkeypatch: pytest.MonkeyPatch, value: str, means: bool) -> None:
    monkeypatch.setenv(VARIABLE, value)
    assert is_read_only() is means


def test_the_roads_are_open_otherwise(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    assert build([str(served / "log.json")], served / "store", add=True, known=[TOY]).idle == []
    assert save_profile(served / "log.json", "x").exists()
