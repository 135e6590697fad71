"""The Claims page: counts are the question's, one claim opens from the address, typed numbers get a verdict."""

from __future__ import annotations

import tomllib
from pathlib import Path

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analytics import export, questions
from analytics.audit.form import check_form
from analytics.errors import ScoreproofError
from analytics.policy import Policy
from analytics.slices import Slice
from analytics.store import Store
from pages.ui.kit import own_claims
from tests.pages.conftest import Open, texts

PAGE = "pages/12_claims.py"
ORDER = ("contradicted", "conditional", "not_checkable", "consistent", "reproduced")


@pytest.fixture(scope="module")
def claims(shipped: Path) -> pl.DataFrame:
    own = {option.name: option.initial for option in questions.question("claims").options}
    return questions.ask(Store(shipped / "embedded"), "claims", Slice(), Policy(), own).table


def test_counts_by_status_are_the_questions(open_page: Open, claims: pl.DataFrame) -> None:
    test = open_page(PAGE, "embedded", {"document": "srb", "status": "contradicted"})
    assert [error.value for error in test.exception] == []
    srb = claims.filter(pl.col("document") == "srb")
    counts = [str(srb.filter(pl.col("status") == status).height) for status in ORDER]
    assert [m.value for m in test.metric[:6]] == [*counts, str(srb.height)]
    shown = test.dataframe[0].value
    assert shown["id"].to_list() == srb.filter(pl.col("status") == "contradicted")["id"].to_list()


def test_one_claim_opens_from_the_address(open_page: Open, claims: pl.DataFrame) -> None:
    row = claims.filter(pl.col("status") == "contradicted").row(0, named=True)
    test = open_page(PAGE, "embedded", {"claim": row["id"]})
    said = texts(test)
    for words in (row["statement"], f"Why: {row['why']}", "What would have to change: It would agree if", "Formula: "):
        assert words in said
    record = tomllib.loads(next(code.value for code in test.code if "[[claim]]" in code.value))["claim"][0]
    assert record["id"] == row["id"]
    assert "No statement 'Z1' is among these" in texts(open_page(PAGE, "embedded", {"claim": "Z1"}))


def test_typed_numbers_get_the_engines_verdict(open_page: Open) -> None:
    address: dict[str, str | list[str]] = {
        "view": "check", "form": "p_with_n", "printed": "33.4", "with_n": "30", "with_attempts": "1"
    }  # fmt: skip
    test = open_page(PAGE, "embedded", address)
    verdict, record = check_form(
        "p_with_n", "33.4", {"n": "30", "attempts": "1", "unit": "percent"},
        claim_id="typed", statement="percentage with n", document="own", place="",
    )  # fmt: skip
    assert verdict.status == "contradicted"
    assert test.subheader[0].value == "Contradicted"
    assert f"Why: {verdict.why}" in texts(test)
    assert tomllib.loads(test.code[0].value)["claim"] == [record]
    assert "with_n=30" in test.code[1].value
    wrong = open_page(PAGE, "embedded", address | {"with_n": "many"})
    assert "'many' is not one printed number" in texts(wrong)


def test_cells_of_one_table_and_a_store_without_rows(open_page: Open) -> None:
    test = open_page(PAGE, "empty", {"view": "cells", "file": "srb_table3.csv"})
    assert [error.value for error in test.exception] == []
    assert set(test.dataframe[0].value["file"]) == {"srb_table3.csv"}
    test = open_page(PAGE, "empty", {"document": "psycheme", "status": "reproduced"})
    assert int(test.metric[4].value) == len(test.dataframe[0].value) > 0


def test_own_tables_and_claims_are_told_apart() -> None:
    table = "model,score\na,50.0\nb,60.0\n"
    header = "id,document,printed,number,decimals,unit,kind,inputs.k,inputs.n"
    statement = f"{header}\nmine,own,57.1%,57.1,1,percent,proportion,4,7\n"
    files = own_claims.uploaded([("scores.csv", table.encode()), ("said.csv", statement.encode())])
    held = {name: own_claims.holds_claims(name, text) for name, text in files}
    assert held == {"said.csv": True, "scores.csv": False}
    with pytest.raises(ScoreproofError, match="tables are CSV files"):
        own_claims.uploaded([("paper.pdf", b"")])
    with pytest.raises(ScoreproofError, match="not UTF-8 at byte 0"):
        own_claims.uploaded([("a.csv", b"\xff\xfe")])


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


def test_a_folder_of_ones_own_is_checked_by_path(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text(TABLE)
    (tmp_path / "identities.toml").write_text(IDENTITY)
    (tmp_path / "said.csv").write_text(
        "id,document,printed,number,decimals,unit,kind,inputs.k,inputs.n\nmine,own,57.1%,57.1,1,percent,proportion,4,7\n"
    )
    test = open_page(PAGE, "embedded", {"view": "own"})
    test.text_input[0].set_value(str(tmp_path))
    test.button[0].click().run(timeout=120)
    assert [error.value for error in test.exception] == []
    statements, cells = (frame.value for frame in test.dataframe)
    assert statements["id"].to_list() == ["mine"]
    assert statements["status"].to_list() == ["reproduced"]
    by_row = {row["row"]: row["status"] for row in cells[cells["column"] == "accuracy"].to_dict("records")}
    assert by_row == {"A": "reproduced", "B": "contradicted"}
    stamped(test, tmp_path)
    test.text_input[0].set_value(str(tmp_path / "nowhere"))
    test.button[0].click().run(timeout=120)
    assert "nowhere" in texts(test)
    assert len(test.dataframe) == 0


def stamped(test: AppTest, folder: Path) -> None:
    """Check that the statements' file says how it was made, of which files, and holds the numbers on screen."""
    files = [(path.name, path.read_text()) for path in sorted(folder.iterdir()) if path.suffix in {".csv", ".toml"}]
    found = own_claims.checked("any build", tuple(files))[0]
    said = own_claims.stamp("claims", found, tuple(files))
    assert said["files"] == "identities.toml, results.csv, said.csv"
    assert said["data hash"].endswith(" of the files")
    assert said["n"]
    assert said["method"]
    assert "ask" not in said
    other = own_claims.stamp("claims", found, (*files[:-1], (files[-1][0], files[-1][1] + "\n")))
    assert other["data hash"] != said["data hash"]
    text = export.to_csv(found.table, said=said, guard=True)
    assert f"data hash: {said['data hash']}" in text
    read = pl.read_csv(text.encode(), comment_prefix='"#')
    assert read["id"].to_list() == test.dataframe[0].value["id"].to_list()
    assert read["recomputed"].to_list() == pytest.approx(found.table["recomputed"].to_list())
