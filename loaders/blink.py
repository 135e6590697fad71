"""BLINK's saved outputs: one JSON file per model and task, `{"val": [...], "test": [...]}`.

The model's name stands in the folder alone, the task in each row's `idx`. Correctness is not stored: the letter of
`prediction` is compared with `answer`. In `test` the answer is the word 'hidden'; such items have no credit.
Format: https://github.com/zeyofu/BLINK_Benchmark, eval/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from analytics.errors import BadLog, listing
from loaders.base import Field, Found, Issue, Reader, Source, shorten
from loaders.gather import Gather
from loaders.json_text import load

SPLITS = ("val", "test")
HIDDEN = "hidden"
UNPARSED = "Z"
ITEM = re.compile(r"(?:val|test)_(.+)_\d+")
LETTER = re.compile(r"\(([A-Z])\)")
SIGNS = tuple(
    re.compile(sign) for sign in (rb'"idx"\s*:\s*"(?:val|test)_', rb'"full_prediction"\s*:', rb'"answer"\s*:')
)
COLUMNS = ("idx", "answer", "prediction", "full_prediction")

FIELDS = (
    Field("items.item_id", ("idx",), "split, task and number"),
    Field("items.reference", ("answer",), "letter in brackets; 'hidden' means not known"),
    Field("responses.answer", ("prediction",), "letter in brackets; (Z) means that none was found"),
    Field("responses.response", ("full_prediction",)),
)


def claims(path: Path, head: bytes) -> bool:
    """Tell a file of saved outputs by its rows."""
    return path.is_file() and head.lstrip().startswith(b"{") and all(sign.search(head) for sign in SIGNS)


def read(source: Source) -> Iterator[Found]:
    """Yield the rows of one model on one task."""
    whole = load(source.path, source.name)
    if not isinstance(whole, dict):
        raise BadLog(f'{source.name} must hold an object {{"val": [...], "test": [...]}}.')
    model = source.path.resolve().parent.name
    rows = Gather("responses")
    number = 0
    for split, records in whole.items():
        if split not in SPLITS or not isinstance(records, list):
            named = shorten(split, most=40)
            message = f"'{named}' is no list of one of the splits {listing(SPLITS)}; nothing was read of it."
            size = len(records) if isinstance(records, (list, dict)) else 1
            yield Issue("unknown_split", "refused", message, column=named, records=size)
            continue
        for record in records:
            number += 1
            fault = _take(rows, record, number, model)
            if fault is not None:
                yield fault
    _describe(rows, model)
    yield from rows.batches()
    yield from rows.issues()


def _take(rows: Gather, record: object, number: int, model: str) -> Issue | None:
    """Add one record's item and response, or return why it is refused."""
    if not isinstance(record, dict):
        return Issue("not_an_object", "refused", "A row must be an object.", line=number, excerpt=shorten(str(record)))
    for column in COLUMNS:
        if not isinstance(record.get(column), str):
            message = f"{column} must be text and is {type(record.get(column)).__name__}. Export the file again."
            return Issue("wrong_type", "refused", message, line=number, column=column, excerpt=shorten(str(record)))
    item, place = ITEM.fullmatch(record["idx"]), LETTER.match(record["answer"].strip())
    hidden = record["answer"].strip() == HIDDEN
    if item is None or (place is None and not hidden):
        column = "idx" if item is None else "answer"
        allowed = "<split>_<Task>_<number>" if item is None else "a letter in brackets, or 'hidden'"
        message = f"{column} is '{shorten(record[column], most=60)}'; allowed: {allowed}."
        return Issue("unknown_value", "refused", message, line=number, column=column, excerpt=shorten(str(record)))
    name = record["idx"].replace(" ", "_")
    reference = place.group(1) if place is not None else None
    found = LETTER.match(record["prediction"].strip())
    letter = found.group(1) if found is not None and found.group(1) != UNPARSED else None
    if found is None:
        message = "prediction has no letter in brackets; it is kept as an answer in no valid format."
        rows.doubt("no_letter", message, line=number, column="prediction", excerpt=record["prediction"])
    rows.add(
        "items",
        benchmark="blink",
        item_id=name,
        capability=item.group(1).replace(" ", "_"),
        media_type="image",
        answer_type="single_choice",
        reference=reference,
        reference_known=reference is not None,
    )
    rows.add(
        "responses",
        run_id=f"blink/{model}",
        item_id=name,
        attempt=1,
        answer=letter,
        response=record["full_prediction"],
        credit=None if reference is None else float(letter == reference),
        status="ok" if letter is not None else "invalid_format",
        status_note=None if letter is not None else f"prediction {shorten(record['prediction'], most=60)}",
        line=number,
    )
    return None


def _describe(rows: Gather, model: str) -> None:
    """Add the benchmark and the run."""
    rows.add(
        "benchmarks",
        benchmark="blink",
        title="BLINK",
        missing_policy="zero",
        raw_means="letter of the prediction equals the answer",
        slice_name="task",
        headline="macro",
        note="The answers of the test split are hidden: its items have no credit. A prediction without a letter, "
        "(Z), is wrong and casts no vote. The number of options is not in the log, so chance is not known.",
    )
    rows.add(
        "runs",
        run_id=f"blink/{model}",
        benchmark="blink",
        model=model,
        kind="model",
        parser="first letter in brackets of `prediction`",
        complete=True,
    )


READER = Reader("blink", "1", "BLINK saved outputs", "file", FIELDS, claims, read, named_by_path=True)
