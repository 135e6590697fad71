"""Published figures: one row per printed cell, its text, number, decimals and population."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import pytest

from loaders.published import READER
from tests.loaders.reading import read_sample

SAMPLES = Path(__file__).parent / "samples" / "published"
SHIPPED = Path(__file__).parents[2] / "logs" / "published"


def test_every_printed_cell_is_one_figure():
    read = read_sample(READER, SAMPLES / "good")
    rows = read.tables["figures"].select(
        "place", "row_key", "column_name", "printed", "value", "decimals", "unit", "n", "meaning", "provenance"
    )
    assert sorted(rows.rows()) == [
        ("Section 2", "see / first", "items", "4", 4.0, 0, "count", None, "Items", "published"),
        ("Table 1", "M1 / see", "accuracy", "50.0", 50.0, 1, "percent", 10, "Accuracy", "published"),
        ("Table 1", "M1 / see", "gain", "+1.10", 1.1, 2, "points", 10, "Gain", "published"),
        ("Table 1", "M1 / see", "n", "10", 10.0, 0, "count", None, "Items of the skill", "published"),
        ("Table 1", "M1 / see", "p", "<1e-4", None, None, "p", None, "Test", "published"),
        ("Table 1", "M1 / see", "right", "5", 5.0, 0, "count", 10, "Right answers", "reconstructed"),
        ("Table 1", "M2 / see", "accuracy", "−2", -2.0, 0, "percent", None, "Accuracy", "published"),
        ("Table 1", "M2 / see", "p", "0.030", 0.03, 3, "probability", 5, "Another test", "published"),
        ("Text", "see / second", "items", "6", 6.0, 0, "count", None, "Items", "published"),
    ]
    assert (read.seen, read.kept, read.issues) == (9, 9, [])


def test_faults_of_the_contract_and_of_the_tables():
    read = read_sample(READER, SAMPLES / "broken")
    assert sorted((i.rule, i.severity, i.column) for i in read.issues) == [
        ("duplicate_key", "refused", "figures"),
        ("incomplete_table", "refused", "scores.csv"),
        ("missing_column", "refused", "acuracy"),
        ("missing_file", "refused", "gone.csv"),
        ("unknown_n", "doubted", "accuracy"),
        ("unknown_n", "doubted", "gain"),
        ("unlisted_file", "note", None),
    ]
    column = next(i for i in read.issues if i.rule == "missing_column")
    assert "Did you mean 'accuracy'?" in column.message
    assert read.tables["figures"]["n"].null_count() == read.tables["figures"].height == 2


def test_a_contract_that_is_no_toml_is_named(tmp_path):
    (tmp_path / "figures.toml").write_text("[[table]]\nfile = \n")
    assert READER.claims(tmp_path, b"")
    read = read_sample(READER, tmp_path)
    assert [i.rule for i in read.issues] == ["unreadable"]
    assert "line 2" in read.issues[0].message


def test_the_shipped_tables_give_a_figure_for_every_cell():
    read = read_sample(READER, SHIPPED)
    assert [i for i in read.issues if i.severity != "note"] == []
    cells = 0
    for entry in tomllib.loads((SHIPPED / "figures.toml").read_text())["table"]:
        with (SHIPPED / entry["file"]).open(newline="") as file:
            rows = list(csv.DictReader(file))
        cells += sum(bool(row[name].strip()) for row in rows for name in entry.get("columns", {}))
    assert read.kept == read.tables["figures"].height == cells > 2000


@pytest.mark.parametrize(
    ("file", "row", "column", "printed", "n"),
    [
        ("psycheme_table2.csv", "Gemini 3.6 Flash", "verified_macro", "80.03", 1000),
        ("srb_table3.csv", "Human / intent_recognition", "accuracy_pct", "93.24", 74),
        ("hss_table10_effort.csv", "GPT-6-astra / hidden_invisible / low", "accuracy_pct", "48", 58),
    ],
)
def test_known_cells(file, row, column, printed, n):
    figures = read_sample(READER, SHIPPED).tables["figures"]
    found = [r for r in figures.rows(named=True) if (r["file"], r["row_key"], r["column_name"]) == (file, row, column)]
    assert [(r["printed"], r["n"]) for r in found] == [(printed, n)]
