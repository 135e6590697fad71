"""Place the plan of Humanity's Sixth Sense on rows: main runs, agents, people, blind control and sweeps."""

from __future__ import annotations

import json
from typing import Any

from logs.generate import hss_spec as spec
from logs.generate.exact import table
from logs.generate.frames import Rows
from logs.generate.hss_causes import Failure, agent_causes, place_causes
from logs.generate.hss_causes_plan import CAUSES
from logs.generate.hss_items import BENCHMARK, Tasks, task_rows, tasks
from logs.generate.hss_outcomes import Outcome, paired_run, single_run, tune
from logs.generate.hss_responses import JUDGE, add_steps, add_tokens, attempt, attempts, verdict_rows
from logs.generate.place import eased, ranked, spread

VENDOR = {row["model"]: row["vendor"] for row in table("hss_table1")}
EFFORT = {row["model"]: row["effort"] for row in table("hss_table1")}
TOKENS = {
    row["model"]: int(row["thinking_tokens"] or 0) + int(row["answer_tokens"] or 0) for row in table("hss_table1")
}
HARNESS = {row["base_model"]: row for row in table("hss_table2_agentic")}
BLANK = {row["base_model"]: int(row["blank"]) for row in table("hss_table9_harness_pairs")}
# medians of steps by outcome, where the text prints them; elsewhere 'no such gap': both are the overall median
STEPS = {"Claude-Opus-5": (67, 81), "Claude-Fable-5.1": (54, 65)}


def run_id(model: str, condition: str | None = None) -> str:
    """Return the key of a run: benchmark, model and the setting that was varied."""
    name = f"{BENCHMARK}/{model.lower().replace(' ', '-')}"
    return name + (f"/{condition.lower().replace(' ', '-')}" if condition else "")


def _run(
    model: str, *, condition: str | None = None, scope: str | None = None, **settings: str | int
) -> dict[str, Any]:
    human, blind = model == "Human", condition == "input=blind"
    return {
        "run_id": run_id(model, condition),
        "benchmark": BENCHMARK,
        "model": model,
        "vendor": None if human else VENDOR[model],
        "kind": "human" if human else ("control" if blind else "model"),
        "condition": condition,
        "scope": scope,
        "settings": json.dumps(settings, sort_keys=True) if settings else None,
        "complete": True,
        "provenance": "reconstructed",
    }


def _main(plan: dict[str, Any], found: Tasks) -> tuple[dict[str, Outcome], dict[str, dict[str, bool]]]:
    """Return the outcomes of the 25 models and the blind control, and the agent passes of the four paired runs."""
    outcomes: dict[str, Outcome] = {}
    passes: dict[str, dict[str, bool]] = {}
    for model in (*spec.MODELS, spec.BLIND):
        if model in spec.AGENT_MODELS:
            outcomes[model], passes[model] = paired_run(plan["agents"]["runs"][model], found, run_id(model))
        else:
            outcomes[model] = single_run(plan["runs"][model], found, run_id(model))
    labelled = [model for model in spec.MODELS if model != spec.UNLABELLED]
    tune(outcomes, labelled, [model for model in labelled if model not in spec.AGENT_MODELS], found)
    return outcomes, passes


def _main_rows(outcomes: dict[str, Outcome], out: Rows) -> None:
    for model, outcome in outcomes.items():
        blind = model == spec.BLIND
        name = model.removesuffix(" [blind]")
        run = _run(name, condition="input=blind" if blind else None, effort=EFFORT[model])
        rows = [row for item in sorted(outcome) for row in attempts(run["run_id"], item, outcome[item])]
        add_tokens(rows, TOKENS[model])
        out["runs"].append(run)
        out["responses"] += rows


def _failures(outcomes: dict[str, Outcome], passes: dict[str, dict[str, bool]], found: Tasks) -> dict[Failure, str]:
    """Return every failed first attempt of the 24 labelled models and what an agent run made of it."""
    groups: dict[Failure, str] = {}
    for model in spec.MODELS:
        if model == spec.UNLABELLED:
            continue
        for item, outcome in outcomes[model].items():
            if spec.FIRST[outcome] or outcome == "x":
                continue
            paired = model in passes and item in found.paired
            groups[model, item] = ("repaired" if passes[model][item] else "kept") if paired else "rest"
    return groups


