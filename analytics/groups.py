"""Groups of items that a reader spells as 'key=value|value', for contrasts within a run."""

from __future__ import annotations

import re
from typing import Any

from analytics.errors import UnknownName, UnknownValue, did_you_mean
from analytics.slices import KEYS, Slice, check
from analytics.store import Connection

ITEM_KEYS = tuple(name for name, key in KEYS.items() if key.of != "run" and name != "benchmark")

EXAMPLE = "spell it as key=value|value, keys joined by ';', such as capability=Counting|Jigsaw"


def group_of(spelled: str, *, option: str) -> Slice:
    """Return the slice of items that 'key=value|value;key=value' spells.

    Values of one key are alternatives, keys must all hold. Raises UnknownValue for an empty or broken text, UnknownName
    for a key that is none of an item.
    """
    choices: dict[str, list[str]] = {}
    for part in filter(None, (part.strip() for part in spelled.split(";"))):
        name, equals, values = part.partition("=")
        name = name.strip()
        if name not in ITEM_KEYS:
            raise UnknownName(
                f"{option} names the key '{name}', which no item has.{did_you_mean(name, ITEM_KEYS)} "
                f"Keys: {', '.join(ITEM_KEYS)}; {EXAMPLE}."
            )
        found = [value.strip() for value in values.split("|") if value.strip()]
        if not equals or not found:
            raise UnknownValue(f"{option} is '{spelled}', which gives no value for {name}; {EXAMPLE}.")
        choices.setdefault(name, []).extend(found)
    if not choices:
        raise UnknownValue(f"{option} is empty: name a group of items; {EXAMPLE}.")
    return Slice.of(**choices)


def spell(group: Slice) -> str:
    """Return the text that `group_of` reads."""
    return ";".join(f"{name}={'|'.join(values)}" for name, values in group.choices)


def predicate(cursor: Connection, group: Slice, *, prefix: str) -> tuple[str, dict[str, Any]]:
    """Return a predicate of the group with bound values named after `prefix`, so that it stands beside a slice's own.

    Raises UnknownValue for a value that no item of the store has.
    """
    check(cursor, group)
    where, params = group.where()
    renamed = re.sub(r"\$where_", f"${prefix}_", where)
    return f"({renamed})", {name.replace("where_", f"{prefix}_", 1): value for name, value in params.items()}
