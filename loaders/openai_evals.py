"""OpenAI evals logs: JSON lines of events, the run's spec first, its report last.

Written after the recorder's public source (openai/evals, evals/record.py, evals/base.py, elsuite/modelgraded);
no log of another person's run was at hand. Events of a sample lie scattered, as threads write them. A model-graded
choice that could not be read ('__invalid__') counts there as the lowest grade; here the judge failed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analytics.errors import BadLog
from loaders.base import Field, Found, Issue, Reader, Source, shorten
from loaders.gather import Gather
from loaders.harness import letter_of, metric_of
from loaders.json_text import lines, text_or_none

SPEC = re.compile(rb'^\s*\{\s*"spec"\s*:\s*\{')
INVALID = "__invalid__"
CREDITS = ("correct", "accuracy", "score")

FIELDS = (
    Field("items.item_id", ("sample_id",)),
    Field("items.prompt", ("data.prompt",), "of the sampling event, messages under their roles"),
    Field("items.reference", ("data.expected",), "of the match event; several are alternatives"),
    Field("items.options", ("data.options",)),
    Field("responses.response", ("data.sampled",)),
    Field("responses.answer", ("data.picked",)),
    Field("responses.credit", ("data.correct", "data.accuracy", "data.score"), "of the match or metrics event"),
    Field("responses.status_note", ("data.message", "data.error"), "of the error event"),
    Field("verdicts.label", ("data.choice",)),
    Field("runs.model", ("spec.completion_fns", "spec.model_name")),
    Field("runs.run_id", ("spec.run_id",)),
)


def claims(path: Path, head: bytes) -> bool:
    """Tell a log by its first line, the run's spec with its eval."""
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    return path.is_file() and SPEC.match(first) is not None and b'"eval_name"' in first


@dataclass(slots=True)
class _Sample:
    """What the events of one sample told."""

    line: int
    prompt: str | None = None
    sampled: list[str] = field(default_factory=list)
    matches: list[dict[str, Any]] = field(default_factory=list)
    metrics: dict[str, object] = field(default_factory=dict)
    error: str | None = None
    options: list[str] | None = None


def read(source: Source) -> Iterator[Found]:
    """Yield one response per sample and match, with a verdict per metric."""
    spec: dict[str, Any] | None = None
    samples: dict[str, _Sample] = {}
    finished = False
    for line, event in lines(source.path):
        if isinstance(event, Issue):
            yield event
        elif isinstance(event, dict) and isinstance(event.get("spec"), dict):
            spec = event["spec"]
        elif isinstance(event, dict) and "final_report" in event:
            finished = True
        else:
            fault = _note(samples, event, line)
            if fault is not None:
                yield fault
    if spec is None or not spec.get("run_id"):
        raise BadLog(f"{source.name} has no spec with a run_id in its first line. Give the whole log.")
    if not samples:
        raise BadLog(f"{source.name} holds no event of a sample. Run the eval again, or leave it out.")
    rows = Gather("responses")
    run = {"run_id": f"openai_evals/{spec['run_id']}", "benchmark": str(spec.get("eval_name") or "openai_evals")}
    off = _off_scale(samples)
    for item_id, sample in samples.items():
        _take(rows, run, item_id, sample, off)
        if rows.full():
            yield from rows.batches()
    _describe(rows, run, spec, finished=finished)
    yield from rows.batches()
    yield from rows.issues()
    if not finished:
        message = "The log has no final report: the run was interrupted, or is still under way."
        yield Issue("interrupted_run", "doubted", message, column="final_report")


def _note(samples: dict[str, _Sample], event: object, line: int) -> Issue | None:
    """Add one event to its sample, or return why it is refused."""
    data = event.get("data") if isinstance(event, dict) else None
    if not isinstance(event, dict) or not isinstance(event.get("sample_id"), str) or not isinstance(data, dict):
        message = "An event must be an object with a sample_id and data. Export the log again."
        return Issue("not_an_event", "refused", message, line, None, shorten(str(event)))
    sample = samples.setdefault(event["sample_id"], _Sample(line))
    kind = event.get("type")
    if kind == "sampling":
        sample.prompt = sample.prompt or _prompt(data.get("prompt"))
        sampled = data.get("sampled")
        sample.sampled += [text_or_none(s) or "" for s in (sampled if isinstance(sampled, list) else [sampled])]
    elif kind == "match":
        sample.matches.append(data)
    elif kind == "metrics":
        sample.metrics |= {str(key): value for key, value in data.items()}
    elif kind == "error":
        sample.error = text_or_none(data.get("message") or data.get("error") or data.get("type")) or "error"
    elif kind == "pick_option" and isinstance(data.get("options"), list):
        sample.options = [str(option) for option in data["options"]]
    return None


def _prompt(prompt: object) -> str | None:
    """Return a prompt as text; several messages each under its role."""
    if not isinstance(prompt, list):
        return text_or_none(prompt)
    messages = [message for message in prompt if isinstance(message, dict)]
    texts = [text_or_none(message.get("content")) or "" for message in messages]
    if len(texts) == 1:
        return texts[0]
    return "\n\n".join(f"[{m.get('role', '')}]\n{text}" for m, text in zip(messages, texts, strict=True)) or None


