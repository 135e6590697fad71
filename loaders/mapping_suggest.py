"""Which column is which field, with the reason in words; what could be either is a question, never a guess."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from loaders.mapping_facts import Facts
from loaders.mapping_fields import TARGETS, Target, worded
from loaders.mapping_profile import POSITION

CATEGORIES = ("capability", "subcapability", "axis", "media_type", "tier")
NUMBERS = (
    "verified", "coverage_factor", "evidence_factor", "logic_factor", "confidence", "input_tokens", "output_tokens",
    "steps", "seconds", "score", "chance",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What is suggested for one field: a column with its reason, or None; `question` says what a person must decide.

    `others` are columns that could be meant as well.
    """

    field: str
    column: str | None
    reason: str
    others: tuple[str, ...] = ()
    question: str | None = None


def suggest(known: Mapping[str, Facts], *, elsewhere: Collection[str] = ()) -> dict[str, Suggestion]:
    """Return a suggestion for every field, in the order of the fields.

    A column is suggested where its name is the field's and its values fit; one name for two fields, or two columns for
    one field, is a question. Fields `elsewhere` are those that the runs of a wide file have columns of their own for.
    """
    own: dict[str, list[str]] = {}
    shared: dict[str, list[str]] = {}
    for target in TARGETS:
        own[target.name] = [name for name, facts in known.items() if _named(name, target.words) and fits(target, facts)]
        shared[target.name] = [
            name for name, facts in known.items() if _named(name, target.shared) and fits(target, facts)
        ]
    if not own["judge"]:
        shared["score"] = []  # a judge's score is nothing without its judge
    for name in elsewhere:
        shared[name] = []
    taken = {columns[0] for columns in own.values() if len(columns) == 1}
    wanted = {
        name: [c for c in columns if c not in taken] for name, columns in shared.items()
    }  # what two fields may mean, and neither has another column for
    return {target.name: _one(target, own, wanted, known) for target in TARGETS}


def _one(
    target: Target, own: Mapping[str, list[str]], wanted: Mapping[str, list[str]], known: Mapping[str, Facts]
) -> Suggestion:
    """Return the suggestion for one field from the columns that go by its own names and by names of several fields."""
    name = target.name
    if len(own[name]) > 1:
        mine = own[name]
        return Suggestion(name, None, "", tuple(mine), f"{_listed(mine)} are all called so: which is it?")
    rivals = sorted({f for c in wanted[name] for f, columns in wanted.items() if f != name and c in columns})
    # A shared name goes to the one field that has no column of its own; with several such fields it is a question.
    free = [field for field in rivals if not own[field]]
    if own[name]:
        return _beside(target, own[name][0], wanted, free, known)
    if wanted[name]:
        return _shared(name, wanted[name], free, known)
    if name == "item":
        called = {column for field, columns in own.items() if field != "capability" for column in columns}
        return _item_by_values({column: facts for column, facts in known.items() if column not in called})
    return _by_key(target, known)


def _beside(
    target: Target, mine: str, wanted: Mapping[str, list[str]], free: list[str], known: Mapping[str, Facts]
) -> Suggestion:
    """Return the column that is called so, unless another could be it as well and belongs to no other field."""
    name = target.name
    extra = [c for c in wanted[name] if not any(c in wanted[field] for field in free)]
    if extra:
        both = [mine, *extra]
        return Suggestion(name, None, "", tuple(both), f"{_listed(both)} could each be it: which is it?")
    return Suggestion(name, mine, _reason(known[mine]), tuple(wanted[name]))


def _shared(name: str, maybe: list[str], free: list[str], known: Mapping[str, Facts]) -> Suggestion:
    """Return the column whose name is shared with other fields, where they have one of their own."""
    if len(maybe) == 1 and not free:
        return Suggestion(name, maybe[0], _reason(known[maybe[0]], last=True))
    fields = " or ".join([name, *free])
    return Suggestion(name, None, "", tuple(maybe), f"{_listed(maybe)} could be {fields}: which is it?")


def _item_by_values(known: Mapping[str, Facts]) -> Suggestion:
    """Return what names the items where no column is called so: the keys of an object, else a question."""
    keys = [name for name in known if name.startswith("key ")]
    unique = [name for name in keys if known[name].distinct == known[name].rows]
    if len(unique) == 1:
        return Suggestion("item", unique[0], "the key of each record, different in all of them")
    candidates = [*keys, *(n for n, f in known.items() if f.filled == f.rows == f.distinct and f.longest <= 80)]
    others = tuple(dict.fromkeys([*candidates, POSITION]))
    return Suggestion(
        "item", None, "", others, f"no column is called so: which names the item? '{POSITION}' is its row."
    )


def _by_key(target: Target, known: Mapping[str, Facts]) -> Suggestion:
    """Return whether the keys of groups could be a capability; for other fields that nothing is called so."""
    groups = [name for name, facts in known.items() if name.startswith("key ") and facts.distinct < facts.rows]
    if target.name == "capability" and groups:
        return Suggestion("capability", None, "", tuple(groups), f"{_listed(groups)} group the records: by what?")
    return Suggestion(target.name, None, "no column is called so")


def _named(name: str, words: tuple[str, ...]) -> bool:
    """Whether a column, or the last part of its path, goes by one of some names."""
    last = name.rpartition(".")[2]
    return worded(name) in words or (last != name and not last.isdigit() and worded(last) in words)


def fits(target: Target, facts: Facts) -> bool:
    """Whether the values of a column can be a field's; an empty column fits none."""
    match target.name:
        case "credit":
            good = facts.numeric or facts.verdict_words
        case "attempt":
            good = facts.numeric and facts.whole and facts.low is not None and facts.low >= 0
        case "item":
            good = facts.distinct > 1
        case name if name in NUMBERS:
            good = facts.numeric
        case name if name in CATEGORIES:
            good = facts.distinct <= max(20, facts.filled // 2)
        case _:
            good = True
    return good and facts.filled > 0


def _reason(facts: Facts, *, last: bool = False) -> str:
    """Return why a column is suggested, and what about it a person should know."""
    said = f"called '{facts.name}'; {facts.said()}"
    return f"{said}; no other field claims it" if last else said


def _listed(names: list[str]) -> str:
    return " and ".join(f"'{name}'" for name in names)
