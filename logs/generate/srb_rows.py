"""Place the SocialReasonBench plan on rows: 532 items, nine systems, the muted run and the overlap set."""

from __future__ import annotations

import json
from typing import Any

from logs.generate.exact import measures, table
from logs.generate.frames import Rows
from logs.generate.place import deal, eased, pick, ranked, spread
from logs.generate.solver import apportion
from logs.generate.srb_plan import ANNOTATORS, DIMENSIONS, MUTED_MODEL, OVERLAP

BENCHMARK = "srb"
OPTIONS = "ABCDEF"  # stored order: A is always correct, B to F are one trap type each (Appendix B)
VENDORS = {"Gemini": "Google", "GPT": "OpenAI", "Claude": "Anthropic", "GLM": "Zhipu", "Qwen": "Alibaba"}
VENDORS |= {"MiniCPM": "OpenBMB", "ARC": "Tencent"}
OPEN_WEIGHT = ("Qwen3-Omni-30B", "MiniCPM-o 2.6", "ARC-Hunyuan-Video")
# weights of the traps B to F among wrong answers: the text says knowledge and visual for the stronger closed
# systems and logic for the smaller open one; shares themselves are in a picture, so these are a filling rule
TRAPS_CLOSED, TRAPS_OPEN = (28, 14, 18, 28, 12), (18, 34, 18, 16, 14)


