"""Hostile files at their real size: what a build says of each, how long it takes, and how much memory.

    python -m benchmarks.hostile [--gigabytes 1]

A line of a gigabyte, an archive member that unpacks to one, a table of a million columns, JSON of a hundred thousand
levels, each read by `scoreproof build --json` in a process of its own. The suite shows the same at a size for every day
(tests/loaders/test_hostile_files.py).
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.fuzzing.samples import ROOT, samples

BLOCK = 1 << 20
MOST_MB = 1_200
MOST_SECONDS = 120.0


def endless_line(path: Path, size: int) -> Path:
    """Write good records, and behind them one whose only text is as long as given."""
    file = path / "predictions.jsonl"
    with file.open("wb") as out:
        out.write(samples("psycheme")[0].tree["prediction.jsonl"].rstrip(b"\n"))
        out.write(b'\n{"question_id": "1", "prediction": {"answer": "')
        for _ in range(size // BLOCK):
            out.write(b"x" * BLOCK)
        out.write(b'"}}\n')
    return file


def bomb(path: Path, size: int) -> Path:
    """Write an archive of an evaluation with a member that unpacks to so many blanks."""
    file = path / "log.eval"
    file.write_bytes(samples("inspect")[1].tree["log.eval"])
    with (
        zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("samples/boom_epoch_1.json", "w", force_zip64=True) as part,
    ):
        for _ in range(size // BLOCK):
            part.write(b" " * BLOCK)
    return file


def wide(path: Path, _size: int) -> Path:
    """Write a table of a million columns."""
    file = path / "wide.csv"
    text = io.StringIO()
    text.write("run,question_id,answer_credit," + ",".join(f"c{k}" for k in range(1_000_000)) + "\n")
    text.write("r,1,1," + "," * 999_999 + "\n")
    file.write_text(text.getvalue(), encoding="utf-8")
    return file


def deep(path: Path, _size: int) -> Path:
    """Write JSON of a hundred thousand levels."""
    file = path / "deep.json"
    file.write_text('[{"question_id": 1, "x": ' + "[" * 100_000 + "]" * 100_000 + "}]", encoding="utf-8")
    return file


CASES: tuple[Callable[[Path, int], Path], ...] = (endless_line, bomb, wide, deep)


def measure(make: Callable[[Path, int], Path], size: int) -> tuple[bool, str]:
    """Build a store of one hostile file; return whether it stayed within bounds, and a line of the table."""
    with tempfile.TemporaryDirectory() as name:
        file = make(Path(name), size)
        command = [sys.executable, "cli.py", "build", str(file), "--store", f"{name}/store", "--json"]
        start = time.monotonic()
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            assert child.stdout is not None
            said = child.stdout.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        seconds, megabytes = time.monotonic() - start, usage.ru_maxrss / 1024
        rules = (
            sorted({issue["rule"] for issue in json.loads(said)["issues"]}) if said.startswith(b"{") else ["no report"]
        )
        held = (
            child.returncode in (0, 1)
            and "reader_failed" not in rules
            and megabytes < MOST_MB
            and seconds < MOST_SECONDS
        )
        return (
            held,
            f"{make.__name__:14s} {seconds:8.1f} s {megabytes:8.0f} MB  exit {child.returncode}  {', '.join(rules)}",
        )


def main() -> int:
    """Measure every case; exit 1 where one took too long, too much memory, or broke the reader."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--gigabytes", type=float, default=1.0)
    given = parser.parse_args()
    whole = True
    for make in CASES:
        held, line = measure(make, int(given.gigabytes * (1 << 30)))
        whole = whole and held
        print(line, "" if held else "  BEYOND ITS BOUNDS", flush=True)
    return int(not whole)


if __name__ == "__main__":
    sys.exit(main())
