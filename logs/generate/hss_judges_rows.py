"""Place the judge study on rows: a benchmark version of its own, five models of 524 tasks under three judges."""

from __future__ import annotations

from typing import Any

from logs.generate.exact import table
from logs.generate.frames import Rows
from logs.generate.hss_judges_plan import CODES, CRITERIA, JUDGES, SINGLE, TASKS
from logs.generate.place import eased, ranked, unit

BENCHMARK = "hss-judges"
VENDOR = {row["model"]: row["vendor"] for row in table("hss_table1")}
JUDGE_VENDOR = dict(zip(JUDGES, ("Anthropic", "OpenAI", "Google"), strict=True))
ORDER = ("111", "110", "101", "011", "100", "010", "001", "000")
Place = tuple[str, str, int]  # model, task, criterion


def _criteria(items: list[str]) -> dict[str, int]:
    """Return the number of criteria of each task: most carry one, the others share the rest."""
    order = ranked(items, "judge criteria")
    several = order[SINGLE:]
    counts = dict.fromkeys(items, 1)
    for position in range(CRITERIA - TASKS):
        counts[several[position % len(several)]] += 1
    return counts


def _patterns(models: dict[str, dict[str, int]], items: list[str]) -> dict[tuple[str, str], str]:
    """Give each task of each model the pattern of its three verdicts, agreed passes to the easiest tasks."""
    out: dict[tuple[str, str], str] = {}
    for model, counts in models.items():
        flat = [pattern for pattern in ORDER for _ in range(counts[pattern])]
        order = eased(items, run=f"{BENCHMARK}/{model}", noise=1.0, key=BENCHMARK)
        out |= {(model, item): pattern for item, pattern in zip(order, flat, strict=True)}
    return out


def _by_criterion(
    plan: dict[str, Any], found: dict[tuple[str, str], str], criteria: dict[str, int]
) -> dict[Place, str]:
    """Return the three verdicts on every criterion.

    A task on which judges differ has one criterion on which they differ; the surplus of criterion disagreements goes
    to criteria of tasks that fail anyway, half of them met by the odd judge and half not.
    """
    out: dict[Place, str] = {}
    spare: list[Place] = []
    for (model, item), pattern in found.items():
        n = criteria[item]
        decisive = 1 + int(unit("decisive", model, item) * n)
        for k in range(1, n + 1):
            place = (model, item, k)
            if k == decisive:
                out[place] = pattern
            elif pattern == "000":
                spare.append(place)
            else:
                out[place] = "111"
    order = sorted(spare, key=lambda place: unit("surplus", *place))
    for position, code in enumerate(CODES):
        lone = ["0" * position + "1" + "0" * (2 - position), "1" * position + "0" + "1" * (2 - position)]
        for number in range(plan["surplus"][code]):
            out[order.pop()] = lone[number % 2]
    met = plan["surplus"]["met_by_all"] - sum(verdicts == "111" for verdicts in out.values())
    for number, place in enumerate(order):
        out[place] = "111" if number < met else "000"
    return out


def judge_rows(plan: dict[str, Any]) -> Rows:
    """Return the rows of the judge study; the response's credit is the primary judge's verdict."""
    items = [f"hssj-{k:04d}" for k in range(1, TASKS + 1)]
    criteria = _criteria(items)
    found = _patterns(plan["models"], items)
    verdicts = _by_criterion(plan, found, criteria)
    runs = {model: f"{BENCHMARK}/{model.lower()}" for model in plan["models"]}
    out: Rows = {
        "benchmarks": [
            {
                "benchmark": BENCHMARK,
                "title": "Humanity's Sixth Sense, judge study",
                "version": "another release: 524 tasks and 756 criteria, reconstructed from arXiv:2610.08966v2",
                "missing_policy": "exclude",
                "raw_means": "pass@1: every criterion met, under the primary judge",
                "slice_name": "domain",
                "headline": "micro",
                "note": "Not the 522 tasks of the main results; never joined to them. Rows are simulated.",
            }
        ],
        "items": [
            {
                "benchmark": BENCHMARK,
                "item_id": item,
                "answer_type": "open",
                "reference_known": True,
                "provenance": "reconstructed",
            }
            for item in items
        ],
        "criteria": [
            {"benchmark": BENCHMARK, "item_id": item, "criterion": str(k)}
            for item, n in criteria.items()
            for k in range(1, n + 1)
        ],
        "judges": [{"judge_id": judge, "kind": "model", "vendor": JUDGE_VENDOR[judge]} for judge in JUDGES],
        "runs": [
            {
                "run_id": run,
                "benchmark": BENCHMARK,
                "model": model,
                "vendor": VENDOR[model],
                "kind": "model",
                "complete": True,
                "provenance": "reconstructed",
            }
            for model, run in runs.items()
        ],
        "responses": [
            {"run_id": runs[model], "item_id": item, "attempt": 1, "credit": float(pattern[0]), "status": "ok"}
            for (model, item), pattern in found.items()
        ],
    }
    out["verdicts"] = [
        {
            "run_id": runs[model],
            "item_id": item,
            "attempt": 1,
            "judge_id": judge,
            "criterion": str(k),
            "on_judge": "",
            "met": pattern[position] == "1",
            "status": "ok",
        }
        for (model, item, k), pattern in verdicts.items()
        for position, judge in enumerate(JUDGES)
    ]
    return out
