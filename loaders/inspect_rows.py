"""From the samples of one Inspect run to rows: items, responses, verdicts, and the run itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from analytics.errors import BadLog
from loaders.base import Found, Issue, shorten
from loaders.gather import Gather
from loaders.inspect_outcome import answer_in, status_of, tokens_of
from loaders.inspect_parts import (
    TWO_WAY,
    Sample,
    Scored,
    answer_of,
    answer_type_of,
    media_of,
    prompt_of,
    reference_of,
    resolved,
)
from loaders.inspect_run import Population, benchmark_of, population_of, run_id_of, run_row
from loaders.inspect_scores import Judge, Scale, Value, judge_of, scale_of, values_of
from loaders.json_text import number_or_none

CAPABILITY = ("category", "subject", "topic", "capability", "domain", "dimension", "task_type", "skill", "subtask")
"""Keys of a sample's metadata that are its capability, the first found first; a list of them makes tags."""
SUBCAPABILITY = ("subcategory", "sub_category", "subtopic", "subdomain")
TIER = ("difficulty", "level", "tier")

NOTE = (
    "Samples with an error or without a score count as zero credit here, so that a broken run does not look better; "
    "Inspect's own metrics leave them out: the missing policy 'exclude' shows those. "
    "A run meant for a part of the dataset is measured on that part."
)


@dataclass(frozen=True, slots=True)
class Record:
    """One sample in its place, or in `sample` why it cannot be read; `summary`: only its short record exists."""

    line: int
    place: str
    sample: Sample | str
    summary: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """One log as its container gives it; `scored` and `records` start over at every call."""

    name: str
    spec: Mapping[str, Any]
    status: str
    version: object
    results: object
    scored: Callable[[], Iterator[Scored]]
    records: Callable[[], Iterator[Record]]


@dataclass(slots=True)
class _Run:
    """What the rows of one run share, and what was seen so far."""

    read: Read
    run_id: str
    scale: Scale
    rows: Gather
    benchmark: str = ""
    judges: dict[str, Judge] = field(default_factory=dict)
    items: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    keys: dict[str, None] = field(default_factory=dict)
    kept: int = 0
    scores: int = 0


def rows_of(read: Read) -> Iterator[Found]:
    """Yield batches and issues of one run; raises BadLog when it has no id or no samples."""
    run_id = run_id_of(read.spec)
    if run_id is None:
        raise BadLog(f"{read.name} has neither eval.eval_id nor eval.run_id with eval.task_id: its run is not known.")
    scored = list(read.scored())
    run = _Run(read, run_id, scale_of(_named(read), (row.scores for row in scored)), Gather("responses"))
    for record in read.records():
        if isinstance(record.sample, str):
            message = f"{shorten(record.place, most=80)} cannot be read: {record.sample}. Copy or export the log again."
            yield Issue("broken_sample", "refused", message, line=record.line)
            continue
        if not run.benchmark:
            run.benchmark = benchmark_of(read.spec, record.sample)
        _take(run, record, record.sample)
        if run.rows.full():
            yield from run.rows.batches()
    if not run.kept:
        raise BadLog(
            f"{read.name} holds no sample that can be read"
            f" (status {read.status}). Run it with log_samples on, or leave it out."
        )
    complete = read.status == "success"
    population = population_of(read.spec, [str(row.id) for row in scored], complete=complete)
    _describe(run, population, complete=complete)
    yield from run.rows.batches()
    yield from run.rows.issues()
    yield from _doubts(run, population, complete=complete)


