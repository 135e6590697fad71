"""Stores that every page is run on, and the runner."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from loaders.embedded import embedded_store
from loaders.warehouse import build
from tests.real.conftest import real_logs
from tests.stores import toy_build, write_log

ROOT = Path(__file__).resolve().parents[2]
APP = str(ROOT / "app.py")
PAGES = ["app.py", *sorted(f"pages/{path.name}" for path in (ROOT / "pages").glob("[0-9]*_*.py"))]

Open = Callable[..., AppTest]


def one_run(folder: Path) -> Path:
    """One run, two items, no text, no labels."""
    log = write_log(
        folder / "one.json",
        items=[{"item_id": "a", "capability": "x"}, {"item_id": "b", "capability": "y"}],
        runs=[{"run_id": "only"}],
        responses=[
            {"run_id": "only", "item_id": "a", "credit": 1.0},
            {"run_id": "only", "item_id": "b", "credit": 0.0},
        ],
    )
    toy_build(folder, log)
    return folder / "store"


STATUSES = ("ok", "missing", "invalid_format", "guessed", "error", "refused", "truncated", "judge_failed", "skipped")


def everything(folder: Path) -> Path:
    """Two benchmarks; every status, several attempts, verdicts, labels, tags, hidden answers, a human and a control."""
    items = [
        {
            "item_id": f"i{k}",
            "capability": f"c{k % 3}",
            "media_type": ("image", "video")[k % 2],
            "reference_known": k != 8,
            "prompt": f"What is {k} times 5%?",
            "options": ["one", "two"],
            "reference": "A",
        }
        for k in range(9)
    ]
    runs = [
        {"run_id": "m1", "vendor": "V"},
        {"run_id": "m2", "vendor": "W", "condition": "effort=low"},
        {"run_id": "m3", "vendor": "W"},
        {"run_id": "h", "kind": "human"},
        {"run_id": "c", "kind": "control"},
    ]
    good = ("ok", "guessed", "invalid_format")
    responses = [
        {
            "run_id": run["run_id"],
            "item_id": item["item_id"],
            "attempt": attempt,
            "status": STATUSES[(k + r) % len(STATUSES)],
            "credit": float((k + r) % 2) if STATUSES[(k + r) % len(STATUSES)] in good else None,
            "answer": "A" if (k + r) % 2 else "B",
            "rationale": f"because {k}",
            "coverage": "present",
            "evidence": "supported",
            "logic": ("sound", "gap", "broken")[k % 3],
            "output_tokens": 10 * k,
        }
        for r, run in enumerate(runs)
        for k, item in enumerate(items)
        for attempt in (1, 2)
    ]
    verdicts = [
        {
            "run_id": "m1",
            "item_id": f"i{k}",
            "judge_id": judge,
            "met": met,
            "status": "ok" if met is not None else "abstained",
        }
        for k in range(4)
        for judge, met in (("j1", True), ("j2", None if k else False))
    ]
    log = write_log(
        folder / "everything.json",
        benchmarks=[
            {"benchmark": "toy", "verified_means": "labels", "rubric": "rationale", "missing_policy": "zero"},
            {"benchmark": "other", "title": "Other"},
        ],
        items=[*items, {"item_id": "z", "benchmark": "other"}],
        runs=[*runs, {"run_id": "o", "benchmark": "other"}],
        responses=[*responses, {"run_id": "o", "item_id": "z", "credit": 0.5}],
        judges=[{"judge_id": "j1"}, {"judge_id": "j2", "kind": "person"}],
        verdicts=verdicts,
        item_tags=[{"item_id": "i1", "kind": "skill", "tag": "counting"}],
    )
    toy_build(folder, log)
    return folder / "store"


def empty(folder: Path) -> Path:
    """A store without a row."""
    build([], folder / "store", add=False)
    return folder / "store"


def real(name: str) -> Callable[[Path], Path]:
    """Return what builds a store from other people's logs."""

    def built(folder: Path) -> Path:
        logs = real_logs() / name
        if not logs.is_dir():
            if os.environ.get("SCOREPROOF_REQUIRE_REAL") == "1":
                pytest.fail(f"no logs at {logs}; name their folder in SCOREPROOF_REAL_LOGS")
            pytest.skip(f"no logs at {logs}; name their folder in SCOREPROOF_REAL_LOGS")
        build([str(logs)], folder / "store", add=False)
        return folder / "store"

    return built


REAL = ("blink", "pandalm", "alpaca_eval", "inspect", "vlmevalkit")
STORES = {
    "empty": empty, "one run": one_run, "everything": everything, "real": real("pandalm"),
    **{name: real(name) for name in REAL},
}  # fmt: skip


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the embedded store, built once."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCOREPROOF_HOME", str(home))
        embedded_store()
    return home


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of a store by name, built at first use."""
    built: dict[str, Path] = {}

    def store(name: str) -> Path:
        if name not in built:
            built[name] = STORES[name](tmp_path_factory.mktemp(name.replace(" ", "-")))
        return built[name]

    return store


@pytest.fixture
def open_page(stores: Callable[[str], Path], shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Return a function that opens one page on one store under an address, as AppTest does."""

    def opened(page: str, store: str, address: dict[str, str | list[str]] | None = None) -> AppTest:
        st.cache_resource.clear()
        if store == "embedded":
            shutil.copytree(shipped / "embedded", tmp_path / "home" / "embedded", dirs_exist_ok=True)
            monkeypatch.delenv("SCOREPROOF_STORE", raising=False)
        else:
            monkeypatch.setenv("SCOREPROOF_STORE", str(stores(store)))
        monkeypatch.setenv("SCOREPROOF_HOME", str(tmp_path / "home"))
        test = AppTest.from_file(APP, default_timeout=60)
        if page != "app.py":
            test.run()
            test.switch_page(page)
        for name, value in (address or {}).items():
            test.query_params[name] = value
        test.run()
        return test.run()  # the first run after a switch shows defaults

    return opened


def texts(test: AppTest) -> str:
    """Return every plain text, caption, heading and note that a page shows."""
    parts = [*test.text, *test.caption, *test.title, *test.subheader, *test.markdown]
    return "\n".join(part.value for part in parts)
