"""PandaLM-like files: a test set with two responses and human labels per item, and judge files beside it.

The test set holds the pair of models in `cmp_key`; a judge file holds only `idx` and its verdicts, and its judge is
named by the file alone. Labels: 0 tie, 1 the first response is better, 2 the second; words in some files.
Format: https://github.com/WeOpenML/PandaLM, data/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analytics.errors import BadLog, listing
from loaders.base import HEAD_BYTES, Field, Found, Issue, Reader, Source, shorten
from loaders.gather import Gather
from loaders.json_text import load, text_or_none

LABELS = {"0": "tie", "tie": "tie", "1": "A", "2": "B"}
NO_VERDICT = ("garbage", "")
TEST_SET = tuple(
    re.compile(sign) for sign in (rb'"idx"\s*:', rb'"cmp_key"\s*:', rb'"response1"\s*:', rb'"response2"\s*:')
)
VERDICT = re.compile(rb'"(\w+)_result"\s*:')
ANNOTATOR = re.compile(r"annotator\w+")

FIELDS = (
    Field("items.item_id", ("[].idx",)),
    Field("items.capability", ("[].motivation_app",)),
    Field("items.prompt", ("[].instruction",), "followed by [].input where that is not empty"),
    Field("runs.model", ("[].cmp_key",), "two names joined by one underscore"),
    Field("responses.response", ("[].response1", "[].response2"), "first and second model of the pair"),
    Field("comparisons.label", ("[].annotator<n>", "[].<judge>_result")),
    Field("comparisons.justification", ("[].<judge>_reason",)),
)


def _is_test_set(head: bytes) -> bool:
    return _is_list(head) and all(sign.search(head) for sign in TEST_SET)


def _is_judge(head: bytes) -> bool:
    found = VERDICT.search(head)
    return _is_list(head) and found is not None and b'"idx"' in head and b'"' + found.group(1) + b'_reason"' in head


def _is_list(head: bytes) -> bool:
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")


def claims(path: Path, head: bytes) -> bool:
    """Tell a test set by its pairs of responses and a judge file by its results with reasons."""
    return path.is_file() and (_is_test_set(head) or _is_judge(head))


def read(source: Source) -> Iterator[Found]:
    """Yield the items, responses and human verdicts of a test set, or the verdicts of one judge."""
    records = load(source.path, source.name)
    if not isinstance(records, list):
        raise BadLog(f"{source.name} must hold a list of records.")
    with source.path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    yield from _read_test_set(source, records) if _is_test_set(head) else _read_judge(source, records)


def _read_test_set(source: Source, records: list[Any]) -> Iterator[Found]:
    rows = Gather("items")
    benchmark = f"pandalm-{source.path.stem}"
    models: dict[str, None] = {}
    judges: dict[str, None] = {}
    seen: set[str] = set()
    for number, record in enumerate(records, start=1):
        item, fault = _keyed(record, number, seen)
        if fault is not None:
            yield fault
            continue
        pair = _pair(record)
        if pair is None:
            message = "cmp_key must be two model names joined by exactly one underscore. Rename the models."
            yield Issue("unknown_pair", "refused", message, number, "cmp_key", shorten(str(record)))
            continue
        models |= dict.fromkeys(pair)
        place = _Place(benchmark, item, pair, number)
        _add_item(rows, place, record)
        for key in sorted(record):
            if ANNOTATOR.fullmatch(key):
                judge = f"pandalm/{key}"
                judges[judge] = None
                _add_verdict(rows, place, record, judge=judge, column=key)
    for judge in judges:
        rows.add("judges", judge_id=judge, kind="person")
    _describe(rows, benchmark, source.path.stem, models)
    yield from rows.batches()
    yield from rows.issues()


def _read_judge(source: Source, records: list[Any]) -> Iterator[Found]:
    items = _test_set_of(source)
    pairs = _pairs_of(items)
    judge = source.path.stem.removesuffix(items.stem).rstrip("-_. ") or source.path.stem
    rows = Gather("comparisons")
    seen: set[str] = set()
    for number, record in enumerate(records, start=1):
        item, fault = _keyed(record, number, seen)
        if fault is not None:
            yield fault
            continue
        column = next((key for key in sorted(record) if key.endswith("_result")), None)
        if item not in pairs:
            message = f"idx {item} is not in the test set {items.name}: the models compared are not known."
            yield Issue("unknown_item", "refused", message, number, "idx", shorten(str(record)))
        elif column is None:
            message = "The record has no <judge>_result."
            yield Issue("no_result", "refused", message, number, None, shorten(str(record)))
        else:
            place = _Place(f"pandalm-{items.stem}", item, pairs[item], number)
            _add_verdict(rows, place, record, judge=judge, column=column)
    rows.add("judges", judge_id=judge, kind="model", version=judge)
    yield from rows.batches()
    yield from rows.issues()


def _pairs_of(items: Path) -> dict[str, tuple[str, str]]:
    """Return the pair of models by item of a test set; records that its own reading refuses are passed over."""
    records = load(items, items.name)
    found: dict[str, tuple[str, str]] = {}
    for record in records if isinstance(records, list) else ():
        pair = _pair(record) if isinstance(record, dict) else None
        if pair is not None:
            found.setdefault(str(record.get("idx")), pair)
    return found


def _keyed(record: object, number: int, seen: set[str]) -> tuple[str, Issue | None]:
    """Return a record's item id, or why it has none of its own."""
    if not isinstance(record, dict):
        return "", Issue("not_an_object", "refused", "A record must be an object.", number, None, shorten(str(record)))
    index = record.get("idx")
    if isinstance(index, bool) or not isinstance(index, (int, str)):
        message = f"idx must be a whole number or text and is {type(index).__name__}."
        return "", Issue("wrong_type", "refused", message, number, "idx", shorten(str(record)))
    if str(index) in seen:
        message = f"idx {index} was there before; the first record is kept. Give each its own number."
        return "", Issue("duplicate_key", "refused", message, number, "idx", shorten(str(record)))
    seen.add(str(index))
    return str(index), None


