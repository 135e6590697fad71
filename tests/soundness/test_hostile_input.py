"""Slices, search words, options and addresses that try to be SQL, patterns or paths: values, or a clear error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from analytics.errors import ScoreproofError, UnknownName, UnknownValue
from analytics.policy import Policy
from analytics.questions import ask, options_of, question, questions
from analytics.slices import KEYS, Slice
from analytics.store import Store
from tests.stores import toy_store

ROOT = Path(__file__).resolve().parents[2]
EVIL = (
    "'", '"', "';--", "' OR '1'='1", "x') UNION SELECT * FROM sources --", "%", "_", "\\", "$where_model", "$pattern",
    "{where}", "{escape}", "a\0b", "\ud7ff", "\u202e", "NULL", "none'", "read_csv('/etc/passwd')", "x" * 100_000,
    "COPY items TO 'stolen.csv'", "?", "; DROP TABLE items", "\n", "NaN", "-1", "1e309", "../../x", "__import__('os')",
)  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    items = [
        {"item_id": "plain", "capability": "c", "prompt": "a quarter of it"},
        {"item_id": "50%", "capability": "it's", "prompt": "50% of it_is \\ off"},
    ]
    runs = [{"run_id": "r"}, {"run_id": "s';--"}]
    responses = [
        {"run_id": run["run_id"], "item_id": item["item_id"], "credit": 1.0, "answer": "A"}
        for run in runs
        for item in items
    ]
    return toy_store(tmp_path_factory.mktemp("s"), items=items, runs=runs, responses=responses)


def own(name: str, **given: Any) -> dict[str, Any]:
    return {option.name: option.initial for option in question(name).options} | given


@pytest.mark.parametrize("value", EVIL, ids=lambda v: repr(v)[:24])
def test_a_value_of_a_slice_is_a_value(store: Store, value: str) -> None:
    for key in KEYS:
        with pytest.raises(UnknownValue, match="No row has"):
            ask(store, "leaderboard", Slice.of(**{key: value}), Policy(), own("leaderboard"))
    with pytest.raises(UnknownName):
        Slice.of(**{value: "x"})


def test_a_value_with_signs_of_sql_is_found(store: Store) -> None:
    one = ask(store, "leaderboard", Slice.of(capability="it's", run="s';--"), Policy(), own("leaderboard")).table
    assert one["run"].to_list() == ["s';--"]
    assert one["n"].to_list() == [1]


@pytest.mark.parametrize("words", EVIL, ids=lambda v: repr(v)[:24])
def test_words_of_a_search_are_words(store: Store, words: str) -> None:
    found = ask(store, "cases", Slice(), Policy(), own("cases", search=words)).table["item"].to_list()
    expected = {"%": ["50%"], "_": ["50%"], "\\": ["50%"], "\n": ["50%", "plain"]}
    assert sorted(found) == expected.get(words, [])


def test_ten_thousand_values_are_bound(store: Store) -> None:
    many = [f"run {k}'" for k in range(10_000)]
    chosen = Slice.of(run=[*many, "r"])
    where, params = chosen.where()
    assert "'" not in where
    assert len(params["where_run"]) == 10_001
    with pytest.raises(UnknownValue) as raised:
        ask(store, "leaderboard", chosen, Policy(), own("leaderboard"))
    assert len(str(raised.value)) < 1000
    assert len(chosen.sentence()) < 1000


@pytest.mark.parametrize("name", sorted(questions()))
def test_options_are_read_strictly(name: str) -> None:
    asked = question(name)
    for option in asked.options:
        for value in EVIL:
            if option.kind == "text":
                assert options_of(asked, {option.name: value})[1][option.name] == value
                continue
            try:
                read = options_of(asked, {option.name: value})[1][option.name]
            except ScoreproofError:
                continue
            assert read == float(value), (option.name, value)
    for value in EVIL:
        with pytest.raises(ScoreproofError):
            options_of(asked, {f"x{value}": "1"})


FORBIDDEN = (
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM read_parquet('http://127.0.0.1:9/x.parquet')",
    "COPY items TO 'stolen.csv'",
    "COPY (SELECT 1) TO 'stolen.csv'",
    "ATTACH 'other.duckdb' AS other",
    "EXPORT DATABASE 'stolen'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET enable_external_access",
    "PRAGMA enable_external_access",
    "SET autoinstall_known_extensions = true",
    "SET memory_limit = '1MB'",
    "CREATE TABLE x AS SELECT 1",
    "DROP TABLE items",
    "UPDATE items SET prompt = ''",
)


@pytest.mark.parametrize("sql", FORBIDDEN)
def test_the_serving_side_reaches_nothing_outside_its_build(store: Store, sql: str) -> None:
    with store.cursor() as cursor, pytest.raises(duckdb.Error):
        cursor.execute(sql).fetchall()
    assert ask(store, "leaderboard", Slice(), Policy(), own("leaderboard")).table.height == 2


def test_the_command_line_answers_with_a_sentence(store: Store) -> None:
    for given in (
        ["--where", "capability=' OR 1=1 --"],
        ["--where", "x;y=1"],
        ["--set", "average=1;DROP"],
        ["--set", "="],
    ):
        done = subprocess.run(
            [sys.executable, "cli.py", "ask", "leaderboard", "--store", str(store.folder), *given],
            cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert done.stderr.startswith("scoreproof: ")
        assert "Traceback" not in done.stderr


def page(path: str, monkeypatch: pytest.MonkeyPatch, store: Store, address: dict[str, list[str]]) -> AppTest:
    monkeypatch.setenv("SCOREPROOF_STORE", str(store.folder))
    st.cache_resource.clear()
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    test.run()
    test.switch_page(path)
    for name, values in address.items():
        test.query_params[name] = values
    return test.run()


@pytest.mark.parametrize("path", ["pages/01_leaderboard.py", "pages/11_cases.py", "pages/09_conditions.py"])
def test_an_address_is_left_aside_with_a_sentence(store: Store, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    address = {key: ["' OR 1=1 --", "%"] for key in KEYS} | {
        name: ["';--"]
        for name in ("judge", "rubric", "missing", "page", "search", "item", "status", "beside", "x'y", "level")
    }
    test = page(path, monkeypatch, store, address)
    assert not test.exception
    said = "\n".join(text.value for text in test.text)
    assert "Left aside from the address" in said
    assert "Traceback" not in said


def test_what_fails_inside_shows_no_detail(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("secret: /home/someone/key")

    from pages.ui.kit import ask as kit  # noqa: PLC0415

    st.cache_data.clear()
    original: Callable[..., Any] = kit.questions.ask

    def only_the_leaderboard(build: object, name: str, *rest: object) -> object:
        return broken() if name == "leaderboard" else original(build, name, *rest)

    monkeypatch.setattr(kit.questions, "ask", only_the_leaderboard)
    test = page("pages/01_leaderboard.py", monkeypatch, store, {})
    shown = [element.value + "\n".join(element.stack_trace) for element in test.exception]
    assert shown
    assert not any("secret" in text or "someone" in text or ".py" in text for text in shown)
