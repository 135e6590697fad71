"""Inspect AI logs, read directly: `.eval` archives and `.json` files, finished or interrupted.

One sample at one epoch is one response (epoch = attempt). The first scorer that gives one value per sample gives
the credit; every scorer is a judge. Format: https://inspect.aisi.org.uk/eval-logs.html and the README of the logs.
"""

from __future__ import annotations

import mmap
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from analytics.errors import BadLog
from loaders.base import Field, Found, Issue, Reader, Source, shorten
from loaders.inspect_parts import Log, LogWithSamples, Sample, Scored
from loaders.inspect_rows import Read, Record, rows_of
from loaders.inspect_zip import AT_ONCE_BYTES, SAMPLE, Archive, member, open_archive, sample_members
from loaders.json_text import WHOLE_BYTES, decode

FIELDS = (
    Field("items.item_id", ("samples[].id",)),
    Field("items.prompt", ("samples[].input",)),
    Field("items.options", ("samples[].choices",)),
    Field("items.reference", ("samples[].target",), "spaces around it do not count"),
    Field("items.capability", ("samples[].metadata.<category, subject, topic ...>",), "inspect_rows.CAPABILITY"),
    Field("responses.attempt", ("samples[].epoch",)),
    Field("responses.response", ("samples[].output.choices[0].message.content", "samples[].output.completion")),
    Field("responses.answer", ("samples[].scores.<first scorer>.answer",)),
    Field("responses.credit", ("samples[].scores.<first scorer>.value",), "C = 1, P = 0.5, I = N = 0"),
    Field("responses.seconds", ("samples[].total_time",)),
    Field("responses.output_tokens", ("samples[].output.usage", "samples[].model_usage")),
    Field("responses.status_note", ("samples[].error.message", "samples[].limit.type")),
    Field("verdicts.score", ("samples[].scores.<scorer>.value.<criterion>",)),
    Field("verdicts.justification", ("samples[].scores.<scorer>.explanation",)),
    Field("runs.model", ("eval.model",)),
    Field("runs.run_id", ("eval.eval_id", "eval.run_id")),
    Field("runs.complete", ("status",), "'success' alone is complete"),
    Field("item_tags.tag", ("eval.dataset.sample_ids",), "kind 'scope': items of a run on a part of the dataset"),
)

HEADERS = ("header.json", "_journal/start.json")
FIRST_MEMBER = re.compile(r"_journal/start\.json|header\.json|summaries\.json|samples/.+\.json")
JOURNAL = re.compile(r"_journal/summaries/(\d+)\.json")
SIGNS = tuple(re.compile(sign) for sign in (rb'"eval"\s*:\s*\{', rb'"run_id"\s*:\s*"', rb'"task_id"\s*:\s*"'))


def claims(path: Path, head: bytes) -> bool:
    """Tell an archive by its members and a JSON log by its record of the run."""
    if head.startswith(b"PK\x03\x04"):
        first = head[30 : 30 + int.from_bytes(head[26:28], "little")].decode("utf-8", errors="replace")
        if FIRST_MEMBER.fullmatch(first):
            return True
        with suppress(OSError, zipfile.BadZipFile, ValueError, NotImplementedError), zipfile.ZipFile(path) as file:
            return any(name in file.namelist() for name in HEADERS)
        return False
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"{") and all(sign.search(head) for sign in SIGNS)


def read(source: Source) -> Iterator[Found]:
    """Yield the rows of one run."""
    with source.path.open("rb") as file:  # once: to open a file takes as long as to decode a small log
        zipped = file.read(4) == b"PK\x03\x04"
        file.seek(0)
        yield from _read_archive(source, file) if zipped else _read_json(source, file)


def _read_archive(source: Source, file: BinaryIO) -> Iterator[Found]:
    """Read an `.eval` archive: samples one by one, so that a long log needs the memory of its longest sample."""
    archive = open_archive(file, source.name)
    with archive.file:
        for name in archive.unsafe:
            message = f"The member name '{shorten(name, most=80)}' leads out of the archive; it was not read."
            yield Issue("unsafe_member", "refused", message, records=1)
        for name in archive.doubled:
            if SAMPLE.fullmatch(name):
                message = f"The archive holds {shorten(name, most=80)} again; the last one is read."
                yield Issue("duplicate_member", "refused", message, records=1)
        header, whole = _header(archive, source.name)
        names = sample_members(archive)
        summaries = _summaries(archive)
        lacking = [row for key, row in summaries.items() if f"samples/{key[0]}_epoch_{key[1]}.json" not in names]
        yield from rows_of(
            Read(
                name=source.name,
                spec=header.eval,
                status=header.status if whole else "started",
                version=header.version,
                results=header.results,
                scored=lambda: _scored(archive, names, summaries),
                records=lambda: _records(archive, names, lacking),
            )
        )


