"""Stores of `serve LOGS`: the last few stay, and whatever a running server, a build or a reader uses."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import cli
from loaders.served import KEPT, MARK, mark, served_folder, store_of, sweep
from loaders.warehouse import build, locked
from tests.stores import TOY, write_log

HOLD = """
import sys, pathlib
from {module} import {name}
held = {name}(pathlib.Path(sys.argv[1]))
{use}
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREPROOF_HOME", str(tmp_path / "home"))


def stores(tmp_path: Path, number: int) -> list[Path]:
    """Build stores of as many sets of logs, the first the longest unused."""
    log = write_log(tmp_path / "log.json", items=[{"item_id": "i"}], runs=[{"run_id": "r"}],
                    responses=[{"run_id": "r", "item_id": "i", "credit": 1.0}])  # fmt: skip
    made = []
    for n in range(number):
        store = store_of([tmp_path / f"logs-{n}"])
        os.close(mark(store))
        build([str(log)], store, add=False, known=[TOY])
        for name in (MARK, "current.json"):
            os.utime(store / name, (1000 + n, 1000 + n))
        made.append(store)
    return made


@contextmanager
def running(code: str, store: Path) -> Iterator[None]:
    """Let another process hold a store by running the code on it, until the block ends; then kill it."""
    with subprocess.Popen(
        [sys.executable, "-c", code, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        cwd=Path(cli.__file__).parent,
    ) as child:  # fmt: skip
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "held\n"
            yield
        finally:
            child.kill()


def test_servers_over_different_logs_have_stores_of_their_own(tmp_path: Path) -> None:
    one, two = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert store_of([one]) != store_of([two])
    assert store_of([one, two]) == store_of([two, one])
    assert store_of([tmp_path / "x" / ".." / "a.jsonl"]) == store_of([one])


def test_the_last_few_are_kept(tmp_path: Path) -> None:
    made = stores(tmp_path, KEPT + 2)
    (served_folder() / "notes").mkdir()
    assert sweep() == made[1::-1]
    assert sorted(path.name for path in served_folder().iterdir()) == sorted(["notes", *(s.name for s in made[2:])])
    assert sweep() == []


@pytest.mark.parametrize(
    ("module", "name", "use"),
    [("loaders.served", "mark", ""),
     ("analytics.store", "Store", "")],
    ids=["a server that nobody visited yet", "a reader of an older version"],
)  # fmt: skip
def test_what_another_process_uses_stays(tmp_path: Path, module: str, name: str, use: str) -> None:
    used, *others = stores(tmp_path, 3)
    code = HOLD.format(module=module, name=name, use=use)
    with running(code, used):
        assert sweep(keep=0) == others[::-1]
        assert (used / "current.json").is_file()
    assert sweep(keep=0) == [used]  # a mark ends with its process, however that ended


def test_the_mark_goes_on_with_what_the_process_becomes(tmp_path: Path) -> None:
    (store,) = stores(tmp_path, 1)
    after = "import sys; print('held', flush=True); sys.stdin.read()"
    code = (
        "import os, sys, pathlib; from loaders.served import mark; mark(pathlib.Path(sys.argv[1])); "
        f"os.execv(sys.executable, [sys.executable, '-c', {after!r}])"
    )
    with running(code, store):
        assert sweep(keep=0) == []
    assert sweep(keep=0) == [store]


def test_a_store_that_is_being_built_stays(tmp_path: Path) -> None:
    (store,) = stores(tmp_path, 1)
    with locked(store):
        assert sweep(keep=0) == []
    assert sweep(keep=0) == [store]


def test_serving_marks_its_store_and_sweeps_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = stores(tmp_path, KEPT + 1)
    became: list[dict[str, str]] = []
    monkeypatch.setattr(cli, "_become", lambda command, environment: became.append(environment) or 0)
    monkeypatch.chdir(tmp_path)
    sample = Path(__file__).parent / "samples" / "psycheme" / "good" / "factors.csv"
    assert cli.main(["serve", str(sample)]) == 0
    mine = store_of([sample])
    assert became[0]["SCOREPROOF_STORE"] == str(mine)
    left = {path.name for path in served_folder().iterdir()}
    assert left == {mine.name, *(store.name for store in made[2:])}
    assert sweep(keep=0) == made[:1:-1]  # its own is marked, by this very process
