"""Files made to hurt: each is refused within bounded time and memory, by an issue or error that names the rule."""

from __future__ import annotations

import io
import json
import os
import re
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analytics.errors import BadLog
from benchmarks.fuzzing.samples import SAMPLES, samples, unzipped, zipped
from loaders import inspect_zip, json_text, jsonlines, records, sheets
from loaders.discover import discover
from loaders.native import digest
from loaders.nesting import LEVELS, levels
from loaders.warehouse import LoadReport, build
from pages.ui.kit.media import find

ROOT = Path(__file__).resolve().parents[2]


def load(folder: Path) -> LoadReport:
    return build([str(folder)], folder.with_name("store"), add=False)


def rules(report: LoadReport) -> set[str]:
    return {str(issue["rule"]) for issue in report.issues if issue["severity"] == "refused"}


def messages(report: LoadReport) -> str:
    return "\n".join(str(issue["message"]) for issue in report.issues)


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return folder


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return tmp_path / "logs"


PSYCHEME = (SAMPLES / "psycheme" / "good" / "prediction.jsonl").read_bytes()


@pytest.mark.parametrize("depth", [LEVELS + 1, 900, 100_000])
@pytest.mark.parametrize(("left", "right"), [("[", "]"), ('{"a":', "}")])
def test_deep_lines_are_refused_one_by_one(logs: Path, depth: int, left: str, right: str) -> None:
    """Arrow and Polars end the process on some of these."""
    deep = f'{{"question_id": 99, "x": {left * depth}1{right * depth}}}\n'.encode()
    report = load(write(logs, "predictions.jsonl", PSYCHEME + deep))
    assert rules(report) == {"too_deep"}
    (source,) = report.sources
    assert (source["seen"], source["kept"], source["refused"]) == (3, 2, 1)


@pytest.mark.parametrize("name", ["openai_evals", "lm_eval", "lmms_eval", "alpaca_eval", "pandalm", "inspect", "helm"])
def test_deep_values_anywhere_leave_every_reader_standing(logs: Path, name: str) -> None:
    for file, content in samples(name)[0].tree.items():
        deep = b"[" * 100_000 + b"]" * 100_000
        write(logs, file, content.replace(b'": "', b'": ' + deep + b', "x": "', 1))
    report = load(logs)
    assert report.issues
    assert "reader_failed" not in rules(report)


def test_a_nested_column_of_parquet_is_refused(logs: Path) -> None:
    kind: pa.DataType = pa.int64()
    for _ in range(LEVELS + 1):
        kind = pa.struct([("a", kind)])
    table = pq.read_table(io.BytesIO(samples("psycheme")[1].tree["factors.parquet"]))
    logs.mkdir()
    deep = table.append_column("deep", pa.nulls(table.num_rows, kind))
    pq.write_table(deep, logs / "factors.parquet")
    report = load(logs)
    assert rules(report) == {"unreadable"}
    assert f"nested {LEVELS + 1} levels deep" in messages(report)


def test_levels_are_counted() -> None:
    assert [levels(v) for v in (1, {}, {"a": 1}, {"a": [{}]}, [[[]]])] == [0, 1, 1, 3, 3]


