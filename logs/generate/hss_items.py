"""The 522 tasks of Humanity's Sixth Sense: subdomain, media type, criteria, and the subsets of partial runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from logs.generate import hss_spec as spec
from logs.generate.frames import Rows
from logs.generate.hss_agents_plan import EXTRA
from logs.generate.hss_spec import Cell
from logs.generate.place import ranked
from logs.generate.solver import apportion

BENCHMARK = "hss"
MULTIPLE = 149  # tasks with more than one criterion: 373 of 522 carry one, the only count that prints 71.5 %


@dataclass(frozen=True)
class Tasks:
    """The tasks by cell, with the number of criteria of each and the tasks of the paired agent runs."""

    cells: dict[Cell, list[str]]
    criteria: dict[str, int]
    paired: frozenset[str]  # the 387 tasks of Tables 7 and 8
    extra: str  # the 388th task of Tables 2 and 9

    def cell_of(self) -> dict[str, Cell]:
        """Return the cell of each task."""
        return {item: cell for cell, items in self.cells.items() for item in items}


def _criteria(members: dict[str, list[str]]) -> dict[str, int]:
    """Spread 723 criteria over the tasks: 149 tasks have more than one, by subdomain as Table 3 prints."""
    surplus = {name: spec.CRITERIA[name] - len(items) for name, items in members.items()}
    caps = [min(surplus[name], len(members[name])) for name in members]
    several = apportion([float(surplus[name]) for name in members], MULTIPLE, most=caps)
    out: dict[str, int] = {}
    for (name, items), many in zip(members.items(), several, strict=True):
        order = ranked(items, "criteria", name)
        out |= dict.fromkeys(items, 1)
        for position in range(surplus[name]):
            out[order[position % many]] += 1
    return out


def tasks(subset: list[list[Any]]) -> Tasks:
    """Return the tasks; ``subset`` lists how many tasks of each cell belong to the 387 paired ones."""
    cells: dict[Cell, list[str]] = {}
    count = 0
    for cell, n in spec.TASKS.items():
        cells[cell] = [f"hss-{count + k + 1:04d}" for k in range(n)]
        count += n
    members = {name: cells[name, "image"] + cells[name, "video"] for name in spec.SUBDOMAINS}
    paired: set[str] = set()
    extra = ""
    for name, media, n in subset:
        order = ranked(cells[name, media], "paired", name, media)
        paired |= set(order[:n])
        if (name, media) == EXTRA:
            extra = order[n]
    return Tasks(cells=cells, criteria=_criteria(members), paired=frozenset(paired), extra=extra)


def task_rows(found: Tasks) -> Rows:
    """Return the rows of `benchmarks`, `items`, `item_tags` and `criteria`."""
    benchmark = {
        "benchmark": BENCHMARK,
        "title": "Humanity's Sixth Sense",
        "version": "reconstructed from arXiv:2610.08966v2",
        "missing_policy": "exclude",
        "raw_means": "pass@1: every criterion met, mean over usable attempts, then over tasks",
        "slice_name": "domain",
        "headline": "micro",
        "note": "Rows re-aggregate to the printed figures; single rows are simulated and prove nothing else.",
    }
    items = [
        {
            "benchmark": BENCHMARK,
            "item_id": item,
            "capability": spec.DOMAIN[name],
            "subcapability": name,
            "media_type": media,
            "answer_type": "open",
            "reference_known": True,
            "provenance": "reconstructed",
        }
        for (name, media), members in found.cells.items()
        for item in members
    ]
    scopes = {
        "agentic_388": [*found.paired, found.extra],
        "agentic_387": [*found.paired],
        "video_234": [item for (_, media), members in found.cells.items() if media == "video" for item in members],
    }
    tags = [
        {"benchmark": BENCHMARK, "item_id": item, "kind": "scope", "tag": tag}
        for tag, members in scopes.items()
        for item in members
    ]
    criteria = [
        {"benchmark": BENCHMARK, "item_id": item, "criterion": str(k)}
        for item, n in found.criteria.items()
        for k in range(1, n + 1)
    ]
    return {"benchmarks": [benchmark], "items": items, "item_tags": tags, "criteria": criteria}
