"""lm-evaluation-harness samples: JSON lines, one row per document and filter.

The answer of a choice is the option with the highest log-likelihood; a filter reads the answer from the response, so
each filter is a run of its own. Format: https://github.com/EleutherAI/lm-evaluation-harness, lm_eval/evaluator.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analytics.errors import BadLog
from loaders.base import Field, Found, Issue, Reader, Source, shorten
from loaders.gather import Gather
from loaders.harness import Scale, Task, add_verdicts, category_of, letter_of, options_in, scale_of, task_of
from loaders.json_text import lines, text_or_none

NAME = re.compile(r"samples_(.+?)_(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(?:\.\d+)?)")
SIGNS = tuple(
    re.compile(rb'"%s"\s*:' % key) for key in (b"doc_id", b"doc", b"target", b"arguments", b"resps", b"filtered_resps")
)
KEYS = frozenset(
    ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
     "target_hash", "schema_version")
)  # fmt: skip
INVALID = "[invalid]"
JUDGE = "lm_eval"

FIELDS = (
    Field("items.item_id", ("doc_id",), "under its task when the results file puts the task into a group"),
    Field("items.prompt", ("arguments.gen_args_0.arg_0",)),
    Field("items.options", ("doc.choices",)),
    Field("items.reference", ("target",), "the option's index for choices"),
    Field("items.capability", ("doc.<category, subject, topic ...>",), "or the task within its group"),
    Field("responses.response", ("resps",), "absent for log-likelihoods"),
    Field("responses.answer", ("filtered_resps",), "option with the highest log-likelihood, or the filtered text"),
    Field("responses.credit", ("exact_match", "acc", "<first metric from 0 to 1>")),
    Field("verdicts.criterion", ("metrics",), "one verdict per metric"),
    Field("runs.condition", ("filter",)),
    Field("runs.model", ("model_name",), "of the results file, else the folder's name"),
)


def claims(path: Path, head: bytes) -> bool:
    """Tell samples by the keys of their first row."""
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return path.is_file() and first.startswith(b"{") and all(sign.search(head) for sign in SIGNS)


def companion(path: Path, head: bytes) -> bool:
    """Tell a results file: aggregates by task, under the name that the writer gives or with the tasks' versions."""
    aggregates = path.suffix == ".json" and b'"results"' in head[:200] and head.lstrip().startswith(b"{")
    return aggregates and (path.name.startswith("results") or b'"versions"' in head)


def beside(path: Path) -> tuple[Path, ...]:
    """Return the results file of samples, there or not: it names the model, its settings and the groups of tasks."""
    named = NAME.fullmatch(path.stem)
    return (path.with_name(f"results_{named.group(2)}.json"),) if named else ()


def read(source: Source) -> Iterator[Found]:
    """Yield one response per row, with a verdict per metric."""
    named = NAME.fullmatch(source.path.stem)
    time = named.group(2) if named else None
    results = next(iter(beside(source.path)), None)
    task = task_of(source.path, named.group(1) if named else source.path.stem, time, results)
    scale = scale_of(_metrics(row) for _, row in lines(source.path) if isinstance(row, dict))
    rows = Gather("responses")
    seen: set[tuple[str, str]] = set()
    filters: dict[str | None, None] = {}
    for line, row in lines(source.path):
        fault = row if isinstance(row, Issue) else _fault(row, line, seen)
        if fault is not None:
            yield fault
            continue
        filters[_filter(row)] = None
        _take(rows, row, line, task, scale)
        if rows.full():
            yield from rows.batches()
    if not filters:
        raise BadLog(f"{source.name} holds no row that can be read.")
    _describe(rows, task, list(filters))
    yield from rows.batches()
    yield from rows.issues()


def _metrics(row: dict[str, Any]) -> dict[str, object]:
    """Return the metrics of a row: those that it names, or in older files every key that is none of the format's."""
    named = row.get("metrics")
    names = [str(name) for name in named] if isinstance(named, list) else [key for key in row if key not in KEYS]
    return {name: row[name] for name in names if name in row}


def _filter(row: dict[str, Any]) -> str | None:
    name = row.get("filter")
    return name if isinstance(name, str) and name not in ("none", "") else None


def _fault(row: object, line: int, seen: set[tuple[str, str]]) -> Issue | None:
    """Return why a row is refused, or None."""
    if not isinstance(row, dict):
        return Issue("not_an_object", "refused", "A row must be an object.", line, None, shorten(str(row)))
    doc = row.get("doc_id")
    if isinstance(doc, bool) or not isinstance(doc, (int, str)):
        message = f"doc_id must be a number or text and is {type(doc).__name__}."
        return Issue("wrong_type", "refused", message, line, "doc_id", shorten(str(row)))
    key = (str(doc), str(_filter(row)))
    if key in seen:
        message = (
            f"doc_id {doc} with this filter was there before; the first row is kept. Write each run to its own file."
        )
        return Issue("duplicate_key", "refused", message, line, "doc_id", shorten(str(row)))
    seen.add(key)
    return None


