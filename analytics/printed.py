"""Printed: the score that a paper prints for a run, beside the one that the rows give."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from analytics.leaderboard import leaderboard
from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

CONTRACT = Path(__file__).resolve().parent.parent / "logs" / "published" / "figures.toml"
NEEDS = "published figures of a benchmark whose runs are loaded"
ABOUT_RUNS = ("run", "model", "vendor", "access", "kind", "regime", "condition", "provenance")

FIGURES = """
SELECT document, file, place, row_key, column_name, printed, value, decimals
FROM figures WHERE file = ANY($files) AND unit = 'percent'
"""

Entry = Mapping[str, Any]
Key = tuple[str, str]


@cache
def boards() -> tuple[Entry, ...]:
    """Return the published tables that are leaderboards, as logs/published/figures.toml describes them."""
    described = tomllib.loads(CONTRACT.read_text(encoding="utf-8"))["table"]
    return tuple(entry for entry in described if "leaderboard" in entry)


def printed(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Return the printed scores of main runs beside those that the rows give for the same slice.

    One row per run and measure (raw or verified) of which a published leaderboard prints the score of this very slice:
    the whole benchmark, one capability, or one media type. `score` is a proportion, `printed` the text as printed, in
    per cent; `agrees` tells whether the score rounds to it, half up or half to even. Runs whose score is printed
    nowhere are counted. Under another policy than the declared one nothing is compared. Raises EmptySlice where
    nothing is.
    """
    choices = {name: values for name, values in chosen.choices if name not in (*ABOUT_RUNS, "benchmark")}
    if policy.to_params() or len(choices) > 1 or any(len(values) != 1 for values in choices.values()):
        raise empty(chosen, needs=NEEDS)
    part = next(iter((name, values[0]) for name, values in choices.items()), None)
    held = frame(cursor, FIGURES, {"files": [entry["file"] for entry in boards()]})
    cells = {(r["file"], r["row_key"], r["column_name"]): r for r in held.iter_rows(named=True)}
    board = leaderboard(cursor, chosen, policy, by="raw", average="declared", level=0.95, resamples=20, seed=1).table
    main = board.filter(((pl.col("condition") == "none") | (pl.col("kind") == "control")) & (pl.col("scope") == "none"))
    rows: list[dict[str, object]] = []
    for run in main.iter_rows(named=True):
        for entry in boards():
            if entry["document"] == run["benchmark"]:
                rows += _beside(entry, run, part, cells)
    if not rows:
        raise empty(chosen, needs=NEEDS)
    silent = main.height - len({row["run"] for row in rows})
    return Answer(table_of(rows, COLUMNS), "rounding of the rows' mean", {"runs whose score is not printed": silent})


def _beside(
    entry: Entry, run: Mapping[str, Any], part: Key | None, cells: Mapping[tuple[str, str, str], Mapping[str, Any]]
) -> Iterator[dict[str, object]]:
    """Yield the printed scores of one run in one published table."""
    name = _name(entry, run)
    for column, measure, where in _columns(entry["leaderboard"], part):
        key = " / ".join(where.get(key, name) for key in entry["keys"])
        cell = cells.get((entry["file"], key, column))
        if cell is None or cell["value"] is None or run[measure] is None:
            continue
        half = 0.5 * 10.0 ** -cell["decimals"]
        yield {
            "benchmark": run["benchmark"],
            "run": run["run"],
            "model": run["model"],
            "kind": run["kind"],
            "measure": measure,
            "score": run[measure],
            "printed": cell["printed"],
            "agrees": abs(100 * run[measure] - cell["value"]) <= half + 1e-9,
            "provenance": run["provenance"],
            "place": cell["place"],
            "file": cell["file"],
            "row": key,
            "column": column,
        }


def _name(entry: Entry, run: Mapping[str, Any]) -> str:
    """Return what the table calls a run: people and controls have rows of their own."""
    own = entry["leaderboard"].get(run["kind"], [])
    return str(own[0]) if len(own) == 1 else str(run["model"])


def _columns(told: Entry, part: Key | None) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield (column, measure, further keys of the row) of the figures that are about one part of the benchmark."""
    by_row = told.get("capability_column")
    if part is None:
        yield from () if by_row else ((column, measure, {}) for column, measure in told["metrics"].items())
    elif by_row:
        if part[0] == "capability":
            yield from ((column, measure, {by_row: part[1]}) for column, measure in told["metrics"].items())
    else:
        columns = told.get({"capability": "capabilities", "media_type": "media"}.get(part[0], ""), {})
        measure = told.get("capability_metric", "raw")
        yield from ((column, measure, {}) for column, value in columns.items() if value == part[1])


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("measure", "text", "raw or verified"),
    Result("score", "proportion", "what the rows give"),
    Result("printed", "text", "what the paper prints, in per cent"),
    Result("agrees", "boolean", "whether the score rounds to the printed one"),
    Result("provenance", "text", "where the rows come from"),
    Result("place", "text", "table of the paper"),
    Result("file", "text", "CSV that holds it"),
    Result("row", "text", "row of the table"),
    Result("column", "text", "column of the table"),
)

QUESTION = Question(
    name="printed",
    title="Printed scores",
    asks="Which score does the paper print for each run, and do the rows give it?",
    source="the papers' tables, as logs/published holds them, beside means of the rows",
    needs=NEEDS,
    options=(),
    columns=COLUMNS,
    ask=printed,
)
