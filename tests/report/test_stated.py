"""`scoreproof report` with tables and claims of one's own: the verdicts of `audit`, in the page, and its errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cli
from tests.audit.test_command import CLAIM, IDENTITY, TABLE
from tests.report.parsed import Parsed, Table, numbers, parsed
from tests.stores import toy_store

FEW = ("--set", "resamples=200", "--set", "flips=199")
ROWS = (
    "id,document,printed,kind,unit,question,where,set,column\n"
    'rows,mine,75.00%,ask,percent,leaderboard,"{""benchmark"": ""toy""}","{""average"": ""micro""}",raw\n'
    'wrong,mine,76.00%,ask,percent,leaderboard,"{""benchmark"": ""toy""}","{""average"": ""micro""}",raw\n'
)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "a paper"
    folder.mkdir()
    (folder / "results.csv").write_text(TABLE)
    (folder / "identities.toml").write_text(IDENTITY)
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    runs = [{"run_id": "r", "provenance": "released"}]
    items = [{"item_id": f"i{k}", "capability": "a"} for k in range(4)]
    answers = [{"run_id": "r", "item_id": f"i{k}", "credit": float(k > 0)} for k in range(4)]
    return toy_store(tmp_path, items=items, runs=runs, responses=answers).folder


def page_of(tmp_path: Path, *arguments: object) -> Parsed:
    out = tmp_path / "r.html"
    assert cli.main(["report", *FEW, *map(str, arguments), "--out", str(out)]) == 0
    return parsed(out.read_text(encoding="utf-8"))


def tables_of(page: Parsed, name: str) -> list[Table]:
    return [table for table in page.tables if table.question == name]


def column(table: Table, name: str) -> list[object]:
    return [row[name] for row in numbers(table)]


def audited(table: Table, capsys: pytest.CaptureFixture[str]) -> dict[str, list[dict[str, object]]]:
    """Run the command that stands below a table of checks."""
    program, *arguments = table.command
    assert (program, arguments[0]) == ("scoreproof", "audit")
    capsys.readouterr()
    assert cli.main([*arguments, "--json"]) == 0
    found: dict[str, list[dict[str, object]]] = json.loads(capsys.readouterr().out)
    return found


def test_a_folder_is_recomputed_in_the_page(
    paper: Path, store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (paper / "claims.toml").write_text(CLAIM)
    page = page_of(tmp_path, "--store", store, "--published", paper)
    (claims,), (cells,) = tables_of(page, "claims"), tables_of(page, "table_checks")
    assert column(claims, "status") == ["reproduced"]
    assert dict(zip(column(cells, "row"), column(cells, "status"), strict=True)) == {
        "A": "reproduced",
        "B": "contradicted",
    }
    at = column(cells, "row").index("B")
    assert float(str(column(cells, "recomputed")[at])) == pytest.approx(100 * 48 / 72)
    again = audited(cells, capsys)
    assert [claim["id"] for claim in again["claims"]] == column(claims, "id")
    targets = {(cell["row"], cell["status"]) for cell in again["cells"] if cell["column"] == "accuracy"}
    assert targets == set(zip(column(cells, "row"), column(cells, "status"), strict=True))
    text = page.text()
    assert "claims.toml, identities.toml, results.csv" in text
    assert "No published document is about" not in text


def test_claims_ask_the_rows_that_the_report_is_about(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = tmp_path / "said.csv"
    claims.write_text(ROWS)
    page = page_of(tmp_path, "--store", store, "--claims", claims)
    (shown,) = tables_of(page, "claims")
    found = dict(zip(column(shown, "id"), column(shown, "status"), strict=True))
    assert found == {"rows": "reproduced", "wrong": "contradicted"}
    assert not tables_of(page, "table_checks"), "no folder of tables was named"
    assert {claim["id"]: claim["status"] for claim in audited(shown, capsys)["claims"]} == found
    one = page_of(tmp_path, "--store", store, "--claims", claims, "--set", "status=contradicted")
    assert column(tables_of(one, "claims")[0], "id") == ["wrong"]
    assert "of another document or status: 1" in one.text()


def test_logs_of_a_report_are_those_of_the_audit_below_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, claims = tmp_path / "toy.csv", tmp_path / "said.csv"
    log.write_text("item,model,credit\na,M,1\nb,M,1\nc,M,1\nd,M,0\n")
    (tmp_path / "toy.scoreproof.toml").write_text(
        'layout = "long"\n[file]\nformat = "csv"\nnames = ["toy.csv"]\n[benchmark]\nname = "toy"\n'
        '[fields]\nitem = "item"\nmodel = "model"\ncredit = "credit"\n[constants]\nanswer_type = "open"\n'
    )
    claims.write_text(ROWS)
    (shown,) = tables_of(page_of(tmp_path, "--logs", log, "--claims", claims), "claims")
    assert {claim["id"]: claim["status"] for claim in audited(shown, capsys)["claims"]} == {
        "rows": "reproduced",
        "wrong": "contradicted",
    }


def test_what_cannot_be_checked_ends_with_the_audit_s_sentence_and_no_file(
    paper: Path, store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.toml").write_text("[[claim]\n")
    (tmp_path / "none_in_it.toml").write_text('[[claims]]\nid = "a"\n')
    for arguments in (
        ("--published", tmp_path / "none"),
        ("--published", paper, "--claims", tmp_path / "none.toml"),
        ("--published", tmp_path / "empty"),
        ("--claims", tmp_path / "bad.toml"),
        ("--claims", tmp_path / "none_in_it.toml"),
    ):
        said = []
        for command in (["audit"], ["report", "--out", str(tmp_path / "x.html")]):
            assert cli.main([*command, "--store", str(store), *map(str, arguments)]) == 2
            said.append(capsys.readouterr().err)
        assert said[0] == said[1] != ""
    assert not (tmp_path / "x.html").exists()
