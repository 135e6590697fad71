"""The command line's contract: what it prints, its exit codes, and that help needs no heavy import."""

import csv
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import cli
from analytics.questions import questions
from loaders import base, discover, own_store
from tests.stores import TOY, write_log

ROOT = Path(__file__).resolve().parent.parent.parent
ITEMS = [{"item_id": f"i{k}", "capability": "Counting"} for k in range(4)]
ANSWERS = [{"run_id": "r", "item_id": f"i{k}", "credit": c} for k, c in enumerate((1.0, 1.0, 0.0, 1.0))]


@pytest.fixture
def log(tmp_path, monkeypatch):
    monkeypatch.setattr(discover, "readers", lambda: (*base.readers(), TOY))
    return str(write_log(tmp_path / "log.json", items=ITEMS, runs=[{"run_id": "r"}], responses=ANSWERS))


def run(capfdbinary, *arguments):
    code = cli.main([str(a) for a in arguments])
    out, err = capfdbinary.readouterr()
    return code, out.decode(), err.decode()


def test_build_then_ask(tmp_path, log, capfdbinary):
    store = tmp_path / "S"
    code, out, _ = run(capfdbinary, "build", log, "--store", store)
    assert (code, "4 records seen: 4 kept" in out) == (0, True)
    code, out, _ = run(capfdbinary, "ask", "leaderboard", "--store", store, "--format", "json")
    (row,) = json.loads(out)
    assert code == 0
    assert (row["run"], row["correct"], row["n"], row["raw"]) == ("r", 3, 4, 0.75)


def test_every_format_holds_the_same_numbers(tmp_path, log, capfdbinary):
    texts = {
        name: run(capfdbinary, "ask", "leaderboard", "--logs", log, "--format", name)[1]
        for name in ("json", "csv", "table", "latex")
    }
    (record,) = json.loads(texts["json"])
    (row,) = csv.DictReader(io.StringIO(texts["csv"]))
    assert list(row) == list(record)
    assert float(row["raw_low"]) == record["raw_low"]
    assert "75.00" in texts["table"]
    assert "75.00 &" in texts["latex"]
    out = tmp_path / "a.parquet"
    run(capfdbinary, "ask", "leaderboard", "--logs", log, "--format", "parquet", "--out", out)
    assert pl.read_parquet(out).row(0, named=True)["raw_low"] == record["raw_low"]


def test_a_slice_and_options_are_taken_and_checked(log, capfdbinary):
    code, out, _ = run(
        capfdbinary, "ask", "leaderboard", "--logs", log, "--where", "capability=Counting", "--set", "missing=zero",
        "--set", "level=0.9", "--format", "json",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)
    for wrong, text in (
        (("--where", "capability=counting"), "Did you mean 'Counting'"),
        (("--where", "capabilty=Counting"), "Did you mean 'capability'"),
        (("--where", "capability"), "takes KEY=VALUE"),
        (("--set", "level=2"), "from 0.5 to 0.999"),
        (("--set", "levl=0.9"), "Did you mean 'level'"),
        (("--set", "missing=nought"), "Allowed: declared"),
    ):
        code, out, err = run(capfdbinary, "ask", "leaderboard", "--logs", log, *wrong)
        assert (code, out) == (2, ""), wrong
        assert text in err, wrong


def test_unknown_questions_and_missing_stores(tmp_path, capfdbinary):
    code, _, err = run(capfdbinary, "ask", "leaderbord", "--store", tmp_path)
    assert (code, "Did you mean 'leaderboard'" in err) == (2, True)
    code, _, err = run(capfdbinary, "ask", "leaderboard", "--store", tmp_path)
    assert (code, "Build one with" in err) == (2, True)
    code, _, err = run(capfdbinary, "ask")
    assert (code, "name a question" in err) == (2, True)


def test_list_names_every_question_option_and_column(capfdbinary):
    _, out, _ = run(capfdbinary, "ask", "--list")
    for question in questions().values():
        assert f"{question.name}: {question.asks}" in out
        for option in question.options:
            assert f"--set {option.name}=" in out
    assert "Keys of --where: benchmark" in out


