"""Which rows: a slice is a predicate with bound values, an English sentence, and URL parameters."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from analytics.errors import EmptySlice, UnknownName, UnknownValue, did_you_mean, listing
from analytics.store import Connection, frame

NONE = "none"
"""Spelling of 'the log says nothing here' in slices, URLs and tables."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a slice: its address in URLs, the column of the views, and how a sentence says it."""

    name: str
    column: str
    says: str
    of: str  # 'item' or 'run': what the key is an attribute of


KEYS: dict[str, Key] = {
    key.name: key
    for key in (
        Key("benchmark", "benchmark", "benchmark", "item"),
        Key("capability", "capability", "capability", "item"),
        Key("subcapability", "subcapability", "sub-capability", "item"),
        Key("axis", "axis", "second axis", "item"),
        Key("media_type", "media_type", "media type", "item"),
        Key("answer_type", "answer_type", "answer type", "item"),
        Key("tier", "tier", "tier", "item"),
        Key("tag", "tag", "tag", "tag"),
        Key("run", "run_id", "run", "run"),
        Key("model", "model", "model", "run"),
        Key("vendor", "vendor", "vendor", "run"),
        Key("access", "access", "access", "run"),
        Key("kind", "kind", "kind of system", "run"),
        Key("regime", "regime", "input regime", "run"),
        Key("condition", "condition", "condition", "run"),
        Key("provenance", "provenance", "provenance", "run"),
    )
}

TAG_PREDICATE = (
    "(benchmark, item_id) IN (SELECT (t.benchmark, t.item_id) FROM item_tags t WHERE t.tag = ANY($where_tag))"
)


@dataclass(frozen=True, slots=True)
class Slice:
    """A choice of values by key: values of one key are alternatives, keys must all hold.

    `choices` is sorted, so two slices that mean the same are equal, hash alike and spell the same URL.
    Build one with `Slice.of` or `Slice.from_params`.
    """

    choices: tuple[tuple[str, tuple[str, ...]], ...] = field(default=())

    @classmethod
    def of(cls, **choices: str | Sequence[str] | None) -> Slice:
        """Return the slice with these values by key; None and empty choices restrict nothing.

        Raises UnknownName for a key that does not exist.
        """
        kept: dict[str, tuple[str, ...]] = {}
        for name, value in choices.items():
            if name not in KEYS:
                raise UnknownName(f"There is no slice key '{name}'.{did_you_mean(name, KEYS)} Keys: {', '.join(KEYS)}.")
            values = (value,) if isinstance(value, str) else tuple(value or ())
            if values:
                kept[name] = tuple(sorted(set(values)))
        return cls(tuple(sorted(kept.items())))

    @classmethod
    def from_params(cls, params: Mapping[str, str | Iterable[str]]) -> Slice:
        """Return the slice that URL parameters or `--where` values spell; see `of` for what is raised."""
        return cls.of(**{name: [v] if isinstance(v, str) else list(v) for name, v in params.items()})

    def to_params(self) -> dict[str, list[str]]:
        """Return the URL parameters of the slice, ready for `from_params`."""
        return {name: list(values) for name, values in self.choices}

    def values(self, name: str) -> tuple[str, ...]:
        """Return the values chosen for one key; empty when the key is not restricted."""
        return dict(self.choices).get(name, ())

    def where(self) -> tuple[str, dict[str, list[str]]]:
        """Return predicate and bound values for the views; values never enter the text."""
        clauses = []
        params: dict[str, list[str]] = {}
        for name, values in self.choices:
            key = KEYS[name]
            params[f"where_{name}"] = list(values)
            clauses.append(TAG_PREDICATE if key.of == "tag" else f"{key.column} = ANY($where_{name})")
        return " AND ".join(clauses) or "TRUE", params

    def with_choice(self, name: str, values: Sequence[str]) -> Slice:
        """Return the slice with the values of one key replaced."""
        return Slice.of(**(dict(self.choices) | {name: tuple(values)}))

    def sentence(self) -> str:
        """Return the slice in words, e.g. 'capability is Counting or Jigsaw; media type is images'."""
        if not self.choices:
            return "every item and every run"
        parts = []
        for name, values in self.choices:
            shown = [f"not stated ({NONE})" if value == NONE else value for value in values]
            parts.append(f"{KEYS[name].says} is {listing(shown[:-1]) + ' or ' if len(shown) > 1 else ''}{shown[-1]}")
        return "; ".join(parts)

    def digest(self) -> str:
        """Return a short digest that stamps exports."""
        return hashlib.sha256(repr(self.choices).encode()).hexdigest()[:12]


DIMENSIONS = """
SELECT key, value, sum(items)::BIGINT AS items, sum(runs)::BIGINT AS runs
FROM dimensions
WHERE ($benchmarks IS NULL OR benchmark = ANY($benchmarks))
GROUP BY key, value ORDER BY key, value
"""


def dimensions(cursor: Connection, *, benchmarks: Sequence[str] | None) -> pl.DataFrame:
    """Values that the store has for each slice key.

    One row per key and value: `items` counts items, `runs` counts runs that have the value (0 for the other
    kind of key). `benchmarks` restricts to items and runs of these benchmark versions; None takes all.
    """
    return frame(cursor, DIMENSIONS, {"benchmarks": list(benchmarks) if benchmarks else None})


def check(cursor: Connection, chosen: Slice) -> None:
    """Raise UnknownValue for a value of the slice that no row of the store has, with the nearest spelling."""
    if not chosen.choices:
        return
    known = dimensions(cursor, benchmarks=None)
    for name, values in chosen.choices:
        allowed = known.filter(pl.col("key") == name)["value"].to_list()
        for value in values:
            if value not in allowed:
                has = (
                    f"The store has: {listing(allowed)}." if allowed else f"The store has no {KEYS[name].says} at all."
                )
                raise UnknownValue(f"No row has {KEYS[name].says} '{value}'.{did_you_mean(value, allowed)} {has}")


def empty(chosen: Slice, *, needs: str) -> EmptySlice:
    """Return the error for a slice without rows that have what the question needs."""
    return EmptySlice(f"No row with {needs} where {chosen.sentence()}. Widen the slice or load a log that has it.")
