"""What the files of one Humanity's Sixth Sense log say together: rubrics, attempts, and who judged what.

Tasks, attempts and judge output may lie in one file or in several of one folder. A file is read with what its
neighbours say in mind, in whatever order they are read.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

from analytics.errors import BadLog
from loaders import hss_terms as terms
from loaders.base import Issue
from loaders.objects import SUFFIXES, Record, Stamped, attempt_of, beside, claimed, first_of, keys_in, objects, stamped

LISTS = ("tasks", "attempts", "judgements", "judgments", "judge_output")
Kind = Literal["task", "attempt", "judgement"]
Tried = tuple[str, str, str, int]
"""Benchmark, run, task and attempt."""

Given = dict[str, bool | None]
"""Verdict of one judge by criterion; null where it gave none."""


def claims(path: Path, head: bytes) -> bool:
    """Tell tasks by their rubric, judge output by its judge and criteria, attempts by run, attempt and answer."""
    if path.suffix.lower() not in SUFFIXES or not path.is_file():
        return False
    names = keys_in(path, head)
    if not names & {"task_id", "task"}:
        return False
    judged = {"run", "judge"} <= names and bool(names & {"criteria", "output", "criterion"})
    return (
        {"question", "rubric"} <= names
        or judged
        or ({"run", "attempt"} <= names and bool(names & {"answer", "status"}))
    )


def kind_of(record: Record) -> Kind | None:
    """Return what a record is; None when it is none of the three."""
    if "judge" in record or "criteria" in record or "output" in record:
        return "judgement"
    if "rubric" in record:
        return "task"
    return "attempt" if "run" in record and ("answer" in record or "status" in record) else None


def task_of(record: Record) -> str | None:
    """Return the task that a record is about."""
    return first_of(record, "task_id", "task")


def benchmark_of(record: Record) -> str:
    """Return the benchmark version of a record."""
    return first_of(record, "benchmark") or terms.BENCHMARK


def tried_of(record: Record) -> Tried | None:
    """Return which attempt a record is about; None where it does not say."""
    task, run, attempt = task_of(record), first_of(record, "run"), attempt_of(record)
    return None if task is None or run is None or attempt is None else (benchmark_of(record), run, task, attempt)


def rubric_of(record: Record) -> list[tuple[str, str | None]]:
    """Return (id, words) of each criterion of a task; a list without ids is numbered from 1."""
    rubric = record.get("rubric")
    if isinstance(rubric, str):
        text = rubric.strip()
        rubric = _json(text) if text.startswith(("[", "{")) else [line.strip() for line in text.splitlines()]
    if isinstance(rubric, dict):
        return [(str(name), str(words)) for name, words in rubric.items()]
    found = []
    parts = [part for part in rubric if part] if isinstance(rubric, list) else []
    for number, part in enumerate(parts, start=1):
        if isinstance(part, dict):
            found.append((first_of(part, "id") or str(number), first_of(part, "criterion", "description", "text")))
        else:
            found.append((str(number), str(part)))
    return found


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def output_of(record: Record) -> Record | None:
    """Return the judge's output of a record, which lies in it or in its field `output`; None where it is no object."""
    if "output" not in record:
        if "criterion" in record:  # a row of a table holds one verdict
            one = {"id": record["criterion"]} | {k: record[k] for k in ("met", "justification") if k in record}
            return {"criteria": [one]} | {k: record[k] for k in ("overall_comment",) if k in record}
        return {key: record[key] for key in ("criteria", "overall_comment", "overall comment") if key in record}
    output = _json(record["output"]) if isinstance(record["output"], str) else record["output"]
    return output if isinstance(output, dict) else None


def met_of(part: Record) -> bool | None:
    """Return whether a judge says that a criterion is met; None where it says neither."""
    met = part.get("met")
    if isinstance(met, str):
        return {"true": True, "false": False}.get(met.strip().lower())
    return met if isinstance(met, bool) else None


@dataclass(slots=True)
class Survey:
    """The log as a whole: criteria by task, the attempts recorded, and verdicts by attempt, judge and criterion."""

    rubric: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    attempts: set[Tried] = field(default_factory=set)
    given: dict[Tried, dict[str, Given]] = field(default_factory=dict)
    marked: set[tuple[str, str]] = field(default_factory=set)

    def note(self, record: Record) -> None:
        """Take in one record; what its own reading refuses is passed over."""
        kind, task = kind_of(record), task_of(record)
        if kind == "task" and task is not None:
            self.rubric.setdefault((benchmark_of(record), task), [name for name, _ in rubric_of(record)])
            return
        tried = tried_of(record)
        if tried is None:
            return
        if kind == "attempt":
            self.attempts.add(tried)
        judge = first_of(record, "judge")
        if kind != "judgement" or judge is None:
            return
        if record.get("primary") in (True, "true"):
            self.marked.add((tried[0], judge))
        said = self.given.setdefault(tried, {}).setdefault(judge, {})
        criteria = (output_of(record) or {}).get("criteria")
        for part in criteria if isinstance(criteria, list) else ():
            if isinstance(part, dict) and (name := first_of(part, "id")) is not None:
                said.setdefault(name, met_of(part))

    def primary(self) -> dict[str, str]:
        """Return the judge that gives the credit, by benchmark: the marked one, else who judged most, then by name."""
        counts = Counter((tried[0], judge) for tried, judges in self.given.items() for judge in judges)
        ranked = sorted(counts, key=lambda one: (one not in self.marked, -counts[one], one))
        return dict(reversed(ranked))  # the best of each benchmark comes last and stays

    def passed(self, tried: Tried, judge: str) -> bool | None:
        """Return whether a judge found every criterion met: one that is not settles it, whatever the others are.

        None where all that were judged are met and one has no verdict, or where there are none.
        """
        said = self.given[tried][judge]
        wanted = self.rubric.get((tried[0], tried[2])) or list(said)
        verdicts = [said.get(name) for name in wanted]
        if False in verdicts:
            return False
        return True if verdicts and None not in verdicts else None


def survey(path: Path) -> Survey:
    """Return what a file and its neighbours of this format say together; the same for each of them."""
    return _survey(stamped([path, *(other for other in beside(path) if claimed(other, claims))]))


@lru_cache(maxsize=1)  # each file of a folder asks for the same
def _survey(files: tuple[Stamped, ...]) -> Survey:
    log = Survey()
    for file, _, _ in files:
        with suppress(BadLog):  # a file that cannot be read is reported when its own turn comes
            for _, record in objects(Path(file), Path(file).name, LISTS):
                if not isinstance(record, Issue):
                    log.note(record)
    return log
