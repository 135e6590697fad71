"""A profile as TOML text, with the reasons as comments above the keys that they explain."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from loaders.base import shorten

Value = str | int | float | bool | Sequence[object]
Raw = dict[str, object]
Notes = Mapping[str, Sequence[str]]

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(raw: Mapping[str, object], notes: Notes) -> str:
    """Return the text of a profile; `notes` are comment lines by the key that they stand above, '' for the top."""
    lines = _comments("", notes)
    for key, value in raw.items():
        if not isinstance(value, Mapping) and not _tables(value):
            lines += _entry(key, value, key, notes)
    for key, value in raw.items():
        if isinstance(value, Mapping):
            lines += _table(key, value, key, notes)
        elif _tables(value):
            lines += _array(key, value, notes)
    return "\n".join(lines).strip() + "\n"


def _tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _table(title: str, table: Mapping[str, object], place: str, notes: Notes) -> list[str]:
    """Return one table; tables within it become tables of their own, small ones in one line."""
    inner = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    own = {key: value for key, value in table.items() if key not in inner}
    lines: list[str] = []
    if own or not inner:
        lines += ["", *_comments(place, notes), f"[{title}]"]
        for key, value in own.items():
            lines += _entry(key, value, f"{place}.{key}", notes)
    for key, value in inner.items():
        lines += _table(f"{title}.{_key(key)}", value, f"{place}.{key}", notes)
    return lines


def _array(key: str, tables: object, notes: Notes) -> list[str]:
    assert isinstance(tables, list)
    lines: list[str] = []
    for number, table in enumerate(tables, start=1):
        lines += ["", *(_comments(key, notes) if number == 1 else []), f"[[{key}]]"]
        for name, value in table.items():
            lines += _entry(name, value, f"{key}[{number}].{name}", notes)
    return lines


def _entry(key: str, value: object, place: str, notes: Notes) -> list[str]:
    return [*_comments(place, notes), f"{_key(key)} = {_value(value)}"]


def _comments(place: str, notes: Notes) -> list[str]:
    return [f"# {shorten(' '.join(line.split()), most=600)}" for line in notes.get(place, ())]


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(name)} = {_value(part)}' for name, part in value.items())} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_value(part) for part in value)}]"
    return _text(str(value))


def _text(text: str) -> str:
    """Return a TOML basic string: as JSON writes it, the one control sign escaped that JSON leaves."""
    return json.dumps(text, ensure_ascii=False).replace("\N{DELETE}", "\\u007f")
