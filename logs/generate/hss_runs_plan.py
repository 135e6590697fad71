"""Solve how many tasks of each cell have each outcome, run by run, for the runs that no agent run is paired with."""

from __future__ import annotations

from logs.generate import hss_spec as spec
from logs.generate.exact import measures, table
from logs.generate.hss_spec import Cell, Margins
from logs.generate.solver import Row, apportion, equal, solve

Outcomes = dict[Cell, dict[str, int]]
# how much easier a subdomain is than its domain, from the pooled single calls of Table 8
_SINGLE = {row["subdomain"]: float(row["single"]) for row in table("hss_table8_agentic_subdomains")}


def first_passes(margins: dict[str, Margins]) -> dict[str, dict[str, int]]:
    """Share out the first attempts that pass, by run and media type, so that 8,573 first attempts fail.

    Four video counts are printed as the 500-frame column of Table 11; the others are the three-attempt means,
    scaled to the total and rounded by largest remainder.
    """
    out: dict[str, dict[str, int]] = {model: {} for model in margins}
    failures = {"image": spec.IMAGE_FAILURES, "video": spec.FAILURES - spec.IMAGE_FAILURES}
    for media in spec.MEDIA:
        means = {m: found.sixths[media] / 6 for m, found in margins.items() if m not in {spec.BLIND, spec.UNLABELLED}}
        pinned: dict[str, int] = {}
        if media == "video":
            pinned = {m: round(float(share) * spec.size("video", "") / 100) for m, share in spec.FRAMES_FIRST.items()}
        tasks = sum(spec.size(media, model) for model in means)
        left = tasks - failures[media] - sum(pinned.values())
        free = [model for model in means if model not in pinned]
        for model, passes in zip(free, apportion([means[m] for m in free], left), strict=True):
            out[model][media] = passes
        for model, passes in pinned.items():
            out[model][media] = passes
        for model in (spec.BLIND, spec.UNLABELLED):
            out[model][media] = round(margins[model].sixths[media] / 6)
    return out


def rates(margins: Margins, model: str) -> dict[Cell, float]:
    """Return a wished pass rate per cell: the domain's rate, tilted by media type and subdomain."""
    out: dict[Cell, float] = {}
    overall = sum(margins.sixths[d] for d in spec.DOMAINS) / 6 / spec.size("all", model)
    for (name, media), n in spec.TASKS.items():
        domain = spec.DOMAIN[name]
        peers = [s for s in spec.SUBDOMAINS if spec.DOMAIN[s] == domain]
        mean = sum(_SINGLE[s] * int(spec.ROWS[s]["tasks"]) for s in peers) / sum(
            int(spec.ROWS[s]["tasks"]) for s in peers
        )
        share = margins.sixths[domain] / 6 / spec.size(domain, model)
        tilt = margins.sixths[media] / 6 / spec.size(media, model) / overall
        out[name, media] = min(0.95, share * tilt * _SINGLE[name] / mean) if n else 0.0
    return out


def wished(rate: float, mixed: float) -> dict[str, float]:
    """Return wished shares of the outcomes of a cell from its pass rate and the share of mixed tasks."""
    always = max(0.0, rate - mixed / 2)
    twice = min(mixed / 2, rate - always)
    return {
        "3": always,
        "2+": twice * 2 / 3,
        "2-": twice / 3,
        "1+": mixed / 2 / 3,
        "1-": mixed / 2 * 2 / 3,
        "0": max(0.0, 1 - always - twice - mixed / 2),
    }


def margin_rows(margins: Margins, first: dict[str, int], terms: dict[str, tuple[Cell, str]]) -> list[Row]:
    """Return the constraints of Table 1: passes by domain and media, mixed tasks, first attempts by media."""
    rows: list[Row] = []
    for part in (*spec.DOMAINS, *spec.MEDIA):
        inside = {k: cell for k, (cell, _) in terms.items() if part in (spec.DOMAIN[cell[0]], cell[1])}
        rows.append(equal({k: float(spec.SIXTHS[terms[k][1]]) for k in inside}, margins.sixths[part]))
    rows.append(equal({k: 1.0 for k, (_, kind) in terms.items() if kind in spec.MIXED}, margins.mixed))
    for media, passes in first.items():
        inside_first = {k: 1.0 for k, (cell, kind) in terms.items() if cell[1] == media and spec.FIRST[kind]}
        rows.append(equal(inside_first, passes))
    return rows


def _special_rows(model: str, terms: dict[str, tuple[Cell, str]]) -> list[Row]:
    """Return the constraints that put the dropped attempts of a repaired run where they have to be."""
    rows: list[Row] = []
    for kind, kinds in (("x", ("x",)), ("h", ("h+", "h-"))):
        asked = spec.REPAIRS.get(model, {}).get(kind, {})
        for domain in spec.DOMAINS:
            for media in spec.MEDIA:
                inside = {
                    k: 1.0
                    for k, (cell, outcome) in terms.items()
                    if outcome in kinds and cell[1] == media and spec.DOMAIN[cell[0]] == domain
                }
                rows.append(equal(inside, asked.get((domain, media), 0)))
    return rows


def solve_run(model: str, margins: Margins, first: dict[str, int]) -> Outcomes:
    """Return how many tasks of each cell have each outcome in one run."""
    terms = {f"{n}|{m}|{kind}": ((n, m), kind) for (n, m) in spec.TASKS for kind in spec.TYPES}
    rows = margin_rows(margins, first, terms) + _special_rows(model, terms)
    if model == spec.BLIND:
        always = int(measures("hss_prose")["blind_all_attempts"])
        rows.append(equal({k: 1.0 for k, (_, kind) in terms.items() if kind == "3"}, always))
    wish = rates(margins, model)
    near: dict[str, float] = {}
    share = margins.mixed / spec.N
    for cell, n in spec.TASKS.items():
        rows.append(equal({f"{cell[0]}|{cell[1]}|{kind}": 1.0 for kind in spec.TYPES}, n))
        for kind, part in wished(wish[cell], share).items():
            near[f"{cell[0]}|{cell[1]}|{kind}"] = n * part
    upper = {name: float(spec.TASKS[cell]) for name, (cell, _) in terms.items()}
    found = solve({}, upper, rows, near=near, seconds=10.0, gap=0.1)
    return collect(found, terms)


def collect(found: dict[str, int], terms: dict[str, tuple[Cell, str]]) -> Outcomes:
    """Return solved counts by cell and outcome, zeros left out."""
    out: Outcomes = {}
    for name, count in found.items():
        if count:
            cell, kind = terms[name]
            out.setdefault(cell, {}).setdefault(kind, 0)
            out[cell][kind] += count
    return out
