"""AlpacaEval annotations: a JSON list, one judge's preference between a baseline's and a model's output per record.

`preference` is 1 where output_1 is better, 2 where output_2 is, anything between for weighted judges, 1.5 (0 in older
files) for a tie, null where the judge failed. The instruction is the only key of an item.
Format: https://github.com/tatsu-lab/alpaca_eval, results/*/*/annotations.json.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analytics.errors import BadLog
from loaders.base import Field, Found, Issue, Reader, Source, shorten
from loaders.gather import Gather
from loaders.json_text import load, number_or_none, text_or_none

SIGNS = tuple(
    re.compile(rb'"%s"\s*:' % key)
    for key in (b"instruction", b"output_1", b"output_2", b"generator_1", b"generator_2", b"preference")
)
TEXTS = ("instruction", "output_1", "output_2", "generator_1", "generator_2")
TIE = 1.5

FIELDS = (
    Field("items.prompt", ("[].instruction",), "its digest with the dataset is the item's id"),
    Field("items.capability", ("[].dataset",)),
    Field("runs.model", ("[].generator_1", "[].generator_2")),
    Field("responses.response", ("[].output_1", "[].output_2")),
    Field("judges.judge_id", ("[].annotator",)),
    Field("comparisons.score", ("[].preference",), "1 first better, 2 second better; 0 is read as the tie 1.5"),
    Field("comparisons.justification", ("[].raw_completion.concise_explanation", "[].raw_completion")),
)


def claims(path: Path, head: bytes) -> bool:
    """Tell a list of preferences between two generators' outputs."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return path.is_file() and start.startswith(b"[") and all(sign.search(head) for sign in SIGNS)


def companion(path: Path, head: bytes) -> bool:
    """Tell the tables of judges or models that the authors publish beside the annotations."""
    first = head.split(b"\n", 1)[0]
    judges = b"Human agreement" in first and b"# parsed" in first
    models = b"win_rate" in first and b"standard_error" in first and b"n_total" in first
    return path.suffix == ".csv" and (judges or models)


def read(source: Source) -> Iterator[Found]:
    """Yield one comparison per record, with the item and both responses."""
    records = load(source.path, source.name)
    if not isinstance(records, list):
        raise BadLog(f"{source.name} must hold a list of annotations.")
    rows = Gather("comparisons")
    judges: dict[str, None] = {}
    models: dict[str, None] = {}
    seen: set[tuple[str, ...]] = set()
    for number, record in enumerate(records, start=1):
        fault = _fault(record, number)
        if fault is None:
            key = _key(record)
            if key in seen:
                message = "The same judge has this instruction and pair twice; the first is kept."
                fault = Issue("duplicate_key", "refused", message, number, "instruction", shorten(key[0]))
            seen.add(key)
        if fault is not None:
            yield fault
            continue
        judges[key[3]] = None
        models |= dict.fromkeys(key[1:3])
        _take(rows, record, number, judge=key[3])
        if rows.full():
            yield from rows.batches()
    for judge in judges:
        rows.add("judges", judge_id=judge, kind="model", version=judge)
    _describe(rows, models)
    yield from rows.batches()
    yield from rows.issues()


def _key(record: dict[str, Any]) -> tuple[str, str, str, str]:
    judge = text_or_none(record.get("annotator")) or "unnamed AlpacaEval judge"
    return record["instruction"], record["generator_1"], record["generator_2"], judge


def _fault(record: object, number: int) -> Issue | None:
    """Return why a record is refused, or None."""
    if not isinstance(record, dict):
        return Issue("not_an_object", "refused", "A record must be an object.", number, None, shorten(str(record)))
    for column in TEXTS:
        if not isinstance(record.get(column), str):
            message = f"{column} must be text and is {type(record.get(column)).__name__}. Export the file again."
            return Issue("wrong_type", "refused", message, number, column, shorten(str(record)))
    if record["generator_1"] == record["generator_2"]:
        message = "generator_1 and generator_2 are the same: nothing was compared."
        return Issue("one_generator", "refused", message, number, "generator_2", record["generator_1"])
    preference = number_or_none(record.get("preference"))
    if preference is not None and preference != 0 and not 1 <= preference <= 2:
        message = f"preference is {preference:g}; allowed: 1 to 2, 0 for a tie, null for a failed judge."
        return Issue("out_of_range", "refused", message, number, "preference", shorten(record["instruction"]))
    if preference is None and record.get("preference") is not None and not isinstance(record["preference"], float):
        message = f"preference must be a number or null and is {type(record['preference']).__name__}."
        return Issue("wrong_type", "refused", message, number, "preference", shorten(str(record["preference"])))
    return None


def _take(rows: Gather, record: dict[str, Any], number: int, *, judge: str) -> None:
    """Add the rows of one annotation."""
    dataset = text_or_none(record.get("dataset"))
    told = hashlib.sha256(record["instruction"].encode("utf-8", "surrogatepass")).hexdigest()[:12]
    item = f"{dataset or 'alpaca_eval'}-{told}"
    rows.add(
        "items",
        benchmark="alpaca_eval",
        item_id=item,
        capability=dataset,
        media_type="text",
        answer_type="open",
        prompt=record["instruction"],
        reference_known=True,
    )
    for generator, output in (("generator_1", "output_1"), ("generator_2", "output_2")):
        rows.add(
            "responses",
            run_id=f"alpaca_eval/{record[generator]}",
            item_id=item,
            attempt=1,
            response=record[output],
            status="ok",
            line=number,
        )
    score = number_or_none(record.get("preference"))
    score = TIE if score == 0 else score
    if score is None:
        message = "preference is empty: the judge failed, which is no tie."
        rows.doubt("no_verdict", message, line=number, column="preference", excerpt=record["instruction"])
    rows.add(
        "comparisons",
        benchmark="alpaca_eval",
        item_id=item,
        run_a=f"alpaca_eval/{record['generator_1']}",
        run_b=f"alpaca_eval/{record['generator_2']}",
        judge_id=judge,
        attempt=1,
        label=None if score is None else "tie" if score == TIE else "A" if score < TIE else "B",
        score=score,
        justification=_why(record),
    )


def _why(record: dict[str, Any]) -> str | None:
    """Return the judge's explanation; the letters that it gave the outputs are explained at its end."""
    raw, named = record.get("raw_completion"), record.get("referenced_models")
    why = raw.get("concise_explanation") if isinstance(raw, dict) else raw
    if not isinstance(why, str) or not why.strip():
        return None
    if not isinstance(named, dict):
        return why
    which = ", ".join(
        f"{letter} = {record.get(str(name).replace('output', 'generator'))}" for letter, name in named.items()
    )
    return f"{why}\n[{which}]"


def _describe(rows: Gather, models: dict[str, None]) -> None:
    rows.add(
        "benchmarks",
        benchmark="alpaca_eval",
        title="AlpacaEval",
        missing_policy="exclude",
        raw_means="outputs are compared in pairs, not scored: see the comparisons",
        slice_name="dataset",
        headline="micro",
        note="A win rate is a mean of preference - 1 over the verdicts that came out, against one baseline. "
        "Judges are compared on the same pair of outputs alone. Ties without a call of the judge have equal outputs.",
    )
    for model in models:
        rows.add(
            "runs",
            run_id=f"alpaca_eval/{model}",
            benchmark="alpaca_eval",
            model=model,
            kind="model",
            complete=True,
        )


READER = Reader("alpaca_eval", "1", "AlpacaEval annotations", "file", FIELDS, claims, read, companion=companion)
