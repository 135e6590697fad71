"""`scoreproof audit`: a reviewer's folder, claims of one's own, exit codes; and the questions on the same engine."""

import json

import pytest

import cli
from analytics.policy import Policy
from analytics.questions import ask, options_of, question
from analytics.slices import Slice
from tests.stores import toy_store

TABLE = "model,correct,n,accuracy\nA,41,72,56.94\nB,48,72,66.76\n"
IDENTITY = """
[[identity]]
id = "accuracy"
kind = "proportion"
file = "results.csv"
each = "row"
target = "accuracy"
inputs.k = "correct"
inputs.n = "n"
"""
CLAIM = '[[claim]]\nid = "best"\nkind = "maximum"\nprinted = "66.76"\ninputs.parts = ["56.94", "66.76"]\n'


@pytest.fixture
def paper(tmp_path):
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "results.csv").write_text(TABLE)
    (folder / "identities.toml").write_text(IDENTITY)
    return folder


@pytest.fixture
def store(tmp_path):
    runs = [{"run_id": "r", "provenance": "released"}]
    items = [{"item_id": f"i{k}", "capability": "a"} for k in range(4)]
    answers = [{"run_id": "r", "item_id": f"i{k}", "credit": float(k > 0)} for k in range(4)]
    return toy_store(tmp_path, items=items, runs=runs, responses=answers)


def run(capsys, *arguments):
    code = cli.main(["audit", *map(str, arguments)])
    return code, capsys.readouterr()


def test_a_table_typed_from_a_paper(paper, capsys):
    code, out = run(capsys, "--published", paper)
    assert code == 0
    assert "table results.csv: B: accuracy [accuracy]" in out.out
    assert "the nearest value that would agree is 66.67" in out.out
    assert out.out.splitlines()[-1].startswith("NO REPLAY")
    assert run(capsys, "--published", paper, "--strict")[0] == 1


def test_json_of_a_folder_with_claims(paper, capsys):
    (paper / "claims.toml").write_text(CLAIM)
    code, out = run(capsys, "--published", paper, "--json", "--strict")
    found = json.loads(out.out)
    assert code == 1
    assert [claim["status"] for claim in found["claims"]] == ["reproduced"]
    statuses = {(cell["row"], cell["column"]): cell["status"] for cell in found["cells"]}
    assert statuses["A", "accuracy"] == "reproduced"
    assert statuses["B", "accuracy"] == "contradicted"
    bad = next(cell for cell in found["cells"] if cell["status"] == "contradicted" and cell["column"] == "accuracy")
    assert bad["low"] == bad["high"] == pytest.approx(100 * 48 / 72)
    assert found["summary"]["checks"]["contradicted"] == 1


def test_own_claims_ask_rows_of_a_store(paper, store, tmp_path, capsys):
    claims = tmp_path / "claims.csv"
    claims.write_text(
        "id,printed,kind,unit,question,where,set,column\n"
        'rows,75.00%,ask,percent,leaderboard,"{""benchmark"": ""toy""}","{""average"": ""micro""}",raw\n'
        'wrong,76.00%,ask,percent,leaderboard,"{""benchmark"": ""toy""}","{""average"": ""micro""}",raw\n'
        'other,1,ask,count,leaderboard,"{""benchmark"": ""toys""}",,n\n'
        'column,1,ask,count,leaderboard,"{""benchmark"": ""toy""}",,nn\n'
        "question,1,ask,count,leaderbord,,,n\n"
    )
    code, out = run(capsys, "--published", paper, "--claims", claims, "--store", store.folder, "--json")
    found = {claim["id"]: claim for claim in json.loads(out.out)["claims"]}
    assert code == 0
    assert {name: claim["status"] for name, claim in found.items()} == {
        "rows": "reproduced",
        "wrong": "contradicted",
        "other": "not_checkable",
        "column": "not_checkable",
        "question": "not_checkable",
    }
    assert found["rows"]["recomputed"] == 75.0
    assert "No rows of toys are loaded" in found["other"]["why"]
    assert "Did you mean 'n'" in found["column"]["why"]
    assert "Did you mean 'leaderboard'" in found["question"]["why"]


def test_what_cannot_be_opened_ends_with_a_sentence(tmp_path, paper, capsys):
    code, out = run(capsys, "--published", tmp_path / "none")
    assert (code, "There is no folder" in out.err) == (2, True)
    code, out = run(capsys, "--published", paper, "--claims", tmp_path / "none.toml")
    assert (code, "There is no file" in out.err) == (2, True)
    code, out = run(capsys, "--store", tmp_path / "none")
    assert (code, "No store at" in out.err) == (2, True)


@pytest.mark.parametrize(("name", "least"), [("claims", 300), ("table_checks", 1500)])
def test_questions_give_the_same_verdicts(store, name, least):
    asked = question(name)
    answer = ask(store, name, Slice.of(), Policy(), options_of(asked, {})[1])
    assert answer.table.columns == [column.name for column in asked.columns]
    assert answer.table.height >= least
    one = ask(store, name, Slice.of(), Policy(), options_of(asked, {"document": "srb", "status": "contradicted"})[1])
    assert set(one.table["document"]) == {"srb"}
    assert set(one.table["status"]) == {"contradicted"}
    assert one.left_out["of another document or status"] > 0
