"""Turn outcomes into attempts: which attempt passes, tokens, steps, criterion verdicts."""

from __future__ import annotations

from statistics import median
from typing import Any

from logs.generate.place import pick, unit

JUDGE = "Claude-Opus-5"
PATTERNS = {  # outcome -> possible results of three attempts; . is an attempt without an answer
    "3": ("111",),
    "2+": ("110", "101"),
    "2-": ("011",),
    "1+": ("100",),
    "1-": ("010", "001"),
    "0": ("000",),
    "h+": ("10.",),
    "h-": ("01.",),
    "x": ("...",),
}


def attempts(run: str, item: str, outcome: str) -> list[dict[str, Any]]:
    """Return the three attempts of a run at a task."""
    options = PATTERNS[outcome]
    pattern = pick(options, [1.0] * len(options), "pattern", run, item)
    return [attempt(run, item, k, result) for k, result in enumerate(pattern, start=1)]


def attempt(run: str, item: str, number: int, result: str) -> dict[str, Any]:
    """Return one attempt: 1 passes, 0 fails, . brought no answer."""
    row: dict[str, Any] = {"run_id": run, "item_id": item, "attempt": number}
    if result == ".":
        return row | {"status": "error", "status_note": "no usable answer"}
    return row | {"credit": float(result), "status": "ok"}


def add_tokens(rows: list[dict[str, Any]], mean: int) -> None:
    """Give the usable attempts of one run token counts whose mean is the integer printed."""
    usable = [row for row in rows if row["status"] != "error"]
    for row in usable:
        share = unit("tokens", row["run_id"], row["item_id"], row["attempt"])
        row["output_tokens"] = int(mean * (0.25 + 1.5 * share * share + 0.5 * share))
    missing = mean * len(usable) - sum(row["output_tokens"] for row in usable)
    step, rest = divmod(missing, len(usable))
    for position, row in enumerate(usable):
        row["output_tokens"] += step + (position < rest)


def _spread(n: int, middle: int, low: float) -> list[int]:
    """Return n step counts whose median is the one printed, with a long upper tail."""
    out = []
    for rank in range(n):
        place = (rank - (n - 1) / 2) / (n / 2)
        factor = 1 + low * place if place < 0 else 1 + 0.4 * place + 1.2 * place * place
        out.append(max(1, round(middle * factor)))
    return out


def add_steps(rows: list[dict[str, Any]], *, overall: int, solved: int, failed: int) -> None:
    """Give the rows of an agent run steps whose medians, overall and by outcome, are those printed.

    Raises
    ------
    ValueError
        When no spread meets the three medians.
    """
    groups = {1.0: solved, 0.0: failed}
    parts = {credit: [row for row in rows if row["credit"] == credit] for credit in groups}
    for lows in ((a / 50, b / 50) for a in range(1, 45) for b in range(1, 45)):
        values = {c: _spread(len(parts[c]), groups[c], low) for c, low in zip(groups, lows, strict=True)}
        if median(values[1.0] + values[0.0]) == overall and all(median(values[c]) == groups[c] for c in groups):
            break
    else:
        raise ValueError(f"no spread of steps has medians {overall}, {solved}, {failed}")
    for credit, part in parts.items():
        order = sorted(part, key=lambda row: unit("steps", row["run_id"], row["item_id"]))
        for row, value in zip(order, values[credit], strict=True):
            row["steps"] = value


def verdict_rows(rows: list[dict[str, Any]], criteria: dict[str, int]) -> list[dict[str, Any]]:
    """Return the judge's verdict on every criterion of every answered attempt.

    A passed attempt meets all; a failed one misses at least one, and how many more is a filling rule.
    """
    out: list[dict[str, Any]] = []
    for row in rows:
        if row["status"] == "error":
            continue
        n = criteria[row["item_id"]]
        key = (row["run_id"], row["item_id"], row["attempt"])
        from_here = 1 + int(unit("missed", *key) * n)  # this criterion and later ones are missed
        for k in range(1, n + 1):
            met = bool(row["credit"]) or (k < from_here and unit("criterion", *key, k) < 0.7)
            out.append(
                {
                    "run_id": row["run_id"],
                    "item_id": row["item_id"],
                    "attempt": row["attempt"],
                    "judge_id": JUDGE,
                    "criterion": str(k),
                    "on_judge": "",
                    "met": met,
                    "status": "ok",
                }
            )
    return out
