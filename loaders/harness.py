"""What lm-evaluation-harness and lmms-eval have in common: metrics as keys of a row, tasks in groups, results files.

Neither writes the model's name or the time of the run into the samples: they stand in the folder, the file's name and
the results file beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analytics.errors import BadLog
from loaders.gather import Gather
from loaders.json_text import load, number_or_none, text_or_none

PREFERRED = ("exact_match", "acc", "em", "accuracy", "correct", "pass@1", "score", "acc_norm")
"""Metrics that are the credit, the first found first; else the first metric with one number from 0 to 1 per row."""

CATEGORIES = ("category", "subject", "topic", "domain", "dimension", "task_type", "skill")
LETTER = re.compile(r"\(?([A-Z])\)?[.:]?")
OPTION = re.compile(r"^\s*\(?([A-Z])[.):]\s*(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of one row: its number, or why there is none."""

    number: float | None
    label: str | None
    infinite: bool = False


def metric_of(value: object) -> Metric:
    """Return a metric's value: a number, the `score` of an object, or a label for what is no single number."""
    if isinstance(value, bool):
        return Metric(float(value), None)
    if isinstance(value, dict):
        return metric_of(value["score"]) if "score" in value else Metric(None, text_or_none(value))
    if isinstance(value, float) and number_or_none(value) is None:
        return Metric(None, str(value), infinite=True)
    found = number_or_none(value)
    return Metric(found, None if found is not None else text_or_none(value))


@dataclass(frozen=True, slots=True)
class Scale:
    """Which metric gives the credit of a file, and which are on scales of their own."""

    credit: str | None
    off: frozenset[str]


def scale_of(rows: Iterable[Mapping[str, object]]) -> Scale:
    """Return the scale of all the rows: a metric that leaves 0 to 1 anywhere is no credit anywhere."""
    single: dict[str, bool] = {}
    off: set[str] = set()
    for row in rows:
        for name, value in row.items():
            found = metric_of(value)
            single[name] = single.get(name, True) and (found.number is not None or found.infinite)
            if found.infinite or (found.number is not None and not 0 <= found.number <= 1):
                off.add(name)
    usable = [name for name, alone in single.items() if alone and name not in off]
    preferred = [name for name in PREFERRED if name in usable]
    return Scale(next(iter(preferred + usable), None), frozenset(off))


@dataclass(frozen=True, slots=True)
class Task:
    """Where a file of samples belongs: its benchmark (the outermost group of its task), model and time."""

    name: str
    benchmark: str
    group: str | None
    model: str
    time: str | None
    settings: dict[str, Any]

    def item_id(self, doc: object) -> str:
        """The item: its document, under its task when the benchmark is a group of tasks."""
        return f"{doc}" if self.benchmark == self.name else f"{self.name}/{doc}"

    def run_id(self, prefix: str, condition: str | None) -> str:
        """The run: benchmark, model, time and what was varied."""
        parts = (prefix, self.benchmark, self.model, self.time, condition)
        return "/".join(part for part in parts if part)


def task_of(path: Path, name: str, time: str | None, results: Path | None) -> Task:
    """Return the task of a file from its name and the results file beside it, where there is one.

    A results file that cannot be read costs no samples: the folder's name is the model's then.
    """
    told: dict[str, Any] = {}
    if results is not None and results.is_file():
        try:
            whole = load(results, results.name)
        except BadLog:
            whole = None
        told = whole if isinstance(whole, dict) else {}
    groups = told.get("group_subtasks")
    groups = {str(g): s for g, s in groups.items() if isinstance(s, list)} if isinstance(groups, dict) else {}
    config = told.get("config")
    model = told.get("model_name") or path.resolve().parent.name.replace("__", "/")
    inner = _parent(name, groups)
    outer = inner
    for _ in groups:  # no more steps than there are groups: a circle ends
        above = _parent(outer, groups) if outer is not None else None
        if above is None:
            break
        outer = above
    settings = {
        key: value
        for key, value in (config.items() if isinstance(config, dict) else ())
        if key in ("model", "model_args", "batch_size", "limit", "gen_kwargs", "random_seed")
    }
    for key in ("git_hash", "date", "lm_eval_version", "transformers_version"):
        if told.get(key) is not None:
            settings[key] = told[key]
    return Task(name, outer or name, inner if inner != outer else None, str(model), time, settings)


def _parent(name: str | None, groups: Mapping[str, Sequence[object]]) -> str | None:
    return next((group for group, tasks in groups.items() if name in tasks and group != name), None)


def letter_of(text: object) -> str | None:
    """Return a bare option letter, in brackets or with a full stop; None for anything else."""
    found = LETTER.fullmatch(text.strip()) if isinstance(text, str) else None
    return found.group(1) if found else None


def options_in(prompt: str) -> list[str] | None:
    """Return the options that a prompt lists on lines of their own, A, B, C ... without a gap; None below two."""
    found: list[str] = []
    for letter, text in OPTION.findall(prompt):
        if letter == chr(ord("A") + len(found)):
            found.append(text.strip())
        elif letter == "A":
            found = [text.strip()]
    return found if len(found) > 1 else None


def category_of(doc: object) -> str | None:
    """Return the first of a document's CATEGORIES that is a word."""
    if not isinstance(doc, dict):
        return None
    lower = {str(key).lower(): value for key, value in doc.items()}
    return next((lower[key] for key in CATEGORIES if isinstance(lower.get(key), str) and lower[key]), None)


def add_verdicts(
    rows: Gather, metrics: Mapping[str, object], scale: Scale, *, judge: str, line: int, **key: object
) -> float | None:
    """Add one verdict per metric of a row; return the credit, None where the file's scale gives none."""
    credit = None
    for name, value in metrics.items():
        found = metric_of(value)
        if found.infinite:
            message = f"{name} is {found.label}, which is no number; the row has no value of it. A mean would be lost."
            rows.doubt("not_finite", message, line=line, column=name, excerpt=found.label)
        elif name in scale.off:
            message = f"{name} leaves 0 to 1 in this file: its numbers are verdicts on their own scale, not credits."
            rows.doubt("score_off_scale", message, line=line, column=name, excerpt=value)
        if name == scale.credit:
            credit = found.number
        rows.add(
            "verdicts",
            **key,
            judge_id=judge,
            criterion=name,
            on_judge="",
            met=found.number == 1 if found.number in (0, 1) and name not in scale.off else None,
            label=found.label,
            score=found.number,
            status="judge_failed" if found.infinite else "ok",
        )
    return credit
