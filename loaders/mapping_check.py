"""Checks of a mapping profile's keys and values: each says the file, the key, what was found and what is allowed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from analytics.errors import BadLog, did_you_mean, listing

OPEN = "?"
"""Value of a key whose question nobody has answered yet."""


@dataclass(frozen=True, slots=True)
class Check:
    """The checks of one profile, whose file is `name`; each raises BadLog."""

    name: str

    def fail(self, key: str, found: str, wanted: str) -> NoReturn:
        """Raise BadLog for one key."""
        raise BadLog(f"{self.name}: {key} {found}; {wanted}.")

    def keys(self, given: Mapping[str, Any], allowed: Collection[str], where: str) -> None:
        """Refuse a key that is not allowed, with the nearest that is."""
        for key in given:
            if key not in allowed:
                place = f"{where}.{key}" if where else key
                known = listing(allowed, most=50)
                raise BadLog(f"{self.name}: {place} is no key; allowed: {known}.{did_you_mean(key, allowed)}")

    def no_open(self, value: object, where: str) -> None:
        """Refuse '?' wherever it stands for an answer that nobody has given."""
        if value == OPEN and not where.endswith(".separator"):
            self.fail(where, "is still open ('?')", "answer the question; the comment above it has the choices")
        parts: list[tuple[str, object]] = []
        if isinstance(value, Mapping):
            parts = [(f"{where}.{key}".lstrip("."), part) for key, part in value.items()]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            parts = [(f"{where}[{number}]", part) for number, part in enumerate(value, start=1)]
        for place, part in parts:
            self.no_open(part, place)

    def table(
        self, given: Mapping[str, Any], key: str, *, required: bool = False, where: str = ""
    ) -> Mapping[str, Any]:
        """Return a table, which may be absent unless `required`."""
        value = given.get(key)
        if value is None and not required:
            return {}
        if not isinstance(value, dict):
            self.fail(
                f"{where}{key}", "is missing" if value is None else f"is {value!r}", f"write a table [{where}{key}]"
            )
        return value

    def tables(self, given: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        """Return a list of tables, which may be absent."""
        value = given.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            self.fail(key, "is no list of tables", f"write [[{key}]] above each")
        return value

    def text(self, value: object, key: str) -> str:
        """Return a text that is not empty."""
        if not isinstance(value, str) or not value:
            self.fail(key, "is missing" if value is None else f"is {value!r}", "write a text")
        return value

    def texts(self, value: object, key: str) -> tuple[str, ...]:
        """Return a list of texts; one may be empty, as the name of a column can."""
        if not isinstance(value, list):
            self.fail(key, f"is {value!r}", "write a list of texts")
        return tuple(part if part == "" else self.text(part, f"{key}[{n}]") for n, part in enumerate(value, start=1))

    def columns(self, value: object, key: str, *, many: bool) -> tuple[str, ...]:
        """Return the name of one column, or of several where `many`."""
        if many and isinstance(value, list) and value:
            return self.texts(value, key)
        return (self.text(value, key),)

    def word(self, value: object, allowed: Sequence[str], key: str) -> str:
        """Return a word of a closed list."""
        if value not in allowed:
            found = "is missing" if value is None else f"is {value!r}"
            raise BadLog(f"{self.name}: {key} {found}; allowed: {listing(allowed)}.{did_you_mean(str(value), allowed)}")
        return str(value)

    def words(self, given: Mapping[str, Any], key: str, allowed: Collection[str]) -> dict[str, str]:
        """Return a table of texts under known keys."""
        entries = self.table(given, key)
        self.keys(entries, allowed, key)
        return {name: self.scalar(value, f"{key}.{name}") for name, value in entries.items()}

    def scalar(self, value: object, key: str) -> str:
        """Return a text or a number as text."""
        if isinstance(value, bool) or not isinstance(value, (str, int, float)) or value == "":
            self.fail(key, f"is {value!r}", "write a text or a number")
        return str(value)
