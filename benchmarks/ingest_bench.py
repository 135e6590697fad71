"""Ingest: a log of JSON Lines to a served store, against DuckDB's own read_json into a table."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.figure import against_floor, against_limit, child, in_turns
from benchmarks.log_rows import write_records

SMALL = 19_000


def _ingest(which: str, log: Path, folder: Path) -> Callable[[], dict[str, float]]:
    def run() -> dict[str, float]:
        out = folder / which
        out.mkdir()
        try:
            return child("benchmarks.ingest_child", which, str(log), str(out))
        finally:
            shutil.rmtree(out)

    return run


def rows(rows: int) -> list[dict[str, Any]]:
    """Time and peak memory of `rows` records, and of a log as small as the published benchmark."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large = folder / "small.jsonl", folder / "large.jsonl"
        write_records(small, SMALL, choices=False)
        made = write_records(large, rows, choices=False)
        few = in_turns({"ours": _ingest("ours", small, folder)}, repeats=5)["ours"]
        repeats = 3 if rows <= 3_000_000 else 1
        many = in_turns({which: _ingest(which, large, folder) for which in ("floor", "ours")}, repeats=repeats)
    floor, ours = many["floor"], many["ours"]
    return [
        against_floor(f"ingest of {made:,} JSON lines to a served store", ours["s"], floor["s"], goal=3, unit="s"),
        against_floor(f"ingest of {made:,} JSON lines, processor time", ours["cpu"], floor["cpu"], goal=3, unit="s"),
        against_limit(f"ingest of {made:,} JSON lines, peak memory", ours["mb"], limit=1200, unit="MB"),
        against_limit(f"ingest of {SMALL:,} JSON lines", few["s"], limit=1, unit="s"),
    ]
