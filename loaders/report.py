"""The load report of a build, as text for a terminal and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from loaders.warehouse import LoadReport

SHOWN = 40
"""Issues that the text report prints; the JSON report and the Data page have all."""

RECORDS = ("seen", "kept", "refused", "doubted")
"""What became of records; refused files count as files."""


def as_json(report: LoadReport, validation: Mapping[str, object]) -> str:
    """Return the report as one JSON object.

    It holds build, seconds, rows by table, files by role, records by what became of them, idle arguments, records by
    rule, the parts of `validation` (see analytics.validation), sources and issues.
    """
    rules = Counter[str]()
    for issue in report.issues:
        rules[f"{issue['severity']}: {issue['rule']}"] += int(str(issue["records"])) or 1
    whole = {
        "build_id": report.build_id,
        "seconds": report.seconds,
        "rows": report.rows,
        "files": dict(Counter(str(source["role"]) for source in report.sources)),
        "records": {name: sum(int(str(source[name])) for source in report.sources) for name in RECORDS},
        "idle": report.idle,
        "rules": dict(sorted(rules.items())),
        "validation": dict(validation),
        "sources": report.sources,
        "issues": report.issues,
    }
    return json.dumps(whole, indent=1, default=str, ensure_ascii=False) + "\n"


def as_text(report: LoadReport) -> str:
    """Return the report for a person: totals, what was refused, and the first issues with their place."""
    roles = Counter(str(source["role"]) for source in report.sources)
    seen, kept, refused, doubted = (sum(int(str(source[name])) for source in report.sources) for name in RECORDS)
    lines = [
        f"{roles['log']} logs, {roles['companion']} companions, {roles['refused']} files refused; "
        f"{report.seconds:.1f} s",
        f"{seen:,} records seen: {kept:,} kept, {refused:,} refused, {doubted:,} kept with a doubt",
        ", ".join(f"{n:,} {name}" for name, n in report.rows.items() if n and name in MAIN),
    ]
    held = {str(source["source_id"]): source for source in report.sources}
    for issue in report.issues[:SHOWN]:
        source = held.get(str(issue["source_id"]), {"path": "the store", "places": "record"})
        place = f" {source['places']} {issue['line']}" if issue["line"] is not None else ""
        lines.append(f"  {issue['severity']} {issue['rule']}: {source['path']}{place}: {issue['message']}")
    if len(report.issues) > SHOWN:
        lines.append(f"  and {len(report.issues) - SHOWN} more issues: `scoreproof ask issues --store DIR`")
    lines += [f"NO ROWS from {argument}" for argument in report.idle]
    return "\n".join(lines) + "\n"


MAIN = ("benchmarks", "items", "runs", "responses", "verdicts", "comparisons", "failure_labels", "figures", "claims")
