"""One spoiled log through the read path, and what must hold of it."""

from __future__ import annotations

import json
import re
import resource
import shutil
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import polars as pl
import pyarrow.parquet as pq

from analytics.errors import BadLog, ScoreproofError
from benchmarks.fuzzing.samples import Tree
from loaders.base import EXCERPT, Batch, Issue, Reader, Source
from loaders.discover import Candidate, discover
from loaders.native import RECORDS
from loaders.validate import validate
from loaders.warehouse import build

SECONDS = 20.0
"""Most time on the processor that one case may take: time that a busy machine lets pass is no fault of a reader."""

MEGABYTES = 600
"""Most memory that one case may add to the process."""

MESSAGE = 4_000
ACCOUNTED = frozenset({"psycheme", "lm_eval", "lmms_eval", "alpaca_eval"})
"""Readers whose every line, list entry or table row is one record: what they have seen can be counted by others."""

SEVERAL = frozenset({"hss", "mapping", "published"})
"""Readers that make several rows of one line: of a table with a column for each judge or run, of a printed table."""


class TooSlow(BaseException):
    """The case ran past its time; no Exception, so that no reader takes it for a fault of the log."""


@dataclass(frozen=True)
class Outcome:
    """What became of a case. `finding` names what did not hold, with its place in the code if it crashed."""

    seen: int = 0
    kept: int = 0
    refused: int = 0
    claimed: int = 0
    finding: str | None = None
    detail: str = ""


