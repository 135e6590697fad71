"""Data units of SocialReasonBench (appendix D): one multiple-choice question on one clip, with typed options."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analytics.errors import did_you_mean, listing
from loaders import srb_terms as terms
from loaders.base import Issue, shorten
from loaders.gather import Gather
from loaders.objects import Record, first_of, refuse
from loaders.records import plain

_LEVEL = re.compile(r"l\d+(\.\d+)?_")
_OPTION = re.compile(r"(?:O_)?([A-Z])")


@dataclass(frozen=True, slots=True)
class Unit:
    """What a prediction needs of its data unit: the letters of its options and the correct one."""

    letters: tuple[str, ...]
    correct: str


ASSUMED = Unit(tuple("ABCDEF"), terms.CORRECT)
"""A unit that is not at hand, under the fixed ids of appendix B."""


def is_unit(record: Record) -> bool:
    """Whether a record is a data unit."""
    return "evaluation_engine" in record or "model_input" in record


def within(record: Mapping[str, Any], *path: str) -> Any:  # noqa: ANN401 - JSON is any of its types
    """Return what lies at a path of nested objects; None where it ends before."""
    found: Any = record
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def instance_of(record: Record) -> str | None:
    """Return the instance that a record is about."""
    metadata = record.get("metadata")
    return first_of(metadata, "instance_id") if isinstance(metadata, dict) else first_of(record, "instance_id")


def letter_of(option: object) -> str | None:
    """Return the stored letter of an option's id, 'C' of 'O_C'; None where it is no such id."""
    found = _OPTION.fullmatch(option.strip()) if isinstance(option, str) else None
    return found.group(1) if found else None


def unit_of(record: Record) -> Unit | None:
    """Return what predictions need of a data unit; None where its options do not tell."""
    options = _options(record)
    right = [letter for letter, kind, _ in options if kind == "correct"]
    letters = tuple(letter for letter, _, _ in options)
    return Unit(letters, right[0]) if len(right) == 1 and len(set(letters)) == len(letters) else None


def _options(record: Record) -> list[tuple[str, str, str]]:
    """Return (letter, type, words) of each option that has an id, in the order of the ids."""
    given = within(record, "evaluation_engine", "options")
    found = []
    for option in given if isinstance(given, list) else ():
        letter = letter_of(option.get("option_id")) if isinstance(option, dict) else None
        if letter is not None:
            kind = first_of(option, "type") or "untyped"
            found.append((letter, terms.TYPES.get(plain(kind), plain(kind)), first_of(option, "text") or ""))
    return sorted(found)


def add_unit(rows: Gather, described: set[tuple[str, str]], record: Record, line: int) -> Issue | None:
    """Add item, tags and option types of one data unit, or return why it is refused."""
    name, benchmark, unit = instance_of(record), first_of(record, "benchmark") or terms.BENCHMARK, unit_of(record)
    if name is None:
        return refuse("required", "The unit has no metadata.instance_id.", line, "metadata.instance_id", record)
    if (benchmark, name) in described:
        message = f"The instance {name} came before; the first is kept."
        return refuse("duplicate_key", message, line, "metadata.instance_id", name)
    if unit is None:
        message = (
            "The options must have ids O_A to O_F, each once, and exactly one the type correct_option. "
            f"Found: {listing(f'{letter} {kind}' for letter, kind, _ in _options(record)) or 'none'}."
        )
        return refuse("bad_options", message, line, "evaluation_engine.options", name)
    described.add((benchmark, name))
    options = _options(record)
    if len(options) != terms.OPTIONS:
        message = f"The unit has {len(options)} options, the benchmark has {terms.OPTIONS}: is it abbreviated?"
        rows.doubt("not_six_options", message, line=line, column="evaluation_engine.options", excerpt=name)
    _add_item(rows, record, unit, options, key=(benchmark, name), line=line)
    for letter, kind, _ in options:
        if kind not in terms.TYPES.values():
            message = f"'{kind}' is no type of option; known: {listing(terms.TYPES)}.{did_you_mean(kind, terms.TYPES)}"
            rows.doubt("unknown_value", message, line=line, column="evaluation_engine.options[].type", excerpt=name)
        rows.add("option_types", benchmark=benchmark, item_id=name, option=letter, type=kind)
    return None