def _off_scale(samples: Mapping[str, _Sample]) -> frozenset[str]:
    """Return the metrics that leave 0 to 1 anywhere in the log."""
    numbers = [(name, metric_of(value).number) for sample in samples.values() for name, value in sample.metrics.items()]
    return frozenset(name for name, number in numbers if number is not None and not 0 <= number <= 1)


def _take(rows: Gather, run: dict[str, str], item_id: str, sample: _Sample, off: frozenset[str]) -> None:
    """Add the rows of one sample; several matches of it are attempts."""
    first = sample.matches[0] if sample.matches else {}
    expected = first.get("expected")
    texts = [str(e).strip() for e in expected] if isinstance(expected, list) else [text_or_none(expected) or ""]
    given = first.get("options")
    options = [str(o) for o in given] if isinstance(given, list) and given else sample.options
    reference = " | ".join(text for text in texts if text) or None
    letter = letter_of(reference)
    rows.add(
        "items",
        benchmark=run["benchmark"],
        item_id=item_id,
        media_type="text",
        answer_type="single_choice" if letter or options else "open",
        prompt=sample.prompt or _prompt(first.get("prompt")),
        options=options,
        reference=letter or reference,
        reference_known=True,
        chance=1 / len(options) if options else None,
    )
    credit, failed = _graded(rows, sample, off)
    for attempt, match in enumerate(sample.matches or [{}], start=1):
        key = {"run_id": run["run_id"], "item_id": item_id, "attempt": attempt}
        correct = match.get("correct")
        own = float(correct) if isinstance(correct, bool) else credit
        picked = text_or_none(match.get("picked") or None)
        status = "error" if sample.error else "judge_failed" if failed and not isinstance(correct, bool) else "ok"
        rows.add(
            "responses",
            **key,
            answer=(letter_of(picked) or picked) if letter else picked,
            response=_response(sample, match, attempt),
            credit=None if status != "ok" else own,
            status=status,
            status_note=sample.error or ("the grader's choice could not be read" if status == "judge_failed" else None),
            line=sample.line,
        )
        if isinstance(correct, bool):
            rows.add(
                "verdicts", **key, judge_id="openai_evals/match", criterion="answer", on_judge="", met=correct,
                score=float(correct), status="ok",
            )  # fmt: skip
    for name, value in sample.metrics.items():
        found = metric_of(value)
        bad = found.infinite or found.label == INVALID or (failed and name == "score")
        rows.add(
            "verdicts",
            run_id=run["run_id"],
            item_id=item_id,
            attempt=1,
            judge_id="openai_evals/metrics",
            criterion=name,
            on_judge="",
            met=found.number == 1 if found.number in (0, 1) and name not in off and not bad else None,
            label=found.label,
            score=None if bad else found.number,
            justification=sample.sampled[-1] if name == "choice" and len(sample.sampled) > 1 else None,
            status="judge_failed" if bad else "ok",
        )


def _response(sample: _Sample, match: dict[str, Any], attempt: int) -> str | None:
    """Return what the model wrote: as the match holds it, else the sampling event of the same place."""
    sampled = match.get("sampled") or sample.sampled[attempt - 1 : attempt]
    return text_or_none(sampled[0] if sampled else None) if isinstance(sampled, list) else text_or_none(sampled)


def _graded(rows: Gather, sample: _Sample, off: frozenset[str]) -> tuple[float | None, bool]:
    """Return the credit that the metrics give, and whether a grader failed."""
    if any(metric_of(value).label == INVALID for value in sample.metrics.values()):
        message = "The grader's choice could not be read; the log counts the lowest grade, here the judge failed."
        rows.doubt("judge_failed", message, line=sample.line, column="choice")
        return None, True
    for name in CREDITS:
        if name in sample.metrics:
            number = metric_of(sample.metrics[name]).number
            if name in off:
                message = f"{name} leaves 0 to 1 in this log: its numbers are verdicts on their own scale."
                rows.doubt("score_off_scale", message, line=sample.line, column=name, excerpt=number)
                return None, False
            return number, number is None
    return None, False


def _describe(rows: Gather, run: dict[str, str], spec: dict[str, Any], *, finished: bool) -> None:
    names = spec.get("completion_fns")
    model = str(names[0]) if isinstance(names, list) and names else text_or_none(spec.get("model_name")) or "unknown"
    settings = {k: spec[k] for k in ("base_eval", "split", "created_at", "run_config", "completion_fns") if k in spec}
    rows.add(
        "benchmarks",
        benchmark=run["benchmark"],
        title=str(spec.get("base_eval") or run["benchmark"]),
        version=text_or_none(spec.get("split")),
        missing_policy="zero",
        raw_means="match, or the metric from 0 to 1",
        slice_name="capability",
        headline="micro",
        note="The format was read after its writer's source; check the first numbers against the final report.",
    )
    rows.add(
        "runs",
        **run,
        model=model,
        kind="model",
        settings=json.dumps(settings, ensure_ascii=False, sort_keys=True, default=str),
        parser="match or metrics event",
        complete=finished,
    )
    rows.add("judges", judge_id="openai_evals/match", kind="program")
    rows.add("judges", judge_id="openai_evals/metrics", kind="model")


READER = Reader("openai_evals", "1", "OpenAI evals log", "file", FIELDS, claims, read, whole_run=True)
