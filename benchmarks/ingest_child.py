"""One ingest in a process of its own; prints seconds, seconds of processor time and peak memory as JSON.

Run: python -m benchmarks.ingest_child floor|ours LOG OUT
"""

import json
import resource
import sys
import time
from pathlib import Path

from benchmarks.log_rows import COLUMNS


def floor(log: Path, out: Path) -> None:
    """DuckDB's own reader, told every column and its type, into one table of a database file."""
    import duckdb  # noqa: PLC0415 - each process loads only its own

    con = duckdb.connect(str(out / "floor.duckdb"))
    con.execute("SET enable_progress_bar = false")
    con.read_json(str(log), format="newline_delimited", columns=COLUMNS).create("r")
    con.close()


def ours(log: Path, out: Path) -> None:
    """Our build: read, validated, sorted, scored, with the cube, to a store that can be served."""
    from loaders.warehouse import build  # noqa: PLC0415

    report = build([str(log)], out, add=False)
    if report.rows["responses"] == 0 or any(issue["severity"] == "refused" for issue in report.issues):
        raise SystemExit(f"The log was not read whole: {report.issues}")


def main() -> None:
    which, log, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    start = time.perf_counter()
    {"floor": floor, "ours": ours}[which](log, out)
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"s": seconds, "cpu": used.ru_utime + used.ru_stime, "mb": used.ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
