"""Which logs on disk are no longer what the store was built from, and which have come to their folders since."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import duckdb

from analytics.schema import STORE_VERSION
from loaders.discover import SKIPPED_FOLDERS, digest, files_of, is_companion_name
from loaders.mapping_apply import NAME, profile_named
from loaders.mapping_profile import profile_digest
from loaders.pointer import POINTER, removed_by
from loaders.renew import beside_of, place_of

MOST_SOURCES = 5_000
"""Sources that are looked at; a store of more is not looked at, since it would take long on a slow disk."""

MOST_ENTRIES = 20_000
"""Files and folders below a folder that is searched for new files; of one with more none is named."""

DIGESTED = 64 << 20
"""Bytes up to which a file of the same size and another date is read, to see whether it is the same."""


@dataclass(frozen=True, slots=True)
class Change:
    """One source whose file is not what was read, or one file (without a source) that was not there then."""

    source_id: str
    name: str
    argument: str
    what: Literal["changed", "gone", "new"]


def changes(sources: Iterable[Mapping[str, object]], *, thorough: bool = True) -> list[Change]:
    """Return the sources that changed on disk since the build; `sources` are rows of the table of that name.

    Size and date are compared first. A file of the same size and another date is read again if it is not too large;
    without `thorough`, or too large, it counts as changed.
    """
    held = list(sources)
    if len(held) > MOST_SOURCES:
        return []
    found = []
    for source in held:
        what = _compare(source, thorough=thorough)
        if what is not None:
            found.append(Change(str(source["source_id"]), str(source["path"]), str(source["argument"]), what))
    return found


def appeared(sources: Iterable[Mapping[str, object]], removed: Collection[Path] = ()) -> list[Change]:
    """Return the files that came since the build to the folders that were read; `sources` are all rows of that table.

    Passed over are hidden files, what a name tells to hold no rows (README, pictures), folders that are one log or a
    store of ours, and the places that a person `removed` (see `removed_by`).
    """
    held = list(sources)
    if len(held) > MOST_SOURCES:
        return []
    known = {*removed, *(place_of(str(each["path"]), str(each["argument"])).resolve() for each in held)}
    found: dict[Path, Change] = {}
    for argument in dict.fromkeys(str(each["argument"]) for each in held):
        for path in _below(Path(argument), known):
            if path.resolve() not in known and not is_companion_name(path):
                name = str(path.relative_to(argument))
                found.setdefault(path.resolve(), Change("", name, argument, "new"))
    return list(found.values())


def _below(root: Path, known: Collection[Path]) -> list[Path]:
    """Return the files below a folder in the order of their names; none where there are too many to look at."""
    found: list[Path] = []
    entries, waiting = 0, [root]
    while waiting:
        folder = waiting.pop()
        if folder.resolve() in known or (folder / POINTER).exists() or not folder.is_dir():
            continue
        try:
            inside = sorted(folder.iterdir())
        except OSError:
            continue  # it cannot be looked at: nothing is known of it
        entries += len(inside)
        if entries > MOST_ENTRIES:
            return []
        for path in inside:
            if path.name.startswith(".") or path.name in SKIPPED_FOLDERS:
                continue
            if path.is_dir():
                waiting += [] if path.is_symlink() else [path]
            elif path.is_file():
                found.append(path)
    return sorted(found)


def _compare(source: Mapping[str, object], *, thorough: bool) -> Literal["changed", "gone"] | None:
    place = place_of(str(source["path"]), str(source["argument"]))
    loader, version = str(source["loader"]), str(source["loader_version"])
    beside = () if loader == NAME else beside_of(place, loader, version)
    try:
        size, modified = _stat(place, beside)
        other = size != source["bytes"] or (loader == NAME and profile_differs(place, version))
    except FileNotFoundError:
        return "gone"
    except (OSError, UnicodeDecodeError):
        return None  # it cannot be looked at: nothing is known of it
    if not other and modified == source["modified"]:
        return None
    if not other and thorough and size <= DIGESTED and digest(place, beside)[0] == source["sha256"]:
        return None
    return "changed"


def profile_differs(place: Path, version: str) -> bool:
    """Whether the profile beside a mapped log is another one than it was read by; one that is gone is none."""
    profile = place.with_name(profile_named(version))
    return profile.is_file() and profile_digest(profile.read_text(encoding="utf-8-sig")) != version.rpartition(" ")[2]


def _stat(place: Path, beside: Sequence[Path]) -> tuple[int, float]:
    """Return size and newest date of a file, or of all files of a folder, as `digest` does."""
    if not place.exists():
        raise FileNotFoundError(place)
    stats = [path.stat() for path in files_of(place, beside)]
    return sum(stat.st_size for stat in stats), max((stat.st_mtime for stat in stats), default=0.0)


def changed_since(store: Path) -> str:
    """Return which logs of a store changed on disk since it was built, by size and date, and which files are new.

    Nothing where none did, or where there is no store of this version that can be read: opening it says that better.
    """
    try:
        pointer = json.loads((store / POINTER).read_text(encoding="utf-8"))
        if pointer["schema_version"] != STORE_VERSION:
            return ""  # what a store of another version keeps of its files is not compared as now
        file = Path(str(pointer["file"])).name
        with duckdb.connect(str(store / file), read_only=True) as con:
            sources = con.sql("SELECT * FROM sources").to_arrow_table().to_pylist()
    except (OSError, ValueError, KeyError, TypeError, duckdb.Error):
        return ""
    logs = [source for source in sources if source["role"] != "companion"]
    found = [one.name for one in changes(logs, thorough=False) if one.what == "changed"]
    fresh = [one.name for one in appeared(sources, removed_by(store / POINTER))]
    said = [f"changed on disk since {store} was built: {_named(found)}."] if found else []
    said += [f"new in its folders: {_named(fresh)}."] if fresh else []
    return " ".join([*said, "Build it again, or reload them on the Data page."]) if said else ""


def _named(found: Sequence[str]) -> str:
    return ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
