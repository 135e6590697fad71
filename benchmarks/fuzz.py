"""Fuzzing of every reader: good samples spoiled at random, read as a build reads them.

    python -m benchmarks.fuzz --cases 100000 --seed 1 [--reader NAME] [--minutes M]

What must hold of each case: no exception but the product's own, no more than SECONDS and MEGABYTES, seen = kept +
refused, no row more than there are records, every issue with a rule and a sentence. One case in WHOLE becomes a store.
A case is named by seed, reader and number, and can be run again by itself (--only NUMBER). What is found is made short
and written to benchmarks/out/fuzz/. The cases run in a process of their own, which is started again where it dies.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.fuzzing.check import SECONDS, Outcome, minimise, run, write_tree
from benchmarks.fuzzing.mutations import mutate
from benchmarks.fuzzing.samples import ROOT, Sample, Tree, every

OUT = ROOT / "benchmarks" / "out" / "fuzz"
WHOLE = 997
"""One case in so many is built into a store."""

WAITED = 15 * SECONDS
"""A case that waits so long without working hangs: its process is ended, and the run goes on behind it."""


def case(samples: dict[str, list[Sample]], reader: str, seed: int, number: int) -> tuple[str, Tree]:
    """Return the spoiled tree of one case and the name of the file that was spoiled."""
    rng = random.Random(f"{seed} {reader} {number}")
    sample = rng.choice(samples[reader])
    other = rng.choice(samples[rng.choice(sorted(samples))])
    return mutate(sample.tree, rng, other.tree[rng.choice(sorted(other.tree))])


def work(given: argparse.Namespace) -> int:
    """Run the cases from `--start` on; print a line of JSON for each finding, and at the end the counts."""
    samples = every()
    names = [given.reader] if given.reader else sorted(samples)
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=given.scratch)) / "case"
    counts: dict[str, collections.Counter[str]] = {name: collections.Counter() for name in names}
    end = time.monotonic() + given.minutes * 60
    numbers = [given.only] if given.only is not None else range(given.start, given.cases)
    last = given.start
    for last in numbers:
        if time.monotonic() > end:
            break
        reader = names[last % len(names)]
        name, tree = case(samples, reader, given.seed, last)
        Path(given.scratch, "now").write_text(str(last))
        write_tree(folder, tree)
        faulthandler.dump_traceback_later(WAITED, exit=True)
        outcome = run(folder, name, whole=last % WHOLE == WHOLE - 1)
        faulthandler.cancel_dump_traceback_later()
        _count(counts[reader], outcome)
        if outcome.finding is not None and counts[reader][outcome.finding] == 1:
            _say({"case": last, "reader": reader, "file": name, "finding": outcome.finding, "detail": outcome.detail})
            _keep(folder, tree, name, reader, outcome, last)
        if last % 2000 == 1999:
            _say({"at": last + 1, "counts": counts})
    _say({"end": last + 1, "counts": counts})
    shutil.rmtree(folder.parent, ignore_errors=True)
    return 0


def _count(counts: collections.Counter[str], outcome: Outcome) -> None:
    counts["cases"] += 1
    counts["recognised"] += outcome.claimed > 0
    for name in ("seen", "kept", "refused"):
        counts[name] += getattr(outcome, name)
    if outcome.finding is not None:
        counts["findings"] += 1
        counts[outcome.finding] += 1


def _keep(folder: Path, tree: Tree, name: str, reader: str, outcome: Outcome, number: int) -> None:
    """Write the shortest log that shows the finding, where it can be looked at."""
    assert outcome.finding is not None
    small = minimise(folder, tree, name, outcome.finding)
    label = "".join(c if c.isalnum() else "-" for c in outcome.finding)[:60]
    write_tree(OUT / f"{reader}-{number}-{label}", small)


def _say(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def main() -> int:
    """Run the cases in a child, start it again behind a case that killed it, print the counts by reader."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--cases", type=int, default=100_000, help="cases over all readers (100000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reader", help="one reader alone")
    parser.add_argument("--minutes", type=float, default=600.0, help="stop after so many minutes (600)")
    parser.add_argument("--start", type=int, default=0, help="number of the first case")
    parser.add_argument("--only", type=int, help="run this one case again")
    parser.add_argument("--scratch", help=argparse.SUPPRESS)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if given.scratch:
        return work(given)
    totals: dict[str, collections.Counter[str]] = {}
    deaths: list[int] = []
    end = time.monotonic() + given.minutes * 60
    with tempfile.TemporaryDirectory() as scratch:
        start, done = given.start, False
        while not done:
            left = max(0.0, (end - time.monotonic()) / 60)
            extra = ["--only", str(given.only)] if given.only is not None else []
            command = [
                sys.executable, "-m", "benchmarks.fuzz", "--scratch", scratch, "--cases", str(given.cases), "--seed",
                str(given.seed), "--start", str(start), "--minutes", str(left), *extra,
            ]  # fmt: skip
            command += ["--reader", given.reader] if given.reader else []
            counts, done = _listen(command)
            for reader, found in counts.items():
                totals.setdefault(reader, collections.Counter()).update(found)
            if not done:
                reached = int(Path(scratch, "now").read_text()) + 1
                if reached <= start and deaths:
                    raise SystemExit("the process dies before its first case: see above")
                start = reached
                deaths.append(start - 1)
                print(f"the process died at case {start - 1}", flush=True)
    _table(totals)
    return int(bool(deaths) or any(counts["findings"] for counts in totals.values()))


def _listen(command: list[str]) -> tuple[dict[str, dict[str, int]], bool]:
    """Run the child; return its last counts and whether it came to its end."""
    counts: dict[str, dict[str, int]] = {}
    done = False
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            for text in child.stdout:
                line = json.loads(text)
                counts = line.get("counts", counts)
                done = done or "end" in line
                if "finding" in line:
                    print(text.strip(), flush=True)
                elif "at" in line:
                    print(f"{line['at']} cases", flush=True)
        finally:
            child.kill()  # at its end it is gone already; else this process was stopped
    return counts, done


def _table(totals: dict[str, collections.Counter[str]]) -> None:
    heads = ("cases", "recognised", "seen", "kept", "refused", "findings")
    print(f"{'reader':16s}" + "".join(f"{head:>12s}" for head in heads))
    whole: collections.Counter[str] = collections.Counter()
    for reader, counts in sorted(totals.items()):
        whole.update(counts)
        print(f"{reader:16s}" + "".join(f"{counts[head]:12,d}" for head in heads))
    print(f"{'all':16s}" + "".join(f"{whole[head]:12,d}" for head in heads))


if __name__ == "__main__":
    sys.exit(main())
