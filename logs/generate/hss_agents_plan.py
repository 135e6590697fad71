"""Solve the four paired agent runs: outcomes over three attempts, inside and outside the 388 tasks, and agent passes.

Tables 1, 2, 7, 8 and 9 bind them together, so the four runs stand in one integer program. Wins and losses of
Table 9 count the majority of the three single-call attempts: with first attempts no rows can exist (the net of the
wins and losses is 203, that of Tables 7 and 8 is 185), with the majority they do.
"""

from __future__ import annotations

from typing import Any

from logs.generate import hss_spec as spec
from logs.generate.exact import integers, table, window
from logs.generate.hss_runs_plan import margin_rows, rates, wished
from logs.generate.hss_spec import Cell, Margins
from logs.generate.solver import Row, apportion, equal, solve_near

PAIRED = 388
IMAGES = 217  # the only number of images among the 388 that all differences of Table 2 admit
EXTRA: Cell = ("social_role_norm_power", "video")  # cell of the task that Tables 7 and 8 leave out
KINDS = ("3", "2+", "2-", "1+", "1-", "0")
GROUPS = ("out", "fail", "pass")  # outside the 388 tasks; inside, by what the agent run made of the task
TABLE8 = {row["subdomain"]: row for row in table("hss_table8_agentic_subdomains")}
TABLE9 = {row["base_model"]: row for row in table("hss_table9_harness_pairs")}
TABLE2 = {row["base_model"]: row for row in table("hss_table2_agentic")}
# three-attempt differences that the prose prints for two subdomains (retrodiction +18.9, reachability +4.8);
# patterns (+30.6) lies between two neighbouring thirds: 70 of 204 gives +30.4
THIRDS = {"retrodiction": 166, "spatial_reachability": 87, "patterns_pareidolia": 70}


