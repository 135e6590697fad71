"""Humanity's Sixth Sense: tasks with their rubric, attempts, and judge output in the fields of appendix C.6.

An attempt is correct when the judge found every criterion met; one that is not met settles it as not passed. Of
several judges the one marked `primary` gives the credit, else the one who judged most; the others give their verdicts.
A judge whose output leaves it open is a grading failure and no zero.
Format: docs/formats.md; source: arXiv:2610.08966v2, sections C.3, C.4 and C.6.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from analytics.errors import listing
from analytics.schema import FAILED
from loaders import hss_terms as terms
from loaders.base import Batch, Found, Issue, Reader, Source
from loaders.gather import Gather
from loaders.hss_judged import verdicts_of
from loaders.hss_survey import (
    LISTS,
    Survey,
    Tried,
    benchmark_of,
    claims,
    kind_of,
    survey,
    tried_of,
)
from loaders.hss_tasks import add_task
from loaders.objects import Record, count_of, first_of, lacking, number_of, objects, refuse
from loaders.psycheme_terms import KIND, STATUS
from loaders.records import plain

RUN_WORDS = ("model", "vendor", "access", "regime", "condition")


@dataclass(slots=True)
class _File:
    """What the records of one file share. Each gatherer counts the records of its own kind."""

    log: Survey
    primary: dict[str, str]
    tasks: Gather = field(default_factory=lambda: Gather("items"))
    attempts: Gather = field(default_factory=lambda: Gather("responses"))
    judged: Gather = field(default_factory=lambda: Gather("verdicts"))
    benchmarks: dict[str, None] = field(default_factory=dict)
    items: dict[tuple[str, str], None] = field(default_factory=dict)
    runs: dict[str, dict[str, object]] = field(default_factory=dict)
    judges: dict[str, dict[str, object]] = field(default_factory=dict)
    answered: dict[Tried, int] = field(default_factory=dict)
    described: set[tuple[str, str]] = field(default_factory=set)
    judgements: set[tuple[Tried, str, str]] = field(default_factory=set)

    def batches(self) -> Iterator[Batch]:
        for rows in (self.tasks, self.attempts, self.judged):
            yield from rows.batches()


def read(source: Source) -> Iterator[Found]:
    """Yield items and criteria of tasks, responses of attempts, and verdicts of judge output.

    Raises BadLog when the file as a whole cannot be read.
    """
    log = survey(source.path)
    file = _File(log, log.primary())
    takes = {"task": _task, "attempt": _attempt, "judgement": _judgement}
    for line, record in objects(source.path, source.name, LISTS):
        if isinstance(record, Issue):
            yield record
            continue
        kind = kind_of(record)
        if kind is None:
            message = (
                "The record is no task (with `rubric`), no attempt (with `run` and `answer` or `status`) and no judge "
                f"output (with `judge` and `criteria`). It has: {listing(record)}."
            )
            yield refuse("unknown_record", message, line, None, record)
            continue
        file.benchmarks[benchmark_of(record)] = None
        yield from takes[kind](file, record, line)
        if file.attempts.full() or file.judged.full():
            yield from file.batches()
    _describe(file)
    yield from file.batches()
    for rows in (file.tasks, file.attempts, file.judged):
        yield from rows.issues()
    yield from _several_judges(file)


def _task(file: _File, record: Record, line: int) -> Iterator[Issue]:
    """Add one task, or say why it is refused."""
    fault = add_task(file.tasks, file.described, record, line)
    if fault is not None:
        yield fault


def _attempt(file: _File, record: Record, line: int) -> Iterator[Issue]:
    """Add the response of one attempt, its credit by the primary judge, and the cause of its failure where given."""
    fault = lacking(record, line, ("task_id", "task"), ("run",))
    tried = tried_of(record)
    if fault is None and tried is None:
        fault = refuse("wrong_type", "attempt must be a whole number from 1.", line, "attempt", record)
    if fault is None and tried in file.answered:
        message = f"Attempt {record.get('attempt', 1)} was on line {file.answered[tried]} already; the first is kept."
        fault = refuse("duplicate_key", message, line, "attempt", record)
    if fault is not None or tried is None:
        yield fault if fault is not None else refuse("required", "The record names no attempt.", line, None, record)
        return
    file.answered[tried] = line
    rows, answer = file.attempts, first_of(record, "answer")
    said = first_of(record, "status")
    logged = STATUS.get(plain(said), said) if said else ("ok" if answer else "missing")
    status, credit = _outcome(file, tried, logged, line)
    key = _key(file, tried)
    _about_run(file, tried, record, line)
    rows.add(
        "responses",
        **key,
        answer=answer,
        response=first_of(record, "response"),
        rationale=first_of(record, "rationale"),
        credit=credit,
        confidence=number_of(rows, record, "confidence", line=line),
        **{name: count_of(rows, record, name, line=line) for name in ("input_tokens", "output_tokens", "steps")},
        seconds=number_of(rows, record, "seconds", line=line),
        status=status,
        status_note=first_of(record, "status_note", "error"),
        line=line,
    )
    failure = record.get("failure")
    if isinstance(failure, dict) and (cause := first_of(failure, "cause")):
        labeller = first_of(failure, "labeller") or "unnamed labeller"
        named = {name: first_of(failure, name) for name in ("family", "note")}
        rows.add("failure_labels", **key, labeller=labeller, cause=plain(cause), **named)


def _key(file: _File, tried: Tried) -> dict[str, object]:
    """Return the key of a response, and remember its item: also one that no task describes is in the population."""
    benchmark, run, task, attempt = tried
    file.items[benchmark, task] = None
    return {"run_id": run_id(benchmark, run), "item_id": task, "attempt": attempt}


def run_id(benchmark: str, run: str) -> str:
    """Return a run's name in the store."""
    return run if run.startswith(f"{benchmark}/") else f"{benchmark}/{run}"


