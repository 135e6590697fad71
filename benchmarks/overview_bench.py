"""Questions on a large store: overviews against the same on a small one; cases and the panel of runs in seconds."""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from analytics.policy import Policy
from analytics.questions import ask, options_of, question
from analytics.slices import Slice
from analytics.store import Store
from benchmarks.figure import against_floor, against_limit
from benchmarks.log_rows import write_records
from loaders.warehouse import build

SMALL = 19_000
OVERVIEWS = ("leaderboard", "profiles", "gap", "statuses", "distribution")
CASES = {
    "the first page": {},
    "a text that is rare": {"search": "answer 420692"},
    "a text that is everywhere": {"search": "red object"},
    "a text that is nowhere": {"search": "no such words"},
    "the hardest items": {"order": "hardest"},
}


def asked(store: Store, name: str, **given: str) -> Callable[[], float]:
    """Return a call that asks once and returns its seconds."""
    policy, options = options_of(question(name), given)

    def once() -> float:
        start = time.perf_counter()
        answer = ask(store, name, Slice(), policy or Policy(), options)
        assert answer.table.width
        return time.perf_counter() - start

    return once


def medians(*calls: Callable[[], float], repeats: int) -> list[float]:
    """Medians of calls made in turns, the first round of each left out."""
    times = [[call() for call in calls] for _ in range(repeats + 1)][1:]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def built(folder: Path, rows: int, *, choices: bool) -> tuple[Store, int]:
    """Build a store over a made-up log of so many records; return it with how many there are."""
    log = folder / f"{rows}-{'choices' if choices else 'texts'}.jsonl"
    made = write_records(log, rows, choices=choices)
    store = folder / f"{log.stem}-store"
    build([str(log)], store, add=False)
    log.unlink()
    return Store(store), made


def rows(rows: int) -> list[dict[str, Any]]:
    """Overviews as ratios to 19 thousand rows; searches and the panel of runs in seconds."""
    with tempfile.TemporaryDirectory() as name:
        small, _ = built(Path(name), SMALL, choices=False)
        large, made = built(Path(name), rows, choices=False)
        found = []
        for overview in OVERVIEWS:
            ours, floor = medians(asked(large, overview), asked(small, overview), repeats=7)
            figure = f"{overview} at {made:,} rows, against {SMALL:,}"
            found.append(against_floor(figure, ours, floor, goal=1.2, unit="s"))
        for what, given in CASES.items():
            (ours,) = medians(asked(large, "cases", **given), repeats=5)
            found.append(against_limit(f"cases at {made:,} rows: {what}", ours, limit=1, unit="s"))
        panel, made = built(Path(name), rows, choices=True)
        panels = (asked(panel, "voting"), asked(panel, "agreement", raters="runs"))
        taken = [medians(one, repeats=1)[0] for one in panels]
        found.append(
            against_limit(f"voting, agreement and kappa of 25 runs, {made:,} answers", sum(taken), limit=3, unit="s")
        )
    return found
