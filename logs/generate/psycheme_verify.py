"""Verify a PsycheMME plan with exact fractions before any row is placed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from logs.generate import psycheme_spec as spec
from logs.generate.exact import matches, measures, percent
from logs.generate.psycheme_votes import credit


class PlanError(ValueError):
    """A committed plan does not meet a printed figure."""


def require(condition: bool, message: str) -> None:
    """Raise PlanError with a message when a condition fails."""
    if not condition:
        raise PlanError(message)


def _cell(cell: dict[str, Any]) -> None:
    name = f"{cell['run']} {cell['capability']}"
    counts = {"choice": cell["correct"], "full": cell["full"], "half": cell["half"]}
    total = 0
    for group, count in counts.items():
        labels = cell["labels"][group]
        require(sum(labels.values()) == count, f"{name}: {group} labels do not add up to {count}")
        total += sum(spec.worth("half" if group == "half" else "full", label) * k for label, k in labels.items())
    weak = sum(k for label, k in cell["labels"]["choice"].items() if not label.startswith("supported"))
    require(total == cell["sum"], f"{name}: labels are worth {total}, not {cell['sum']}")
    require(weak == cell["weak"], f"{name}: {weak} weak labels, not {cell['weak']}")
    require(2 * (cell["correct"] + cell["full"]) + cell["half"] == cell["raw_halves"], f"{name}: raw sum")
    require(cell["correct"] <= spec.closed(cell["capability"]), f"{name}: more correct than choice questions")
    require(cell["full"] + cell["half"] <= spec.OPEN.get(cell["capability"], 0), f"{name}: more credit than open ones")


def _raw_macro(cells: dict[str, dict[str, Any]]) -> Fraction:
    shares = [percent(Fraction(cells[name]["raw_halves"], 2), n) for name, n in spec.CAPABILITIES.items()]
    return sum(shares, Fraction()) / len(shares)


def _run(target: spec.Target, cells: dict[str, dict[str, Any]]) -> None:
    verified = {n: percent(Fraction(cells[n]["sum"], spec.UNIT), k) for n, k in spec.CAPABILITIES.items()}
    raw = {n: percent(Fraction(cells[n]["raw_halves"], 2), k) for n, k in spec.CAPABILITIES.items()}
    for name, printed in target.cells.items():
        require(matches(verified[name], printed), f"{target.key} {name}: {float(verified[name])} is not {printed}")
    require(matches(sum(verified.values(), Fraction()) / 8, target.verified), f"{target.key}: verified macro")
    require(matches(sum(raw.values(), Fraction()) / 8, target.raw), f"{target.key}: raw macro")
    if target.cells:
        kept = {name: verified[name] / raw[name] for name in verified}
        for what, values in (("verified", verified), ("retention", kept)):
            others = min(value for name, value in values.items() if name != "timing")
            require(values["timing"] < others, f"{target.key}: Timing is not strictly lowest in {what}")


def _votes(plan: list[dict[str, Any]]) -> None:
    printed = measures("psycheme_findings")
    right = sum(row["right"] * row["items"] for row in plan)
    require(sum(row["items"] for row in plan) == spec.CAPABILITIES["timing"], "vote patterns do not cover Timing")
    require(all(row["right"] + sum(row["wrong"]) == 8 for row in plan), "a vote pattern has not eight votes")
    require(right == sum(spec.TIMING_CORRECT[:8]), "vote patterns and correct counts disagree")
    oracle = sum(row["items"] for row in plan if row["right"])
    plurality = sum((credit(row["right"], tuple(row["wrong"])) * row["items"] for row in plan), Fraction())
    require(matches(percent(oracle, 72), printed["timing_oracle"]), "oracle")
    require(matches(percent(plurality, 72), printed["timing_plurality"]), "plurality")


def verify_psycheme(plan: dict[str, Any]) -> None:
    """Check every pinned figure of a PsycheMME plan.

    Raises
    ------
    PlanError
        Naming the first figure that the plan misses.
    """
    printed = measures("psycheme_findings")
    by_run: dict[str, dict[str, dict[str, Any]]] = {}
    for cell in plan["cells"]:
        _cell(cell)
        by_run.setdefault(cell["run"], {})[cell["capability"]] = cell
    frozen = [target.key for target in spec.targets() if target.cells]
    for target in spec.targets():
        _run(target, by_run[target.key])
        if target.gain is not None:
            gain = _raw_macro(by_run[target.model]) - _raw_macro(by_run[target.key])
            require(matches(gain, target.gain), f"{target.key}: full input gains {float(gain)}, not {target.gain}")
    for key, inside in (("timing_weak_share", True), ("other_weak_share", False)):
        chosen = [c for run in frozen for c in by_run[run].values() if (c["capability"] == "timing") == inside]
        share = percent(sum(c["weak"] for c in chosen), sum(c["correct"] for c in chosen))
        require(matches(share, printed[key]), f"{key}: {float(share)}")
    best = sorted((by_run[run]["timing"]["correct"] for run in frozen[:8]), reverse=True)
    require(best[0] == 48 and best[1] < 48, f"best single model on Timing: {best[:2]}")
    for run, full in spec.NEED_FULL.items():
        require(by_run[run]["need"]["full"] == full, f"{run}: full credit on open Need")
    for condition, labels in plan["memory"].items():
        worth = sum(spec.worth("full", label) * k for label, k in labels.items())
        require(worth == spec.MEMORY_VERIFIED[condition], f"memory {condition}: {worth}")
        require(sum(labels.values()) == spec.MEMORY_RAW[condition][0], f"memory {condition}: correct")
    _votes(plan["votes"])
