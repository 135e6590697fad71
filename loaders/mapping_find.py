"""Profiles beside logs: which of them a file is for, and what an unknown file is closest to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from analytics.errors import BadLog, listing
from loaders.base import Issue, Reader, Source
from loaders.located import Located
from loaders.mapping_lists import lists_of
from loaders.mapping_open import blocks, format_of, open_file
from loaders.mapping_profile import SUFFIX, Profile, read_profile
from loaders.read_only import check_writable
from loaders.records import plain

ESSENTIAL = (
    "items.item_id", "runs.run_id", "runs.model", "responses.answer", "responses.response", "responses.credit",
    "items.reference",
)  # fmt: skip
"""Columns that a log is mostly recognised by; what an unknown file lacks is told of these."""


LOOK_BYTES = 32 << 20
"""Largest document or workbook that is opened only to say what it is close to."""


def is_profile(path: Path) -> bool:
    """Whether a file is a mapping profile by its name."""
    return path.name == SUFFIX or path.name.endswith(f".{SUFFIX}")


@dataclass(slots=True)
class Beside:
    """The profiles of the folders met so far, each read once: those that are whole, and why others are not."""

    _known: dict[Path, tuple[list[Profile], dict[str, str]]] = field(default_factory=dict)

    def of(self, folder: Path) -> tuple[list[Profile], dict[str, str]]:
        """Return the profiles of a folder, and a sentence for each file that is no whole profile."""
        if folder not in self._known:
            whole: list[Profile] = []
            faults: dict[str, str] = {}
            for path in sorted(folder.glob(f"*{SUFFIX}")):
                if not is_profile(path):
                    continue
                try:
                    whole.append(read_profile(path))
                except (BadLog, OSError) as error:
                    faults[path.name] = str(error)
            self._known[folder] = (whole, faults)
        return self._known[folder]

    def fault(self, path: Path) -> str | None:
        """Return why a profile is none, or None where it is whole."""
        return self.of(path.parent)[1].get(path.name)

    def claiming(self, path: Path, *, named: bool) -> list[Profile]:
        """Return the profiles that are for a file: those that name it, or else (not `named`) those of its shape."""
        whole, _ = self.of(path.parent)
        return [profile for profile in whole if (profile.names_file(path) if named else _of_shape(profile, path))]


def _of_shape(profile: Profile, path: Path) -> bool:
    """Whether a file has the format and the columns that a profile without names asks for."""
    if profile.names or profile.format != format_of(path):
        return False
    try:
        names = first_columns(
            path, profile.format, profile.records, profile.sheet,
            header_row=profile.header_row, wanted=profile.columns,
        )  # fmt: skip
    except (Exception, pl.exceptions.PanicException):  # noqa: BLE001 - a file that fails so has no shape at all
        return False
    return set(profile.columns) <= set(names)


def first_columns(
    path: Path, kind: str, records: Sequence[str] | None, sheet: str | None, *, header_row: int | None = None,
    wanted: Sequence[str] = (),
) -> tuple[str, ...]:  # fmt: skip
    """Return the columns of a file's first block, with `wanted` elements of lists; empty when it cannot be read so."""
    lists = lists_of(wanted)
    try:
        for found in blocks(
            path, path.name, kind, Located(), records=records, sheet=sheet, header_row=header_row, lists=lists
        ):
            if not isinstance(found, Issue):
                return tuple(found[0].columns)
    except BadLog:
        return ()
    return ()


def profile_path(log: Path) -> Path:
    """Return where a new profile of a log is written: beside it, under a name that is free."""
    names = (f"{log.stem}{'' if number == 1 else f'-{number}'}.{SUFFIX}" for number in itertools.count(1))
    return next(path for name in names if not (path := log.with_name(name)).exists())


def save_profile(log: Path, text: str) -> Path:
    """Write a profile beside the log that it is for, and return where; profiles that are there stay as they are.

    Raises ReadOnly on a server that writes nothing.
    """
    check_writable("Saving a profile")
    path = profile_path(log)
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
    return path


def unknown(source: Source, every: Sequence[Reader]) -> str:
    """Return what to do with a file that no reader and no profile is for: the closest reader, and the mapping."""
    said = f"No reader knows the format of {source.name}."
    try:
        names = _names(source)
    except BadLog as error:
        titles = ", ".join(reader.title for reader in every)
        return f"{said} Known: {titles}. It cannot be mapped either: {error}"
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001 - one odd file must not stop the others
        return f"{said} It cannot be mapped either: looking at it failed with {type(error).__name__}."
    return (
        f"{said} {_closest(names, every)}Map its columns: `scoreproof build FILE --suggest` prints a profile to save "
        f"beside it as {source.path.stem}.{SUFFIX}, and the Data page has the same as a form."
    )


def _names(source: Source) -> tuple[str, ...]:
    """Return the columns of an unknown file; none of one so large that looking at it would hold up the others."""
    if format_of(source.path) in ("json", "xlsx") and source.path.stat().st_size > LOOK_BYTES:
        return ()
    opened = open_file(source.path, source.name)
    records = opened.places[0].steps if opened.places else None
    header = opened.header(None)
    return first_columns(source.path, opened.format, records, None, header_row=header if header > 1 else None)


def _closest(names: Sequence[str], every: Sequence[Reader]) -> str:
    """Return the reader that shares most columns with a file, and which of the essential ones it lacks."""
    own = {plain(name) for name in names}
    shares = [([f for f in r.fields if own & {plain(path) for path in f.paths}], r) for r in every]
    if not shares:
        return ""
    best, reader = max(shares, key=lambda share: len(share[0]))
    if len(best) < 2:
        return ""
    has = [next(path for path in f.paths if plain(path) in own) for f in best]
    lacks = [
        f"{f.target} ({listing(f.paths, most=3)})" for f in reader.fields if f.target in ESSENTIAL and f not in best
    ]
    missing = f", lacks a column for {listing(lacks, most=4)}" if lacks else ", but not all that tells it"
    return f"Closest: {reader.name}, of whose columns it has {listing(has, most=6)}{missing}. "
