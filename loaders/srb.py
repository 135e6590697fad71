"""SocialReasonBench: data units as its appendix D prints them, and predictions as letters of the order shown.

A letter means nothing without the order in which the options were shown: it is mapped back to the recorded option by
`order_shown`. A letter that was not shown is an invalid format and wrong; a question that a person skipped leaves the
denominator. Format: docs/formats.md; source: the paper's appendices B, D, H and I.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from analytics.errors import BadLog, listing
from analytics.schema import FAILED
from loaders import srb_terms as terms
from loaders.base import Batch, Found, Issue, Reader, Source
from loaders.gather import Gather
from loaders.objects import (
    SUFFIXES,
    Record,
    Stamped,
    attempt_of,
    beside,
    claimed,
    count_of,
    first_of,
    keys_in,
    lacking,
    number_of,
    objects,
    refuse,
    stamped,
)
from loaders.psycheme_terms import KIND, STATUS
from loaders.records import plain
from loaders.srb_units import ASSUMED, Unit, add_unit, instance_of, is_unit, letter_of, unit_of

LISTS = ("units", "instances", "predictions")
LETTER = re.compile(r"\W*(?:option\s+)?([A-Za-z])\W*", re.IGNORECASE)
RUN_WORDS = ("model", "vendor", "access", "regime", "condition", "scope")
UNTOLD = {
    "order_shown": (
        "no_order_shown",
        "order_shown is missing: a letter alone does not say which option it was. Give the option ids in the order "
        "shown, or the chosen one as option_id.",
    ),
    "option_id": (
        "wrong_type",
        "option_id is no id of an option; allowed: O_A, O_B and so on, as the units have them.",
    ),
}
"""Rule and message by the column for want of which it cannot be told which option was chosen."""
Units = dict[tuple[str, str], Unit]


def claims(path: Path, head: bytes) -> bool:
    """Tell data units by their blocks, and predictions by instance, run and what was predicted."""
    if path.suffix.lower() not in SUFFIXES or not path.is_file():
        return False
    names = keys_in(path, head)
    predicted = {"instance_id", "run"} <= names and bool(names & {"prediction", "option_id"})
    return {"instance_id", "model_input", "evaluation_engine"} <= names or predicted


@dataclass(slots=True)
class _File:
    """What the records of one file share. Each gatherer counts the records of its own kind."""

    known: Units
    units: Gather = field(default_factory=lambda: Gather("items"))
    predicted: Gather = field(default_factory=lambda: Gather("responses"))
    benchmarks: dict[str, None] = field(default_factory=dict)
    described: set[tuple[str, str]] = field(default_factory=set)
    items: dict[tuple[str, str], None] = field(default_factory=dict)
    scoped: dict[tuple[str, str, str], None] = field(default_factory=dict)
    runs: dict[str, dict[str, object]] = field(default_factory=dict)
    answered: dict[tuple[str, str, int], int] = field(default_factory=dict)

    def batches(self) -> Iterator[Batch]:
        yield from self.units.batches()
        yield from self.predicted.batches()


def read(source: Source) -> Iterator[Found]:
    """Yield items and option types of data units, and responses of predictions.

    Raises BadLog when the file as a whole cannot be read.
    """
    file = _File(_units(source.path))
    for line, record in objects(source.path, source.name, LISTS):
        if isinstance(record, Issue):
            yield record
            continue
        if is_unit(record):
            fault = add_unit(file.units, file.described, record, line)
        elif {"prediction", "option_id", "status"} & set(record):
            fault = _predict(file, record, line)
        else:
            message = f"The record is no data unit and no prediction. It has: {listing(record) or 'nothing'}."
            fault = refuse("unknown_record", message, line, None, record)
        if fault is not None:
            yield fault
            continue
        file.benchmarks[_benchmark(record)] = None
        if file.units.full() or file.predicted.full():
            yield from file.batches()
    _describe(file)
    yield from file.batches()
    yield from file.units.issues()
    yield from file.predicted.issues()


def _benchmark(record: Record) -> str:
    return first_of(record, "benchmark") or terms.BENCHMARK


def _units(path: Path) -> Units:
    """Return what the data units in a file and beside it say of the options, by benchmark and instance."""
    return _known(stamped([path, *(other for other in beside(path) if claimed(other, claims))]))


@lru_cache(maxsize=1)  # each file of a folder asks for the same
def _known(files: tuple[Stamped, ...]) -> Units:
    found: Units = {}
    for file, _, _ in files:
        with suppress(BadLog):  # a file that cannot be read is reported when its own turn comes
            for _, record in objects(Path(file), Path(file).name, LISTS):
                if isinstance(record, dict) and is_unit(record):
                    instance, unit = instance_of(record), unit_of(record)
                    if instance is not None and unit is not None:
                        found.setdefault((_benchmark(record), instance), unit)
    return found


def _predict(file: _File, record: Record, line: int) -> Issue | None:
    """Add the response of one prediction, or return why it is refused."""
    fault = lacking(record, line, ("instance_id",), ("run",))
    attempt = attempt_of(record)
    if fault is None and attempt is None:
        fault = refuse("wrong_type", "attempt must be a whole number from 1.", line, "attempt", record)
    if fault is not None or attempt is None:
        return fault
    benchmark, item, name = _benchmark(record), first_of(record, "instance_id") or "", first_of(record, "run") or ""
    run = name if name.startswith(f"{benchmark}/") else f"{benchmark}/{name}"
    unit = file.known.get((benchmark, item), ASSUMED)
    order = _order(record, unit)
    if isinstance(order, str):
        return refuse("bad_order", order, line, "order_shown", record)
    found = _chosen(record, order, unit)
    if isinstance(found, str):
        rule, message = UNTOLD[found]
        return refuse(rule, message, line, found, record)
    if (run, item, attempt) in file.answered:
        message = f"The same attempt was on line {file.answered[run, item, attempt]} already; the first is kept."
        return refuse("duplicate_key", message, line, "instance_id", record)
    file.answered[run, item, attempt] = line
    answer, status = found
    file.items[benchmark, item] = None
    _about_run(file, run, name, record, line)
    rows = file.predicted
    right = {"invalid_format": 0.0}.get(status, float(answer == unit.correct) if answer else None)
    rows.add(
        "responses",
        run_id=run,
        item_id=item,
        attempt=attempt,
        answer=answer,
        response=first_of(record, "response") or (first_of(record, "prediction") if answer is None else None),
        rationale=first_of(record, "rationale"),
        credit=None if status in FAILED or status in ("judge_failed", "not_applicable") else right,
        order_shown=order,
        confidence=number_of(rows, record, "confidence", line=line),
        **{key: count_of(rows, record, key, line=line) for key in ("input_tokens", "output_tokens")},
        seconds=number_of(rows, record, "seconds", line=line),
        status=status,
        status_note=first_of(record, "status_note", "error"),
        line=line,
    )
    return None


def _order(record: Record, unit: Unit) -> list[str] | str | None:
    """Return the stored letters in the order shown; None without one, or a text that says what is wrong."""
    given = record.get("order_shown")
    if given is None:
        return None
    parts = given if isinstance(given, list) else [part for part in re.split(r"[\s,;|]+", str(given)) if part]
    if len(parts) == 1 and isinstance(parts[0], str) and len(parts[0]) == len(unit.letters):
        parts = list(parts[0])
    letters = [letter_of(part) for part in parts]
    if None in letters or sorted(str(letter) for letter in letters) != sorted(unit.letters):
        wanted = ", ".join(f"O_{letter}" for letter in unit.letters)
        return f"order_shown must name each option of the instance once, in the order shown: {wanted}."
    return [str(letter) for letter in letters]


def _chosen(record: Record, order: list[str] | None, unit: Unit) -> tuple[str | None, str] | str:
    """Return (stored letter, status) of a prediction, or the column for want of which no option can be told."""
    said = first_of(record, "status")
    status = STATUS.get(plain(said), said) if said else None
    if status is not None and status not in ("ok", "guessed"):
        return None, status
    given, option = first_of(record, "prediction"), first_of(record, "option_id")
    stored = letter_of(option or (given if given and given.startswith("O_") else None))
    if stored is not None:
        return (stored, status or "ok") if stored in unit.letters else (None, "invalid_format")
    if given is None:
        return "option_id" if option else (None, "missing")
    shown = LETTER.fullmatch(given)
    place = ord(shown.group(1).upper()) - ord("A") if shown else -1
    if order is None:
        return "order_shown" if 0 <= place < len(unit.letters) else (None, "invalid_format")
    return (order[place], status or "ok") if 0 <= place < len(order) else (None, "invalid_format")


def _about_run(file: _File, run: str, name: str, record: Record, line: int) -> None:
    """Remember what a prediction says of its run: of each field the first word; another one later is doubted."""
    benchmark, instance = _benchmark(record), first_of(record, "instance_id") or ""
    told = file.runs.setdefault(run, {"benchmark": benchmark, "name": name})
    kind = first_of(record, "kind")
    words = {key: first_of(record, key) for key in RUN_WORDS} | {"kind": KIND.get(plain(kind), kind) if kind else None}
    for key, word in words.items():
        if word is not None and told.setdefault(key, word) != word:
            message = f"{key} is '{word}' and was '{told[key]}' in an earlier record of the run; the first is kept."
            file.predicted.doubt("conflicting_rows", message, line=line, column=key, excerpt=name)
    if words["scope"]:
        file.scoped[benchmark, instance, words["scope"]] = None


def _describe(file: _File) -> None:
    """Add benchmarks, runs, the items of partial runs, and items whose data unit is not at hand."""
    for benchmark in file.benchmarks:
        file.units.add(
            "benchmarks",
            benchmark=benchmark,
            title="SocialReasonBench" if benchmark == terms.BENCHMARK else benchmark,
            missing_policy="exclude",
            raw_means="answer accuracy",
            slice_name="dimension",
            headline="micro",
        )
    rows = file.predicted
    for benchmark, item in file.items:
        if (benchmark, item) not in file.known:
            named = {"benchmark": benchmark, "item_id": item, "media_type": "video", "answer_type": "single_choice"}
            rows.add("items", **named, reference=terms.CORRECT, reference_known=True, chance=1 / terms.OPTIONS)
            message = f"No data unit {item} here or beside: O_A is taken as correct, as the benchmark's ids fix it."
            rows.doubt("unit_not_at_hand", message, column="instance_id", excerpt=item)
    for benchmark, item, tag in file.scoped:
        rows.add("item_tags", benchmark=benchmark, item_id=item, kind="scope", tag=tag)
    for run, told in file.runs.items():
        own = {key: value for key, value in told.items() if key != "name"}
        rows.add("runs", **{"run_id": run, "model": told["name"], "kind": "model", "complete": True} | own)


READER = Reader(
    name="srb",
    version="1",
    title="SocialReasonBench data units and predictions",
    unit="file",
    fields=terms.FIELDS,
    claims=claims,
    read=read,
    looks_beside=True,
)
