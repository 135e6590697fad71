"""Which files are logs, and which reader reads each: by content, and by exactly one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analytics.errors import BadLog
from loaders.base import HEAD_BYTES, Issue, Reader, Source, readers
from loaders.mapping_apply import reader_of
from loaders.mapping_find import Beside, is_profile, unknown

COMPANION_SUFFIXES = frozenset(
    {".md", ".txt", ".rst", ".html", ".png", ".jpg", ".jpeg", ".svg", ".mp4", ".wav", ".mp3", ".webm"}
)
COMPANION_NAMES = frozenset({"license", "licence", "manifest.json", "notice", "makefile"})
SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file or folder with the reader that claims it, or the issue that says why none does."""

    source: Source
    reader: Reader | None
    companion: bool
    issue: Issue | None


def discover(argument: str, *, known: Sequence[Reader] | None = None) -> Iterator[Candidate]:
    """Yield every file and log folder under one argument, in the order of their names.

    A link that leads to a file already seen is passed over, so that nothing is counted twice. Raises BadLog when
    the argument does not exist.
    """
    root = Path(argument)
    if not root.exists():
        raise BadLog(f"{argument} does not exist. Give a file or folder with logs.")
    every = readers() if known is None else tuple(known)
    beside = Beside()
    seen: set[Path] = set()
    for path in _walk(root, every):
        real = path.resolve()
        if real in seen:
            continue
        seen.add(real)
        name = path.name if path == root else str(path.relative_to(root))
        yield _candidate(Source(path, name, argument), every, beside)


def _walk(root: Path, every: Sequence[Reader]) -> Iterator[Path]:
    """Yield files and folders that a folder reader claims; hidden files and folders are passed over."""
    if root.is_file():
        yield root
        return
    if any(reader.unit == "folder" and reader.claims(root, b"") for reader in every):
        yield root
        return
    for path in sorted(root.iterdir()):
        if path.name.startswith(".") or path.name in SKIPPED_FOLDERS:
            continue
        if path.is_dir():
            if not path.is_symlink():  # a linked folder would be walked twice, or for ever
                yield from _walk(path, every)
        else:
            yield path


def _candidate(source: Source, every: Sequence[Reader], beside: Beside) -> Candidate:
    """Return the candidate for one path, or why it cannot be one."""
    if source.path.exists() and not (source.path.is_file() or source.path.is_dir()):
        return _refuse(source, "not_a_file", f"{source.name} is a pipe, socket or device. Write it to a file first.")
    try:
        head = b"" if source.path.is_dir() else _head(source.path)
    except OSError as error:
        return _refuse(
            source, "unreadable", f"{source.name} cannot be opened ({error.strerror}). Check its permissions."
        )
    if source.path.is_dir():
        found = _claimed(source, head, every, unit="folder")
    elif not head:
        found = _refuse(source, "empty_file", f"{source.name} holds no bytes. Export it again, or leave it out.")
    else:
        # A mapping profile beside the file comes before the readers when it names the file, else after them.
        found = (
            _mapped(source, beside, named=True)
            or _claimed(source, head, every, unit="file")
            or _mapped(source, beside, named=False)
        )
    return found or _unclaimed(source, head, every, beside)


def _claimed(source: Source, head: bytes, every: Sequence[Reader], *, unit: str) -> Candidate | None:
    """Return the candidate of the one reader that claims a path, None where none does: no two may."""
    claimed = []
    for reader in (reader for reader in every if reader.unit == unit):
        try:
            claimed += [reader] if reader.claims(source.path, head) else []
        except Exception as error:  # noqa: BLE001 - one odd file must not stop the others
            message = f"The reader {reader.name} failed to look at {source.name} with {type(error).__name__}: {error}. "
            return _refuse(source, "reader_failed", message + "Please report it with the file.")
    if len(claimed) > 1:
        names = " and ".join(reader.name for reader in claimed)
        return _refuse(
            source,
            "two_readers",
            f"{source.name} is claimed by the readers {names}. Say which is right, or name the file after its format.",
        )
    return Candidate(source, claimed[0], companion=False, issue=None) if claimed else None


def _unclaimed(source: Source, head: bytes, every: Sequence[Reader], beside: Beside) -> Candidate:
    """Return the candidate for a path that neither a reader nor a profile is for."""
    if is_companion_name(source.path) or any(
        reader.companion and reader.companion(source.path, head) for reader in every
    ):
        return Candidate(source, None, companion=True, issue=None)
    faults = beside.of(source.path.parent)[1]
    if faults:
        message = f"{source.name} is of no known format, and the profile beside it cannot be read: "
        return _refuse(source, "bad_profile", message + " ".join(faults.values()))
    return _refuse(source, "unknown_format", _unknown(source, head, every))


def is_companion_name(path: Path) -> bool:
    """Whether a file's name tells that it belongs to a log and holds no rows."""
    return path.suffix.lower() in COMPANION_SUFFIXES or path.name.lower() in COMPANION_NAMES


def _mapped(source: Source, beside: Beside, *, named: bool) -> Candidate | None:
    """Return the candidate that the profiles beside a file make of it, or None where they say nothing of it."""
    if is_profile(source.path):
        fault = beside.fault(source.path)
        if fault is not None:
            return _refuse(source, "bad_profile", fault)
        return Candidate(source, None, companion=True, issue=None)
    claiming = beside.claiming(source.path, named=named)
    if len(claiming) > 1:
        names = " and ".join(profile.name for profile in claiming)
        message = f"{source.name} is claimed by the profiles {names}. Name the file in one of them (file.names)."
        return _refuse(source, "two_profiles", message)
    return Candidate(source, reader_of(claiming[0]), companion=False, issue=None) if claiming else None


def _unknown(source: Source, head: bytes, every: Sequence[Reader]) -> str:
    """Return the sentence for a file that no reader knows, with what its first bytes tell."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or (len(head) > 8 and head[1:8:2].count(0) >= 3):
        return f"{source.name} looks like UTF-16. Save it as UTF-8 and load it again."
    return unknown(source, every)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def _refuse(source: Source, rule: str, message: str) -> Candidate:
    return Candidate(source, None, companion=False, issue=Issue(rule, "refused", message, records=0))


def files_of(path: Path, beside: Sequence[Path] = ()) -> list[Path]:
    """Return the files that a source is read from: its own, and of those beside it the ones that are there."""
    own = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return [*own, *(file for file in beside if file.is_file())]


def digest(path: Path, beside: Sequence[Path] = ()) -> tuple[str, int, float]:
    """Return sha256, size in bytes and time of last change of a file, or of all the files of a folder.

    Files `beside` it that say more of it are counted with it where they are.
    """
    total, newest = 0, 0.0
    whole = hashlib.sha256()
    for file in files_of(path, beside):
        if path.is_dir():
            whole.update(str(file.relative_to(path)).encode() + b"\0")
        elif file != path:
            whole.update(b"\0" + file.name.encode() + b"\0")
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                whole.update(block)
        stat = file.stat()
        total += stat.st_size
        newest = max(newest, stat.st_mtime)
    return whole.hexdigest(), total, newest
