"""Verify a plan of Humanity's Sixth Sense with exact fractions before any row is placed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from logs.generate import hss_spec as spec
from logs.generate.exact import count_of, matches, percent, table
from logs.generate.hss_agents_plan import EXTRA, PAIRED, TABLE2, TABLE8, TABLE9
from logs.generate.hss_causes_plan import PINNED, TABLE6, TABLE7, share_of
from logs.generate.hss_judges_plan import CODES, JUDGES, TASKS
from logs.generate.hss_plan import failure_groups
from logs.generate.hss_spec import Cell
from logs.generate.psycheme_verify import require

Counted = list[tuple[Cell, str, int]]  # cell, outcome, tasks


def _counts(plan: dict[str, Any]) -> Iterator[tuple[str, Counted]]:
    for model, entries in plan["runs"].items():
        yield model, [(tuple(e["cell"]), kind, n) for e in entries for kind, n in e["kinds"].items()]
    for model, entries in plan["agents"]["runs"].items():
        yield model, [(tuple(e["cell"]), e["kind"], e["tasks"]) for e in entries]


def _table1(model: str, counts: Counted) -> None:
    row = next(row for row in table("hss_table1") if row["model"] == model)
    for cell, n in spec.TASKS.items():
        require(sum(k for c, _, k in counts if c == cell) == n, f"{model} {cell}: outcomes do not cover {n} tasks")
    for part in ("all", *spec.DOMAINS, *spec.MEDIA):
        inside = [(kind, n) for c, kind, n in counts if part in {"all", spec.DOMAIN[c[0]], c[1]}]
        sixths = sum(spec.SIXTHS[kind] * n for kind, n in inside)
        share = percent(Fraction(sixths, 6), sum(n for kind, n in inside if kind != "x"))
        printed = row["pass_at_1" if part == "all" else part]
        require(matches(share, printed), f"{model} {part}: {float(share)} is not {printed}")


def _agents(plan: dict[str, Any]) -> None:
    for model, entries in plan["agents"]["runs"].items():
        inside = [e for e in entries if e["group"] != "out"]
        require(sum(e["tasks"] for e in inside) == PAIRED, f"{model}: not {PAIRED} paired tasks")
        passes = sum(e["tasks"] for e in inside if e["group"] == "pass")
        sixths = sum(spec.SIXTHS[e["kind"]] * e["tasks"] for e in inside)
        require(matches(percent(passes, PAIRED), TABLE2[model]["agent"]), f"{model}: agent {passes}")
        require(matches(percent(Fraction(sixths, 6), PAIRED), TABLE2[model]["raw"]), f"{model}: raw {sixths}/6")
        win = sum(e["tasks"] for e in inside if e["group"] == "pass" and e["kind"] not in spec.MAJORITY)
        loss = sum(e["tasks"] for e in inside if e["group"] == "fail" and e["kind"] in spec.MAJORITY)
        wanted = (int(TABLE9[model]["win"]), int(TABLE9[model]["loss"]))
        require((win, loss) == wanted, f"{model}: wins and losses {win}, {loss}")
    pooled = [
        e for entries in plan["agents"]["runs"].values() for e in entries if e["group"] != "out" and not e["extra"]
    ]
    for name, row in TABLE8.items():
        part = [e for e in pooled if e["cell"][0] == name]
        single = sum(e["tasks"] for e in part if spec.FIRST[e["kind"]])
        agent = sum(e["tasks"] for e in part if e["group"] == "pass")
        require(single == count_of(row["single"], int(row["n"])), f"{name}: single {single}")
        require(agent == count_of(row["agentic"], int(row["n"])), f"{name}: agent {agent}")
    require(tuple(EXTRA) in spec.TASKS, f"{EXTRA} is no cell")


def _causes(plan: dict[str, Any]) -> None:
    runs = {m: {tuple(e["cell"]): e["kinds"] for e in entries} for m, entries in plan["runs"].items()}
    groups = failure_groups(runs, plan["agents"])
    for group, cells in groups.items():
        for cell, n in cells.items():
            planned = sum(e["tasks"] for e in plan["causes"] if tuple(e["cell"]) == cell and e["group"] == group)
            require(planned == n, f"causes of {cell} {group}: {planned} for {n} failures")
    total = {media: sum(e["tasks"] for e in plan["causes"] if e["cell"][1] == media) for media in spec.MEDIA}
    require(sum(total.values()) == spec.FAILURES, f"{sum(total.values())} failures, not {spec.FAILURES}")
    for cause, row in TABLE6.items():
        for media in spec.MEDIA:
            n = sum(e["tasks"] for e in plan["causes"] if e["cause"] == cause and e["cell"][1] == media)
            require(matches(percent(n, total[media]), row[f"{media}_share"]), f"{cause} {media}: {n}")
        n = sum(e["tasks"] for e in plan["causes"] if e["cause"] == cause)
        require(n == int(row["count"]), f"{cause}: {n}, not {row['count']}")
        paired = [e for e in plan["causes"] if e["cause"] == cause and e["group"] != "rest"]
        single, fixed = sum(e["tasks"] for e in paired), sum(e["tasks"] for e in paired if e["group"] == "repaired")
        require(single == int(TABLE7[cause]["single"]), f"{cause}: {single} single-call failures")
        require(matches(percent(fixed, single), TABLE7[cause]["fixed_pct"]), f"{cause}: {fixed} of {single} fixed")
    for (name, cause), printed in PINNED.items():
        share = share_of(plan["causes"], name, cause)
        require(matches(share, printed), f"{name} {cause}: {float(share)} is not {printed}")


def _judges(plan: dict[str, Any]) -> None:
    for row in table("hss_table12_judges"):
        counts = plan["judges"]["models"][row["model"]]
        place = JUDGES.index(row["judge"])
        passes = sum(n for pattern, n in counts.items() if pattern[place] == "1")
        require(matches(percent(passes, TASKS), row["pass_at_1"]), f"{row['model']} under {row['judge']}: {passes}")
    require(set(plan["judges"]["surplus"]) == {*CODES, "met_by_all"}, "surplus of the judge study")


def verify_hss(plan: dict[str, Any]) -> None:
    """Check every pinned figure of a plan of Humanity's Sixth Sense.

    Raises
    ------
    PlanError
        Naming the first figure that the plan misses.
    """
    for model, counts in _counts(plan):
        _table1(model, counts)
    _agents(plan)
    _causes(plan)
    _judges(plan)
    for row in plan["effort"]:
        printed = next(
            r["accuracy_pct"]
            for r in table("hss_table10_effort")
            if (r["model"], r["subdomain"], r["effort"]) == (row["model"], row["subdomain"], row["effort"])
        )
        n = int(spec.ROWS[row["subdomain"]]["tasks"])
        require(matches(percent(row["passes"], n), printed), f"{row['model']} {row['subdomain']} {row['effort']}")
