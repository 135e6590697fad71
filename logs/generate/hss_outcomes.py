"""Place the outcomes of three attempts on tasks, run by run, and tune how many tasks defeat five models or more."""

from __future__ import annotations

from typing import Any

from logs.generate import hss_spec as spec
from logs.generate.exact import measures
from logs.generate.hss_items import Tasks
from logs.generate.hss_spec import Cell
from logs.generate.place import eased, ranked

NOISE = 0.97  # with it about as many tasks defeat five models or more as printed; swaps settle the rest
ORDER = ("3", "2+", "2-", "h+", "h-", "1+", "1-", "0")
Outcome = dict[str, str]  # task -> outcome


def _fill(kinds: dict[str, int], members: list[str], run: str) -> Outcome:
    """Give the easiest tasks of a cell the best outcomes; tasks without a usable attempt fall by hash."""
    lost = ranked(members, "lost", run)[: kinds.get("x", 0)]
    rest = eased([item for item in members if item not in lost], run=run, noise=NOISE, key="hss")
    flat = [kind for kind in ORDER for _ in range(kinds.get(kind, 0))]
    return dict.fromkeys(lost, "x") | dict(zip(rest, flat, strict=True))


def single_run(entries: list[dict[str, Any]], found: Tasks, run: str) -> Outcome:
    """Return the outcome of every task in a run that no agent run is paired with."""
    out: Outcome = {}
    for entry in entries:
        out |= _fill(entry["kinds"], found.cells[tuple(entry["cell"])], run)
    return out


def paired_run(entries: list[dict[str, Any]], found: Tasks, run: str) -> tuple[Outcome, dict[str, bool]]:
    """Return the outcome of every task in a paired run, and whether the agent passes each of the 388."""
    strata: dict[tuple[Cell, str], list[tuple[str, str, int]]] = {}
    for entry in entries:
        cell = tuple(entry["cell"])
        place = "extra" if entry["extra"] else ("out" if entry["group"] == "out" else "in")
        strata.setdefault((cell, place), []).append((entry["kind"], entry["group"], entry["tasks"]))
    out: Outcome = {}
    passes: dict[str, bool] = {}
    for (cell, place), parts in strata.items():
        members = {
            "extra": [found.extra],
            "in": [item for item in found.cells[cell] if item in found.paired],
            "out": [item for item in found.cells[cell] if item not in found.paired and item != found.extra],
        }[place]
        parts.sort(key=lambda part: (ORDER.index(part[0]), part[1] != "pass"))
        flat = [(kind, group) for kind, group, n in parts for _ in range(n)]
        for item, (kind, group) in zip(eased(members, run=run, noise=NOISE, key="hss"), flat, strict=True):
            out[item] = kind
            if group != "out":
                passes[item] = group == "pass"
    return out, passes


def _fails(outcome: str) -> bool:
    return outcome != "x" and not spec.FIRST[outcome]


def failed_by(outcomes: dict[str, Outcome], labelled: list[str]) -> dict[str, int]:
    """Return how many labelled runs fail each task at the first attempt."""
    counts: dict[str, int] = {}
    for run in labelled:
        for item, outcome in outcomes[run].items():
            counts[item] = counts.get(item, 0) + _fails(outcome)
    return counts


def tune(outcomes: dict[str, Outcome], labelled: list[str], free: list[str], found: Tasks) -> None:
    """Swap outcomes within a cell of a run until the printed number of tasks defeats five labelled runs or more.

    Only runs in ``free`` are touched: those without a paired agent run. Every count of the plan stays.

    Raises
    ------
    ValueError
        When no swap is left.
    """
    wanted = int(measures("hss_prose")["tasks_failed_by_five"])
    cell_of = found.cell_of()
    counts = failed_by(outcomes, labelled)
    while (have := sum(n >= 5 for n in counts.values())) != wanted:
        more = have < wanted  # a task with four failures needs one more, or one with five needs one less
        edge = 4 if more else 5
        moved = False
        for item in ranked([i for i, n in counts.items() if n == edge], "tune", have):
            for run in ranked(free, "tune", item):
                mine = outcomes[run][item]
                if mine == "x" or _fails(mine) == more:
                    continue
                other = [
                    i
                    for i in found.cells[cell_of[item]]
                    if outcomes[run][i] != "x" and _fails(outcomes[run][i]) == more and counts[i] > 6
                ]
                if other:
                    partner = ranked(other, "tune", run, item)[0]
                    outcomes[run][item], outcomes[run][partner] = outcomes[run][partner], mine
                    counts[item] += 1 if more else -1
                    counts[partner] += -1 if more else 1
                    moved = True
                    break
            if moved:
                break
        if not moved:
            raise ValueError(f"{have} tasks defeat five runs or more, {wanted} printed, and no swap is left")
