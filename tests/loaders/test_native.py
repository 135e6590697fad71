"""The native form: written and read without loss, the same bytes for the same rows, whole or not at all."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.errors import BadLog
from analytics.schema import LOG_TABLES
from loaders.base import Batch, Source
from loaders.native import READER
from loaders.native_write import GROUP_ROWS, export_native, write_native
from loaders.validate import POLARS_TYPE
from loaders.warehouse import build
from tests.loaders.reading import read_sample

SAMPLES = Path(__file__).parent / "samples"
FIGURE = {"document": "d", "file": "f", "place": "p", "column_name": "c", "printed": "1", "provenance": "published"}


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def figures(rows: int) -> pl.DataFrame:
    return pl.DataFrame({"row_key": [f"{n:07d}" for n in range(rows)]}).with_columns(
        **{name: pl.lit(value) for name, value in FIGURE.items()}
    )


def read_back(folder: Path) -> dict[str, pl.DataFrame]:
    found = [f for f in READER.read(Source(folder, folder.name, "x")) if isinstance(f, Batch)]
    names = dict.fromkeys(f.table for f in found)
    return {name: pl.concat([f.frame for f in found if f.table == name]) for name in names}


def test_the_good_sample():
    read = read_sample(READER, SAMPLES / "native" / "good" / "toy")
    assert (read.seen, read.kept, read.issues) == (3, 3, [])
    rows = read.tables["responses"].sort("item_id", "attempt")
    assert rows.select("item_id", "attempt", "credit", "status", "order_shown", "line").rows() == [
        ("a", 1, 0.1, "ok", None, 1),
        ("b", 1, None, "error", None, 2),
        ("b", 2, 1.0, "ok", ["B", "A"], 3),
    ]
    assert read.tables["runs"]["provenance"].to_list() == ["released"]
    assert set(read.tables["responses"]["source_id"]) == {"s"}


@pytest.mark.parametrize(
    ("name", "rule", "column"),
    [
        ("hash", "hash_mismatch", "responses"),
        ("rows", "row_count_mismatch", "responses"),
        ("column", "unknown_column", "items.clustr"),
        ("missing", "missing_table", "runs"),
        ("manifest", "unreadable", None),
        ("version", "unreadable", None),
    ],
)
def test_a_folder_that_does_not_match_its_manifest_is_refused_whole(name, rule, column):
    read = read_sample(READER, SAMPLES / "native" / "broken" / name)
    assert [(i.rule, i.severity, i.column) for i in read.issues] == [(rule, "refused", column)]
    assert read.tables == {}
    assert read.kept == 0
    assert read.refused == read.seen > 0


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
VALUES = {
    "text": TEXT,
    "json": TEXT,
    "integer": st.integers(1, 2**62),
    "number": st.floats(0, 1),
    "boolean": st.booleans(),
    "texts": st.lists(TEXT, max_size=3),
}


@given(data=st.data(), name=st.sampled_from(sorted(LOG_TABLES)))
def test_what_is_written_is_read_again(data, name, tmp_path_factory):
    table = LOG_TABLES[name]
    columns = [column for column in table.columns if column.name != "source_id"]
    row = st.tuples(
        *(
            (st.sampled_from(c.allowed) if c.allowed else VALUES[c.kind]) | (st.none() if c.null else st.nothing())
            for c in columns
        )
    )
    key = [k for k, c in enumerate(columns) if c.name in table.key]
    rows = data.draw(st.lists(row, min_size=1, max_size=5, unique_by=lambda r: tuple(r[k] for k in key)))
    schema = {c.name: POLARS_TYPE[c.kind] for c in columns}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    folder = tmp_path_factory.mktemp("native") / "log"
    assert write_native({name: frame}, folder) == {name: len(rows)}
    back = read_back(folder)
    assert list(back) == [name]
    assert back[name].equals(frame.sort(table.key))


def test_the_order_of_rows_and_the_cut_of_frames_change_no_byte(tmp_path):
    frame = figures(GROUP_ROWS + 1000)
    write_native({"figures": frame}, tmp_path / "a")
    write_native({"figures": frame.sample(fraction=1, shuffle=True, seed=3)}, tmp_path / "b")
    write_native({"figures": (frame[k : k + 999] for k in range(0, frame.height, 999))}, tmp_path / "c")
    assert digests(tmp_path / "a") == digests(tmp_path / "b") == digests(tmp_path / "c")
    assert read_back(tmp_path / "c")["figures"].height == frame.height


def test_tables_without_rows_get_no_file(tmp_path):
    assert write_native({"figures": figures(2), "claims": []}, tmp_path / "a") == {"figures": 2}
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["figures.parquet", "manifest.json"]


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"figurs": figures(1)}, "Did you mean 'figures'"),
        ({"figures": figures(1).rename({"place": "plase"})}, "Did you mean 'place'"),
        ({"figures": figures(1).with_columns(provenance=pl.lit("invented"))}, "figures.provenance is 'invented'"),
        ({"figures": figures(1).with_columns(value=pl.lit(float("nan")))}, "figures.value is 'nan'"),
        ({"figures": pl.concat([figures(2), figures(1)])}, "twice"),
    ],
)
def test_rows_that_break_the_schema_are_not_written(tables, words, tmp_path):
    with pytest.raises(BadLog, match=words):
        write_native(tables, tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_else_is_left_alone_and_a_native_one_is_replaced(tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    with pytest.raises(BadLog, match="no native log"):
        write_native({"figures": figures(1)}, other)
    assert (other / "thesis.txt").read_text() == "mine"
    write_native({"figures": figures(1)}, tmp_path / "a")
    write_native({"figures": figures(3)}, tmp_path / "a")
    assert read_back(tmp_path / "a")["figures"].height == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "other"]


def contents(store: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every log table of the current build, the source aside."""
    file = json.loads((store / "current.json").read_text())["file"]
    con = duckdb.connect(str(store / file), read_only=True)
    try:
        found = {}
        for name, table in LOG_TABLES.items():
            origin = f"log_{name}" if name in ("responses", "verdicts", "failure_labels") else name
            columns = ", ".join(column for column in table.names() if column != "source_id")
            found[name] = con.sql(f"SELECT {columns} FROM {origin} ORDER BY ALL").fetchall()
        found["scores"] = con.sql("SELECT * EXCLUDE (status) FROM scores ORDER BY ALL").fetchall()
    finally:
        con.close()
    return found


