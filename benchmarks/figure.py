"""One row of the bench table: ours against a floor of the same run, or against a limit, with its goal."""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def against_floor(figure: str, ours: float, floor: float, *, goal: float, unit: str) -> dict[str, Any]:
    """Return the row of a figure that may take at most `goal` times its floor."""
    return {
        "figure": figure, "ours": ours, "floor": floor, "unit": unit, "ratio": ours / floor, "goal": f"<= {goal:g}",
        "ok": ours / floor <= goal,
    }  # fmt: skip


def against_limit(figure: str, ours: float, *, limit: float, unit: str) -> dict[str, Any]:
    """Return the row of a figure with a hard limit: the floor is the limit, the ratio their quotient."""
    return against_floor(figure, ours, limit, goal=1.0, unit=unit) | {"goal": f"<= {limit:g} {unit}"}


def child(*arguments: str, seconds: float = 1200) -> dict[str, float]:
    """Run `python -m` with these arguments in a fresh process; return the JSON that it prints last."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, check=True, capture_output=True, text=True, timeout=seconds
    )
    return dict(json.loads(done.stdout.strip().splitlines()[-1]))


def in_turns(calls: dict[str, Callable[[], dict[str, float]]], *, repeats: int) -> dict[str, dict[str, float]]:
    """Call each in turns, so that a busy machine hits all alike; return the medians of what they measured."""
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            taken[name].append(call())
    return {
        name: {key: statistics.median(one[key] for one in results) for key in results[0]}
        for name, results in taken.items()
    }