def _add_item(
    rows: Gather,
    record: Record,
    unit: Unit,
    options: Sequence[tuple[str, str, str]],
    *,
    key: tuple[str, str],
    line: int,
) -> None:
    prompt = within(record, "model_input", "text_prompt")
    context = within(record, "model_input", "multimodal_context")
    parts = [first_of(prompt, part) for part in ("background", "question")] if isinstance(prompt, dict) else []
    words = {letter: text for letter, _, text in options}
    last = max(ord(letter) for letter in words)
    rows.add(
        "items",
        benchmark=key[0],
        item_id=key[1],
        capability=_dimension(rows, record, line),
        axis=_interaction(rows, record, line),
        media_type="video",
        answer_type="single_choice",
        tier=_tier(rows, record, line),
        prompt="\n\n".join(part for part in parts if part) or None,
        options=[words.get(chr(code), "") for code in range(ord("A"), last + 1)],
        reference=unit.correct,
        reference_known=True,
        media_path=first_of(context, "video_url") if isinstance(context, dict) else None,
        chance=1 / len(options),
    )
    times = (
        [first_of(context, name) for name in ("timestamp_start", "timestamp_end")] if isinstance(context, dict) else []
    )
    if len(times) == 2 and all(times):
        rows.add("item_tags", benchmark=key[0], item_id=key[1], kind="clip", tag=f"{times[0]} to {times[1]}")


def _known(
    rows: Gather, word: str | None, found: str | None, allowed: Sequence[str], *, line: int, column: str
) -> str | None:
    """Return our key for a word; a word outside the benchmark's is kept as written, and doubted."""
    if word is None or found is not None:
        return found
    message = f"'{shorten(word, most=60)}' is not one of {listing(allowed)}; it was kept as written."
    rows.doubt("unknown_value", message + did_you_mean(word, allowed), line=line, column=column, excerpt=word)
    return word


def _coordinate(record: Record, name: str) -> str | None:
    coordinate = within(record, "metadata", "coordinate")
    return first_of(coordinate, name) if isinstance(coordinate, dict) else None


def _dimension(rows: Gather, record: Record, line: int) -> str | None:
    word = _coordinate(record, "cognitive")
    bare = _LEVEL.sub("", plain(word)) if word else ""
    found = next((key for key, other in terms.DIMENSIONS.items() if bare in (key, *other)), None)
    return _known(rows, word, found, [*terms.DIMENSIONS], line=line, column="metadata.coordinate.cognitive")


def _interaction(rows: Gather, record: Record, line: int) -> str | None:
    word = _coordinate(record, "interpersonal")
    bare = plain(word).removesuffix("_interaction") if word else ""
    found = bare if bare in terms.INTERACTIONS else None
    return _known(rows, word, found, terms.INTERACTIONS, line=line, column="metadata.coordinate.interpersonal")


def _tier(rows: Gather, record: Record, line: int) -> str | None:
    """Return the grounding tier that the anchor type means; a word for none is doubted and no tier."""
    word = within(record, "evaluation_engine", "grounding_trace", "anchor_type")
    if not isinstance(word, str) or not word.strip():
        return None
    bare = plain(word).removeprefix("tier_")
    found = next((tier for tier, other in terms.TIERS.items() if bare in (tier.lower(), *other)), None)
    if found is None:
        message = f"The anchor type '{shorten(word, most=60)}' means no grounding tier (A, B, AB, C): none was set."
        column = "evaluation_engine.grounding_trace.anchor_type"
        rows.doubt("unknown_value", message, line=line, column=column, excerpt=word)
    return found
