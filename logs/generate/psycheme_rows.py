"""Place a verified PsycheMME plan on rows: which item is right, which label it carries, which letter is chosen."""

from __future__ import annotations

import json
from typing import Any

from logs.generate import psycheme_spec as spec
from logs.generate.frames import Rows
from logs.generate.place import deal, eased, pick, ranked, spread
from logs.generate.psycheme_items import BENCHMARK, Item, item_rows, items
from logs.generate.psycheme_votes import deal_right

NOISE = 1.0
INVALID = 0.02  # share of wrong choice answers outside Timing that get the status invalid_format
VENDORS = {
    "Gemini": "Google",
    "Gemma": "Google",
    "Claude": "Anthropic",
    "GPT": "OpenAI",
    "Qwen": "Alibaba",
    "Kimi": "Moonshot",
    "GLM": "Zhipu",
    "Seed": "ByteDance",
    "InternVL": "OpenGVLab",
    "MiniCPM": "OpenBMB",
    "Phi": "Microsoft",
}


def run_id(model: str, condition: str | None) -> str:
    """Return the key of a run: benchmark, model and the setting that was varied."""
    name = model.lower().replace(" ", "-")
    return f"{BENCHMARK}/{name}" + (f"/{condition}" if condition else "")


def _run(model: str, access: str | None, condition: str | None, **more: str) -> dict[str, Any]:
    vendor = next((maker for start, maker in VENDORS.items() if model.startswith(start)), None)
    return {
        "run_id": run_id(model, condition),
        "benchmark": BENCHMARK,
        "model": model,
        "vendor": vendor,
        "access": access.replace("_", "-") if access else None,
        "kind": "model",
        "condition": condition,
        "complete": True,
        "provenance": "reconstructed",
    } | more


def _labels(label: str) -> dict[str, str]:
    evidence, logic, coverage = label.split("/")
    return {"evidence": evidence, "logic": logic, "coverage": coverage}


def _wrong_labels(run: str, item: str) -> dict[str, str]:
    """Return the labels of a response without credit: they move no score, so a rule fills them."""
    return {
        "evidence": pick(("supported", "weak", "contradicted"), (3, 4, 3), "wrong evidence", run, item),
        "logic": pick(("sound", "gap", "broken"), (4, 4, 2), "wrong logic", run, item),
        "coverage": pick(("present", "absent"), (19, 1), "wrong coverage", run, item),
    }


def _response(run: str, item: Item, credit: float, labels: dict[str, str], *, attempt: int = 1) -> dict[str, Any]:
    row: dict[str, Any] = {"run_id": run, "item_id": item.item_id, "attempt": attempt, "credit": credit, "status": "ok"}
    if item.reference is not None:
        wrong = pick(item.wrong, (11, 6, 3), "wrong letter", run, item.item_id, attempt)
        row["answer"] = item.reference if credit else wrong
    return row | labels


def _vote_table(plan: list[dict[str, Any]], timing: list[Item], runs: list[str]) -> dict[tuple[str, str], str]:
    """Return the letter that each proprietary run gives to each Timing item."""
    patterns = [(row["right"], row["wrong"]) for row in plan for _ in range(row["items"])]
    order = ranked([item.item_id for item in timing], "votes")
    chosen = dict(zip(order, patterns, strict=True))
    ordered = sorted(timing, key=lambda item: item.item_id)
    rights = deal_right([chosen[item.item_id][0] for item in ordered], spec.TIMING_CORRECT[:8])
    out: dict[tuple[str, str], str] = {}
    for item, right in zip(ordered, rights, strict=True):
        wrong_runs = ranked([run for run, hit in zip(runs, right, strict=True) if not hit], "split", item.item_id)
        letters = [x for x, k in zip(item.wrong, chosen[item.item_id][1], strict=False) for _ in range(k)]
        assert item.reference is not None
        out |= {(run, item.item_id): item.reference for run, hit in zip(runs, right, strict=True) if hit}
        out |= {(run, item.item_id): letter for run, letter in zip(wrong_runs, letters, strict=True)}
    return out


def _cell_rows(run: str, cell: dict[str, Any], members: list[Item], votes: dict[tuple[str, str], str]) -> list[Any]:
    """Place one run x capability: order the items by ease, give credit from the top, deal the labels."""
    by_id = {item.item_id: item for item in members}
    choice = [item.item_id for item in members if not item.is_open]
    opened = [item.item_id for item in members if item.is_open]
    if (run, choice[0]) in votes:
        correct = [item for item in choice if votes[run, item] == by_id[item].reference]
    else:
        correct = eased(choice, run=run, noise=NOISE, key="psycheme")[: cell["correct"]]
    graded = eased(opened, run=run, noise=NOISE, key="psycheme")
    groups = {"choice": correct, "full": graded[: cell["full"]], "half": graded[cell["full"] :][: cell["half"]]}
    earned = {"choice": 1.0, "full": 1.0, "half": 0.5}
    rows: dict[str, dict[str, Any]] = {}
    for group, chosen in groups.items():
        dealt = deal(cell["labels"][group], chosen, "labels", run, cell["capability"])
        for item, label in dealt.items():
            rows[item] = _response(run, by_id[item], earned[group], _labels(label))
    for item in by_id.keys() - rows.keys():
        rows[item] = _response(run, by_id[item], 0.0, _wrong_labels(run, item))
    for item, row in rows.items():
        if (run, item) in votes:
            row["answer"] = votes[run, item]
    wrong = [item for item in choice if not rows[item]["credit"]]
    if cell["capability"] != "timing":
        for item in ranked(wrong, "invalid", run)[: int(INVALID * len(wrong) + 0.5)]:
            rows[item] |= {"status": "invalid_format", "answer": None}
    return list(rows.values())


