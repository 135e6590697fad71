"""Kill -9 at random moments of a build, of adding to a store, and of an export: what is left must be old or new.

    python -m benchmarks.faults --kills 100 [--seed 1] [--rows 20000]

Each kill falls at a random moment between the first byte read and a little after the end. Afterwards the store that was
open all the time, and one opened afresh, must answer with the rows before or after the change and nothing else; an
exported folder or file must be the old or the new one, whole. At the end one more change must succeed and sweep up.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from analytics.errors import ScoreproofError
from analytics.store import Store, frame
from loaders.base import Source
from loaders.native import READER as NATIVE
from loaders.warehouse import build

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("build", "add", "export", "answer")
CODE = """
import sys
from pathlib import Path
import cli
from loaders.warehouse import build
from loaders.native_write import export_native
from analytics.store import Store, read_pointer
kind, folder = sys.argv[1], Path(sys.argv[2])
store = folder / "store"
print("go", flush=True)
if kind in ("build", "add"):
    build([str(folder / "new.jsonl")], store, add=kind == "add")
elif kind == "export":
    export_native(store / read_pointer(store).file, folder / "native")
else:
    cli.main(["ask", "leaderboard", "--store", str(store), "--format", "json", "--out", str(folder / "answer.json")])
print("done", flush=True)
"""


@dataclass
class Case:
    """A folder with a store of old rows, and what its states look like."""

    folder: Path
    kind: str
    old: object
    new: object = None
    seconds: float = 0.0
    outcomes: collections.Counter[str] = field(default_factory=collections.Counter)


def write_rows(path: Path, *, run: str, rows: int, credit: float) -> None:
    """Write a log of one run."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(rows):
            row = {"run": run, "question_id": f"q{number}", "capability": f"c{number % 5}", "answer_credit": credit}
            file.write(json.dumps(row | {"coverage": "present", "evidence": "supported", "logic": "sound"}) + "\n")


def rows_of(store: Store) -> tuple[int, float]:
    """What a store answers: number and sum of its credits."""
    with store.cursor() as cursor:
        n, total = frame(cursor, "SELECT count(*) AS n, sum(credit) AS s FROM responses").row(0)
    return int(n), float(total)


def state(case: Case) -> object:
    """What the changed thing is now: rows of the store, of the exported folder, or of the written answer."""
    if case.kind in ("build", "add"):
        return rows_of(Store(case.folder / "store"))
    if case.kind == "export":
        if not (case.folder / "native").exists():
            return None
        found = list(NATIVE.read(Source(case.folder / "native", "native", "native")))
        return sum(batch.frame.height for batch in found if hasattr(batch, "frame") and batch.primary)
    path = case.folder / "answer.json"
    return len(json.loads(path.read_text())) if path.exists() else None


def prepare(folder: Path, kind: str, rows: int) -> Case:
    """Make the store of old rows and see what the change makes of it and how long it takes."""
    write_rows(folder / "old.jsonl", run="old", rows=rows, credit=0.5)
    write_rows(folder / "new.jsonl", run="new", rows=rows, credit=1.0)
    case = Case(folder, kind, old=None)
    reset(case)
    case.old = state(case)
    assert change(case, after=None)
    case.new = state(case)
    assert case.new != case.old, kind
    reset(case)
    return case


def reset(case: Case) -> None:
    """Make the store and the exported things old again."""
    build([str(case.folder / "old.jsonl")], case.folder / "store", add=False)
    for path in (case.folder / "native").glob("*"):
        path.unlink()
    if (case.folder / "native").is_dir():
        (case.folder / "native").rmdir()
    (case.folder / "answer.json").unlink(missing_ok=True)


def change(case: Case, *, after: float | None) -> bool:
    """Run the change in a child, killed so many seconds after it began; return whether it came to its end."""
    command = [sys.executable, "-c", CODE, case.kind, str(case.folder)]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert child.stdout is not None
    try:
        if child.stdout.readline().strip() != "go":
            raise RuntimeError("the child did not begin")
        start = time.monotonic()
        if after is not None:
            time.sleep(after)
            os.kill(child.pid, signal.SIGKILL)
        ended = "done" in child.stdout.read()
        case.seconds = max(case.seconds, time.monotonic() - start) if after is None else case.seconds
    finally:
        child.kill()
        child.wait(60)
        child.stdout.close()
    return ended


def kill_once(case: Case, rng: random.Random, served: Store) -> None:
    """Kill one change at a random moment and note what is there; raises AssertionError for anything but old or new."""
    ended = change(case, after=rng.uniform(0, case.seconds * 1.15))
    try:
        now = state(case)
        answers = rows_of(served)
    except (ScoreproofError, ValueError) as error:
        raise AssertionError(f"{case.kind}: after a kill the store does not answer: {error}") from error
    assert now in (case.old, case.new), f"{case.kind}: {now} is neither {case.old} nor {case.new}"
    if case.kind in ("build", "add"):
        assert answers == now, f"{case.kind}: the open store says {answers}, a fresh one {now}"
    case.outcomes["ended" if ended else "killed"] += 1
    case.outcomes["new" if now == case.new else "old"] += 1
    case.outcomes["left over"] += bool(leftovers(case))
    if now == case.new:
        reset(case)
        case.outcomes["left over after the next change"] += bool(leftovers(case))


def leftovers(case: Case) -> list[str]:
    """Return files that a killed change left in the store."""
    return [path.name for path in (case.folder / "store").glob(".*.partial*")]


def run(kills: int, *, seed: int, rows: int, folder: Path) -> list[Case]:
    """Kill so many changes, the kinds in turns; return what became of each kind."""
    rng = random.Random(seed)
    cases = []
    for kind in KINDS:
        (folder / kind).mkdir()
        cases.append(prepare(folder / kind, kind, rows))
    served = {case.kind: Store(case.folder / "store") for case in cases}
    for number in range(kills):
        case = cases[number % len(cases)]
        kill_once(case, rng, served[case.kind])
        if number % 10 == 9:
            print(f"{number + 1} kills: {said(cases)}", file=sys.stderr, flush=True)
    for case in cases:
        assert change(case, after=None), case.kind
        assert state(case) == case.new
        reset(case)
        assert leftovers(case) == [], leftovers(case)
    return cases


def said(cases: list[Case]) -> str:
    """Return what became of each kind so far, in words."""
    return "; ".join(f"{case.kind} {dict(sorted(case.outcomes.items()))}" for case in cases)


def main() -> int:
    """Kill, and print what became of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=int, default=20_000)
    given = parser.parse_args()
    heads = ("killed", "ended", "old", "new", "left over", "left over after the next change")
    with tempfile.TemporaryDirectory() as folder:
        cases = run(given.kills, seed=given.seed, rows=given.rows, folder=Path(folder))
    print(f"{'kind':10s}{'seconds':>10s}" + "".join(f"  {head}" for head in heads))
    for case in cases:
        counts = "".join(f"  {case.outcomes[head]:>{len(head)}d}" for head in heads)
        print(f"{case.kind:10s}{case.seconds:10.2f}{counts}")
    print(f"{given.kills} kills: each time the rows before or after the change, and nothing between")
    return 0


if __name__ == "__main__":
    sys.exit(main())
