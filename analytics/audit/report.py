"""An audit as JSON, as frames, and as the text of the command line."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import polars as pl

from analytics.audit.kind import STATUSES
from analytics.audit.run import Audit, CellCheck, ClaimCheck, summary

SHOWN = ("contradicted", "conditional")
"""Statuses that the text lists one by one."""

CLAIM_TYPES: dict[str, type[pl.DataType]] = {
    "id": pl.String,
    "document": pl.String,
    "place": pl.String,
    "statement": pl.String,
    "status": pl.String,
    "printed": pl.String,
    "recomputed": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "off": pl.Float64,
    "unit": pl.String,
    "n": pl.Int64,
    "kind": pl.String,
    "why": pl.String,
}

CELL_TYPES: dict[str, type[pl.DataType]] = {
    "document": pl.String,
    "file": pl.String,
    "place": pl.String,
    "row": pl.String,
    "column": pl.String,
    "check": pl.String,
    "kind": pl.String,
    "role": pl.String,
    "status": pl.String,
    "printed": pl.String,
    "recomputed": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "off": pl.Float64,
    "why": pl.String,
}


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def claim_row(claim: ClaimCheck) -> dict[str, Any]:
    """Return one claim as a row; numbers in the printed unit, null where a claim has no single number."""
    record, verdict = claim.record, claim.verdict
    n = record.get("n")
    return {
        "id": str(record["id"]),
        "document": str(record.get("document", "")),
        "place": str(record.get("place", "")),
        "statement": str(record.get("statement", "")),
        "status": verdict.status,
        "printed": str(record.get("printed", record.get("number", ""))),
        "recomputed": _number(verdict.recomputed),
        "low": _number(verdict.low),
        "high": _number(verdict.high),
        "off": _number(verdict.off),
        "unit": str(record.get("unit", "")),
        "n": int(n) if isinstance(n, (int, float)) else None,
        "kind": str(record["kind"]),
        "why": verdict.why,
    }


def cell_row(cell: CellCheck, found: Audit) -> dict[str, Any]:
    """Return one cell in one check as a row.

    `low` and `high` are what the check gives for a target; null for a cell that the check rests on.
    """
    verdict = cell.verdict
    is_target = cell.role == "target"
    return {
        "document": cell.document,
        "file": cell.place.file,
        "place": found.folder.table(cell.place.file).place,
        "row": cell.place.row,
        "column": cell.place.column,
        "check": cell.check,
        "kind": cell.kind,
        "role": cell.role,
        "status": cell.status,
        "printed": cell.printed,
        "recomputed": _number(verdict.recomputed) if is_target else None,
        "low": _number(verdict.low) if is_target else None,
        "high": _number(verdict.high) if is_target else None,
        "off": _number(verdict.off) if is_target else None,
        "why": cell.why,
    }


def claims_frame(found: Audit) -> pl.DataFrame:
    """Return the claims, one row each, in the order of their records."""
    return pl.DataFrame([claim_row(claim) for claim in found.claims], schema=CLAIM_TYPES)


def cells_frame(found: Audit) -> pl.DataFrame:
    """Return the cells, one row per printed cell and check that it takes part in."""
    return pl.DataFrame([cell_row(cell, found) for cell in found.cells], schema=CELL_TYPES)


CLAIM_KEYS = ("id", "document", "status", "printed", "recomputed", "low", "high", "why")
CELL_KEYS = ("file", "row", "column", "check", "status", "printed", "low", "high", "why")


def to_json(found: Audit) -> str:
    """Return claims, cells and summary as JSON; numbers unrounded, what is undefined as null."""
    claims = [claim_row(claim) for claim in found.claims]
    cells = [cell_row(cell, found) for cell in found.cells]
    whole = {
        "claims": [{key: row[key] for key in CLAIM_KEYS} for row in claims],
        "cells": [{key: row[key] for key in CELL_KEYS} for row in cells],
        "summary": summary(found),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def to_text(found: Audit) -> str:
    """Return what does not hold as printed, one paragraph each, then the counts and the closing line."""
    said = summary(found)
    lines: list[str] = []
    for status in SHOWN:
        claims = [c for c in found.claims if c.verdict.status == status]
        checks = [c for c in found.checks if c.verdict.status == status]
        if claims or checks:
            lines += [f"{status.upper()}", ""]
        for claim in claims:
            record = claim.record
            where = f"{record.get('document', '')}, {record.get('place', '')}".strip(", ")
            lines += [f"claim {record['id']} ({where}): {record.get('statement', '')}"]
            lines += [f"    printed {record.get('printed', record.get('number', ''))}; {claim.verdict.why}", ""]
        for check in checks:
            about = check.verdict.subject or check.target
            target = about[0] if about else None
            place = target.places[0] if target is not None and target.places else None
            name = (
                f"{place.file}: {place.row}: {place.column}"
                if place
                else f"{check.record.get('file', '')}: {check.row}"
            )
            lines += [f"table {name} [{check.record.get('id', '')}]"]
            lines += [f"    printed {target.text if target else ''}; {check.verdict.why}", ""]
    if not found.checks and not found.claims:
        lines += ["Nothing to check: say in identities.toml beside the tables what they must obey, or name claims."]
    unread = [c for c in found.checks if "a check that can be read" in c.verdict.why]
    lines += [f"cannot be read: {c.record.get('id', '')} {c.row}: {c.verdict.why}" for c in unread[:20]]
    lines += [f"note: {fault}" for fault in said["faults"]]
    lines += [f"left out: {n} {what}" for what, n in said["left_out"].items()]
    lines += _counts(said)
    return "\n".join([*lines, closing(said), ""])


def _counts(said: dict[str, Any]) -> list[str]:
    """Return the table of counts: claims by document, claims, checks of tables."""
    width = max(len(status) for status in STATUSES) + 2
    head = " " * 24 + "".join(status.rjust(width) for status in STATUSES)
    rows = [(f"claims, {name or 'no document'}", counts) for name, counts in said["claims_by_document"].items()]
    rows += [("claims", said["claims"]), ("checks of tables", said["checks"])]
    body = [name[:24].ljust(24) + "".join(str(counts[s]).rjust(width) for s in STATUSES) for name, counts in rows]
    examined = f"{said['printed_cells_examined']} printed cells take part in the checks."
    return ["", head, *body, examined, ""]


def closing(said: dict[str, Any]) -> str:
    """Return the last line: whether rows give the printed table values, and how many."""
    replay = said["replay"]
    if replay["verdict"] == "NONE":
        asked = replay["values"]
        return (
            f"NO REPLAY: no loaded rows answer for the {asked} printed table values that name them."
            if asked
            else ("NO REPLAY: no table names rows that it can be recomputed from.")
        )
    count = f"{replay['agree']} of {replay['values']} printed table values recomputed from rows"
    if replay["by_construction"]:
        count += f"; {replay['by_construction']} from reconstructed rows, which agree by construction and prove nothing"
    return f"{replay['verdict']}: {count}."
