"""How cost grows with the log: the same figures at 10^4, 10^5, 10^6 and 10^7 records, drawn.

Run from the repository root, with some 10 GB of free disk: python -m benchmarks.growth [--upto N] [--keep FOLDER]
Writes docs/growth.json and docs/growth.png. A store that lies in the kept folder already is not built again.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from analytics.store import Store
from benchmarks.figure import ROOT, child
from benchmarks.log_rows import write_records
from benchmarks.overview_bench import OVERVIEWS, asked, medians

FIRST = 10_000
SEARCHES = {"cases, first page": {}, "cases, text search": {"search": "red object"}}
DOCS = ROOT / "docs"
NOTE = "25 runs over the same items; medians of 5 warm calls; voting and agreement once. Both axes are logarithmic."


def sizes(upto: int) -> list[int]:
    """The powers of ten from FIRST to `upto`."""
    found = [FIRST]
    while found[-1] * 10 <= upto:
        found.append(found[-1] * 10)
    return found


def stored(folder: Path, rows: int, *, choices: bool) -> tuple[Store, dict[str, float]]:
    """Return a store over `rows` records, and what its build took in a process of its own (empty when it was there)."""
    name = f"{rows}-{'choices' if choices else 'texts'}"
    store, log = folder / name, folder / f"{name}.jsonl"
    taken: dict[str, float] = {}
    if not store.exists():
        write_records(log, rows, choices=choices)
        taken = child("benchmarks.ingest_child", "ours", str(log), str(store))
        log.unlink()
    return Store(store), taken


def measured(folder: Path, rows: int) -> list[dict[str, Any]]:
    """Return one row per figure at this size, in seconds."""
    texts, taken = stored(folder, rows, choices=False)
    figures = {"build the store": taken["s"]} if taken else {}
    for name in OVERVIEWS:
        figures[name] = medians(asked(texts, name), repeats=5)[0]
    for name, given in SEARCHES.items():
        figures[name] = medians(asked(texts, "cases", **given), repeats=5)[0]
    votes, _ = stored(folder, rows, choices=True)
    figures["voting and agreement"] = asked(votes, "voting")() + asked(votes, "agreement", raters="runs")()
    return [{"rows": rows, "figure": figure, "seconds": seconds} for figure, seconds in figures.items()]


def drawn(rows: list[dict[str, Any]]) -> alt.Chart:
    """Draw seconds by records, one line per figure; the legend has the costliest at the largest size first."""
    table = pl.DataFrame(rows)
    last = table.filter(pl.col("rows") == pl.col("rows").max()).sort("seconds", descending=True)["figure"].to_list()
    return (
        alt.Chart(table)
        .mark_line(point=alt.OverlayMarkDef(size=60))
        .encode(
            x=alt.X("rows:Q", title="records of the log")
            .scale(type="log")
            .axis(format="~s", values=sorted({*table["rows"]})),
            y=alt.Y("seconds:Q", title="seconds").scale(type="log"),
            color=alt.Color("figure:N", title=None, sort=last),
        )
        .properties(width=560, height=420, title="Cost against the size of the log")
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=str(__doc__).split("\n")[0])
    parser.add_argument("--upto", type=int, default=10_000_000, help="largest number of records (10000000)")
    parser.add_argument("--keep", type=Path, help="folder that keeps the stores")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = given.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        rows = []
        for size in sizes(given.upto):
            fresh = measured(folder, size)
            for row in fresh:
                print(f"{row['rows']:>12,}  {row['figure']:24s} {row['seconds']:9.3f} s", flush=True)
            rows += fresh
    machine = {"cores": os.cpu_count(), "load": os.getloadavg()[0]}
    (DOCS / "growth.json").write_text(
        json.dumps({"note": NOTE, "machine": machine, "figures": rows}, indent=1) + "\n", encoding="utf-8"
    )
    drawn(rows).save(str(DOCS / "growth.png"), scale_factor=2)


if __name__ == "__main__":
    main()
