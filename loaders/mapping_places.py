"""Where the records of a JSON document lie: lists at a path, objects keyed by id, groups within groups.

A place is a path of steps: a key, '*' for every entry of an object (its key becomes the column `key 1`, `key 2` ...),
'[]' for every element of a list. Scalars that stand on the way are columns too: `outer.model` is one step out,
`outer.outer.model` two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analytics.errors import BadLog, did_you_mean, listing
from loaders.base import Issue, shorten

EACH, ELEMENT = "*", "[]"
VALUE = "value"
"""Column of a record that is a bare value."""

DEPTH = 6
PLACES = 12
SAMPLE = 200
"""How deep, how many places and how many values of each level are looked at when places are sought."""

FEW = 20
"""Objects that hold objects alone under more names than this are groups, not records with nested fields."""

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """One place with records: its steps, how many records lie there, and the names in the first of them."""

    steps: tuple[str, ...]
    records: int
    names: tuple[str, ...]

    @property
    def own(self) -> int:
        """How many named fields the records have of their own."""
        return sum(not name.startswith(("key ", "outer.")) and name != VALUE for name in self.names)

    def said(self) -> str:
        """Return the place in words."""
        words = {EACH: "every key", ELEMENT: "every element"}
        return ", then ".join(words.get(step, f"'{shorten(step, most=40)}'") for step in self.steps)


def places(document: object) -> list[Place]:
    """Return the places of a document with records, the one with most columns first; at most PLACES."""
    found = dict.fromkeys(_walk([document], (), inside=False))
    counted = []
    for steps in list(found)[:PLACES]:
        records = [r for _, r in records_at(document, steps, "") if not isinstance(r, Issue)]
        if records:
            names = dict.fromkeys(name for record in records[:SAMPLE] for name in record)
            counted.append(Place(steps, len(records), tuple(names)))
    return sorted(counted, key=lambda place: (-place.own, -len(place.names), place.steps))


def _walk(values: Sequence[object], steps: tuple[str, ...], *, inside: bool) -> Iterator[tuple[str, ...]]:
    """Yield the places below some values that lie at one path; `inside` once a record may have been passed."""
    if len(steps) >= DEPTH:
        return
    if values and all(isinstance(value, list) for value in values):
        parts = [part for value in values if isinstance(value, list) for part in value[:SAMPLE]][:SAMPLE]
        dicts = bool(parts) and all(isinstance(part, dict) for part in parts)
        if dicts or (not inside and parts and not any(isinstance(part, (dict, list)) for part in parts)):
            yield (*steps, ELEMENT)
        if dicts:
            yield from _walk(parts, (*steps, ELEMENT), inside=True)
        return
    tables = [value for value in values if isinstance(value, dict)]
    if not tables or len(tables) < len(values):
        return
    parts = [part for table in tables for part in list(table.values())[:SAMPLE]][:SAMPLE]
    if _keyed(tables, parts, inside=inside):
        lists = all(isinstance(part, list) for part in parts)
        groups = _deeper(parts) and (any(_holds_lists(part) for part in parts) or len(_together(parts)) > FEW)
        if not lists and not groups:
            yield (*steps, EACH)
        yield from _walk(parts, (*steps, EACH), inside=inside)
        return
    for key in dict.fromkeys(key for table in tables for key in table):
        below = [table[key] for table in tables if table.get(key) is not None]
        if below and all(isinstance(part, (dict, list)) for part in below):
            yield from _walk(below, (*steps, key), inside=inside)


def _keyed(tables: Sequence[Mapping[str, Any]], parts: Sequence[object], *, inside: bool) -> bool:
    """Whether objects are keyed by ids or groups: several entries of one shape, rather than fields of a record."""
    if len(parts) < 2 or max(len(table) for table in tables) < 2:
        return False
    if all(isinstance(part, list) for part in parts):
        return not any(isinstance(x, list) for part in parts if isinstance(part, list) for x in part[:3]) and not inside
    if all(isinstance(part, dict) for part in parts):
        held = sum(len(part) for part in parts if isinstance(part, dict))
        alike = held >= 0.5 * len(parts) * len(_together(parts)) > 0
        return alike or _deeper(parts)
    numbers = all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in parts)
    return not inside and (numbers or (len(tables) == 1 and all(isinstance(part, str) for part in parts)))


def _together(parts: Sequence[object]) -> set[str]:
    return {key for part in parts if isinstance(part, dict) for key in part}


def _holds_lists(part: object) -> bool:
    return isinstance(part, dict) and any(isinstance(value, list) for value in part.values())


def _deeper(parts: Sequence[object]) -> bool:
    """Whether every object holds lists or objects alone, as groups within groups do."""
    held = [value for part in parts if isinstance(part, dict) for value in part.values()]
    return bool(held) and all(isinstance(value, (dict, list)) for value in held)


def records_at(document: object, steps: Sequence[str], name: str) -> Iterator[tuple[int, Record | Issue]]:
    """Yield (number from 1, record) of a place; a value that the path does not fit is a refused issue.

    Raises BadLog when a key of the path is not there at all.
    """
    for number, record in enumerate(_descend(document, tuple(steps), {}, name, 1), start=1):
        if isinstance(record, str):
            message = f"Record {number} at {listing(steps)} {record}"
            yield number, Issue("not_a_record", "refused", message, number)
        else:
            yield number, record


def _descend(value: object, steps: tuple[str, ...], known: Record, name: str, depth: int) -> Iterator[Record | str]:
    """Yield the records below a value; `known` are the columns that the way here has given."""
    if not steps:
        own = value if isinstance(value, dict) else {VALUE: value}
        clash = [key for key in own if key in known]
        if clash:
            raise BadLog(f"{name}: the records have a field '{clash[0]}' of their own; rename it to read this place.")
        yield known | own
        return
    step, rest = steps[0], steps[1:]
    if step == EACH:
        if not isinstance(value, dict):
            yield f"is a {type(value).__name__} where an object was expected."
            return
        number = 1 + sum(key.startswith("key ") for key in known)
        for key, part in value.items():
            yield from _descend(part, rest, known | {f"key {number}": key}, name, depth + 1)
    elif step == ELEMENT:
        if not isinstance(value, list):
            yield f"is a {type(value).__name__} where a list was expected."
            return
        for part in value:
            yield from _descend(part, rest, known, name, depth + 1)
    else:
        if not isinstance(value, dict):
            yield f"is a {type(value).__name__} where an object with '{step}' was expected."
            return
        if step not in value and depth == 1:
            near = did_you_mean(step, value)
            raise BadLog(f"{name} has no '{step}' at its top; it has {listing(value)}.{near}")
        yield from _descend(value.get(step), rest, _outward(value, step, known), name, depth + 1)


def _outward(value: Mapping[str, Any], step: str, known: Record) -> Record:
    """Return the columns known so far one step further out, with the scalars beside the step."""
    pushed = {key if key.startswith("key ") else f"outer.{key}": part for key, part in known.items()}
    beside = {f"outer.{k}": v for k, v in value.items() if k != step and not isinstance(v, (dict, list))}
    return pushed | beside
