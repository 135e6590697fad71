"""Make the reconstructed logs: ``python -m logs.generate [--solve] [--out DIR] [BENCHMARK ...]``."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from logs.generate.exact import PLANS, ROOT
from logs.generate.frames import Rows, write
from logs.generate.hss_judges_rows import judge_rows
from logs.generate.hss_plan import solve_hss
from logs.generate.hss_rows import hss_rows
from logs.generate.hss_verify import verify_hss
from logs.generate.psycheme_plan import solve_psycheme
from logs.generate.psycheme_rows import psycheme_rows
from logs.generate.psycheme_verify import verify_psycheme
from logs.generate.report import all_checks, as_csv, render
from logs.generate.srb_plan import solve_srb, verify_srb
from logs.generate.srb_rows import srb_rows

Plan = dict[str, Any]
STAGES: dict[str, tuple[Callable[[], Plan], Callable[[Plan], None], Callable[[Plan], dict[str, Rows]]]] = {
    "psycheme": (solve_psycheme, verify_psycheme, lambda plan: {"psycheme": psycheme_rows(plan)}),
    "hss": (solve_hss, verify_hss, lambda plan: {"hss": hss_rows(plan), "hss-judges": judge_rows(plan["judges"])}),
    "srb": (solve_srb, verify_srb, lambda plan: {"srb": srb_rows(plan)}),
}


def plan_of(name: str, *, solve: bool) -> Plan:
    """Return the integer plan of a benchmark: the committed one, or a new one that is then committed."""
    path = PLANS / f"{name}.json"
    if solve:
        text = json.dumps(STAGES[name][0](), separators=(",", ":"), sort_keys=True)
        path.write_text(text.replace("},{", "},\n{") + "\n", encoding="utf-8")
    plan: Plan = json.loads(path.read_text(encoding="utf-8"))
    return plan


def generate(names: list[str], out: Path, *, solve: bool) -> dict[str, dict[str, int]]:
    """Verify the plans, place their rows and write the Parquet folders; return rows by folder and table."""
    counts: dict[str, dict[str, int]] = {}
    for name in names:
        _, verify, place = STAGES[name]
        plan = plan_of(name, solve=solve)
        verify(plan)
        for folder, rows in place(plan).items():
            counts[folder] = write(rows, out / folder)
    return counts


def main(arguments: list[str] | None = None) -> int:
    """Run the generator from the command line and print the rows written."""
    parser = argparse.ArgumentParser(prog="python -m logs.generate", description=__doc__)
    parser.add_argument("benchmarks", nargs="*", default=list(STAGES), help="which to make (default: all)")
    parser.add_argument("--solve", action="store_true", help="solve the integer plans again and replace them")
    parser.add_argument("--out", type=Path, default=ROOT, help="folder to write to")
    chosen = parser.parse_args(arguments)
    every = set(chosen.benchmarks) == set(STAGES)
    for folder, tables in generate(chosen.benchmarks, chosen.out, solve=chosen.solve).items():
        sys.stdout.write(f"{folder}: " + ", ".join(f"{name} {rows}" for name, rows in tables.items()) + "\n")
    if not every:  # the report is about all of them
        return 0
    found = all_checks(chosen.out)
    (chosen.out / "REPORT.md").write_text(render(found), encoding="utf-8")
    (chosen.out / "report.csv").write_text(as_csv(found), encoding="utf-8")
    counts = Counter(check.status for check in found)
    sys.stdout.write(f"{len(found)} figures: " + ", ".join(f"{name} {n}" for name, n in sorted(counts.items())) + "\n")
    return int(counts["mismatch"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