def _memory_rows(plan: dict[str, dict[str, int]], members: list[Item], out: Rows) -> None:
    """Add the three runs of the Memory intervention; the three seeds of the mismatched one are its attempts."""
    for condition, labels in plan.items():
        correct, total = spec.MEMORY_RAW[condition]
        history = condition.removesuffix("_history")
        settings = json.dumps({"seeds": total // len(members)})
        run = _run("Qwen3.5-9B", "open_weight", f"history={history}", scope="memory_40", settings=settings)
        out["runs"].append(run)
        pairs = {f"{i.item_id}#{k}": (i, k) for k in range(1, total // len(members) + 1) for i in members}
        ease = {key: spread("psycheme", item.item_id) + spread(run["run_id"], key) for key, (item, _) in pairs.items()}
        order = sorted(pairs, key=lambda key: ease[key])
        dealt = deal(labels, order[:correct], "labels", run["run_id"])
        for key, (item, attempt) in pairs.items():
            label = _labels(dealt[key]) if key in dealt else _wrong_labels(run["run_id"], key)
            out["responses"].append(_response(run["run_id"], item, float(key in dealt), label, attempt=attempt))


def _human_rows(sample: list[Item], out: Rows) -> None:
    """Add the human reference: one run whose five attempts are the five annotators."""
    settings = json.dumps({"attempt": "annotator 1 to 5"})
    run = _run("Human", None, None, kind="human", scope="human_300", settings=settings)
    out["runs"].append(run)
    for name, correct in spec.HUMAN_CORRECT.items():
        members = [item for item in sample if item.capability == name]
        pairs = {f"{item.item_id}#{k}": (item, k) for k in range(1, 6) for item in members}
        ease = {key: spread("human", item.item_id) + spread("human", key) for key, (item, _) in pairs.items()}
        right = set(sorted(pairs, key=lambda key: ease[key])[:correct])
        for key, (item, attempt) in pairs.items():
            out["responses"].append(_response(run["run_id"], item, float(key in right), {}, attempt=attempt))


def _review_rows(rows: list[dict[str, Any]], out: Rows) -> None:
    """Add the judge review: 300 cases of the frozen runs, each decision endorsed or not by five experts."""
    by_key = {f"{row['run_id']}#{row['item_id']}": row for row in rows}
    cases = sorted(ranked(by_key, "review")[: spec.JUDGE_REVIEW["cases"]])
    experts = [f"psycheme-expert-{k}" for k in range(1, spec.JUDGE_REVIEW["experts"] + 1)]
    out["judges"] = [{"judge_id": spec.JUDGE, "kind": "model", "vendor": "Alibaba"}]
    out["judges"] += [{"judge_id": expert, "kind": "person"} for expert in experts]
    presented = [f"{case}#{expert}" for case in cases for expert in experts]
    endorsed = set(ranked(presented, "endorsed")[: spec.JUDGE_REVIEW["endorsed"]])
    out["verdicts"] = []
    for case in cases:
        row = by_key[case]
        base = {"run_id": row["run_id"], "item_id": row["item_id"], "attempt": 1, "criterion": "answer", "status": "ok"}
        label = {0.0: "zero", 0.5: "partial", 1.0: "full"}[row["credit"]]
        judged = {"judge_id": spec.JUDGE, "on_judge": "", "met": row["credit"] == 1.0, "label": label}
        out["verdicts"].append(base | judged | {"score": row["credit"]})
        for expert in experts:
            met = f"{case}#{expert}" in endorsed
            verdict = {
                "judge_id": expert,
                "on_judge": spec.JUDGE,
                "met": met,
                "label": "endorsed" if met else "rejected",
            }
            out["verdicts"].append(base | verdict)


def psycheme_rows(plan: dict[str, Any]) -> Rows:
    """Return the rows of every table of the reconstructed PsycheMME log."""
    found, scopes = items()
    by_id = {item.item_id: item for item in found}
    out: Rows = item_rows(found, scopes) | {"runs": [], "responses": []}
    members = {name: [item for item in found if item.capability == name] for name in spec.CAPABILITIES}
    targets = spec.targets()
    conditions = {
        target.key: f"checkpoint={target.model.split()[-1]}"
        if not target.cells and target.condition == "full"
        else (None if target.cells else f"input={target.condition}")
        for target in targets
    }
    models = {target.key: target.model.split(" SFT")[0] for target in targets}
    runs = {target.key: run_id(models[target.key], conditions[target.key]) for target in targets}
    votes = _vote_table(plan["votes"], members["timing"], [runs[target.key] for target in targets[:8]])
    for target in targets:
        out["runs"].append(_run(models[target.key], target.access, conditions[target.key]))
    for cell in plan["cells"]:
        out["responses"] += _cell_rows(runs[cell["run"]], cell, members[cell["capability"]], votes)
    frozen = {runs[target.key] for target in targets if target.cells}
    main = [row for row in out["responses"] if row["run_id"] in frozen and row["status"] == "ok"]
    _memory_rows(plan["memory"], [by_id[item] for item in scopes["memory_40"]], out)
    _human_rows([by_id[item] for item in scopes["human_300"]], out)
    _review_rows(main, out)
    return out
