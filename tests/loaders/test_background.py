"""A build in the background: it tells how far it is, can be stopped at any batch, and says how it ended."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from analytics.store import Store, read_pointer
from loaders import background, base, discover, own_store
from loaders.base import Found, Reader, Source
from loaders.changes import appeared, changed_since, changes
from loaders.embedded import embedded_store
from loaders.pointer import removed_by
from loaders.progress import Cancelled, Progress
from loaders.warehouse import build, locked
from tests.stores import TOY, toy_build, write_log

ITEMS = [{"item_id": f"i{k}"} for k in range(3)]


def log(folder: Path, run: str = "r") -> Path:
    rows = [{"run_id": run, "item_id": item["item_id"], "credit": 1.0} for item in ITEMS]
    return write_log(folder / f"{run}.json", items=ITEMS, runs=[{"run_id": run}], responses=rows)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A reader that waits before its rows until the event is set."""
    opened = threading.Event()

    def read(source: Source) -> Iterator[Found]:
        assert opened.wait(30)
        yield from TOY.read(source)

    slow = Reader("toy", "1", "Toy", "file", TOY.fields, TOY.claims, read)
    every = (*base.readers(), slow)
    monkeypatch.setattr(discover, "readers", lambda: every)
    return opened


def test_it_ends_with_a_report(tmp_path: Path, gate: threading.Event) -> None:
    job = background.start(tmp_path / "S", [str(log(tmp_path))], [], {})
    assert job.running
    gate.set()
    assert job.wait(60)
    assert job.report is not None
    assert (job.report.rows["responses"], job.error, job.cancelled) == (3, "", False)
    assert job.progress is not None
    assert job.progress.stage == "done"


def test_cancelled_it_leaves_the_store_as_it_was(tmp_path: Path, gate: threading.Event) -> None:
    gate.set()
    toy_build(tmp_path, log(tmp_path, "first"))
    store = tmp_path / "store"
    before = read_pointer(store)
    gate.clear()
    job = background.start(store, [str(log(tmp_path, "second"))], [], {})
    job.cancel()
    assert job.stopping
    gate.set()
    assert job.wait(60)
    assert (job.cancelled, job.report, job.error) == (True, None, "")
    assert read_pointer(store) == before
    assert not list(store.glob(".*.partial*"))
    with locked(store):  # nothing holds the store any more
        pass


def test_what_went_wrong_names_what_the_person_gave(tmp_path: Path) -> None:
    folder = str(tmp_path / "uploads" / "0123456789abcdef")
    job = background.start(tmp_path / "S", [folder], [], {folder: "mine.jsonl"})
    assert job.wait(60)
    assert job.error == "mine.jsonl does not exist. Give a file or folder with logs."


def test_a_second_change_of_one_store_is_refused(tmp_path: Path) -> None:
    with locked(tmp_path / "S"):
        job = background.start(tmp_path / "S", [str(log(tmp_path))], [], {})
        assert job.wait(60)
    assert "Another build is writing" in job.error