@pytest.mark.parametrize("reader", ["psycheme", "openai_evals"])
def test_an_endless_line_is_passed_over(logs: Path, reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is lowered here; a real gigabyte is in `benchmarks.hostile`."""
    monkeypatch.setattr(jsonlines, "LINE_BYTES", 100_000)
    monkeypatch.setattr(jsonlines, "BLOCK_BYTES", 10_000)
    monkeypatch.setattr(json_text, "LINE_BYTES", 100_000)
    name = "prediction.jsonl" if reader == "psycheme" else "run.jsonl"
    good = (SAMPLES / reader / "good" / name).read_bytes().rstrip(b"\n") + b"\n"
    whole = load(write(logs, name, good)).sources[0]
    endless = b'{"question_id": "' + b"x" * 1_000_000 + b'"}\n'
    report = load(write(logs, name, good + endless + good.replace(b"7", b"8")))
    assert "line_too_long" in rules(report)
    assert report.sources[0]["kept"] >= whole["kept"]


def test_a_csv_of_a_million_columns_is_refused_at_its_header(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = ",".join(["question", "run", "answer credit", *(f"c{k}" for k in range(1_000_000))])
    report = load(write(logs, "wide.csv", f"{head}\n1,2,3\n".encode()))
    assert rules(report) <= {"unreadable", "unknown_format"}
    assert rules(report)
    monkeypatch.setattr(records, "COLUMNS", 5)
    report = load(write(logs, "wide.csv", (SAMPLES / "psycheme" / "good" / "factors.csv").read_bytes()))
    assert "columns" in messages(report)


def test_a_cell_without_an_end_is_bounded(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "CELL_BYTES", 100_000)
    good = (SAMPLES / "psycheme" / "good" / "factors.csv").read_bytes()
    report = load(write(logs, "factors.csv", good.rstrip(b"\n") + b'\n"' + b"x\n" * 400_000))
    assert "broken_row" in rules(report)
    assert report.sources[0]["kept"] == 6


def bomb(size: int) -> bytes:
    """Return an Inspect archive with a member that unpacks to `size` bytes of nothing."""
    buffer = io.BytesIO(samples("inspect")[1].tree["log.eval"])
    with (
        zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as file,
        file.open("samples/boom_epoch_1.json", "w") as part,
    ):
        for _ in range(size >> 20):
            part.write(b" " * (1 << 20))
    return buffer.getvalue()


def test_a_member_that_unpacks_to_too_much_is_refused(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect_zip, "MEMBER_BYTES", 8 << 20)
    report = load(write(logs, "log.eval", bomb(64 << 20)))
    assert "unpack to 67,108,864 bytes" in messages(report)
    assert report.sources[0]["kept"] == 9
    monkeypatch.setattr(inspect_zip, "TOTAL_BYTES", 32 << 20)
    assert "Split the log by samples" in messages(load(logs))


def test_a_member_that_lies_about_its_size_is_not_unpacked(logs: Path) -> None:
    """The directory says ten bytes, the data unpack to sixteen megabytes."""
    raw = bytearray(bomb(16 << 20))
    place = raw.rindex(b"PK\x01\x02")
    raw[place + 24 : place + 28] = struct.pack("<I", 10)
    report = load(write(logs, "log.eval", bytes(raw)))
    assert "boom" in messages(report)
    assert report.sources[0]["kept"] == 9


def far(book: bytes, ref: bytes) -> bytes:
    """Return a workbook with one value more, in a far cell."""
    members = unzipped(book)
    name = next(n for n in members if n.startswith("xl/worksheets/"))
    cell = b'<row r="%d"><c t="inlineStr" r="%s"><is><t>x</t></is></c></row></sheetData>'
    digits = int(bytes(c for c in ref if c < 65))
    members[name] = members[name].replace(b"</sheetData>", cell % (digits, ref))
    return zipped(members)


@pytest.mark.parametrize("ref", [b"XFD1048576", b"ZZZ9999999", b"ZZZZZ9999999", b"K" + b"9" * 23])
@pytest.mark.parametrize("reader", ["vlmevalkit", "mapping"])
def test_a_far_cell_of_a_workbook_is_refused(logs: Path, reader: str, ref: bytes) -> None:
    """The parser would hold the whole rectangle, and ends the process where it cannot."""
    sample = next(s.tree for s in samples(reader) if any(name.endswith(".xlsx") for name in s.tree))
    for name, raw in sample.items():
        write(logs, name, far(raw, ref) if name.endswith(".xlsx") else raw)
    report = load(logs)
    assert re.search("values spread over|a place that no sheet has", messages(report))
    assert sum(int(str(source["kept"])) for source in report.sources) == 0


CELLS = {
    "a number that wraps around": b"<c r='K99999999999999999999999' t='inlineStr'><is><t>x</t></is></c>",
    "single quotes": b"<c t='inlineStr' r='XFD1048576'><is><t>x</t></is></c>",
    "blanks": b'<c t="inlineStr" r =\n "XFD1048576"><is><t>x</t></is></c>',
    "a mark within a value": b'<c a=">" t="inlineStr" r="XFD1048576"><is><t>x</t></is></c>',
    "a long tag": b'<c a="' + b"x" * 3000 + b'" t="inlineStr" r="XFD1048576"><is><t>x</t></is></c>',
    "a place that the row alone names": b'</row><row r="9999999">' + b'<c t="inlineStr"><is><t>x</t></is></c>' * 9,
    "no place at all": b"<c r='1A'><v>1</v></c>",
}


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
@pytest.mark.parametrize("chunk", [7, 64, 1 << 20])
def test_a_far_cell_is_refused_however_it_is_written(
    tmp_path: Path, cell: bytes, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheets, "_CHUNK", chunk)
    book = next(s.tree for s in samples("vlmevalkit") if any(n.endswith(".xlsx") for n in s.tree))
    members = unzipped(next(raw for name, raw in book.items() if name.endswith(".xlsx")))
    name = next(n for n in members if n.startswith("xl/worksheets/"))
    (tmp_path / "a.xlsx").write_bytes(zipped(members))
    sheets.workbook(tmp_path / "a.xlsx", "a.xlsx")
    whole = members[name]
    for place in (whole.rindex(b"</row>"), whole.index(b"</row>")):
        members[name] = whole[:place] + cell + whole[place:]
        (tmp_path / "a.xlsx").write_bytes(zipped(members))
        with pytest.raises(BadLog, match=r"values spread over|a place that no sheet has"):
            sheets.workbook(tmp_path / "a.xlsx", "a.xlsx")


def test_cells_without_a_place_stand_beside_each_other(tmp_path: Path) -> None:
    book = next(s.tree for s in samples("vlmevalkit") if any(n.endswith(".xlsx") for n in s.tree))
    members = unzipped(next(raw for name, raw in book.items() if name.endswith(".xlsx")))
    name = next(n for n in members if n.startswith("xl/worksheets/"))
    members[name] = re.sub(rb' r="[A-Z]+[0-9]+"', b"", members[name])
    (tmp_path / "a.xlsx").write_bytes(zipped(members))
    with zipfile.ZipFile(tmp_path / "a.xlsx") as file:
        found = list(sheets._cells(file, name, "a.xlsx"))
    table = sheets.workbook(tmp_path / "a.xlsx", "a.xlsx").load_sheet(0, header_row=None)
    assert (max(row for row, _ in found), max(column for _, column in found)) == (table.height, table.width)


def test_a_cell_of_format_alone_spreads_nothing(tmp_path: Path) -> None:
    book = next(s.tree for s in samples("vlmevalkit") if any(n.endswith(".xlsx") for n in s.tree))
    members = unzipped(next(raw for name, raw in book.items() if name.endswith(".xlsx")))
    name = next(n for n in members if n.startswith("xl/worksheets/"))
    members[name] = members[name].replace(
        b"</sheetData>", b'<row r="1048576"><c r="XFD1048576" s="1"/></row></sheetData>'
    )
    (tmp_path / "a.xlsx").write_bytes(zipped(members))
    assert sheets.workbook(tmp_path / "a.xlsx", "a.xlsx").load_sheet(0).height > 0


@pytest.mark.parametrize("word", ["NaN", "Infinity", "7", '"text"', "null"])
def test_a_record_that_is_no_object_is_refused_and_counted(logs: Path, word: str) -> None:
    whole = PSYCHEME.count(b"\n")
    report = load(write(logs, "prediction.jsonl", PSYCHEME + word.encode() + b"\n"))
    (source,) = report.sources
    assert (source["seen"], source["kept"], source["refused"]) == (whole + 1, whole, 1)
    assert rules(report) == {"required" if word == "null" else "not_a_record"}


def test_a_workbook_that_unpacks_to_too_much_is_refused(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = samples("vlmevalkit")[1].tree
    ((name, book),) = tree.items()
    members = unzipped(book)
    members["xl/sharedStrings.xml"] = b"<sst>" + b" " * (40 << 20) + b"</sst>"
    monkeypatch.setattr(sheets, "SHEET_BYTES", 16 << 20)
    report = load(write(logs, name, zipped(members)))
    assert "Save it as CSV" in messages(report)
    assert report.sources[0]["kept"] == 0


@pytest.mark.parametrize("name", ["/etc/evil.json", "../evil.json", "samples/../../evil_epoch_1.json", "C:\\evil.json"])
def test_members_that_lead_outside_are_named_and_not_read(logs: Path, name: str) -> None:
    members = unzipped(samples("inspect")[1].tree["log.eval"])
    report = load(write(logs, "log.eval", zipped(members | {name: b"{}"})))
    assert report.sources[0]["kept"] == 9
    assert any("evil" in str(issue["message"]) for issue in report.issues), report.issues
    assert not list(logs.parent.rglob("evil*"))


@pytest.mark.parametrize("lie", ["rows", "size", "offset"])
def test_parquet_that_lies_about_itself_is_refused(logs: Path, lie: str) -> None:
    for file, content in samples("native")[0].tree.items():
        write(logs, file, content)
    manifest = next(logs.rglob("manifest.json"))
    table = manifest.with_name("responses.parquet")
    listed = json.loads(manifest.read_text())
    if lie == "rows":
        listed["tables"]["responses"]["rows"] = 10**12
    else:
        raw = bytearray(table.read_bytes())
        length = struct.unpack("<I", raw[-8:-4])[0]
        if lie == "size":
            raw[-8:-4] = struct.pack("<I", 2**31)
        else:
            for k in range(len(raw) - 8 - length, len(raw) - 8 - length // 2):
                raw[k] = 0xFF
        table.write_bytes(bytes(raw))
        listed["tables"]["responses"]["sha256"] = digest(table)
    manifest.write_text(json.dumps(listed))
    report = load(logs)
    assert rules(report) <= {"row_count_mismatch", "unreadable", "hash_mismatch"}
    assert rules(report)
    assert all(source["kept"] == 0 for source in report.sources)


def test_a_pipe_among_the_logs_does_not_stop_the_build(logs: Path) -> None:
    write(logs, "predictions.jsonl", PSYCHEME)
    os.mkfifo(logs / "pipe.jsonl")
    assert rules(load(logs)) == {"not_a_file"}


def test_the_whole_of_it_in_little_memory(tmp_path: Path) -> None:
    """A line of 200 MB, lines unbounded for nobody: the reader stays far below it."""
    path = tmp_path / "predictions.jsonl"
    with path.open("wb") as file:
        file.write(PSYCHEME + b'{"question_id": "')
        for _ in range(200):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n' + PSYCHEME)
    code = (
        "import sys, resource\nfrom pathlib import Path\nfrom loaders.jsonlines import read_lines\n"
        "from loaders.located import Located\nfrom loaders.base import Issue\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "found = [f.rule for f in read_lines(Path(sys.argv[1]), Located()) if isinstance(f, Issue)]\n"
        "print(found, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    found, megabytes = done.stdout.rsplit(" ", 1)
    assert found == "['line_too_long']"
    assert int(megabytes) < 700


@pytest.mark.parametrize(
    "path",
    ["../secret.png", "/etc/passwd", "a/../../secret.png", "link.png", "folder/secret.png", "\0.png", "x" * 5000],
)
def test_media_outside_the_logs_are_not_shown(tmp_path: Path, path: str) -> None:
    logs = tmp_path / "logs"
    (logs / "a").mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes(b"x")
    (logs / "mine.png").write_bytes(b"x")
    (logs / "link.png").symlink_to(tmp_path / "secret.png")
    (logs / "folder").symlink_to(tmp_path)
    assert find(path, [str(logs)]) is None
    assert find("mine.png", [str(logs)]) == logs / "mine.png"
    assert find("a/../mine.png", [str(logs)]) == logs / "mine.png"


def test_a_link_to_a_log_is_read_once(tmp_path: Path) -> None:
    logs = write(tmp_path / "logs", "predictions.jsonl", PSYCHEME)
    (logs / "again.jsonl").symlink_to(logs / "predictions.jsonl")
    assert len(list(discover(str(logs)))) == 1
