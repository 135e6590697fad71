"""The published tables load, are declared, and print what can be read as numbers."""

from __future__ import annotations

import re

import pytest

from tests.published.tables import FOLDER, NUMERAL, records, row_key, rows, select, settings, table

TABLES = records("figures.toml", "table")
FILES = sorted(path.name for path in FOLDER.glob("*.csv"))
UNITS = {
    *("percent", "proportion", "points", "count", "tokens", "words", "p", "kappa", "rho", "ratio"),
    *("seconds", "minutes", "hours", "steps", "frames", "temperature"),
}
TABLE_FIELDS = {"file", "document", "place", "title", "keys", "attributes", "note", "leaderboard", "columns"}
COLUMN_FIELDS = {"unit", "n", "meaning", "derived", "rows"}
SCORES = {"percent": (-100, 101), "kappa": (-1, 1), "rho": (-1, 1), "p": (0, 1)}


def test_every_csv_is_declared_once():
    assert sorted(entry["file"] for entry in TABLES) == FILES


@pytest.mark.parametrize("file", FILES)
def test_columns_are_key_attribute_or_figure(file):
    entry = table(file)
    assert set(entry) <= TABLE_FIELDS
    assert entry["document"] in {"psycheme", "hss", "srb"}
    assert file.startswith(entry["document"])
    header = list(rows(file)[0])
    declared = [*entry["keys"], *entry.get("attributes", []), *entry.get("columns", {})]
    assert sorted(declared) == sorted(header)


@pytest.mark.parametrize("file", FILES)
def test_row_keys_are_unique_and_full(file):
    keys = [row_key(file, row) for row in rows(file)]
    assert len(keys) == len(set(keys))
    assert all(row[column] for row in rows(file) for column in table(file)["keys"])


@pytest.mark.parametrize("file", FILES)
def test_printed_text_is_a_number_in_its_unit(file):
    for row in rows(file):
        for column in table(file).get("columns", {}):
            printed = row[column]
            if printed == "":
                continue
            declared = settings(file, row, column)
            assert set(declared) <= COLUMN_FIELDS
            assert declared["unit"] in UNITS
            assert declared["meaning"]
            assert NUMERAL.fullmatch(printed), (file, row_key(file, row), column, printed)
            if declared["unit"] == "count":
                assert re.fullmatch(r"\d+", printed), (file, row_key(file, row), column, printed)
            low, high = SCORES.get(declared["unit"], (float("-inf"), float("inf")))
            assert low <= float(printed.lstrip("<")) <= high, (file, row_key(file, row), column, printed)


@pytest.mark.parametrize("file", FILES)
def test_declared_exceptions_name_rows(file):
    keys = {row_key(file, row) for row in rows(file)}
    for column in table(file).get("columns", {}).values():
        assert set(column.get("rows", {})) <= keys


@pytest.mark.parametrize("file", FILES)
def test_n_resolves_to_a_positive_count(file):
    for row in rows(file):
        for column in table(file).get("columns", {}):
            n = settings(file, row, column).get("n")
            if n is None or row[column] == "":
                continue
            if isinstance(n, str):
                assert row[n] == "" or int(row[n]) > 0
            elif isinstance(n, dict):
                cells = select(n, n["file"], [row])
                assert sum(cell.low for cell in cells) > 0, (file, row_key(file, row), column)
            else:
                assert n > 0


def test_decimals_are_those_of_the_source():
    two = ("psycheme_table2.csv", "srb_table3.csv")
    one = ("hss_table1.csv", "srb_table11_wilson.csv", "hss_table2_agentic.csv")
    for files, places in ((two, 2), (one, 1)):
        for file in files:
            for row in rows(file):
                for column in table(file)["columns"]:
                    if row[column] and settings(file, row, column)["unit"] in {"percent", "points"}:
                        assert re.fullmatch(rf"[+-]?\d+\.\d{{{places}}}", row[column]), (file, row, column)


def test_leaderboard_hints_name_columns_and_rows():
    hinted = [entry for entry in TABLES if "leaderboard" in entry]
    assert {entry["file"] for entry in hinted} == {"psycheme_table2.csv", "hss_table1.csv", "srb_table3.csv"}
    for entry in hinted:
        hint = entry["leaderboard"]
        header = rows(entry["file"])[0]
        systems = {row[hint["model"]] for row in rows(entry["file"])}
        assert set(hint["metrics"]) | set(hint.get("capabilities", {})) <= set(entry["columns"])
        assert hint.get("capability_column", hint["model"]) in header
        assert set(hint.get("human", [])) | set(hint.get("control", [])) <= systems