def write_tree(folder: Path, tree: Tree) -> None:
    """Make a folder hold exactly these files."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def run(folder: Path, name: str, *, whole: bool, seconds: float = SECONDS) -> Outcome:
    """Read what lies in `folder`, whose file `name` is spoiled; `whole` builds a store of it too."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.monotonic()
    try:
        with limit(seconds):
            outcome = _read(folder, name)
            if whole and outcome.finding is None:
                outcome = _build(folder) or outcome
    except TooSlow as slow:
        return Outcome(finding=f"slow at {slow}", detail=f"{time.monotonic() - start:.1f} s")
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001 - every crash is what is looked for
        return Outcome(finding=f"{type(error).__name__} at {_where(error)}", detail=_last(error))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    if grown > MEGABYTES:
        return Outcome(finding="memory", detail=f"{grown:.0f} MB more")
    return outcome


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raise TooSlow in this block after some seconds on the processor, with the place in the loaders that it was at."""

    def stop(_signal: int, frame: FrameType | None) -> None:
        ours = [f for f in traceback.extract_stack(frame) if "/loaders/" in f.filename]
        raise TooSlow(f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else "unknown")

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/loaders/" in f.filename] or list(frames)
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"


def _last(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:300]}"


def _read(folder: Path, name: str) -> Outcome:
    """Discover, read and validate; the account is kept as a build keeps it, without the database."""
    spoiled = folder / name
    found = list(discover(str(folder)))
    mine = [c for c in found if c.source.path == spoiled or spoiled.is_relative_to(c.source.path)]
    if all(c.companion for c in mine):
        mine = found  # a file that belongs to others: they are what it may break
    total = Outcome()
    for candidate in mine:
        if candidate.issue is not None:
            _check_issue(candidate.issue)
            if candidate.issue.rule == "reader_failed":
                return Outcome(finding="reader_failed at claims", detail=candidate.issue.message[:300])
        if candidate.reader is None:
            continue
        total = _sum(total, _account(candidate.reader, candidate))
        if total.finding:
            break
    return total


def _account(reader: Reader, candidate: Candidate) -> Outcome:
    """Read one candidate: seen = kept + refused, and no row more than there are records."""
    seen = kept = refused = 0
    failed = False
    try:
        for found in reader.read(candidate.source):
            if isinstance(found, Issue):
                _check_issue(found)
                seen += found.records if found.severity == "refused" else 0
                refused += found.records if found.severity == "refused" else 0
                failed = failed or (found.severity == "refused" and found.line is None)
                continue
            valid, issues = validate(found.table, found.frame)
            for issue in issues:
                _check_issue(issue)
            lost = sum(issue.records for issue in issues if issue.severity == "refused")
            if valid.height + lost != found.frame.height:
                return Outcome(finding="validate loses rows", detail=f"{found.table}: {found.frame.height}")
            seen, kept, refused = _add(found, valid.height, lost, (seen, kept, refused))
    except (BadLog, OSError) as error:
        _check_issue(Issue("unreadable", "refused", str(error)))
        return Outcome(claimed=1, seen=max(seen, 1), refused=max(seen, 1))
    except RecursionError:  # a build refuses the file by the rule too_deep
        return Outcome(claimed=1, seen=max(seen, 1), refused=max(seen, 1))
    if seen != kept + refused:
        return Outcome(finding="account", detail=f"{seen} seen, {kept} kept, {refused} refused")
    most = records(candidate.source) if reader.name not in SEVERAL else None
    if most is not None and kept > most:
        return Outcome(finding="row invented", detail=f"{kept} rows of {most} records")
    if most is not None and reader.name in ACCOUNTED and _is_whole(candidate.source) and seen < most and not failed:
        return Outcome(finding="record lost", detail=f"{seen} seen of {most} records")
    return Outcome(claimed=1, seen=seen, kept=kept, refused=refused)


def _add(found: Batch, kept: int, lost: int, account: tuple[int, int, int]) -> tuple[int, int, int]:
    if not found.primary:
        return account
    return account[0] + found.frame.height, account[1] + kept, account[2] + lost


def _sum(one: Outcome, other: Outcome) -> Outcome:
    return Outcome(
        one.seen + other.seen, one.kept + other.kept, one.refused + other.refused, one.claimed + other.claimed,
        other.finding, other.detail,
    )  # fmt: skip


def _check_issue(issue: Issue) -> None:
    """Raise AssertionError for an issue that says nothing, too much, or what no database holds."""
    assert re.fullmatch(r"[a-z][a-z0-9_]*", issue.rule), f"rule {issue.rule!r}"
    assert issue.severity in ("refused", "doubted", "note"), f"severity {issue.severity!r}"
    assert issue.message.strip(), f"{issue.rule} says nothing"
    assert len(issue.message) <= MESSAGE, f"{issue.rule} has a message of {len(issue.message)} characters"
    assert issue.excerpt is None or len(issue.excerpt) <= 2 * EXCERPT, f"{issue.rule} has a long excerpt"
    assert issue.records >= 0, f"{issue.rule} has {issue.records} records"
    for text in (issue.message, issue.excerpt or "", issue.column or ""):
        text.encode()


def records(source: Source) -> int | None:
    """Return how many records a file has at most, counted without the reader; None where that cannot be said."""
    path = source.path
    if path.is_dir():
        return _native_records(path) if (path / "manifest.json").is_file() else None
    raw = path.read_bytes()
    kind = _form(path, raw)
    if kind == ".jsonl":
        return sum(1 for line in raw.split(b"\n") if line.removeprefix(b"\xef\xbb\xbf").strip())
    if kind in (".csv", ".tsv"):
        return None if b'"' in raw or b"\r" in raw else sum(1 for line in raw.split(b"\n")[1:] if line.strip())
    if kind == ".parquet":
        return int(pq.read_metadata(path).num_rows)
    if kind != ".json":
        return None
    try:
        value = json.loads(raw.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return raw.count(b"{")
    if isinstance(value, dict):
        return 1 + sum(len(part) for part in value.values() if isinstance(part, (list, dict)))
    return len(value) if isinstance(value, list) else 1


def _form(path: Path, raw: bytes) -> str:
    """Return the ending that a file's bytes ask for: lines of JSON that begin as one list are read as one list."""
    lines = path.suffix.lower() == ".jsonl"
    return ".json" if lines and raw.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[") else path.suffix.lower()


def _is_whole(source: Source) -> bool:
    """Whether the records of a file can be told apart: of broken JSON only the marks of records are known."""
    raw = source.path.read_bytes()
    if _form(source.path, raw) != ".json":
        return True
    try:
        json.loads(raw.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return False
    return True


def _native_records(folder: Path) -> int | None:
    try:
        return sum(int(pq.read_metadata(folder / f"{name}.parquet").num_rows) for name in RECORDS)
    except (OSError, ValueError):
        return None


def _build(folder: Path) -> Outcome | None:
    """Build a store of the folder; return what does not hold of the account in it."""
    store = folder.with_name(folder.name + "-store")
    shutil.rmtree(store, ignore_errors=True)
    try:
        report = build([str(folder)], store, add=False)
    except ScoreproofError as error:
        return Outcome(finding="build gave up", detail=str(error)[:300])
    for issue in report.issues:
        if issue["rule"] == "reader_failed":
            return Outcome(finding="reader_failed", detail=str(issue["message"])[:300])
    for source in report.sources:
        if int(str(source["kept"])) + int(str(source["refused"])) != int(str(source["seen"])):
            return Outcome(finding="account of the build", detail=str(source["path"]))
    return None


def minimise(folder: Path, tree: Tree, name: str, finding: str, *, seconds: float = 4.0) -> Tree:
    """Return the tree with the spoiled file made as short as it goes with the same finding."""

    def still(raw: bytes) -> bool:
        write_tree(folder, tree | {name: raw})
        return run(folder, name, whole=False).finding == finding

    raw = tree[name]
    return tree | {name: _shorter(raw, still, time.monotonic() + seconds) if still(raw) else raw}


def _shorter(raw: bytes, still: Callable[[bytes], bool], end: float) -> bytes:
    size = max(1, len(raw) // 2)
    while size and time.monotonic() < end:
        at = 0
        while at < len(raw) and time.monotonic() < end:
            cut = raw[:at] + raw[at + size :]
            if still(cut):
                raw = cut
            else:
                at += size
        size //= 2
    return raw