def subset() -> dict[Cell, int]:
    """Return how many tasks of each cell belong to the 387 tasks of Tables 7 and 8."""
    sizes = {name: int(row["n"]) // 4 for name, row in TABLE8.items()}
    names = list(sizes)
    wish = [sizes[n] * spec.TASKS[n, "image"] / int(spec.ROWS[n]["tasks"]) for n in names]
    caps = [min(sizes[n], spec.TASKS[n, "image"]) for n in names]
    images = dict(zip(names, apportion(wish, IMAGES, most=caps), strict=True))
    out = {(n, "image"): images[n] for n in names} | {(n, "video"): sizes[n] - images[n] for n in names}
    for cell, count in out.items():
        if count + (cell == EXTRA) > spec.TASKS[cell]:
            raise ValueError(f"{cell}: {count} tasks of the subset, {spec.TASKS[cell]} in all")
    return out


def _in(cell: Cell, part: str) -> bool:
    return part in {"all", cell[1], cell[0], spec.DOMAIN[cell[0]]}


def _thirds(printed: str, terms: dict[str, float], n: int) -> Row:
    """Return the constraint that a sum in thirds of a task, over n tasks, prints as a percentage."""
    low, high = window(printed)
    found = integers(low * 3 * n / 100, high * 3 * n / 100, step=1)
    return Row(terms, found[0] - 1e-6, found[-1] + 1e-6)


def _paired_rows(model: str, keys: dict[str, tuple[Cell, bool, str, str]], sizes: dict[str, int]) -> list[Row]:
    """Return the constraints of Tables 2 and 9 for one run."""
    inside = {k: v for k, v in keys.items() if v[3] != "out"}
    row, pair = TABLE2[model], TABLE9[model]
    rows = [
        _thirds(row["agent"], {k: 3.0 for k, v in inside.items() if v[3] == "pass"}, PAIRED),
        _thirds(row["raw"], {k: spec.SIXTHS[v[2]] / 2 for k, v in inside.items()}, PAIRED),
        equal({k: 1.0 for k, v in inside.items() if v[3] == "pass" and v[2] not in spec.MAJORITY}, int(pair["win"])),
        equal({k: 1.0 for k, v in inside.items() if v[3] == "fail" and v[2] in spec.MAJORITY}, int(pair["loss"])),
    ]
    for part in ("all", *spec.MEDIA, *spec.DOMAINS):
        gain = {k: 3 * (v[3] == "pass") - spec.SIXTHS[v[2]] / 2 for k, v in inside.items() if _in(v[0], part)}
        rows.append(_thirds(row["delta" if part == "all" else f"delta_{part}"], gain, sizes[part]))
    return rows


def _pooled_rows(keys: dict[str, tuple[str, Cell, bool, str, str]], fixed: tuple[int, int]) -> list[Row]:
    """Return the constraints of Tables 7 and 8 and of the prose, over the four runs pooled."""
    rows: list[Row] = []
    paired = {k: v for k, v in keys.items() if v[4] != "out" and not v[2]}
    for name, row in TABLE8.items():
        n = int(row["n"])
        part = {k: v for k, v in paired.items() if v[1][0] == name}
        for column, terms in (
            ("single", {k: 1.0 for k, v in part.items() if spec.FIRST[v[3]]}),
            ("agent", {k: 1.0 for k, v in part.items() if v[4] == "pass"}),
        ):
            low, high = window(row["agentic" if column == "agent" else "single"])
            (count,) = integers(low * n / 100, high * n / 100, step=1)
            rows.append(equal(terms, count))
        if name in THIRDS:
            rows.append(equal({k: spec.SIXTHS[v[3]] / 2 for k, v in part.items()}, THIRDS[name]))
    repaired = {k: 1.0 for k, v in paired.items() if not spec.FIRST[v[3]] and v[4] == "pass"}
    rows.append(Row(repaired, *fixed))
    return rows


def solve_agents(margins: dict[str, Margins], first: dict[str, dict[str, int]]) -> dict[str, Any]:
    """Return the outcome counts of the four paired runs by cell, outcome and agent result."""
    inside = subset()
    keys: dict[str, tuple[str, Cell, bool, str, str]] = {}
    upper: dict[str, float] = {}
    near: dict[str, float] = {}
    rows: list[Row] = []
    sizes = {
        part: sum(n + (cell == EXTRA) for cell, n in inside.items() if _in(cell, part))
        for part in ("all", *spec.MEDIA, *spec.DOMAINS)
    }
    for model in spec.AGENT_MODELS:
        wish = rates(margins[model], model)
        share = margins[model].mixed / spec.N
        gain = float(TABLE2[model]["agent"]) / 100
        own: dict[str, tuple[Cell, bool, str, str]] = {}
        for cell, n in spec.TASKS.items():
            parts = wished(wish[cell], share)
            places = {"": inside[cell], "extra": 1} if cell == EXTRA else {"": inside[cell]}
            for kind in KINDS:
                for place, count in places.items():
                    for group in ("fail", "pass"):
                        name = f"{model}|{cell[0]}|{cell[1]}|{kind}|{group}|{place}"
                        own[name] = (cell, bool(place), kind, group)
                        upper[name] = count
                        likely = min(0.97, gain + 0.35) if spec.SIXTHS[kind] >= 4 else max(0.05, gain - 0.2)
                        near[name] = count * parts[kind] * (likely if group == "pass" else 1 - likely)
                name = f"{model}|{cell[0]}|{cell[1]}|{kind}|out|"
                own[name] = (cell, False, kind, "out")
                upper[name] = n - sum(places.values())
                near[name] = upper[name] * parts[kind]
            for place, count in places.items():
                rows.append(
                    equal(
                        {k: 1.0 for k, v in own.items() if v[0] == cell and v[3] != "out" and v[1] == bool(place)},
                        count,
                    )
                )
            outside = n - sum(places.values())
            rows.append(equal({k: 1.0 for k, v in own.items() if v[0] == cell and v[3] == "out"}, outside))
        rows += margin_rows(margins[model], first[model], {k: (v[0], v[2]) for k, v in own.items()})
        rows += _paired_rows(model, own, sizes)
        keys |= {k: (model, *v) for k, v in own.items()}
    rows += _pooled_rows(keys, (317, 320))
    found = solve_near(upper, rows, near=near, reach=2, seconds=120.0)
    out: dict[str, Any] = {}
    for name, count in found.items():
        if count:
            model, cell, extra, kind, group = keys[name]
            entry = {"cell": list(cell), "extra": extra, "kind": kind, "group": group, "tasks": count}
            out.setdefault(model, []).append(entry)
    return {"subset": [[*cell, n] for cell, n in inside.items()], "runs": out}
