"""Place failure causes on failed attempts: whole counts from the plan, and tasks that mostly fail for one cause."""

from __future__ import annotations

from statistics import median
from typing import Any

from logs.generate.hss_causes_plan import CAUSES, GROUPS, TABLE7
from logs.generate.hss_items import Tasks
from logs.generate.hss_spec import Cell
from logs.generate.place import ranked, unit

Failure = tuple[str, str]  # run, task
FAMILY_WINDOW, CAUSE_WINDOW = (0.895, 0.905), (0.795, 0.805)  # medians printed as 90 % and 80 %


def _contiguous(
    plan: list[dict[str, Any]], members: dict[tuple[Cell, str], list[Failure]], found: Tasks
) -> dict[Failure, str]:
    """Lay the causes of a cell along its tasks, so that a task mostly fails for one cause in every group."""
    order = {item: position for position, item in enumerate(ranked(found.criteria, "cause order"))}
    causes = list(CAUSES)
    counts: dict[tuple[Cell, str], dict[str, int]] = {}
    for entry in plan:
        counts.setdefault((tuple(entry["cell"]), entry["group"]), {})[entry["cause"]] = entry["tasks"]
    out: dict[Failure, str] = {}
    for key, failures in members.items():
        line = sorted(failures, key=lambda failure: (order[failure[1]], failure[0]))
        flat = [cause for cause in causes for _ in range(counts[key].get(cause, 0))]
        out |= dict(zip(line, flat, strict=True))
    return out


class _Shares:
    """Counts of causes per task, kept up to date over swaps, with the two medians of Appendix D."""

    def __init__(self, labels: dict[Failure, str]) -> None:
        self.counts: dict[str, dict[str, int]] = {}
        for (_, item), cause in labels.items():
            mine = self.counts.setdefault(item, {})
            mine[cause] = mine.get(cause, 0) + 1
        self.items = [item for item, mine in self.counts.items() if sum(mine.values()) >= 5]

    def cause(self, item: str) -> float:
        """Return the share of a task's most common cause."""
        return max(self.counts[item].values()) / sum(self.counts[item].values())

    def family(self, item: str) -> float:
        """Return the share of a task's most common family of causes."""
        totals: dict[str, int] = {}
        for cause, n in self.counts[item].items():
            totals[CAUSES[cause]] = totals.get(CAUSES[cause], 0) + n
        return max(totals.values()) / sum(totals.values())

    def move(self, item: str, old: str, new: str) -> None:
        """Replace one label of a task."""
        self.counts[item][old] -= 1
        self.counts[item][new] = self.counts[item].get(new, 0) + 1

    def medians(self) -> tuple[float, float]:
        """Return the median shares of the most common cause and family over tasks with five failures or more."""
        return median(self.cause(i) for i in self.items), median(self.family(i) for i in self.items)


def _mix(
    labels: dict[Failure, str], strata: list[list[Failure]], *, across: bool, round_: int
) -> list[tuple[Failure, Failure]]:
    """Return swaps of labels between tasks of one stratum, across families or within them, in hash order."""
    swaps: list[tuple[float, Failure, Failure]] = []
    for failures in strata:
        line = sorted(failures, key=lambda f: unit("mix", across, round_, *f))
        for one, two in zip(line[::2], line[1::2], strict=False):
            same = CAUSES[labels[one]] == CAUSES[labels[two]]
            if one[1] != two[1] and labels[one] != labels[two] and same != across:
                swaps.append((unit("swap", across, round_, *one), one, two))
    return [(one, two) for _, one, two in sorted(swaps)]


def _loosen(labels: dict[Failure, str], strata: list[list[Failure]]) -> None:
    """Swap labels until the median task fails for the same family, then for the same cause, as often as printed.

    Swaps across families come first and lower both shares; swaps within a family lower that of the cause alone.
    """
    shares = _Shares(labels)
    for across, which, (low, high) in ((True, 1, FAMILY_WINDOW), (False, 0, CAUSE_WINDOW)):
        for round_ in range(40):
            if shares.medians()[which] <= high:
                break
            for one, two in _mix(labels, strata, across=across, round_=round_):
                labels[one], labels[two] = labels[two], labels[one]
                shares.move(one[1], labels[two], labels[one])
                shares.move(two[1], labels[one], labels[two])
                if shares.medians()[which] <= high:
                    break
        reached = shares.medians()[which]
        if not low <= reached <= high:
            raise ValueError(f"median share {reached} is outside {low} to {high}")


def place_causes(plan: list[dict[str, Any]], groups: dict[Failure, str], found: Tasks) -> dict[Failure, str]:
    """Return the cause of every failed first attempt; ``groups`` tells what an agent run made of each."""
    cell_of = found.cell_of()
    members: dict[tuple[Cell, str], list[Failure]] = {}
    for failure, group in groups.items():
        members.setdefault((cell_of[failure[1]], group), []).append(failure)
    labels = _contiguous(plan, members, found)
    _loosen(labels, [failures for key, failures in members.items() if key[1] == GROUPS[2]])
    return labels


def agent_causes(failures: list[Failure], single: dict[Failure, str], blanks: list[Failure]) -> dict[Failure, str]:
    """Return the cause of every failed agent run on the 387 tasks, by the counts of Table 7.

    Blank answers are the uncommitted ones; a task that failed before keeps its cause as far as the counts allow.
    """
    left = {cause: int(row["agentic"]) for cause, row in TABLE7.items()}
    out = dict.fromkeys(blanks, "no_committed_answer")
    left["no_committed_answer"] -= len(blanks)
    for run, item in sorted(failures, key=lambda f: unit("agent cause", *f)):
        cause = single.get((run, item))
        if (run, item) not in out and cause is not None and left[cause] > 0:
            out[run, item] = cause
            left[cause] -= 1
    rest = sorted((f for f in failures if f not in out), key=lambda f: unit("agent rest", *f))
    flat = [cause for cause, n in left.items() for _ in range(n)]
    return out | dict(zip(rest, flat, strict=True))