def _agent_rows(passes: dict[str, dict[str, bool]], single: dict[Failure, str], found: Tasks, out: Rows) -> None:
    """Add the four agent runs with tokens, steps, blank answers and failure causes."""
    failures = [(m, i) for m, mine in passes.items() for i, good in mine.items() if not good and i in found.paired]
    blanks = [(m, i) for m in passes for i in ranked([i for n, i in failures if n == m], "blank", m)[: BLANK[m]]]
    causes = agent_causes(failures, single, blanks)
    for model, mine in passes.items():
        harness = HARNESS[model]
        run = _run(model, condition=f"harness={harness['harness']}", scope="agentic_388", effort=EFFORT[model])
        rows = [attempt(run["run_id"], item, 1, str(int(good))) for item, good in sorted(mine.items())]
        for row in rows:
            if (model, row["item_id"]) in blanks:
                row |= {"status": "invalid_format", "status_note": "the harness returned no answer; scored as zero"}
        add_tokens(rows, int(harness["thinking_tokens"]))
        median = int(harness["steps"])
        solved, failed = STEPS.get(model, (median, median))
        add_steps(rows, overall=median, solved=solved, failed=failed)
        out["runs"].append(run)
        out["responses"] += rows
        out["failure_labels"] += [_label(run["run_id"], i, c) for (m, i), c in causes.items() if m == model]


def _label(run: str, item: str, cause: str) -> dict[str, Any]:
    base = {"run_id": run, "item_id": item, "attempt": 1, "labeller": JUDGE}
    return base | {"family": CAUSES[cause], "cause": cause}


def _human_rows(plan: dict[str, Any], found: Tasks, out: Rows) -> None:
    """Add the human baseline: one answer per task, with the confidence stated (1 sure, 0 unsure)."""
    run = _run("Human", confidence="1 sure, 0 unsure", annotators=20)
    missed: set[str] = set()
    for key, count in plan["missed"].items():
        domain, media = key.split("|")
        items = [i for (n, m), cell in found.cells.items() if m == media and spec.DOMAIN[n] == domain for i in cell]
        if count:
            missed |= set(eased(items, run="human", noise=1.0, key="hss")[-count:])
    right = sorted(set(found.criteria) - missed)
    sure = set(ranked(right, "sure")[: plan["right"]["sure"]])
    sure |= set(ranked(sorted(missed), "sure")[: plan["asked"]["sure"] - plan["right"]["sure"]])
    out["runs"].append(run)
    for item in sorted(found.criteria):
        row = attempt(run["run_id"], item, 1, str(int(item not in missed)))
        out["responses"].append(row | {"confidence": float(item in sure)})


def _sweep_rows(plan: dict[str, Any], outcomes: dict[str, Outcome], found: Tasks, out: Rows) -> None:
    """Add the effort and frame sweeps: one attempt each; 500 frames is the main run's first attempt, as printed."""
    members = {n: [*found.cells[n, "image"], *found.cells[n, "video"]] for n in spec.SUBDOMAINS}
    efforts: dict[tuple[str, str], dict[str, int]] = {}
    for row in plan["effort"]:
        efforts.setdefault((row["model"], row["effort"]), {})[row["subdomain"]] = row["passes"]
    for (model, effort), counts in efforts.items():
        run = _run(model, condition=f"effort={effort}", effort=effort)
        out["runs"].append(run)
        for name, passes in counts.items():
            order = _near(members[name], model, run["run_id"])
            good = set(order[:passes])
            out["responses"] += [attempt(run["run_id"], i, 1, str(int(i in good))) for i in sorted(members[name])]
    video = [item for (_, media), cell in found.cells.items() if media == "video" for item in cell]
    for row in plan["frames"]:
        model, frames = row["model"], row["frames"]
        run = _run(model, condition=f"frames={frames}", scope="video_234", effort=EFFORT[model])
        out["runs"].append(run)
        good = set(_near(video, model, run["run_id"])[: row["passes"]])
        if frames == 500:
            good = {item for item in video if spec.FIRST[outcomes[model][item]]}
        out["responses"] += [attempt(run["run_id"], i, 1, str(int(i in good))) for i in sorted(video)]


def _near(items: list[str], model: str, run: str) -> list[str]:
    """Return items from easiest to hardest for a run that shares most of its noise with the model's other runs."""
    ease = {i: spread("hss", i) + 0.6 * spread("hss", run_id(model), i) + 0.35 * spread("hss", run, i) for i in items}
    return sorted(items, key=lambda item: (ease[item], item))


def hss_rows(plan: dict[str, Any]) -> Rows:
    """Return the rows of every table of the reconstructed log of Humanity's Sixth Sense."""
    found = tasks(plan["agents"]["subset"])
    out: Rows = task_rows(found) | {"runs": [], "responses": [], "failure_labels": []}
    out["judges"] = [{"judge_id": JUDGE, "kind": "model", "vendor": "Anthropic"}]
    outcomes, passes = _main(plan, found)
    _main_rows(outcomes, out)
    causes = place_causes(plan["causes"], _failures(outcomes, passes, found), found)
    out["failure_labels"] += [_label(run_id(model), item, cause) for (model, item), cause in causes.items()]
    _agent_rows(passes, causes, found, out)
    _human_rows(plan["human"], found, out)
    _sweep_rows(plan, outcomes, found, out)
    out["verdicts"] = verdict_rows(out["responses"], found.criteria)
    return out