def _pair(record: dict[str, Any]) -> tuple[str, str] | None:
    """Return the two models of a record, the author of response1 first."""
    first, mark, second = str(record.get("cmp_key", "")).partition("_")
    return (first, second) if mark and first and second and "_" not in second and first != second else None


def _test_set_of(source: Source) -> Path:
    """Return the test set beside a judge file: the one whose name ends its own, else the only one."""
    found = []
    for path in sorted(source.path.parent.glob("*.json")):
        if path != source.path and path.is_file():
            with path.open("rb") as file:
                if _is_test_set(file.read(HEAD_BYTES)):
                    found.append(path)
    named = [path for path in found if source.path.stem.endswith(path.stem)] or found
    if len(named) != 1:
        beside = listing(path.name for path in named) or "none"
        raise BadLog(
            f"{source.name} holds verdicts by idx alone; the models they compare stand in a test set beside it. "
            f"Found there: {beside}. Put exactly one beside it."
        )
    return named[0]


@dataclass(frozen=True, slots=True)
class _Place:
    """One item with the two models compared on it, and the record it was read from."""

    benchmark: str
    item: str
    models: tuple[str, str]
    number: int


def _add_item(rows: Gather, place: _Place, record: dict[str, Any]) -> None:
    parts = [text_or_none(record.get(key)) for key in ("instruction", "input")]
    rows.add(
        "items",
        benchmark=place.benchmark,
        item_id=place.item,
        capability=text_or_none(record.get("motivation_app")),
        media_type="text",
        answer_type="open",
        prompt="\n\n".join(part for part in parts if part) or None,
        reference_known=True,
    )
    for model, key in zip(place.models, ("response1", "response2"), strict=True):
        text = record.get(key)
        if not isinstance(text, str):
            message = f"{key} is {type(text).__name__}, not text; it is shown as the log has it."
            rows.doubt("not_text", message, line=place.number, column=key, excerpt=text)
        rows.add("item_tags", benchmark=place.benchmark, item_id=place.item, kind="scope", tag=model)
        rows.add(
            "responses",
            run_id=f"pandalm/{model}",
            item_id=place.item,
            attempt=1,
            response=text_or_none(text),
            status="missing" if text is None else "ok",
            line=place.number,
        )


def _add_verdict(rows: Gather, place: _Place, record: dict[str, Any], *, judge: str, column: str) -> None:
    """Add one comparison; a word that is no verdict leaves the label empty, which is no tie."""
    given = record[column]
    why = text_or_none(record.get(column.removesuffix("_result") + "_reason")) if column.endswith("_result") else None
    word = (text_or_none(given) or "").strip().lower().removesuffix(".0")
    label = LABELS.get(word)
    if label is None:
        said = "is the log's mark for no verdict" if word in NO_VERDICT else "is no known label (0, 1, 2, Tie)"
        message = f"{column} '{shorten(word, most=40)}' {said}: the judge failed, which is no tie."
        rows.doubt("no_verdict", message, line=place.number, column=column, excerpt=given)
    rows.add(
        "comparisons",
        benchmark=place.benchmark,
        item_id=place.item,
        run_a=f"pandalm/{place.models[0]}",
        run_b=f"pandalm/{place.models[1]}",
        judge_id=judge,
        attempt=1,
        label=label,
        justification=why or None,
    )


def _describe(rows: Gather, benchmark: str, version: str, models: dict[str, None]) -> None:
    rows.add(
        "benchmarks",
        benchmark=benchmark,
        title="PandaLM test set",
        version=version,
        missing_policy="exclude",
        raw_means="responses are compared in pairs, not scored: see the comparisons",
        slice_name="application",
        headline="micro",
        note="Items without a human majority were left out by its authors, so the agreement of people flatters. "
        "Each model answered the items of its pairs alone.",
    )
    for model in models:
        rows.add(
            "runs",
            run_id=f"pandalm/{model}",
            benchmark=benchmark,
            model=model,
            kind="model",
            scope=model,
            complete=True,
        )


READER = Reader(
    "pandalm", "1", "PandaLM test set and judge files", "file", FIELDS, claims, read,
    named_by_path=True, looks_beside=True,
)  # fmt: skip
