"""Solve the PsycheMME counts: verified sums, raw counts, weak counts and label compositions per run and capability.

The steps follow each other instead of standing in one model: the joint program takes minutes, the chain seconds.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from logs.generate import psycheme_spec as spec
from logs.generate.exact import integers, window
from logs.generate.psycheme_votes import solve_votes
from logs.generate.solver import NoPlanError, Row, apportion, equal, solve

MARGIN = Fraction(1, 2000)  # percentage points that a macro keeps from the end of its window
TOP = Fraction(700, spec.UNIT)  # responses that a cell keeps below its ceiling: lattice corners have no composition


def _verified_sums(target: spec.Target, raw: dict[str, Fraction] | None) -> dict[str, int]:
    """Choose S (in 1/576, a multiple of 4) for each capability: inside each printed cell and the macro."""
    low, high = window(target.verified)
    share = {name: Fraction(100, 8 * spec.UNIT * n) for name, n in spec.CAPABILITIES.items()}
    upper: dict[str, float] = {}
    near: dict[str, float] = {}
    rows: list[Row] = []
    for name, n in spec.CAPABILITIES.items():
        if target.cells:
            below, above = window(target.cells[name])
            allowed = integers(below * spec.UNIT * n / 100, above * spec.UNIT * n / 100, step=4)
            rows.append(Row({name: 1.0}, allowed[0] / 4, allowed[-1] / 4))
            near[name] = float((below + above) / 2 * spec.UNIT * n / 400)
        else:
            assert raw is not None
            near[name] = float(raw[name]) * spec.UNIT / 4
        upper[name] = spec.UNIT * n / 4
    macro = {name: float(4 * value) * 100 for name, value in share.items()}
    rows.append(Row(macro, float((low + MARGIN) * 100), float((high - MARGIN) * 100)))
    return {name: 4 * value for name, value in solve({}, upper, rows, near=near).items()}


def _macro(halves: dict[str, int]) -> Fraction:
    return sum((Fraction(50 * value, spec.CAPABILITIES[name]) for name, value in halves.items()), Fraction()) / 8


def _raw_counts(target: spec.Target, sums: dict[str, int], timing: int, full: Fraction | None) -> dict[str, int]:
    """Choose the raw sum in halves for each capability: inside the macro, retention near one common value.

    ``full`` is the raw macro of the same model on the full input: where the page prints the gain, it counts too.
    """
    low, high = window(target.raw)
    if target.gain is not None and full is not None:
        least, most = window(target.gain)
        low, high = max(low, full - most), min(high, full - least)
    middle = (low + high) / 2
    rest = {name: Fraction(value, spec.UNIT) for name, value in sums.items() if name != "timing"}
    wanted = middle * 8 - Fraction(100 * timing, spec.CAPABILITIES["timing"])
    common = sum((value * 100 / spec.CAPABILITIES[name] for name, value in rest.items()), Fraction()) / wanted
    floor = Fraction(sums["timing"], spec.UNIT * timing) + Fraction(1, 100)
    upper: dict[str, float] = {}
    near: dict[str, float] = {}
    rows: list[Row] = []
    macro: dict[str, float] = {}
    for name, value in rest.items():
        step = 1 if name in spec.OPEN else 2  # halves exist only where open questions do
        least = value + TOP
        most = min(value / floor, Fraction(spec.CAPABILITIES[name]) - Fraction(1, 2))
        rows.append(Row({name: 1.0}, float(least * 2 / step), float(most * 2 / step)))
        upper[name] = 2 * spec.CAPABILITIES[name] / step
        near[name] = float(min(max(value / common, least), most) * 2 / step)
        macro[name] = float(Fraction(100 * step, 16 * spec.CAPABILITIES[name])) * 100
    base = Fraction(100 * timing, 8 * spec.CAPABILITIES["timing"])
    rows.append(Row(macro, float((low + MARGIN - base) * 100), float((high - MARGIN - base) * 100)))
    found = solve({}, upper, rows, near=near)
    halves = {name: found[name] * (1 if name in spec.OPEN else 2) for name in rest}
    return {name: halves.get(name, 2 * timing) for name in spec.CAPABILITIES}


def _split_open(target: spec.Target, capability: str, halves: int) -> tuple[int, int, int]:
    """Split a raw sum into correct choice answers, open answers with full credit and with half credit."""
    n_open, n_closed = spec.OPEN.get(capability, 0), spec.closed(capability)
    if not n_open:
        return halves // 2, 0, 0
    rate = Fraction(halves, 2 * spec.CAPABILITIES[capability])
    pinned = spec.NEED_FULL.get(target.key) if capability == "need" else None
    best: tuple[Fraction, int, int, int] | None = None
    for full in range(n_open + 1) if pinned is None else [pinned]:
        for half in range(halves % 2, n_open - full + 1, 2):
            correct = (halves - 2 * full - half) // 2
            if not 0 <= correct <= n_closed:
                continue
            # open answers earn as much as choice answers on average, two in five of those that earn earn half
            off = (
                abs(Fraction(2 * full + half, 2 * n_open) - rate) + abs(Fraction(half) - Fraction(2 * full, 3)) / n_open
            )
            if best is None or off < best[0]:
                best = (off, correct, full, half)
    if best is None:
        raise NoPlanError(f"{target.key} {capability}: raw {halves}/2 cannot be split over open and choice questions")
    return best[1], best[2], best[3]


def _composition(sums: int, correct: int, full: int, half: int, weak: int) -> dict[str, dict[str, int]]:
    """Choose how many credited responses carry each evidence/logic/coverage label so that the sum comes out."""
    groups = {"choice": (correct, "full"), "full": (full, "full"), "half": (half, "half")}
    upper: dict[str, float] = {}
    near: dict[str, float] = {}
    rows: list[Row] = []
    total: dict[str, float] = {}
    weak_terms: dict[str, float] = {}
    share_weak = weak / correct if correct else 0.1
    evidence_share = {"supported": 1 - share_weak, "weak": 0.65 * share_weak, "contradicted": 0.35 * share_weak}
    logic_share = {"sound": 0.82, "gap": 0.14, "broken": 0.04}
    for group, (count, credit) in groups.items():
        if not count:
            continue
        names = {}
        for label in spec.LABELS:
            evidence, logic, coverage = label.split("/")
            name = f"{group}:{label}"
            names[name] = 1.0
            upper[name] = count
            near[name] = (
                count * evidence_share[evidence] * logic_share[logic] * (0.985 if coverage == "present" else 0.015)
            )
            total[name] = spec.worth(credit, label) / 100
            if group == "choice" and evidence != "supported":
                weak_terms[name] = 1.0
        rows.append(equal(names, count))
    rows.append(equal(total, sums / 100))
    if correct:
        rows.append(equal(weak_terms, weak))
    found = solve({}, upper, rows, near=near, seconds=5.0, gap=0.25)
    result: dict[str, dict[str, int]] = {"choice": {}, "full": {}, "half": {}}
    for name, count in found.items():
        group, label = name.split(":")
        if count:
            result[group][label] = count
    return result


def _compose(cell: dict[str, Any], owed: int, *, free: bool) -> int:
    """Fill in the labels of a cell, moving its weak count where the lattice has no composition.

    Returns how many weak labels later, larger cells have to take over so that the pooled share stays.
    """
    asked = cell["weak"]
    for shift in (owed, 0, 1, 2, -1, 3, -2, 4) if free else (0,):
        weak = asked + shift
        try:
            cell["labels"] = _composition(cell["sum"], cell["correct"], cell["full"], cell["half"], weak)
        except NoPlanError:
            continue
        cell["weak"] = weak
        return owed - shift
    raise NoPlanError(f"{cell['run']} {cell['capability']}: no composition near {asked} weak labels")


def _weak_counts(cells: list[dict[str, Any]]) -> None:
    """Give every frozen cell outside Timing its weak count so that the pooled share prints 7.62 %."""
    correct = sum(cell["correct"] for cell in cells)
    low, high = window("7.62")
    total = min(
        integers(low * correct / 100, high * correct / 100, step=1),
        key=lambda value: abs(Fraction(100 * value, correct) - Fraction("7.62")),
    )
    losses = [
        float((1 - Fraction(2 * cell["sum"], spec.UNIT * cell["raw_halves"])) * cell["correct"]) for cell in cells
    ]
    for cell, weak in zip(cells, apportion(losses, total), strict=True):
        cell["weak"] = weak


def _scaled_raw(target: spec.Target, full: dict[str, int]) -> dict[str, Fraction]:
    """Return verified sums (in responses) of a run without printed cells: the parent's profile at its own macro."""
    parent = sum(Fraction(value, spec.CAPABILITIES[name]) for name, value in full.items())
    goal = Fraction(target.verified) * 8 * spec.UNIT / 100
    out: dict[str, Fraction] = {}
    for name, value in full.items():
        n = spec.CAPABILITIES[name]
        scaled = Fraction(value, n) * goal / parent
        out[name] = min(scaled, Fraction(spec.UNIT) * Fraction(93, 100)) * n / spec.UNIT
    return out


