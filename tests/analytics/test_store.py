"""The store: pointer, builds, cursors, the time limit, what a reader never sees."""

import json
import threading
import time

import pytest

from analytics.errors import BadStore, NoStore, QueryTimeout
from analytics.store import Store, frame, read_pointer
from tests.stores import toy_build, toy_store, write_log

ITEMS = [{"item_id": f"i{k}", "capability": "cap"} for k in range(4)]


def rows(credits, run="r"):
    return [{"run_id": run, "item_id": f"i{k}", "credit": c} for k, c in enumerate(credits)]


def test_a_folder_without_a_store_is_told_how_to_get_one(tmp_path):
    with pytest.raises(NoStore, match="scoreproof build LOGS --store"):
        Store(tmp_path)


def test_a_pointer_of_another_schema_version_or_outside_the_folder_is_refused(tmp_path):
    toy_store(tmp_path, items=ITEMS, runs=[{"run_id": "r"}], responses=rows([1, 0, 1, 1]))
    pointer = tmp_path / "store" / "current.json"
    good = json.loads(pointer.read_text())
    for change, text in (
        ({"schema_version": 999}, "schema version 999"),
        ({"file": "../outside.duckdb"}, "not a plain file name"),
        ({"file": "gone.duckdb"}, "not in"),
    ):
        pointer.write_text(json.dumps(good | change))
        with pytest.raises(BadStore, match=text):
            Store(tmp_path / "store")
    pointer.write_text("{")
    with pytest.raises(BadStore, match="not a pointer"):
        Store(tmp_path / "store")


def test_a_file_that_is_no_database_is_refused(tmp_path):
    toy_store(tmp_path, items=ITEMS, runs=[{"run_id": "r"}], responses=rows([1, 0, 1, 1]))
    store = tmp_path / "store"
    (store / read_pointer(store).file).write_bytes(b"not a database at all" * 100)
    with pytest.raises(BadStore, match="cannot be read"):
        Store(store)


def test_a_new_build_is_seen_and_a_cursor_stays_on_its_own(tmp_path):
    store = toy_store(tmp_path, items=ITEMS, runs=[{"run_id": "r"}], responses=rows([1, 0, 1, 1]))
    first = store.build_id
    with store.cursor() as old:
        toy_build(
            tmp_path, write_log(tmp_path / "b.json", items=ITEMS, runs=[{"run_id": "s"}], responses=rows([0], "s"))
        )
        with store.cursor() as new:
            assert frame(new, "SELECT run_id FROM runs")["run_id"].to_list() == ["s"]
        assert frame(old, "SELECT run_id FROM runs")["run_id"].to_list() == ["r"]
    assert store.build_id != first


def test_a_deleted_store_still_answers_from_the_open_build(tmp_path):
    store = toy_store(tmp_path, items=ITEMS, runs=[{"run_id": "r"}], responses=rows([1, 0, 1, 1]))
    for path in (tmp_path / "store").iterdir():
        path.unlink()
    with store.cursor() as cursor:
        assert frame(cursor, "SELECT count(*) AS n FROM responses")["n"].item() == 4


def test_a_query_past_its_limit_is_interrupted(tmp_path):
    store = toy_store(tmp_path, items=ITEMS, runs=[{"run_id": "r"}], responses=rows([1, 0, 1, 1]))
    with store.cursor() as cursor, pytest.raises(QueryTimeout, match=r"0\.2 s"):
        frame(cursor, "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b", seconds=0.2)


def test_the_serving_side_reaches_no_file_and_cannot_be_told_to(tmp_path):
    store = toy_store(tmp_path, items=ITEMS, runs=[{"run_id": "r"}], responses=rows([1, 0, 1, 1]))
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    with store.cursor() as cursor:
        for sql in (
            f"SELECT * FROM read_csv('{secret}')",
            f"ATTACH '{tmp_path / 'x.duckdb'}'",
            "SET enable_external_access = true",
            "INSTALL httpfs",
            "CREATE TABLE t AS SELECT 1",
        ):
            with pytest.raises(Exception, match=r"disabled|locked|read-only|Permission|Cannot"):
                cursor.execute(sql)


def test_twenty_threads_get_their_own_rows(tmp_path):
    runs = [{"run_id": f"r{k:02d}"} for k in range(20)]
    responses = [row for k in range(20) for row in rows([1] * (k % 4 + 1), f"r{k:02d}")]
    store = toy_store(tmp_path, items=ITEMS, runs=runs, responses=responses)
    wrong, done = [], []

    def ask(k: int) -> None:
        for _ in range(15):
            with store.cursor() as cursor:
                n = frame(
                    cursor,
                    "SELECT count(*) AS n FROM responses JOIN runs USING (run_idx) WHERE run_id = $run",
                    {"run": f"r{k:02d}"},
                )["n"].item()
            done.append(k)
            if n != k % 4 + 1:
                wrong.append((k, n))

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not wrong
    assert len(done) == 300


def test_parameters_that_the_text_does_not_use_are_left_aside(tmp_path):
    store = toy_store(tmp_path, items=ITEMS, runs=[{"run_id": "r"}], responses=rows([1, 0, 1, 1]))
    with store.cursor() as cursor:
        assert frame(cursor, "SELECT $a AS a", {"a": 3, "unused": [1]})["a"].item() == 3


def test_old_builds_are_kept_for_late_readers_and_then_removed(tmp_path):
    for k in range(5):
        log = write_log(tmp_path / f"{k}.json", items=ITEMS, runs=[{"run_id": f"r{k}"}], responses=rows([1], f"r{k}"))
        toy_build(tmp_path, log)
        time.sleep(0.001)
    builds = sorted(path.name for path in (tmp_path / "store").glob("build-*.duckdb"))
    assert len(builds) == 3
    assert read_pointer(tmp_path / "store").file == builds[-1]
    assert not list((tmp_path / "store").glob("*.partial*"))
