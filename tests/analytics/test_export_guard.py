"""CSV that a spreadsheet opens without running anything; every other format has the texts as they are."""

from __future__ import annotations

import csv
import io
import json

import polars as pl
import pyarrow.parquet as pq
import pytest

from analytics.export import EXECUTED, to_csv, to_json, to_parquet

TEXTS = [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u00a0=1", "\uff1d1", "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://evil.invalid")', "plain", "1-1", "'=1", "", None, 'a,"=1"', "a\n=1",
]  # fmt: skip


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_no_cell_begins_with_what_a_spreadsheet_runs() -> None:
    table = pl.DataFrame({"text": TEXTS, "list": [[text or ""] for text in TEXTS], "number": [-1.5] * len(TEXTS)})
    said = {"slice": 'model is x,=1+1,"\n,=2', "method": "=3"}
    rows = cells(to_csv(table, said={name: " ".join(t.split()) for name, t in said.items()}, guard=True))
    for row in rows:
        for cell in row[: 2 if len(row) == 3 else None]:
            assert not cell.lstrip(" \u00a0").startswith(EXECUTED), cell
    assert [row[2] for row in rows[3:]] == ["-1.5"] * len(TEXTS)  # numbers stay numbers
    assert [row[0] for row in rows[3:]] == [
        f"'{t}" if t and t.lstrip(" \u00a0").startswith(EXECUTED) else (t or "") for t in TEXTS
    ]


def test_the_other_formats_keep_every_text() -> None:
    table = pl.DataFrame({"text": TEXTS})
    assert [row["text"] for row in json.loads(to_json(table))] == TEXTS
    assert pq.read_table(io.BytesIO(to_parquet(table, said={"slice": "=1"})))["text"].to_pylist() == TEXTS
    kept = to_csv(table, said=None, guard=False)
    assert [row[0] if row else "" for row in cells(kept)[1:]] == [t or "" for t in TEXTS]


@pytest.mark.parametrize("name", ["=evil", "@x"])
def test_a_column_name_is_guarded_too(name: str) -> None:
    assert cells(to_csv(pl.DataFrame({name: [1]}), said=None, guard=True))[0] == [f"'{name}"]
