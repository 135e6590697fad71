"""The reader's own store: begun as a copy, put aside and brought back; no store of theirs is ever lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analytics.errors import BadStore
from analytics.store import Store, read_pointer
from loaders import own_store
from loaders.embedded import home, private
from tests.stores import toy_build, write_log


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREPROOF_HOME", str(tmp_path / "home"))


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """A small store in the place of the shipped one."""
    (tmp_path / "shipped").mkdir()
    return build(tmp_path / "shipped", "shipped")


def build(folder: Path, run: str, *, add: bool = False) -> Path:
    log = write_log(
        folder / f"{run}.json",
        items=[{"item_id": "i"}],
        runs=[{"run_id": run}],
        responses=[{"run_id": run, "item_id": "i", "credit": 1.0}],
    )
    toy_build(folder, log, add=add)
    return folder / "store"


def grow(store: Path, run: str, tmp_path: Path) -> None:
    """Add a run to a store of ours, as the Data page does."""
    (store.parent / "store").symlink_to(store)
    build(store.parent, run, add=True)
    (store.parent / "store").unlink()


def runs(store: Path) -> list[str]:
    with Store(store).cursor() as cursor:
        return [row[0] for row in cursor.execute("SELECT run_id FROM runs ORDER BY 1").fetchall()]


def test_it_begins_as_a_copy_that_leaves_the_shipped_one_alone(shipped: Path, tmp_path: Path) -> None:
    assert not own_store.serves()
    own = own_store.begin(shipped)
    assert own == own_store.own_store()
    assert own_store.serves()
    before = read_pointer(shipped)
    grow(own, "mine", tmp_path)
    assert runs(own) == ["mine", "shipped"]
    assert read_pointer(shipped) == before
    assert own_store.begin(shipped) == own
    assert runs(own) == ["mine", "shipped"]


def test_adding_while_it_is_aside_brings_it_back_with_all_it_held(shipped: Path, tmp_path: Path) -> None:
    own = own_store.begin(shipped)
    grow(own, "mine", tmp_path)
    own_store.set_aside()
    assert own_store.is_set_aside()
    assert not own_store.serves()
    assert own_store.begin(shipped) == own
    assert runs(own) == ["mine", "shipped"]
    assert not own_store.is_set_aside()


def test_putting_aside_never_overwrites_an_earlier_one(shipped: Path) -> None:
    own = own_store.begin(shipped)
    kept = own_store.pointer_text(own)
    (own / own_store.SET_ASIDE).write_text('{"earlier": true}')
    with pytest.raises(BadStore, match="put aside before"):
        own_store.set_aside()
    assert own_store.pointer_text(own) == kept
    assert (own / own_store.SET_ASIDE).read_text() == '{"earlier": true}'


def test_bringing_back_never_overwrites_the_served_one(shipped: Path) -> None:
    own = own_store.begin(shipped)
    (own / own_store.SET_ASIDE).write_text("{}")
    with pytest.raises(BadStore, match="served already"):
        own_store.bring_back()
    own_store.own_store().joinpath(own_store.SET_ASIDE).unlink()
    own_store.set_aside()
    own_store.bring_back()
    with pytest.raises(BadStore, match="to put aside"):
        own_store.set_aside() or own_store.set_aside()


def test_nothing_to_bring_back_is_said(shipped: Path) -> None:
    with pytest.raises(BadStore, match="No store was put aside"):
        own_store.bring_back()
    with pytest.raises(BadStore, match="no store at"):
        own_store.set_aside()


def test_a_store_of_another_version_stays_on_disk_and_a_new_one_is_begun(shipped: Path) -> None:
    own = own_store.begin(shipped)
    pointer = json.loads(own_store.pointer_text(own))
    (own / "current.json").write_text(json.dumps(pointer | {"schema_version": 0}))
    assert not own_store.serves()
    own_store.begin(shipped)
    assert own_store.serves()
    assert json.loads((own / "other-version-1.json").read_text())["schema_version"] == 0


@pytest.mark.parametrize("by_button", [False, True])
def test_a_store_put_aside_comes_back_past_one_of_another_version(
    shipped: Path, tmp_path: Path, by_button: bool
) -> None:
    own = own_store.begin(shipped)
    grow(own, "mine", tmp_path)
    own_store.set_aside()
    build = json.loads((own / own_store.SET_ASIDE).read_text())["file"]
    (own / "current.json").write_text(json.dumps({"schema_version": 0, "file": "build-old.duckdb"}))
    (own / "build-old.duckdb").write_bytes(b"an older program's")
    assert own_store.is_set_aside()
    if by_button:
        own_store.bring_back()
    else:
        assert own_store.begin(shipped) == own
    assert runs(own) == ["mine", "shipped"]
    assert json.loads(own_store.pointer_text(own))["file"] == build
    assert json.loads((own / "other-version-1.json").read_text())["file"] == "build-old.duckdb"
    assert not (own / own_store.SET_ASIDE).exists()
    for run in ("one", "two", "three", "four"):
        grow(own, run, tmp_path)
    assert (own / "build-old.duckdb").is_file()


def test_two_stores_of_other_versions_both_stay(shipped: Path) -> None:
    own = own_store.begin(shipped)
    for name in ("current.json", own_store.SET_ASIDE):
        (own / name).write_text(json.dumps({"schema_version": 0, "file": f"build-{name}.duckdb"}))
    own_store.begin(shipped)
    assert runs(own) == ["shipped"]
    kept = [json.loads((own / f"other-version-{n}.json").read_text())["file"] for n in (1, 2)]
    assert kept == ["build-current.json.duckdb", f"build-{own_store.SET_ASIDE}.duckdb"]


def test_no_later_build_deletes_what_another_pointer_names(shipped: Path, tmp_path: Path) -> None:
    own = own_store.begin(shipped)
    pointer = json.loads(own_store.pointer_text(own))
    (own / "current.json").write_text(json.dumps(pointer | {"schema_version": 0}))
    newer = tmp_path / "newer"
    newer.mkdir()
    own_store.begin(build(newer, "shipped"))
    for run in ("one", "two", "three", "four"):
        grow(own, run, tmp_path)
    assert (own / pointer["file"]).is_file()
    assert len(list(own.glob("build-*.duckdb"))) == 4


def test_an_earlier_build_can_be_served_again_while_it_is_kept(shipped: Path, tmp_path: Path) -> None:
    own = own_store.begin(shipped)
    text = own_store.pointer_text(own)
    grow(own, "mine", tmp_path)
    made = read_pointer(own).build_id
    own_store.restore(own, text, instead_of=made)
    assert runs(own) == ["shipped"]
    (own / json.loads(text)["file"]).unlink()
    with pytest.raises(BadStore, match="no longer kept"):
        own_store.restore(own, text, instead_of=read_pointer(own).build_id)


def test_the_way_back_stays_open_after_a_step_back(shipped: Path, tmp_path: Path) -> None:
    own = own_store.begin(shipped)
    first = own_store.pointer_text(own)
    for run in ("one", "two"):
        grow(own, run, tmp_path)
    own_store.restore(own, first, instead_of=read_pointer(own).build_id)
    grow(own, "three", tmp_path)
    own_store.restore(own, first, instead_of=read_pointer(own).build_id)
    assert runs(own) == ["shipped"]


def test_a_step_back_never_drops_a_later_change(shipped: Path, tmp_path: Path) -> None:
    own = own_store.begin(shipped)
    text = own_store.pointer_text(own)
    grow(own, "mine", tmp_path)
    made = read_pointer(own).build_id
    grow(own, "later", tmp_path)
    with pytest.raises(BadStore, match="changed again since"):
        own_store.restore(own, text, instead_of=made)
    assert runs(own) == ["later", "mine", "shipped"]


def test_the_folder_of_an_installation_that_cannot_be_written_is_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCOREPROOF_HOME")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    folder = home()
    assert folder.parent == tmp_path
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    assert home().stat().st_mode & 0o777 == 0o700


def test_a_folder_that_is_a_link_or_somebody_elses_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(BadStore, match="somebody else"):
        private(tmp_path / "link")
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(BadStore, match="SCOREPROOF_HOME"):
        private(tmp_path / "real")