def solve_psycheme() -> dict[str, Any]:
    """Return the whole integer plan of PsycheMME."""
    frozen_sums: dict[str, dict[str, int]] = {}
    full_raw: dict[str, Fraction] = {}
    cells: list[dict[str, Any]] = []
    for position, target in enumerate(spec.targets()):
        printed = bool(target.cells)
        parent = frozen_sums.get(target.model if target.condition != "full" else "Qwen3.5-9B")
        sums = _verified_sums(target, None if printed else _scaled_raw(target, parent or {}))
        if printed:
            frozen_sums[target.model] = sums
            timing = spec.TIMING_CORRECT[position]
        else:
            overall = Fraction(target.verified) / Fraction(target.raw)
            timing = int(Fraction(sums["timing"], spec.UNIT) / (overall - Fraction(15, 100)))
        raw = _raw_counts(target, sums, timing, full_raw.get(target.model))
        if printed:
            full_raw[target.model] = _macro(raw)
        for name in spec.CAPABILITIES:
            correct, full, half = _split_open(target, name, raw[name])
            cell: dict[str, Any] = {"run": target.key, "capability": name, "sum": sums[name], "raw_halves": raw[name]}
            cell |= {"correct": correct, "full": full, "half": half}
            if name == "timing":
                cell["weak"] = spec.TIMING_WEAK[position] if printed else correct // 2
            cells.append(cell)
    frozen: set[str] = {target.key for target in spec.targets() if target.cells}
    others = [cell for cell in cells if cell["capability"] != "timing"]
    _weak_counts([cell for cell in others if cell["run"] in frozen])
    for cell in others:
        if cell["run"] not in frozen:
            lost = 1 - Fraction(2 * cell["sum"], spec.UNIT * cell["raw_halves"])
            cell["weak"] = round(cell["correct"] * Fraction(9, 10) * lost)
    owed = 0
    for cell in sorted(
        cells, key=lambda cell: (cell["run"] in frozen and cell["capability"] != "timing", cell["correct"])
    ):
        owed = _compose(cell, owed, free=cell["capability"] != "timing")
    if owed:
        raise NoPlanError(f"{owed} weak labels found no cell")
    memory = {
        condition: _composition(spec.MEMORY_VERIFIED[condition], correct, 0, 0, correct // 4)["choice"]
        for condition, (correct, _) in spec.MEMORY_RAW.items()
    }
    return {"cells": cells, "memory": memory, "votes": solve_votes(spec.TIMING_CORRECT[:8])}
