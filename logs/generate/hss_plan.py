"""Solve the whole integer plan of Humanity's Sixth Sense, stage by stage."""

from __future__ import annotations

from typing import Any

from logs.generate import hss_spec as spec
from logs.generate.exact import count_of, table
from logs.generate.hss_agents_plan import solve_agents
from logs.generate.hss_causes_plan import solve_causes
from logs.generate.hss_judges_plan import solve_judges
from logs.generate.hss_runs_plan import Outcomes, first_passes, solve_run
from logs.generate.hss_spec import Cell
from logs.generate.solver import apportion


def failure_groups(runs: dict[str, Outcomes], agents: dict[str, Any]) -> dict[str, dict[Cell, int]]:
    """Count failed first attempts of the 24 labelled models by cell and by what an agent run made of them."""
    out: dict[str, dict[Cell, int]] = {"repaired": {}, "kept": {}, "rest": {}}
    for model, outcomes in runs.items():
        if model in {spec.BLIND, spec.UNLABELLED}:
            continue
        for cell, kinds in outcomes.items():
            failed = sum(k for kind, k in kinds.items() if not spec.FIRST[kind] and kind != "x")
            out["rest"][cell] = out["rest"].get(cell, 0) + failed
    for entries in agents["runs"].values():
        for entry in entries:
            if spec.FIRST[entry["kind"]]:
                continue
            cell = tuple(entry["cell"])
            group = "rest" if entry["extra"] else {"out": "rest", "fail": "kept", "pass": "repaired"}[entry["group"]]
            out[group][cell] = out[group].get(cell, 0) + entry["tasks"]
    return out


def _human() -> dict[str, Any]:
    """Return the human passes by cell and how many of the sure and unsure tasks pass."""
    row = next(row for row in table("hss_table1") if row["model"] == spec.HUMAN)
    sizes = {part: spec.size(part, "") for part in (*spec.DOMAINS, *spec.MEDIA)}
    misses = {part: n - count_of(row[part], n) for part, n in sizes.items()}
    # misses of a domain: on images in proportion, adjusted so that images come out
    image = apportion([misses[d] * spec.TASKS_IMAGE[d] / sizes[d] for d in spec.DOMAINS], misses["image"])
    missed = {
        f"{d}|{media}": (k if media == "image" else misses[d] - k)
        for d, k in zip(spec.DOMAINS, image, strict=True)
        for media in spec.MEDIA
    }
    confidence = {row["confidence"]: row for row in table("hss_human_confidence")}
    right = {
        name: count_of(confidence[name]["accuracy_pct"], int(confidence[name]["n"])) for name in ("sure", "unsure")
    }
    return {"missed": missed, "right": right, "asked": {k: int(confidence[k]["n"]) for k in right}}


def _sweeps() -> dict[str, Any]:
    """Return the passes of the effort and frame sweeps: every printed cell has one integer."""
    effort = [
        {
            "model": row["model"],
            "effort": row["effort"],
            "subdomain": row["subdomain"],
            "passes": count_of(row["accuracy_pct"], int(spec.ROWS[row["subdomain"]]["tasks"])),
        }
        for row in table("hss_table10_effort")
    ]
    frames = [
        {
            "model": row["model"],
            "frames": int(row["frames"]),
            "passes": count_of(row["pass_at_1"], spec.size("video", "")),
        }
        for row in table("hss_table11_frames")
    ]
    return {"effort": effort, "frames": frames}


def solve_hss() -> dict[str, Any]:
    """Return the whole integer plan: single runs, paired runs, causes, human, sweeps and the judge study."""
    margins = spec.margins()
    first = first_passes(margins)
    agents = solve_agents(margins, first)
    runs = {m: solve_run(m, found, first[m]) for m, found in margins.items() if m not in spec.AGENT_MODELS}
    causes = solve_causes(failure_groups(runs, agents))
    plain = {
        model: [{"cell": list(cell), "kinds": kinds} for cell, kinds in outcomes.items()]
        for model, outcomes in runs.items()
    }
    out = {"runs": plain, "agents": agents, "causes": causes, "human": _human(), "judges": solve_judges()}
    return out | _sweeps()
