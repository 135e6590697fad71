"""The load report of a build, as text for a terminal and as JSON."""

from __future__ import annotations

import json
from collections import Counter

from loaders.warehouse import LoadReport

SHOWN = 40
"""Issues that the text report prints; the JSON report and the Data page have all."""


def as_json(report: LoadReport) -> str:
    """Return the report as one JSON object: build, seconds, rows by table, idle arguments, sources, issues, rules."""
    rules = Counter[str]()
    for issue in report.issues:
        rules[f"{issue['severity']}: {issue['rule']}"] += int(str(issue["records"])) or 1
    whole = {
        "build_id": report.build_id,
        "seconds": report.seconds,
        "rows": report.rows,
        "idle": report.idle,
        "rules": dict(sorted(rules.items())),
        "sources": report.sources,
        "issues": report.issues,
    }
    return json.dumps(whole, indent=1, default=str, ensure_ascii=False) + "\n"


def as_text(report: LoadReport) -> str:
    """Return the report for a person: totals, what was refused, and the first issues with their place."""
    roles = Counter(str(source["role"]) for source in report.sources)
    seen, kept, refused, doubted = (
        sum(int(str(source[name])) for source in report.sources) for name in ("seen", "kept", "refused", "doubted")
    )
    lines = [
        f"{roles['log']} logs, {roles['companion']} companions, {roles['refused']} refused, {report.seconds:.1f} s",
        f"{seen:,} records seen: {kept:,} kept, {refused:,} refused, {doubted:,} kept with a doubt",
        ", ".join(f"{n:,} {name}" for name, n in report.rows.items() if n and name in MAIN),
    ]
    names = {str(source["source_id"]): str(source["path"]) for source in report.sources}
    for issue in report.issues[:SHOWN]:
        place = names.get(str(issue["source_id"]), "?")
        line = f" line {issue['line']}" if issue["line"] is not None else ""
        lines.append(f"  {issue['severity']} {issue['rule']}: {place}{line}: {issue['message']}")
    if len(report.issues) > SHOWN:
        lines.append(f"  and {len(report.issues) - SHOWN} more issues: `scoreproof ask issues --store DIR`")
    lines += [f"NO ROWS from {argument}" for argument in report.idle]
    return "\n".join(lines) + "\n"


MAIN = ("benchmarks", "items", "runs", "responses", "verdicts", "comparisons", "failure_labels", "figures", "claims")
