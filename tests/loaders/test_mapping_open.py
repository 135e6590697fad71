"""Files of any shape as flat blocks: formats by content, places of records, dotted names, stated bounds."""

import json

import polars as pl
import pytest

from analytics.errors import BadLog
from benchmarks.fuzzing.samples import unzipped, zipped
from loaders import mapping_open
from loaders.base import Issue
from loaders.located import Located
from loaders.mapping_look import plausible
from loaders.mapping_open import blocks, flat, format_of, open_file
from loaders.mapping_places import places, records_at
from loaders.vlm_tables import _xlsx_rows
from tests.loaders.shapes import wide
from tests.loaders.test_vlmevalkit import workbook


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.txt", b"id,b\n1,2\n", "csv"),
        ("a.csv", b"id\tb\n1\t2\n", "tsv"),
        ("a.csv", b"\xef\xbb\xbfid;b\n1;2\n", "csv"),
        ("a.json", b'[{"a": 1}]', "json"),
        ("a.json", b'{"a": {"b": 1}}', "json"),
        ("a.json", b'{\n "a": 1\n}', "json"),
        ("a.json", b'{"a": 1}\n{"a": 2}\n', "jsonl"),
        ("a.jsonl", b'{"a": 1}', "jsonl"),
        ("a.bin", b"PK\x03\x04 no archive", None),
        ("a.bin", b"\x00\x01\x02,", None),
        ("a.txt", b"some words", None),
        ("a.txt", b"   \n", None),
    ],
)
def test_formats_are_told_by_content(tmp_path, name, content, found):
    path = tmp_path / name
    path.write_bytes(content)
    assert format_of(path) == found


def test_parquet_and_workbooks_are_told_by_content(tmp_path):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "x")
    assert format_of(tmp_path / "x") == "parquet"
    assert format_of(wide(tmp_path)) == "xlsx"


DOCUMENTS = {
    "keyed": ({"a": {"x": 1}, "b": {"x": 2}}, [("*",)], {"key 1": "a", "x": 1}),
    "list": ([{"x": 1}, {"x": 2}], [("[]",)], {"x": 1}),
    "under a key": ({"m": "M", "rows": [{"x": 1}]}, [("rows", "[]")], {"outer.m": "M", "x": 1}),
    "groups": ({"v": {"d": [{"x": 1}], "e": [{"x": 2}]}, "w": {"d": [{"x": 3}]}}, [("*", "*", "[]")],
               {"key 1": "v", "key 2": "d", "x": 1}),
    "values by id": ({"a": "A", "b": "B"}, [("*",)], {"key 1": "a", "value": "A"}),
    "models, then ids": ({"M": {f"i{k}": {"p": k} for k in range(30)}, "N": {f"i{k}": {"p": k} for k in range(30)}},
                         [("*", "*")], {"key 1": "M", "key 2": "i0", "p": 0}),
    "lists in records": ([{"v": "a", "qs": [{"x": 1, "y": 2, "z": 3}]}], [("[]", "qs", "[]"), ("[]",)],
                         {"outer.v": "a", "x": 1, "y": 2, "z": 3}),
}  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENTS)
def test_places_of_records(name):
    document, steps, first = DOCUMENTS[name]
    found = plausible(places(document))
    assert [place.steps for place in found] == steps
    ((number, record), *_) = records_at(document, steps[0], name)
    assert (number, record) == (1, first)


def test_what_a_path_does_not_fit_is_refused_with_its_number():
    found = dict(records_at({"a": [{"x": 1}], "b": 5}, ("*", "[]"), "t"))
    assert found[1] == {"key 1": "a", "x": 1}
    assert isinstance(found[2], Issue)
    assert "is a int where a list was expected" in found[2].message
    with pytest.raises(BadLog, match=r"has no 'row' at its top; .*Did you mean 'rows'"):
        list(records_at({"rows": []}, ("row", "[]"), "t"))
    with pytest.raises(BadLog, match="have a field 'key 1' of their own"):
        list(records_at({"a": {"key 1": 2}}, ("*",), "t"))