def test_build_export_build_gives_the_same_store(tmp_path):
    logs = [str(SAMPLES / "psycheme" / "good"), str(SAMPLES / "published" / "good"), str(SAMPLES / "native" / "good")]
    build(logs, tmp_path / "one", add=False)
    file = json.loads((tmp_path / "one" / "current.json").read_text())["file"]
    rows = export_native(tmp_path / "one" / file, tmp_path / "export")
    first = digests(tmp_path / "export")
    export_native(tmp_path / "one" / file, tmp_path / "export")
    assert digests(tmp_path / "export") == first
    report = build([str(tmp_path / "export")], tmp_path / "two", add=False)
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    assert rows["responses"] == len(one["responses"]) > 10
    assert rows["figures"] > 5
    assert one == two
    assert [(s["loader"], s["refused"], s["doubted"]) for s in report.sources] == [("native", 0, 0)]


def test_what_is_no_build_cannot_be_exported(tmp_path):
    path = tmp_path / "build.duckdb"
    path.write_bytes(b"no database")
    with pytest.raises(BadLog, match="no build"):
        export_native(path, tmp_path / "export")
    path.unlink()
    duckdb.connect(str(path)).close()
    with pytest.raises(BadLog, match="no build"):
        export_native(path, tmp_path / "export")
    assert not (tmp_path / "export").exists()
