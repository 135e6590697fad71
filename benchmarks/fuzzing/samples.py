"""The good samples of every reader as trees of files in memory, containers made of them included."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import polars as pl

from loaders.base import readers

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "tests" / "loaders" / "samples"

MAPPED = "mapping"
"""Name of the reader that a mapping profile makes."""

Tree = dict[str, bytes]
"""The files of a folder by their path in it."""


@dataclass(frozen=True)
class Sample:
    """A folder of good logs of one reader."""

    reader: str
    tree: Tree


def samples(name: str) -> list[Sample]:
    """Return the good samples of one reader: the folder as it lies there, and its logs in other containers."""
    folder = SAMPLES / name / "good"
    if name == MAPPED:
        return mapped(folder)
    tree = _tree(folder)
    found = [Sample(name, tree)]
    if name == "inspect":
        found.append(Sample(name, {"log.eval": archive(json.loads(tree["log.json"]))}))
    if name == "psycheme":
        found.append(Sample(name, {"factors.parquet": parquet(tree["factors.csv"])}))
    if name == "vlmevalkit":
        table = tree["some_model/some_model_Toy_Bench_openai_result.csv"]
        found.append(Sample(name, {"m/m_Toy_Bench_openai_result.xlsx": workbook(table)}))
    return found


def every() -> dict[str, list[Sample]]:
    """Return the samples of all readers that have some, by name; tests/loaders demands them of every reader.

    Logs with a mapping profile beside them are the samples of the reader that their profiles make.
    """
    names = (*(reader.name for reader in readers()), MAPPED)
    return {name: samples(name) for name in names if (SAMPLES / name / "good").is_dir()}


def _tree(folder: Path) -> Tree:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def mapped(folder: Path) -> list[Sample]:
    """Return each log with its profile as a sample of its own, and the wide one as a workbook and as Parquet too."""
    found = [Sample(MAPPED, _tree(each)) for each in sorted(folder.iterdir())]
    table = (folder / "wide" / "survey.csv").read_bytes()
    profile = (folder / "wide" / "survey.scoreproof.toml").read_bytes()
    found.append(Sample(MAPPED, {
        "survey.xlsx": workbook(table), "survey.scoreproof.toml": profile.replace(b'"csv"', b'"xlsx"'),
    }))  # fmt: skip
    plain = profile.replace(b'"csv"\nheader_row = 3', b'"parquet"')
    bare = b"".join(table.splitlines(keepends=True)[2:])
    found.append(Sample(MAPPED, {"survey.parquet": parquet(bare), "survey.scoreproof.toml": plain}))
    return found


def archive(log: dict[str, object]) -> bytes:
    """Return a JSON log of Inspect as an archive."""
    listed = log["samples"]
    assert isinstance(listed, list)
    members: dict[str, object] = {"_journal/start.json": {key: log[key] for key in ("version", "eval", "plan")}}
    members |= {f"samples/{s['id']}_epoch_{s['epoch']}.json": s for s in listed}
    members["header.json"] = {key: log[key] for key in log if key != "samples"}
    return zipped({name: json.dumps(value).encode() for name, value in members.items()})


def zipped(members: Tree) -> bytes:
    """Return a zip archive of these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


def unzipped(raw: bytes) -> Tree:
    """Return the members of a whole archive."""
    with zipfile.ZipFile(io.BytesIO(raw)) as file:
        return {name: file.read(name) for name in file.namelist()}


def parquet(table: bytes) -> bytes:
    """Return a CSV table as Parquet."""
    buffer = io.BytesIO()
    pl.read_csv(table).write_parquet(buffer)
    return buffer.getvalue()


def workbook(table: bytes) -> bytes:
    """Return a CSV table as a spreadsheet with inline strings."""
    rows = [list(pl.read_csv(table, infer_schema=False).columns), *pl.read_csv(table, infer_schema=False).rows()]
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = "".join(
            f'<c r="{chr(65 + k)}{number}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
            for k, value in enumerate(row)
            if value is not None
        )
        lines.append(f'<row r="{number}">{cells}</row>')
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return zipped(
        {
            "[Content_Types].xml": (
                f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
                '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/>'
                f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kinds}.worksheet+xml"/></Types>'
            ).encode(),
            "_rels/.rels": (
                f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
                f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
            ).encode(),
            "xl/workbook.xml": (
                f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
                '<sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>'
            ).encode(),
            "xl/_rels/workbook.xml.rels": (
                f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
                f'Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
            ).encode(),
            "xl/worksheets/sheet1.xml": (
                f'<worksheet xmlns="{main}"><sheetData>{"".join(lines)}</sheetData></worksheet>'
            ).encode(),
        }
    )