def test_records_are_opened_into_dotted_names(tmp_path):
    path = tmp_path / "t.jsonl"
    row = {"id": "a", "r": {"s": {"t": 1}, "u": [1, 2]}, "v": ["x", "y"], "w": [{"z": 1}], "e": " "}
    path.write_text(json.dumps(row) + "\n")
    ((frame, lines),) = list(blocks(path, "t", "jsonl", Located(), records=None, sheet=None))
    assert frame.to_dicts() == [
        {"id": "a", "r.s.t": 1, "r.u": ["1", "2"], "v": ["x", "y"], "w": '[{"z":1}]', "e": None, "position": 1}
    ]
    assert lines.to_list() == [1]


def test_bounds_and_doubled_names_are_said(tmp_path, monkeypatch):
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{"x": 1}]))
    monkeypatch.setattr(mapping_open, "DOCUMENT_BYTES", 4)
    with pytest.raises(
        BadLog, match=r"one JSON document of 10 bytes; up to 4 are opened. Save its records as JSON Lines"
    ):
        open_file(path, "t.json")
    monkeypatch.setattr(mapping_open, "MOST_COLUMNS", 2)
    with pytest.raises(BadLog, match="more than 2 columns"):
        flat(pl.DataFrame({"a": [1], "b": [1], "c": [1]}), "t")
    with pytest.raises(BadLog, match=r"two columns called 'a.b'"):
        flat(pl.DataFrame({"a.b": [1], "a": [{"b": 2}]}), "t")


def test_a_file_of_another_kind_is_said_to_be_none(tmp_path):
    path = tmp_path / "t.bin"
    path.write_bytes(b"\x89PNG\x00")
    with pytest.raises(BadLog, match="is no CSV, TSV, JSON, JSON Lines, Parquet or XLSX file"):
        open_file(path, "t.bin")
    path.write_text("[1, [2]]")
    with pytest.raises(BadLog, match="without a list or an object of records"):
        open_file(path, "t.bin")


def test_a_sheet_that_is_not_there_is_named(tmp_path):
    path = wide(tmp_path)
    assert open_file(path, "s").sheets == ("Sheet1",)
    with pytest.raises(BadLog, match=r"no sheet 'Sheet2'; it has Sheet1. Did you mean 'Sheet1'"):
        list(blocks(path, "s", "xlsx", Located(), records=None, sheet="Sheet2"))


@pytest.mark.parametrize("above", [0, 1, 3, 40])
@pytest.mark.parametrize("title", [False, True])
def test_rows_of_a_spreadsheet_are_counted_as_it_counts_them_below_blank_rows(tmp_path, above, title):
    rows = [[]] * above + ([["Scores of June"], []] if title else [])
    rows += [["item", "model"], ["a", "M"], [], ["b", "M"]]
    path = workbook(tmp_path / "a.xlsx", rows)
    header = rows.index(["item", "model"]) + 1
    found = list(
        blocks(path, "a.xlsx", "xlsx", Located(), records=None, sheet=None, header_row=header if title else None)
    )
    ((frame, lines),) = found
    assert dict(zip(lines, frame["item"], strict=True)) == {header + 1: "a", header + 2: None, header + 3: "b"}
    assert frame["position"].to_list() == lines.to_list()
    if not title:
        assert [(number, row["item"]) for number, row in _xlsx_rows(path, "a.xlsx") if row["item"]] == [
            (header + 1, "a"), (header + 3, "b"),
        ]  # fmt: skip


def test_blank_rows_count_for_how_far_a_sheet_spreads(tmp_path):
    """One cell in a far row and one in a far column of the next: seeking the header, the parser would hold all rows."""
    path = workbook(tmp_path / "a.xlsx", [["x"], [*[None] * 25, "y"]])
    members = unzipped(path.read_bytes())
    sheet = next(name for name in members if name.startswith("xl/worksheets/"))
    far = {b'"A1"': b'"A1048575"', b'"Z2"': b'"XFD1048576"', b'r="1"': b'r="1048575"', b'r="2"': b'r="1048576"'}
    for old, new in far.items():
        assert old in members[sheet]
        members[sheet] = members[sheet].replace(old, new)
    path.write_bytes(zipped(members))
    with pytest.raises(BadLog, match="values spread over 1,048,576 rows by 16,384 columns"):
        open_file(path, "a.xlsx")