@dataclass(frozen=True, slots=True)
class _Asked:
    """How one document was asked and answered."""

    kind: str
    options: list[str] | None
    reference: str | None
    answer: str | None
    response: str | None
    choices: int | None


def _asked(row: dict[str, Any], prompt: str | None) -> _Asked:
    """Return question and answer of a row: options by their log-likelihood, or text."""
    doc = row.get("doc")
    choices = doc.get("choices") if isinstance(doc, dict) else None
    options = [str(choice) for choice in choices] if isinstance(choices, list) and choices else None
    target = (text_or_none(row.get("target")) or "").strip()
    scores = _likelihoods(row.get("filtered_resps"))
    if scores is not None and len(scores) > 1:
        best = max(range(len(scores)), key=scores.__getitem__)
        index = int(target) if target.isdigit() else -1
        reference = chr(ord("A") + index) if 0 <= index < min(len(scores), 26) else target or None
        return _Asked("single_choice", options, reference, chr(ord("A") + best), None, len(scores))
    if scores is not None:
        return _Asked("open", options, target or None, None, None, None)
    letter, filtered = letter_of(target), _text(row.get("filtered_resps"))
    response = _text(row.get("resps"))
    if letter is None:
        return _Asked("open", options, target or None, (filtered or "").strip() or None, response, None)
    options = options or (options_in(prompt) if prompt else None)
    return _Asked("single_choice", options, letter, letter_of(filtered), response, len(options) if options else None)


def _take(rows: Gather, row: dict[str, Any], line: int, task: Task, scale: Scale) -> None:
    """Add the rows of one document under one filter."""
    condition = f"filter={_filter(row)}" if _filter(row) else None
    key = {"run_id": task.run_id("lm_eval", condition), "item_id": task.item_id(row["doc_id"]), "attempt": 1}
    credit = add_verdicts(rows, _metrics(row), scale, judge=JUDGE, line=line, **key)
    prompt = _prompt(row.get("arguments"))
    asked = _asked(row, prompt)
    category, grouped = category_of(row.get("doc")), task.benchmark != task.name
    rows.add(
        "items",
        benchmark=task.benchmark,
        item_id=key["item_id"],
        capability=(task.group or task.name) if grouped else category,
        subcapability=(task.name if task.group else category) if grouped else None,
        media_type="text",
        answer_type=asked.kind,
        prompt=prompt,
        options=asked.options,
        reference=asked.reference,
        reference_known=True,
        chance=1 / asked.choices if asked.choices else None,
    )
    invalid = _text(row.get("filtered_resps")) == INVALID
    rows.add(
        "responses",
        **key,
        answer=None if invalid else asked.answer,
        response=asked.response,
        credit=credit,
        status="invalid_format" if invalid else "ok",
        status_note="the filter found no answer" if invalid else None,
        line=line,
    )


def _likelihoods(filtered: object) -> list[float] | None:
    """Return the log-likelihood of each option; None when the responses are text. Numbers may be written as text."""
    if not isinstance(filtered, list) or not filtered:
        return None
    found = []
    for pair in filtered:
        if not isinstance(pair, list) or len(pair) != 2 or str(pair[1]) not in ("True", "False", "true", "false"):
            return None
        try:
            found.append(float(pair[0]))
        except (TypeError, ValueError):
            return None
    return found


def _text(responses: object) -> str | None:
    """Return the first text of nested responses; several repeats stay together as JSON."""
    while isinstance(responses, list) and len(responses) == 1:
        responses = responses[0]
    return text_or_none(responses) if responses != [] else None


def _prompt(arguments: object) -> str | None:
    """Return the prompt of the first request, in the newer form (an object) or the older one (a list)."""
    if isinstance(arguments, dict):
        first = arguments.get("gen_args_0")
        given = first.get("arg_0") if isinstance(first, dict) else None
    else:
        given = arguments
    while isinstance(given, list) and given:
        given = given[0]
    return text_or_none(given)


def _describe(rows: Gather, task: Task, filters: list[str | None]) -> None:
    rows.add(
        "benchmarks",
        benchmark=task.benchmark,
        title=task.benchmark,
        missing_policy="zero",
        raw_means="the harness's own metric from 0 to 1: exact_match, acc or the first of its task",
        slice_name="task" if task.benchmark != task.name else "category",
        headline="micro",
        note="Runs that differ in time alone may hold the very same responses: they are no independent attempts.",
    )
    for name in filters:
        condition = f"filter={name}" if name else None
        rows.add(
            "runs",
            run_id=task.run_id("lm_eval", condition),
            benchmark=task.benchmark,
            model=task.model,
            kind="model",
            condition=condition,
            settings=json.dumps(task.settings | {"time": task.time}, ensure_ascii=False, sort_keys=True, default=str),
            parser=name or "harness",
            complete=True,
        )
    rows.add("judges", judge_id=JUDGE, kind="program")


READER = Reader(
    "lm_eval",
    "1",
    "lm-evaluation-harness samples",
    "file",
    FIELDS,
    claims,
    read,
    named_by_path=True,
    companion=companion,
    beside=beside,
)
