"""What docs/faults.md promises for each fault, shown: the store is the old or the new one, and a sentence says why."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from analytics.errors import BadStore, NoStore
from analytics.store import POINTER, Store, frame
from benchmarks import faults
from loaders.native_write import export_native
from loaders.warehouse import build, locked
from tests.stores import TOY, toy_build, write_log

ROOT = Path(__file__).resolve().parents[2]


def log(folder: Path, name: str, *, rows: int, credit: float) -> Path:
    return write_log(
        folder / name,
        items=[{"item_id": f"i{k}", "capability": "c", "prompt": f"{k} " * 200} for k in range(rows)],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": f"i{k}", "credit": credit} for k in range(rows)],
    )


@pytest.fixture
def served(tmp_path: Path) -> Store:
    toy_build(tmp_path, log(tmp_path, "old.json", rows=2, credit=0.5))
    return Store(tmp_path / "store")


def rows(store: Store) -> tuple[int, float]:
    with store.cursor() as cursor:
        return frame(cursor, "SELECT count(*) AS n, sum(credit) AS s FROM responses").row(0)


def test_killed_at_random_moments(tmp_path: Path) -> None:
    """The long run is `python -m benchmarks.faults --kills 100`."""
    cases = faults.run(4, seed=3, rows=300, folder=tmp_path)
    assert sum(case.outcomes["old"] + case.outcomes["new"] for case in cases) == 4


CHILD = """
import os, resource, signal, sys
from pathlib import Path
from analytics.errors import ScoreproofError
from tests.stores import toy_build
folder, log, fault = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
if fault == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
else:
    os.seteuid(65534)
try:
    toy_build(folder, log)
except (ScoreproofError, OSError) as error:
    print(type(error).__name__, error)
    sys.exit(7)
"""


@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_a_disk_that_takes_no_more(tmp_path: Path, served: Store, fault: str) -> None:
    large = log(tmp_path, "large.json", rows=3000, credit=1.0)
    if fault == "read-only" and os.geteuid() != 0:
        pytest.skip("only root can become someone who may not write here")
    if fault == "read-only":
        (tmp_path / "store").chmod(0o755)
        for folder in (tmp_path, *tmp_path.parents[:2]):
            folder.chmod(0o755)
    before = sorted(path.name for path in (tmp_path / "store").iterdir())
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path), str(large), fault],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 7, done.stderr
    assert ("could not be written" if fault == "full" else "Permission denied") in done.stdout
    assert rows(served) == rows(Store(tmp_path / "store")) == (2, 1.0)
    assert sorted(path.name for path in (tmp_path / "store").iterdir()) == before
    toy_build(tmp_path, large)
    assert rows(served) == (3000, 3000.0)


def test_a_small_file_system_that_is_full(tmp_path: Path) -> None:
    """A real full disk, where this machine lets a test mount one."""
    small = tmp_path / "small"
    small.mkdir()
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("only root can mount a small file system")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(small)], check=False)
    if mounted.returncode:
        pytest.skip("this machine lets nobody mount a file system")
    try:
        toy_build(small, log(tmp_path, "old.json", rows=2, credit=0.5))
        served = Store(small / "store")
        (small / "filler").write_bytes(b"x" * max(0, shutil.disk_usage(small).free - 200_000))
        with pytest.raises((BadStore, OSError), match=r"could not be written|No space left"):
            toy_build(small, log(tmp_path, "large.json", rows=3000, credit=1.0))
        assert rows(served) == rows(Store(small / "store")) == (2, 1.0)
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def page() -> None:
    import streamlit as st  # noqa: PLC0415

    from analytics.errors import ScoreproofError  # noqa: PLC0415
    from analytics.policy import Policy  # noqa: PLC0415
    from analytics.slices import Slice  # noqa: PLC0415
    from pages.ui.kit import ask  # noqa: PLC0415

    ask.begin()
    try:
        st.text(str(ask.answer("leaderboard", Slice(), Policy()).table["raw"][0]))
    except ScoreproofError as error:
        st.text(str(error))


def test_a_store_deleted_while_it_is_served(tmp_path: Path, served: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREPROOF_STORE", str(tmp_path / "store"))
    st.cache_resource.clear()
    st.cache_data.clear()
    test = AppTest.from_function(page, default_timeout=60).run()
    assert [text.value for text in test.text] == ["0.5"]
    shutil.rmtree(tmp_path / "store")
    st.cache_data.clear()
    assert [text.value for text in test.run().text] == ["0.5"]
    assert rows(served) == (2, 1.0)
    with pytest.raises(NoStore, match="Build one with"):
        Store(tmp_path / "store")


GARBAGE: list[bytes | dict[str, object]] = [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b"x" * 100_000, {"build_id": 1}, {"file": "../../etc/passwd"},
    {"file": "gone.duckdb"}, {"file": "half.duckdb"}, {"schema_version": 999}, {"rows": "many"},
]  # fmt: skip


@pytest.mark.parametrize("garbage", GARBAGE, ids=str)
def test_garbage_for_a_pointer(tmp_path: Path, served: Store, garbage: bytes | dict[str, object]) -> None:
    pointer = tmp_path / "store" / POINTER
    good = pointer.read_bytes()
    (tmp_path / "store" / "half.duckdb").write_bytes(b"DUCK" * 100)
    bad = garbage if isinstance(garbage, bytes) else json.dumps(json.loads(good) | garbage).encode()
    if garbage == {"build_id": 1}:
        bad = b'{"build_id": 1}'
    pointer.write_bytes(bad)
    for store in (lambda: Store(tmp_path / "store"), lambda: rows(served)):
        with pytest.raises(BadStore):
            store()
    done = subprocess.run(
        [sys.executable, "cli.py", "ask", "leaderboard", "--store", str(tmp_path / "store")],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    ) if garbage == b"{" else None  # fmt: skip
    assert done is None or (done.returncode == 2 and "Traceback" not in done.stderr and "Build again" in done.stderr)
    if garbage != {"rows": "many"}:
        with pytest.raises(BadStore):
            toy_build(tmp_path, tmp_path / "old.json", add=True)
    toy_build(tmp_path, tmp_path / "old.json")
    assert rows(served) == rows(Store(tmp_path / "store")) == (2, 1.0)


def test_two_builders_at_once(tmp_path: Path, served: Store) -> None:
    with locked(tmp_path / "store"), pytest.raises(BadStore, match="Another build is writing"):
        build([str(tmp_path / "old.json")], tmp_path / "store", add=False, known=[TOY])
    assert rows(served) == (2, 1.0)


def test_an_export_that_fails_leaves_the_old_folder(tmp_path: Path) -> None:
    native = tmp_path / "native"
    toy_build(tmp_path, log(tmp_path, "old.json", rows=2, credit=0.5))
    export_native(next((tmp_path / "store").glob("build-*.duckdb")), native)
    before = {path.name: path.read_bytes() for path in native.iterdir()}
    (tmp_path / "broken.duckdb").write_bytes(b"DUCK" * 100)
    with pytest.raises(Exception, match=r"broken\.duckdb"):
        export_native(tmp_path / "broken.duckdb", native)
    assert {path.name: path.read_bytes() for path in native.iterdir()} == before
    assert not list(tmp_path.glob(".native*"))


def test_every_promise_names_its_test() -> None:
    text = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    here = Path(__file__).read_text(encoding="utf-8")
    named = [part for part in text.split("`") if part.startswith("test_")]
    assert len(named) >= 8
    assert [name for name in named if f"def {name}(" not in here] == []