def test_a_build_can_be_stopped_at_each_of_its_steps(tmp_path: Path) -> None:
    file = log(tmp_path)
    heard: list[Progress] = []
    build([str(file)], tmp_path / "whole", add=False, known=[TOY], on_progress=heard.append)
    assert [p.stage for p in heard].count("build") == 6
    assert any(p.rows == 3 and p.rate > 0 for p in heard)
    for stop in range(len(heard) - 1):  # the last word comes after the pointer was written
        left = iter(range(stop))

        def count(progress: Progress, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Cancelled

        folder = tmp_path / f"S{stop}"
        with pytest.raises(Cancelled):
            build([str(file)], folder, add=False, known=[TOY], on_progress=count)
        assert not (folder / "current.json").exists(), heard[stop]
        assert {path.name for path in folder.iterdir()} == {".lock"}


def sources(store: Path) -> list[dict[str, object]]:
    with Store(store).cursor() as cursor:
        rows: list[dict[str, object]] = cursor.sql("SELECT * FROM sources ORDER BY path").pl().to_dicts()
    return rows


def test_logs_that_changed_on_disk_are_noticed(tmp_path: Path) -> None:
    logs = [log(tmp_path, run) for run in ("a", "b", "c", "d")]
    toy_build(tmp_path, *logs)
    held = sources(tmp_path / "store")
    assert changes(held) == []
    logs[0].write_text(logs[0].read_text() + " ")  # another size
    text = logs[1].read_text()
    logs[1].write_text(text.replace("1.0", "0.0"))  # the same size
    logs[2].touch()  # the same bytes under another date
    logs[3].unlink()
    found = {change.name: change.what for change in changes(held)}
    assert found == {"a.json": "changed", "b.json": "changed", "d.json": "gone"}
    assert "c.json" in {change.name for change in changes(held, thorough=False)}


def test_files_that_come_to_a_folder_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "logs"
    (folder / "deep").mkdir(parents=True)
    log(folder, "a")
    (folder / "twin.json").symlink_to(folder / "a.json")
    toy_build(folder, folder)  # its store lies in the folder that is read
    held = sources(folder / "store")
    assert appeared(held) == []
    log(folder / "deep", "b")
    for name in (".hidden.json", "README.md", "deep/picture.png"):
        (folder / name).write_text("x")
    (tmp_path / "beside.json").write_text("{}")
    assert [(one.name, one.argument, one.what) for one in appeared(held)] == [("deep/b.json", str(folder), "new")]
    assert "new in its folders: deep/b.json. Build it again" in changed_since(folder / "store")
    toy_build(folder, folder, add=True)
    assert appeared(sources(folder / "store")) == []
    log(folder, "c")
    monkeypatch.setattr("loaders.changes.MOST_ENTRIES", 3)
    assert appeared(held) == []


def test_a_removed_file_is_not_new_and_comes_back_when_it_is_named(tmp_path: Path) -> None:
    folder, store = tmp_path / "logs", tmp_path / "store"
    folder.mkdir()
    a, _ = log(folder, "a"), log(folder, "b")

    def there() -> list[object]:
        return [row["path"] for row in sources(store)]

    def put(*logs: Path, add: bool = True, remove: tuple[str, ...] = (), leave_removed: bool = False) -> None:
        build([str(each) for each in logs], store, add=add, remove=remove, leave_removed=leave_removed, known=[TOY])

    put(folder, add=False)
    put(remove=(str(sources(store)[0]["source_id"]),))
    assert changed_since(store) == ""
    log(folder, "c")
    assert "new in its folders: c.json." in changed_since(store)
    put(folder, leave_removed=True)  # as the Data page reads the new ones
    assert (there(), changed_since(store)) == (["b.json", "c.json"], "")
    put(a)  # named itself, it is back
    assert (there(), removed_by(store / "current.json")) == (["a.json", "b.json", "c.json"], frozenset())
    before = (store / "current.json").read_text()
    put(remove=(str(sources(store)[0]["source_id"]),))
    assert removed_by(store / "current.json") == {a.resolve()}
    own_store.restore(store, before, instead_of=json.loads((store / "current.json").read_text())["build_id"])
    assert removed_by(store / "current.json") == frozenset()  # taking the removal back takes the mark back
    put(folder, add=False)
    assert (there(), removed_by(store / "current.json")) == (["a.json", "b.json", "c.json"], frozenset())


def test_of_a_store_of_another_version_nothing_is_said(tmp_path: Path) -> None:
    """Earlier ones kept the size of samples without their results file: compared, each would seem changed."""
    file = log(tmp_path, "a")
    toy_build(tmp_path, file)
    file.write_text(file.read_text() + " ")
    assert "changed on disk" in changed_since(tmp_path / "store")
    pointer = tmp_path / "store" / "current.json"
    held = json.loads(pointer.read_text())
    pointer.write_text(json.dumps(held | {"schema_version": held["schema_version"] - 1}))
    assert changed_since(tmp_path / "store") == ""


def test_the_shipped_logs_hold_nothing_that_was_not_read() -> None:
    assert appeared(sources(embedded_store())) == []


def test_a_folder_that_is_one_log_changes_with_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "native"
    folder.mkdir()
    (folder / "a").write_text("x")
    sha, size, modified = discover.digest(folder)
    held = {"source_id": "s", "path": "native", "argument": str(folder), "sha256": sha, "bytes": size,
            "modified": modified, "loader": "native", "loader_version": "1"}  # fmt: skip
    assert changes([held]) == []
    (folder / "b").write_text("y")
    assert [change.what for change in changes([held])] == ["changed"]