def _named(read: Read) -> list[str]:
    """Return the scorers in the order that the log names them."""
    entries = read.spec.get("scorers")
    return [str(e.get("name")) for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []


def _take(run: _Run, record: Record, sample: Sample) -> None:
    """Add the rows of one sample."""
    item_id = str(sample.id)
    lettered = reference_of(sample.target, choice=True)
    choice = answer_type_of(sample, lettered) != "open"
    reference = lettered if choice else reference_of(sample.target, choice=False)
    if item_id not in run.items:
        _add_item(run, item_id, sample, reference)
    response, reasoning, stop = answer_of(sample)
    scores = sample.scores or {}
    primary = run.scale.primary if run.scale.primary in scores else None
    value = values_of(scores[primary])["answer"] if primary is not None else None
    score = scores.get(primary) if primary is not None else None
    answer, unparsed, odd = answer_in(score, choice=choice, reference=reference)
    if odd:
        message = "scores.answer is no option of the item; the answer is left empty and casts no vote."
        run.rows.doubt("answer_no_option", message, line=record.line, column="scores.answer", excerpt=score)
    status, note = status_of(sample, value, unparsed=unparsed, response=response, stop=stop)
    if record.summary:
        note = "; ".join(part for part in (note, "the log holds only a summary of this sample") if part)
    steps = sum(role.role == "assistant" for role in sample.messages or ()) or None
    tokens_in, tokens_out = tokens_of(sample, run.read.spec.get("model"), steps)
    run.kept += 1
    run.scores += len(scores)
    run.rows.add(
        "responses",
        run_id=run.run_id,
        item_id=item_id,
        attempt=sample.epoch,
        answer=answer,
        response=response,
        rationale=reasoning,
        credit=_credit(run, record, primary, value),
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        steps=steps,
        seconds=number_or_none(sample.total_time),
        status=status,
        status_note=note,
        line=record.line,
    )
    for scorer, score in scores.items():
        _add_verdicts(run, sample, scorer, score, response)


def _add_item(run: _Run, item_id: str, sample: Sample, reference: str | None) -> None:
    """Add the item of a sample with its labels."""
    metadata = sample.metadata or {}
    media, path = media_of(sample)
    kind = answer_type_of(sample, reference)
    choices = [str(c) for c in sample.choices] if isinstance(sample.choices, list) and sample.choices else None
    chance = 1 / len(choices) if choices and kind == "single_choice" else None
    if choices is None and kind == "single_choice" and reference in TWO_WAY.values():
        chance = 0.5
    run.items.add(item_id)
    run.types.add(kind)
    run.rows.add(
        "items",
        benchmark=run.benchmark,
        item_id=item_id,
        capability=_label(run, metadata, CAPABILITY),
        subcapability=_label(run, metadata, SUBCAPABILITY),
        tier=_label(run, metadata, TIER),
        media_type=media,
        media_path=path,
        answer_type=kind,
        prompt=prompt_of(sample),
        options=choices,
        reference=reference,
        reference_known=True,
        chance=chance,
    )
    for key in CAPABILITY:
        if isinstance(metadata.get(key), list):
            for tag in dict.fromkeys(str(each) for each in metadata[key]):
                run.rows.add("item_tags", benchmark=run.benchmark, item_id=item_id, kind=key, tag=tag)


def _label(run: _Run, metadata: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    """Return the first of these metadata that is a word or a number."""
    for key in keys:
        value = metadata.get(key)
        if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
            if keys is CAPABILITY:
                run.keys[key] = None
            return str(value).strip()
    return None


def _credit(run: _Run, record: Record, primary: str | None, value: Value | None) -> float | None:
    """Return the credit that the primary scorer gives; None when it gives none, or is on a scale of its own."""
    if primary is None or value is None or value.failed:
        return None
    if value.number is None:
        message = f"The score '{shorten(value.label or '', most=40)}' of {primary} is no known word and no number."
        run.rows.doubt("unknown_score", message + " It is kept as a verdict.", line=record.line, column="scores.value")
        return None
    if (primary, "answer") in run.scale.off:
        message = f"{primary} scores outside 0 to 1 (here {value.number:g}); its numbers are verdicts, not credits."
        run.rows.doubt("score_off_scale", message, line=record.line, column="scores.value")
        return None
    return value.number


def _add_verdicts(run: _Run, sample: Sample, scorer: str, score: object, response: str | None) -> None:
    """Add what one scorer said, one row per criterion."""
    judge = run.judges.setdefault(scorer, judge_of(scorer, run.read.spec))
    told = score.get("explanation") if isinstance(score, dict) else None
    why = resolved(told, sample.attachments) if isinstance(told, str) else None
    for criterion, value in values_of(score).items():
        own_scale = (scorer, criterion) in run.scale.off
        met = None if own_scale or value.number not in (0, 1) else value.number == 1
        run.rows.add(
            "verdicts",
            run_id=run.run_id,
            item_id=str(sample.id),
            attempt=sample.epoch,
            judge_id=judge.judge_id,
            criterion=criterion,
            on_judge="",
            met=met,
            label=value.label,
            score=value.number if value.number is not None and abs(value.number) < float("inf") else None,
            justification=None if why == response else why,
            status="judge_failed" if value.failed else "ok",
        )


def _describe(run: _Run, population: Population, *, complete: bool) -> None:
    """Add the benchmark, the run, its judges, its scope, and the items that it was meant for but never reached."""
    rows, spec = run.rows, run.read.spec
    kind = next(iter(run.types)) if len(run.types) == 1 else "open"
    for item_id in population.ids:
        if item_id not in run.items:
            rows.add("items", benchmark=run.benchmark, item_id=item_id, answer_type=kind, reference_known=True)
        if population.tag is not None:
            rows.add("item_tags", benchmark=run.benchmark, item_id=item_id, kind="scope", tag=population.tag)
    rows.add(
        "benchmarks",
        benchmark=run.benchmark,
        title=str(spec.get("task_display_name") or spec.get("task") or run.benchmark),
        version=None if spec.get("task_version") in (None, 0) else str(spec["task_version"]),
        missing_policy="zero",
        raw_means="value of the first scorer: C = 1, P = 0.5, I = N = 0",
        slice_name=next(iter(run.keys), "capability"),
        headline="micro",
        note=NOTE,
    )
    row = run_row(spec, run.benchmark, run_id=run.run_id, complete=complete)
    rows.add("runs", **row, scope=population.tag, parser=run.scale.primary)
    for judge in run.judges.values():
        vendor = judge.grader.split("/")[0] if judge.grader and "/" in judge.grader else None
        rows.add("judges", judge_id=judge.judge_id, kind=judge.kind, vendor=vendor, version=judge.grader)


def _doubts(run: _Run, population: Population, *, complete: bool) -> Iterator[Issue]:
    """Yield what a reader of the numbers must know of the run as a whole."""
    if not complete:
        message = (
            f"The run did not finish (status {run.read.status}): {len(run.items)} of {len(population.ids)} items "
            "have a sample. The others count as missing."
        )
        yield Issue("interrupted_run", "doubted", message, column="status")
    if population.doubt is not None:
        yield Issue("population_unknown", "doubted", population.doubt, column="eval.dataset.sample_ids")
    if not run.scores:
        message = "No scorer gave a score in this run: its credit is unknown, not zero. Score it with `inspect score`."
        yield Issue("no_scores", "doubted", message, column="scores")
    if run.scale.several:
        message = (
            "Every scorer gives several values per sample, none a single one: there is no credit, the values are "
            "verdicts by criterion. Choose a judge settlement to score by them."
        )
        yield Issue("no_single_score", "doubted", message, column="scores.value")
    if run.read.version != 2:
        message = f"The log's version is {run.read.version}; version 2 is known. Check its numbers against Inspect."
        yield Issue("unknown_version", "doubted", message, column="version")
    wanted = run.read.results.get("total_samples") if isinstance(run.read.results, dict) else None
    if complete and isinstance(wanted, int) and run.kept < wanted:
        message = f"The log says it has {wanted} samples and holds {run.kept}; the others count as missing."
        yield Issue("samples_lacking", "doubted", message, column="results.total_samples", records=wanted - run.kept)
