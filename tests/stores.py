"""Small stores for tests: rows typed out in the test, one JSON file, the real warehouse."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from analytics.store import Store
from loaders.base import Batch, Field, Found, Reader, Source
from loaders.warehouse import LoadReport, build

Rows = Sequence[Mapping[str, Any]]

DEFAULTS: dict[str, dict[str, Any]] = {
    "benchmarks": {
        "title": "Toy",
        "missing_policy": "exclude",
        "raw_means": "answer credit",
        "slice_name": "capability",
        "headline": "micro",
    },
    "items": {"benchmark": "toy", "answer_type": "single_choice", "reference_known": True},
    "runs": {"benchmark": "toy", "kind": "model", "complete": True},
    "responses": {"attempt": 1, "status": "ok"},
    "judges": {"kind": "program"},
    "verdicts": {"attempt": 1, "criterion": "answer", "on_judge": "", "status": "ok"},
    "item_tags": {"benchmark": "toy"},
}


def _claims(path: Path, head: bytes) -> bool:
    return b'"toy-log"' in head


def _read(source: Source) -> Iterator[Found]:
    tables = json.loads(source.path.read_text())["toy-log"]
    for name, rows in tables.items():
        yield Batch(name, pl.DataFrame(rows, infer_schema_length=None), primary=name == "responses")


TOY = Reader("toy", "1", "Toy log of the tests", "file", (Field("responses.credit", ("credit",)),), _claims, _read)


def write_log(path: Path, **tables: Rows) -> Path:
    """Write one toy log; columns that a row leaves out take the toy defaults."""
    full = {
        name: [DEFAULTS.get(name, {}) | dict(row) for row in rows]
        for name, rows in ({"benchmarks": [{"benchmark": "toy"}]} | tables).items()
    }
    for run in full.get("runs", []):
        run.setdefault("model", run["run_id"])
    path.write_text(json.dumps({"toy-log": full}))
    return path


def toy_build(folder: Path, *logs: Path, add: bool = False, **options: Any) -> LoadReport:
    """Build a store at folder/store from toy logs."""
    return build([str(log) for log in logs], folder / "store", add=add, known=[TOY], **options)


def toy_store(folder: Path, **tables: Rows) -> Store:
    """Build a store from rows and open it."""
    toy_build(folder, write_log(folder / "log.json", **tables))
    return Store(folder / "store")