def _header(archive: Archive, name: str) -> tuple[Log, bool]:
    """Return the record of the run and whether it is the final one; an interrupted run has only its start."""
    faults = []
    for place in HEADERS:
        if place not in archive.members:
            faults.append(f"{place} is absent")
            continue
        try:
            return decode(member(archive, place), Log), place == HEADERS[0]
        except ValueError as error:
            faults.append(f"{place}: {error}")
    raise BadLog(f"{name} does not say which run it is ({'; '.join(faults)}). Export it again with `inspect log dump`.")


def _summaries(archive: Archive) -> dict[tuple[str, int], Sample]:
    """Return the short records by (id, epoch): those of the end, else those that the journal holds."""
    found: dict[tuple[str, int], Sample] = {}
    for name in ["summaries.json"] if "summaries.json" in archive.members else _journal(archive):
        with suppress(ValueError):  # a broken summary is no loss: what it sums up stands in its sample
            found |= {(str(row.id), row.epoch): row for row in decode(member(archive, name), list[Sample])}
    return found


def _journal(archive: Archive) -> list[str]:
    """Return the names of the journal's summaries in the order in which they were written."""
    places = [(int(match.group(1)), match.group()) for match in map(JOURNAL.fullmatch, archive.members) if match]
    return [name for _, name in sorted(places, key=lambda place: place[0])]


def _scored(archive: Archive, names: list[str], summaries: dict[tuple[str, int], Sample]) -> Iterator[Scored]:
    """Yield id and scores of every sample, from its summary where there is one."""
    for row in summaries.values():
        yield Scored(row.id, row.epoch, row.scores)
    for name in names:
        match = SAMPLE.fullmatch(name)
        if match is not None and (match.group(1), int(match.group(2))) not in summaries:
            with suppress(ValueError):
                yield decode(member(archive, name), Scored)


def _records(archive: Archive, names: list[str], lacking: list[Sample]) -> Iterator[Record]:
    """Yield the samples in the order of (id, epoch), then what only a summary tells."""
    for place, name in enumerate(names, start=1):
        try:
            yield Record(place, name, decode(member(archive, name), Sample))
        except ValueError as error:
            yield Record(place, name, str(error))
    for place, row in enumerate(lacking, start=len(names) + 1):
        yield Record(place, "summary", row, summary=True)


def _read_json(source: Source, file: BinaryIO) -> Iterator[Found]:
    """Read a `.json` log: a long one mapped, not loaded; each sample is decoded when its turn comes."""
    size = os.fstat(file.fileno()).st_size
    if size > WHOLE_BYTES:
        raise BadLog(f"{source.name} has {size:,} bytes. Convert it with `inspect log convert --to eval` first.")
    raw: bytes | mmap.mmap
    raw = file.read(size) if size <= AT_ONCE_BYTES else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    log: Log | LogWithSamples
    try:
        log = _log(raw)
    except ValueError as error:
        raise BadLog(f"{source.name} is no complete Inspect log: {error}. Export it again.") from error
    if log.samples is None:
        raise BadLog(f"{source.name} holds the record of a run without its samples. Give the whole log.")
    order: list[tuple[bool, int, str, int, int]] = []
    scored = []
    broken: list[Record] = []
    for place, each in enumerate(log.samples):
        try:
            row = _typed(each, Scored)
        except ValueError as error:
            broken.append(Record(place + 1, f"samples[{place}]", str(error)))
            continue
        number = row.id if isinstance(row.id, int) else -1
        order.append((number < 0, number, str(row.id), row.epoch, place))
        scored.append(Scored(row.id, row.epoch, row.scores))
    samples = log.samples

    def records() -> Iterator[Record]:
        yield from broken
        for *_, place in sorted(order):
            try:
                yield Record(place + 1, f"samples[{place}]", _typed(samples[place], Sample))
            except ValueError as error:
                yield Record(place + 1, f"samples[{place}]", str(error))

    yield from rows_of(
        Read(
            name=source.name,
            spec=log.eval,
            status=log.status,
            version=log.version,
            results=log.results,
            scored=lambda: iter(scored),
            records=records,
        )
    )


def _log(raw: bytes | mmap.mmap) -> Log | LogWithSamples:
    try:
        return msgspec.json.decode(raw, type=Log)
    except msgspec.DecodeError:  # NaN somewhere, or broken: the lenient decoder tells which
        return decode(raw, LogWithSamples)


def _typed(raw: Any, kind: type[Any]) -> Any:  # noqa: ANN401 - a sample of the asked kind
    if isinstance(raw, msgspec.Raw):
        return decode(bytes(raw), kind)
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error


READER = Reader("inspect", "1", "Inspect AI log", "file", FIELDS, claims, read, whole_run=True)
