"""Write REPORT.md and report.csv: every printed figure, the value that the rows give, and what became of it."""

from __future__ import annotations

import csv
import io
import tomllib
from collections import Counter
from pathlib import Path

from logs.generate.checks import Check, Values, checks, listed, tables
from logs.generate.exact import ROOT
from logs.generate.hss_report import hss_values
from logs.generate.psycheme_report import psycheme_values
from logs.generate.srb_report import srb_values

STATUSES = ("matched", "assumption", "unreachable", "outside", "mismatch")
TITLES = {"psycheme": "PsycheMME", "hss": "Humanity's Sixth Sense", "srb": "SocialReasonBench"}
HEAD = """# Reconstructed rows against the printed figures

Made by `python -m logs.generate` from the rows and the lists beside this file; do not edit.

The rows are simulated. They re-aggregate to the figures that the papers print; a single row proves nothing and must
not be cited. A value counts as matched when it rounds to the printed figure, half up and half to even alike.

- matched: the rows give the printed figure; half-widths of intervals to within 0.2 points
- assumption: the rows give it under an assumption that the document does not state (`unreachable.toml`)
- unreachable: no rows can give it together with the others, or none are printed (`unreachable.toml`)
- outside: rows carry nothing of the kind (`outside.toml`)
"""


def all_values(root: Path) -> Values:
    """Return the value that the rows give for every printed figure that they carry."""
    return psycheme_values(root) | hss_values(root) | srb_values(root)


def all_checks(root: Path) -> list[Check]:
    """Compare every printed figure of the three documents with the rows under a folder."""
    return checks(all_values(root), listed())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _summary(found: list[Check], described: dict[str, dict[str, str]]) -> list[str]:
    lines = [
        "| document | table | figures | " + " | ".join(STATUSES) + " |",
        "|---|---|" + "--:|" * (len(STATUSES) + 1),
    ]
    counts: dict[str, Counter[str]] = {}
    for check in found:
        counts.setdefault(check.file, Counter())[check.status] += 1
    for file, mine in counts.items():
        about = described[file]
        numbers = " | ".join(str(mine[status]) for status in (*STATUSES,))
        place = f"{about['place']} (`{file}.csv`)"
        lines.append(f"| {TITLES[about['document']]} | {place} | {mine.total()} | {numbers} |")
    total = Counter(check.status for check in found)
    numbers = " | ".join(str(total[status]) for status in STATUSES)
    return [*lines, f"| all | | {total.total()} | {numbers} |"]


def _exceptions(found: list[Check]) -> list[str]:
    lines: list[str] = []
    for status, title in (("unreachable", "Unreachable"), ("assumption", "Under an assumption")):
        lines += ["", f"## {title}", ""]
        reasons: dict[str, list[Check]] = {}
        for check in found:
            if check.status == status:
                reasons.setdefault(check.reason, []).append(check)
        for reason, mine in reasons.items():
            names = [f"`{c.file}` {c.row}, {c.column}: printed {c.printed}, reached {c.text}" for c in mine[:2]]
            more = f" (and {len(mine) - 2} more figures)" if len(mine) > 2 else ""
            lines.append(f"- {'; '.join(names)}{more}. {reason[0].upper()}{reason[1:]}.")
    return lines


def _free() -> list[str]:
    entries = tomllib.loads((ROOT / "free.toml").read_text(encoding="utf-8"))["free"]
    lines = ["", "## Free: pinned by no figure, filled by a rule", "", "| benchmark | what | rule |", "|---|---|---|"]
    return lines + [f"| {e['benchmark']} | {_cell(e['what'])} | {_cell(e['rule'])} |" for e in entries]


def _figures(found: list[Check], described: dict[str, dict[str, str]]) -> list[str]:
    lines = ["", "## Every figure"]
    file = ""
    for check in found:
        if check.file != file:
            file = check.file
            about = described[file]
            lines += ["", f"### {TITLES[about['document']]}, {about['place']}: {about['title']} (`{file}.csv`)", ""]
            lines += ["| row | column | printed | reached | |", "|---|---|--:|--:|---|"]
        lines.append(f"| {_cell(check.row)} | {check.column} | {check.printed} | {check.text} | {check.status} |")
    return lines


def as_csv(found: list[Check]) -> str:
    """Return the same account as data: one row per printed figure."""
    described = {str(entry["file"]).removesuffix(".csv"): entry for entry in tables()}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("document", "place", "file", "row", "column", "printed", "reached", "status", "reason"))
    for check in found:
        about = described[check.file]
        reached = "" if check.reached is None else check.text
        told = (check.row, check.column, check.printed, reached, check.status, check.reason)
        writer.writerow((about["document"], about["place"], f"{check.file}.csv", *told))
    return out.getvalue()


def render(found: list[Check]) -> str:
    """Return the report as Markdown."""
    described = {str(entry["file"]).removesuffix(".csv"): entry for entry in tables()}
    lines = [HEAD, "## Counts by table", "", *_summary(found, described), *_exceptions(found), *_free()]
    return "\n".join([*lines, *_figures(found, described)]) + "\n"