def test_build_exits_1_when_an_argument_gave_no_row(tmp_path, log, capfdbinary):
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "README.md").write_text("nothing here")
    code, out, _ = run(capfdbinary, "build", log, tmp_path / "none", "--store", tmp_path / "S")
    assert code == 1
    assert f"NO ROWS from {tmp_path / 'none'}" in out
    code, out, _ = run(capfdbinary, "build", log, tmp_path / "none", "--store", tmp_path / "S", "--json")
    report = json.loads(out)
    assert report["idle"] == [str(tmp_path / "none")]
    assert [source["role"] for source in report["sources"]] == ["log", "companion"]


def test_add_keeps_what_the_store_holds(tmp_path, log, capfdbinary):
    other = [row | {"run_id": "s"} for row in ANSWERS]
    second = write_log(tmp_path / "b.json", items=ITEMS, runs=[{"run_id": "s"}], responses=other)
    run(capfdbinary, "build", log, "--store", tmp_path / "S")
    run(capfdbinary, "build", second, "--store", tmp_path / "S", "--add")
    _, out, _ = run(capfdbinary, "ask", "leaderboard", "--store", tmp_path / "S", "--format", "json")
    assert [row["run"] for row in json.loads(out)] == ["r", "s"]
    run(capfdbinary, "build", second, "--store", tmp_path / "S")
    _, out, _ = run(capfdbinary, "ask", "leaderboard", "--store", tmp_path / "S", "--format", "json")
    assert [row["run"] for row in json.loads(out)] == ["s"]


def test_logs_with_a_store_are_asked_together_and_the_store_stays(tmp_path, log, capfdbinary):
    other = [row | {"run_id": "s"} for row in ANSWERS]
    second = write_log(tmp_path / "b.json", items=ITEMS, runs=[{"run_id": "s"}], responses=other)
    run(capfdbinary, "build", log, "--store", tmp_path / "S")
    _, out, _ = run(capfdbinary, "ask", "leaderboard", "--store", tmp_path / "S", "--logs", second, "--format", "json")
    assert [row["run"] for row in json.loads(out)] == ["r", "s"]
    _, out, _ = run(capfdbinary, "ask", "leaderboard", "--store", tmp_path / "S", "--format", "json")
    assert [row["run"] for row in json.loads(out)] == ["r"]


HELP = """
import sys, cli
try:
    cli.main(["--help"])
except SystemExit:
    print(sorted(sys.modules), file=sys.stderr)
"""


def test_help_imports_nothing_heavy():
    command = [sys.executable, "-c", HELP]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert "serve" in done.stdout
    for heavy in ("polars", "duckdb", "numpy", "streamlit", "scipy", "analytics"):
        assert f"'{heavy}'" not in done.stderr, heavy


def test_what_is_asked_without_a_store_and_what_changed_is_said_on_standard_error(
    tmp_path, log, capfdbinary, monkeypatch
):
    (tmp_path / "home" / "user").mkdir(parents=True)
    monkeypatch.setenv("SCOREPROOF_HOME", str(tmp_path / "home"))
    store = tmp_path / "S"
    run(capfdbinary, "build", log, "--store", store)
    _, out, err = run(capfdbinary, "ask", "benchmarks", "--store", store, "--format", "json")
    assert err == ""
    Path(log).write_text(Path(log).read_text() + " ")
    _, again, err = run(capfdbinary, "ask", "benchmarks", "--store", store, "--format", "json")
    assert again == out
    assert f"changed on disk since {store} was built: log.json." in err
    assert "no --store is named: this is about the shipped logs." in own_store.unnamed()
    assert "--store" not in own_store.unnamed().partition("logs.")[2]
    shutil.copytree(store, tmp_path / "home" / "user", dirs_exist_ok=True)
    assert own_store.unnamed().endswith(f"--store {tmp_path / 'home' / 'user'}.")


def test_a_damaged_store_is_one_sentence_whatever_is_looked_at_first(tmp_path, log, capfdbinary):
    store = tmp_path / "S"
    run(capfdbinary, "build", log, "--store", store)
    (build,) = store.glob("build-*.duckdb")
    build.write_bytes(b"no database")
    code, out, err = run(capfdbinary, "ask", "benchmarks", "--store", store)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    (store / "current.json").write_text("[]")
    code, out, err = run(capfdbinary, "ask", "benchmarks", "--store", store)
    assert (code, out, err.count("\n")) == (2, "", 1)