def _outcome(file: _File, tried: Tried, status: str, line: int) -> tuple[str, float | None]:
    """Return status and credit of an attempt, by the verdicts of the primary judge."""
    rows, judges, primary = file.attempts, file.log.given.get(tried, {}), file.primary.get(tried[0])
    if status in FAILED or status in ("judge_failed", "not_applicable"):
        if status in FAILED and primary in judges and file.log.passed(tried, primary):
            message = (
                f"The attempt has the status {status} and yet was judged right; it earns nothing. Check the status."
            )
            rows.doubt("credit_of_failed_attempt", message, line=line, column="status", excerpt=tried)
        return status, None
    if primary is None or primary not in judges:
        if status == "invalid_format":
            return status, 0.0
        who = f"by {primary}, whose verdicts give the credit" if primary else "in this file or beside it"
        rows.doubt("no_verdict", f"No verdict on the attempt {who}; it counts as unjudged, not as wrong.", line=line)
        return status, None
    passed = file.log.passed(tried, primary)
    if passed is not None:
        return status, float(passed)
    if all(file.log.passed(tried, judge) is None for judge in judges):
        return "judge_failed", None
    message = f"{primary}, whose verdicts give the credit, failed on an attempt that another judge graded."
    rows.doubt("primary_judge_failed", message, line=line, column="criteria", excerpt=tried)
    return status, None  # with another judge's verdicts the attempt counts


def _about_run(file: _File, tried: Tried, record: Record, line: int) -> None:
    """Remember what an attempt says of its run: of each field the first word; another one later is doubted."""
    told = file.runs.setdefault(run_id(tried[0], tried[1]), {"benchmark": tried[0], "name": tried[1]})
    kind = first_of(record, "kind")
    words: dict[str, object] = {name: first_of(record, name) for name in RUN_WORDS}
    words["kind"] = KIND.get(plain(kind), kind) if kind else None
    settings = record.get("settings")
    held = dict(settings) if isinstance(settings, dict) else {}
    held |= {"effort": record["effort"]} if first_of(record, "effort") else {}
    words["settings"] = json.dumps(held, ensure_ascii=False, sort_keys=True) if held else None
    for name, word in words.items():
        if word is not None and told.setdefault(name, word) != word:
            message = f"{name} is '{word}' and was '{told[name]}' in an earlier record of the run; the first is kept."
            file.attempts.doubt("conflicting_rows", message, line=line, column=name, excerpt=tried[1])


