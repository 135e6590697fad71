"""Solve the judge study: item verdicts of three judges on five models of 524 tasks, and criterion disagreements."""

from __future__ import annotations

from math import sqrt
from typing import Any

from logs.generate.exact import count_of, integers, measures, table, window
from logs.generate.solver import NoPlanError, Row, equal, solve

JUDGES = ("Claude-Opus-5", "GPT-5.6-terra", "Gemini-3.6-flash")
CODES = ("C", "T", "G")
TASKS, CRITERIA, SINGLE = 524, 756, 374  # 2,620 items and 3,780 criteria over five models
PATTERNS = ("111", "011", "101", "110", "100", "010", "001", "000")  # verdicts of C, T, G


def _pair(judge_a: str, judge_b: str, unit: str) -> tuple[int, int]:
    """Return the smallest and largest number of disagreements that print a pairwise agreement."""
    row = next(
        row
        for row in table("hss_figure6_judge_agreement")
        if {row["judge_a"], row["judge_b"]} == {judge_a, judge_b} and row["unit"] == unit
    )
    n = int(row["n"])
    low, high = window(row["agreement_pct"])
    agreed = integers(low * n / 100, high * n / 100, step=1)
    return n - agreed[-1], n - agreed[0]


def _passes() -> dict[str, dict[str, int]]:
    """Return passes by model and judge: the one integer each that 524 tasks admit."""
    out: dict[str, dict[str, int]] = {}
    for row in table("hss_table12_judges"):
        code = CODES[JUDGES.index(row["judge"])]
        out.setdefault(row["model"], {})[code] = count_of(row["pass_at_1"], TASKS)
    return out


def alone(unit: str) -> dict[str, tuple[int, int]]:
    """Return bounds on how often each judge stands alone, from the pairwise disagreements of a unit."""
    return {
        "CT": _pair(JUDGES[0], JUDGES[1], unit),
        "CG": _pair(JUDGES[0], JUDGES[2], unit),
        "TG": _pair(JUDGES[1], JUDGES[2], unit),
    }


def solve_judges() -> dict[str, Any]:
    """Return item patterns per model and the criterion disagreements beyond them.

    All three judges agree on the most items that parity admits: the three disagreements of binary verdicts add up
    to twice the items without unanimity.
    """
    passes = _passes()
    keys = {f"{model}|{pattern}": (model, pattern) for model in passes for pattern in PATTERNS}
    rows: list[Row] = []
    near: dict[str, float] = {}
    for model, counts in passes.items():
        own = {k: pattern for k, (name, pattern) in keys.items() if name == model}
        rows.append(equal(dict.fromkeys(own, 1.0), TASKS))
        for place, code in enumerate(CODES):
            rows.append(equal({k: 1.0 for k, p in own.items() if p[place] == "1"}, counts[code]))
        near |= {f"{model}|100": 2.0, f"{model}|010": 2.0, f"{model}|001": 3.0}
    for (a, b), (low, high) in zip(((0, 1), (0, 2), (1, 2)), alone("item").values(), strict=True):
        rows.append(Row({k: 1.0 for k, (_, p) in keys.items() if p[a] != p[b]}, low, high))
    split = {k: 1000.0 for k, (_, p) in keys.items() if p not in {"111", "000"}}
    found = solve(split, dict.fromkeys(keys, float(TASKS)), rows, near=near, gap=0.0001)
    models: dict[str, dict[str, int]] = {model: {} for model in passes}
    for key, count in found.items():
        model, pattern = keys[key]
        models[model][pattern] = count
    return {"models": models, "surplus": _surplus(models)}


def _surplus(models: dict[str, dict[str, int]]) -> dict[str, int]:
    """Return how many criteria more each judge stands alone on than items, and how many criteria all call met."""
    odd = {"C": ("011", "100"), "T": ("101", "010"), "G": ("110", "001")}
    items = {code: sum(counts[p] for counts in models.values() for p in pair) for code, pair in odd.items()}
    middle = {pair: sum(bounds) // 2 for pair, bounds in alone("criterion").items()}
    if sum(middle.values()) % 2:
        middle["CT"] += 1
    lone = {
        "C": (middle["CT"] + middle["CG"] - middle["TG"]) // 2,
        "T": (middle["CT"] + middle["TG"] - middle["CG"]) // 2,
        "G": (middle["CG"] + middle["TG"] - middle["CT"]) // 2,
    }
    for pair, count in (("CT", lone["C"] + lone["T"]), ("CG", lone["C"] + lone["G"]), ("TG", lone["T"] + lone["G"])):
        low, high = alone("criterion")[pair]
        if not low <= count <= high:
            raise NoPlanError(f"{pair}: {count} criterion disagreements, {low} to {high} print the agreement")
    return {code: lone[code] - items[code] for code in CODES} | {"met_by_all": _met(sum(lone.values()), lone)}


def _met(split: int, lone: dict[str, int]) -> int:
    """Return how many criteria all three judges call met so that the lowest kappa prints as it does.

    The lone verdicts are taken to be half met and half unmet; the row placement keeps to that.
    """
    total = 5 * CRITERIA
    low, high = window(measures("hss_prose")["kappa_low"])
    centre = float(low + high) / 2
    disagree = (lone["T"] + lone["G"]) / total
    expected = disagree / (1 - centre)
    share = (1 - sqrt(1 - 2 * expected)) / 2  # 2 p (1 - p) = expected, the smaller root
    return round(share * total - split / 2)