def _items(plan: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """Return the item rows and the item ids by dimension."""
    members: dict[str, list[str]] = {}
    count = 0
    for name, n in DIMENSIONS.items():
        members[name] = [f"srb-{count + k + 1:04d}" for k in range(n)]
        count += n
    everything = [item for group in members.values() for item in group]
    axis = deal(plan["axes"], everything, "axis")
    tier = {i: t for name, group in members.items() for i, t in deal(plan["tiers"][name], group, "tier", name).items()}
    rows = [
        {
            "benchmark": BENCHMARK,
            "item_id": item,
            "capability": name,
            "axis": axis[item],
            "media_type": "video",
            "answer_type": "single_choice",
            "tier": tier[item],
            "options": list(OPTIONS),
            "reference": OPTIONS[0],
            "reference_known": True,
            "chance": 1 / len(OPTIONS),
            "provenance": "reconstructed",
        }
        for name, group in members.items()
        for item in group
    ]
    return rows, members


def _order(item: str) -> list[str]:
    """Return the stored letters in the order shown, fixed by a hash of the item's id as the benchmark does."""
    return ranked(OPTIONS, "order shown", item)


def _run(model: str, regime: str, **more: str | None) -> dict[str, Any]:
    condition = more.get("condition")
    name = model.lower().replace(" ", "-") + (f"/{condition}" if condition else "")
    human = model == "Human" or model.startswith("Annotator")
    access = None if human else ("open-weight" if model in OPEN_WEIGHT else "proprietary")
    return {
        "run_id": f"{BENCHMARK}/{name}",
        "benchmark": BENCHMARK,
        "model": model,
        "vendor": next((maker for start, maker in VENDORS.items() if model.startswith(start)), None),
        "access": access,
        "kind": "human" if human else "model",
        "regime": regime,
        "complete": True,
        "provenance": "reconstructed",
    } | more


def _response(run: dict[str, Any], item: str, answer: str) -> dict[str, Any]:
    return {
        "run_id": run["run_id"],
        "item_id": item,
        "attempt": 1,
        "answer": answer,
        "credit": float(answer == OPTIONS[0]),
        "order_shown": _order(item),
        "status": "ok",
    }


def _system(run: dict[str, Any], right: list[str], group: list[str]) -> list[dict[str, Any]]:
    weights = TRAPS_OPEN if run["access"] == "open-weight" else TRAPS_CLOSED
    hits = set(right)
    return [
        _response(run, i, OPTIONS[0] if i in hits else pick(OPTIONS[1:], weights, "trap", run["run_id"], i))
        for i in group
    ]


def _overlap_votes(plan: list[dict[str, Any]], sample: list[str]) -> dict[tuple[int, str], str]:
    """Return the stored letter that each annotator gives to each overlap item.

    Errors go to the annotator who has most of them left, so that the five accuracies come out.
    """
    printed = measures("srb_table9_agreement")
    left = {k: OVERLAP - round(float(printed[f"annotator_{k}_pct"]) * OVERLAP / 100) for k in range(1, ANNOTATORS + 1)}
    patterns = sorted((row for row in plan for _ in range(row["items"])), key=lambda row: row["right"])
    votes: dict[tuple[int, str], str] = {}
    for item, pattern in zip(ranked(sample, "overlap votes"), patterns, strict=True):
        letters = [
            x for x, k in zip(ranked(OPTIONS[1:], "wrong", item), pattern["wrong"], strict=False) for _ in range(k)
        ]
        wrong = sorted(left, key=lambda k: (-left[k], k))[: len(letters)]
        for k in left:
            votes[k, item] = OPTIONS[0]
        for k, letter in zip(wrong, letters, strict=True):
            votes[k, item] = letter
            left[k] -= 1
    if any(left.values()):
        raise ValueError(f"errors left over on the overlap set: {left}")
    return votes


def srb_rows(plan: dict[str, Any]) -> Rows:
    """Return the rows of every table of the reconstructed SocialReasonBench log."""
    items, members = _items(plan)
    quota = apportion([float(n) for n in DIMENSIONS.values()], OVERLAP)
    sample = [i for (name, group), k in zip(members.items(), quota, strict=True) for i in ranked(group, "overlap")[:k]]
    inputs = {row["system"]: row["input"] for row in table("srb_table3")}
    out: Rows = {
        "benchmarks": [
            {
                "benchmark": BENCHMARK,
                "title": "SocialReasonBench",
                "version": "reconstructed from the paper",
                "missing_policy": "exclude",
                "raw_means": "answer accuracy",
                "slice_name": "dimension",
                "headline": "micro",
                "note": "Rows re-aggregate to the printed figures; single rows are simulated and prove nothing else.",
            }
        ],
        "items": items,
        "item_tags": [{"benchmark": BENCHMARK, "item_id": i, "kind": "scope", "tag": "overlap_50"} for i in sample],
        "option_types": [
            {
                "benchmark": BENCHMARK,
                "item_id": item["item_id"],
                "option": row["option_id"].removeprefix("O_"),
                "type": row["trap_type"].replace("correct_option", "correct"),
            }
            for item in items
            for row in table("srb_table4_traps")
        ],
        "runs": [],
        "responses": [],
    }
    for system, counts in plan["correct"].items():
        run = _run(system, inputs[system])
        out["runs"].append(run)
        for name, group in members.items():
            order = eased(group, run=run["run_id"], noise=1.0, key=BENCHMARK)
            out["responses"] += _system(run, order[: counts[name]], group)
    muted = _run(MUTED_MODEL, "muted_video", condition="audio=muted")
    main = _run(MUTED_MODEL, inputs[MUTED_MODEL])["run_id"]
    out["runs"].append(muted)
    for name, group in members.items():
        ease = {i: spread(BENCHMARK, i) + spread(BENCHMARK, main, i) + 0.5 * spread("muted", i) for i in group}
        out["responses"] += _system(muted, sorted(group, key=lambda i: (ease[i], i))[: plan["muted"][name]], group)
    votes = _overlap_votes(plan["overlap"], sample)
    for k in range(1, ANNOTATORS + 1):
        settings = json.dumps({"pass": "overlap"})
        run = _run(f"Annotator {k}", "video", condition="pass=overlap", scope="overlap_50", settings=settings)
        out["runs"].append(run)
        out["responses"] += [_response(run, item, votes[k, item]) for item in sample]
    return out
