"""lmms-eval samples: JSON lines, one row per document; a log of lm-evaluation-harness without its documents.

`resps` is left out where it equals `filtered_resps`: that means the same, not missing. `doc_hash` can be one constant
and is no key. Format: https://github.com/EvolvingLMMs-Lab/lmms-eval, lmms_eval/evaluator.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analytics.errors import BadLog
from loaders.base import Field, Found, Issue, Reader, Source, shorten
from loaders.gather import Gather
from loaders.harness import Scale, Task, add_verdicts, category_of, letter_of, options_in, scale_of, task_of
from loaders.json_text import count_or_none, lines, text_or_none

NAME = re.compile(r"(\d{8}_\d{6})_samples_(.+)")
SIGNS = tuple(re.compile(rb'"%s"\s*:' % key) for key in (b"doc_id", b"target", b"filtered_resps", b"input"))
KEYS = frozenset(
    ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
     "target_hash", "input", "input_media", "token_counts", "schema_version")
)  # fmt: skip
JUDGE = "lmms_eval"
CONTEXT = "Context:"

FIELDS = (
    Field("items.item_id", ("doc_id",)),
    Field("items.prompt", ("input",), "options are the lines A., B. ... of it"),
    Field("items.reference", ("target",)),
    Field("items.media_type", ("input_media",), "image where the log does not say"),
    Field("items.capability", ("<metric>.category",), "where a metric is an object"),
    Field("responses.response", ("resps", "filtered_resps"), "absent when both are equal"),
    Field("responses.credit", ("exact_match", "acc", "<first metric from 0 to 1>")),
    Field("responses.output_tokens", ("token_counts[].output_tokens",)),
    Field("runs.model", ("model_name",), "of the results file, else the folder's name"),
)


def claims(path: Path, head: bytes) -> bool:
    """Tell samples by the keys of their first row; those of lm-evaluation-harness hold `arguments`."""
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    row = first.split(b"\n", 1)[0]
    named = first.startswith(b"{") and all(sign.search(row) for sign in SIGNS)
    return path.is_file() and named and re.search(rb'"arguments"\s*:', row) is None


def companion(path: Path, head: bytes) -> bool:
    """Tell a results file by its name's tail and its first key."""
    return path.name.endswith("_results.json") and head.lstrip().startswith(b"{") and b'"results"' in head[:200]


def beside(path: Path) -> tuple[Path, ...]:
    """Return the results file of samples, there or not: it names the model, its settings and the groups of tasks."""
    named = NAME.fullmatch(path.stem)
    return (path.with_name(f"{named.group(1)}_results.json"),) if named else ()


def read(source: Source) -> Iterator[Found]:
    """Yield one response per row, with a verdict per metric."""
    named = NAME.fullmatch(source.path.stem)
    time = named.group(1) if named else None
    results = next(iter(beside(source.path)), None)
    task = task_of(source.path, named.group(2) if named else source.path.stem, time, results)
    scale = scale_of(_metrics(row) for _, row in lines(source.path) if isinstance(row, dict))
    rows = Gather("responses")
    seen: set[str] = set()
    for line, row in lines(source.path):
        fault = row if isinstance(row, Issue) else _fault(row, line, seen)
        if fault is not None:
            yield fault
            continue
        _take(rows, row, line, task, scale)
        if rows.full():
            yield from rows.batches()
    if not seen:
        raise BadLog(f"{source.name} holds no row that can be read.")
    _describe(rows, task)
    yield from rows.batches()
    yield from rows.issues()


def _metrics(row: dict[str, Any]) -> dict[str, object]:
    return {key: value for key, value in row.items() if key not in KEYS}


def _fault(row: object, line: int, seen: set[str]) -> Issue | None:
    """Return why a row is refused, or None."""
    if not isinstance(row, dict):
        return Issue("not_an_object", "refused", "A row must be an object.", line, None, shorten(str(row)))
    doc = row.get("doc_id")
    if isinstance(doc, bool) or not isinstance(doc, (int, str)):
        message = f"doc_id must be a number or text and is {type(doc).__name__}."
        return Issue("wrong_type", "refused", message, line, "doc_id", shorten(str(row)))
    if str(doc) in seen:
        message = f"doc_id {doc} was there before; the first row is kept. Write each run to its own file."
        return Issue("duplicate_key", "refused", message, line, "doc_id", shorten(str(row)))
    seen.add(str(doc))
    return None


def _first(responses: object) -> str | None:
    while isinstance(responses, list) and len(responses) == 1:
        responses = responses[0]
    return text_or_none(responses) if responses != [] else None


def _take(rows: Gather, row: dict[str, Any], line: int, task: Task, scale: Scale) -> None:
    """Add the rows of one document."""
    key = {"run_id": task.run_id("lmms_eval", None), "item_id": task.item_id(row["doc_id"]), "attempt": 1}
    metrics = _metrics(row)
    credit = add_verdicts(rows, metrics, scale, judge=JUDGE, line=line, **key)
    prompt, target = text_or_none(row.get("input")), (text_or_none(row.get("target")) or "").strip()
    reference = letter_of(target)
    options = options_in(prompt) if reference and prompt else None
    filtered = _first(row.get("filtered_resps"))
    answer = letter_of(filtered) if reference else (filtered or "").strip() or None
    nested = next((value for value in metrics.values() if isinstance(value, dict)), None)
    media = row.get("input_media")
    rows.add(
        "items",
        benchmark=task.benchmark,
        item_id=key["item_id"],
        capability=task.name if task.benchmark != task.name else category_of(nested),
        media_type=media if isinstance(media, str) else "image",
        answer_type="single_choice" if reference else "open",
        prompt=prompt,
        options=options,
        reference=reference or target or None,
        reference_known=True,
        chance=1 / len(options) if options else None,
    )
    tags = {"options": f"{len(options)} options" if options else None}
    tags["context"] = ("with context" if prompt.startswith(CONTEXT) else "without context") if prompt else None
    for kind, tag in tags.items():
        if tag is not None:
            rows.add("item_tags", benchmark=task.benchmark, item_id=key["item_id"], kind=kind, tag=tag)
    counts = row.get("token_counts")
    counts = counts[0] if isinstance(counts, list) and counts else counts
    unread = reference is not None and answer is None
    rows.add(
        "responses",
        **key,
        answer=answer,
        response=_first(row["resps"]) if "resps" in row else filtered,
        credit=credit,
        output_tokens=count_or_none(counts.get("output_tokens")) if isinstance(counts, dict) else None,
        status="invalid_format" if unread else "ok",
        status_note="the response is no option letter" if unread else None,
        line=line,
    )


def _describe(rows: Gather, task: Task) -> None:
    rows.add(
        "benchmarks",
        benchmark=task.benchmark,
        title=task.benchmark,
        missing_policy="zero",
        raw_means="the harness's own metric from 0 to 1: exact_match, acc or the first of its task",
        slice_name="task" if task.benchmark != task.name else "category",
        headline="micro",
        note="The log leaves out the documents: what is known of an item is its prompt.",
    )
    rows.add(
        "runs",
        run_id=task.run_id("lmms_eval", None),
        benchmark=task.benchmark,
        model=task.model,
        kind="model",
        settings=json.dumps(task.settings | {"time": task.time}, ensure_ascii=False, sort_keys=True, default=str),
        parser="harness",
        complete=True,
    )
    rows.add("judges", judge_id=JUDGE, kind="program")


READER = Reader(
    "lmms_eval", "1", "lmms-eval samples", "file", FIELDS, claims, read, named_by_path=True, companion=companion,
    beside=beside,
)  # fmt: skip