def _judgement(file: _File, record: Record, line: int) -> Iterator[Issue]:
    """Add the verdicts of one judge on one attempt, and the attempt itself where no record of it is at hand."""
    fault = lacking(record, line, ("task_id", "task"), ("run",), ("judge",))
    tried = tried_of(record)
    if fault is None and tried is None:
        fault = refuse("wrong_type", "attempt must be a whole number from 1.", line, "attempt", record)
    if fault is not None or tried is None:
        yield fault if fault is not None else refuse("required", "The record names no attempt.", line, None, record)
        return
    judge = first_of(record, "judge") or ""
    key = _key(file, tried) | {"judge_id": judge, "on_judge": ""}
    told = file.judges.setdefault(judge, {"kind": "model"})
    told |= {name: word for name in ("kind", "vendor", "version") if (word := first_of(record, f"judge_{name}"))}
    rubric = file.log.rubric.get((tried[0], tried[2]))
    for found in verdicts_of(file.judged, record, rubric, line=line):
        if isinstance(found, Issue):
            yield found
            continue
        unit = (tried, judge, str(found["criterion"]))
        if unit in file.judgements:
            message = (
                f"{judge} judged criterion {found['criterion']} of this attempt before; the first verdict is kept."
            )
            yield refuse("duplicate_key", message, line, "judge", record)
            continue
        file.judgements.add(unit)
        file.judged.add("verdicts", **key, **found)
    if tried not in file.log.attempts and tried not in file.answered and judge == file.primary.get(tried[0]):
        file.answered[tried] = line
        passed = file.log.passed(tried, judge)
        status, credit = ("judge_failed", None) if passed is None else ("ok", float(passed))
        file.runs.setdefault(run_id(tried[0], tried[1]), {"benchmark": tried[0], "name": tried[1]})
        rows = file.judged
        rows.add("responses", **_key(file, tried), credit=credit, status=status, line=line)
        rows.doubt(
            "no_attempt", "The judged attempt has no record of its own: its answer is not in the log.", line=line
        )


def _several_judges(file: _File) -> Iterator[Issue]:
    """Say whose verdicts give the credit of a benchmark where more than one judge graded."""
    for benchmark in dict.fromkeys(tried[0] for tried in file.answered):
        judges = sorted({judge for tried, found in file.log.given.items() if tried[0] == benchmark for judge in found})
        if len(judges) > 1:
            primary = file.primary[benchmark]
            marked = (benchmark, primary) in file.log.marked
            why = "marked primary" if marked else "who judged most, then the first by name"
            message = f"The credit follows {primary} ({why}) of the judges {listing(judges)}; another rule is a policy."
            yield Issue("several_judges", "note", message, records=0)


def _describe(file: _File) -> None:
    """Add benchmarks, runs, judges, and items that no task at hand describes."""
    for benchmark in file.benchmarks:
        file.tasks.add(
            "benchmarks",
            benchmark=benchmark,
            title="Humanity's Sixth Sense" if benchmark == terms.BENCHMARK else benchmark,
            missing_policy="exclude",
            raw_means="pass@1: every criterion met, mean over usable attempts, then over tasks",
            slice_name="domain",
            headline="micro",
        )
    for benchmark, task in file.items:
        if (benchmark, task) not in file.log.rubric:
            file.attempts.add("items", benchmark=benchmark, item_id=task, answer_type="open", reference_known=True)
            file.attempts.doubt(
                "unknown_task", f"No task {task} in this file or beside it: it has no text and no domain."
            )
    for name, told in file.runs.items():
        own = {key: value for key, value in told.items() if key != "name"}
        file.attempts.add("runs", **{"run_id": name, "model": told["name"], "kind": "model", "complete": True} | own)
    for judge, told in file.judges.items():
        file.judged.add("judges", judge_id=judge, **told)


READER = Reader(
    name="hss",
    version="1",
    title="Humanity's Sixth Sense tasks, attempts and judge output",
    unit="file",
    fields=terms.FIELDS,
    claims=claims,
    read=read,
    looks_beside=True,
)
