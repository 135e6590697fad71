"""What a kind of check is, what it is given, and what it answers; kinds are found by file in `kinds`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any, Literal

from analytics.audit.cells import Cell, Rows, as_list, groups, select
from analytics.audit.numbers import Interval, short, written
from analytics.audit.tables import Folder, Record
from analytics.errors import UnknownName, UnknownValue, did_you_mean

Status = Literal["reproduced", "consistent", "conditional", "contradicted", "not_checkable", "fails"]
STATUSES: tuple[Status, ...] = ("reproduced", "consistent", "conditional", "contradicted", "not_checkable")
FAILS: Status = "fails"
"""What a kind answers when the plain reading fails; departures then decide between conditional and contradicted."""

AS_PRINTED = "inputs read as printed"
ROUNDING = "some numbers that the printed inputs were rounded from"
BY_CONSTRUCTION = "by construction"

RELATIONS = ("equals", "at_least", "at_most", "above", "below", "about")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of one check: status, the recomputed number with its interval, and why.

    `low` and `high` are None where a check has no number. `off` is by how much it fails, in the printed unit.
    """

    status: Status
    why: str
    recomputed: Fraction | None = None
    low: Fraction | None = None
    high: Fraction | None = None
    off: Fraction | None = None
    subject: tuple[Cell, ...] = ()


Others = Callable[[str], list[tuple[str, "Verdict"]]]
"""Rows and verdicts of the checks of another record, by its id."""


def answer(
    status: Status,
    why: str,
    *,
    number: Interval | None = None,
    off: Fraction | None = None,
    subject: tuple[Cell, ...] = (),
) -> Verdict:
    """Return a verdict with the recomputed interval taken apart."""
    if number is None:
        return Verdict(status, why, off=off, subject=subject)
    return Verdict(status, why, number.value, number.low, number.high, off, subject)


@dataclass(frozen=True)
class Case:
    """One check: the record, the rows at hand, the target and the inputs as cells."""

    record: Record
    folder: Folder
    here: Rows
    target: tuple[Cell, ...]
    inputs: Mapping[str, tuple[Cell, ...]]
    reading: str
    asker: Any = None
    others: Others | None = None

    def many(self, role: str) -> list[Interval]:
        """Return the intervals of one role."""
        return [c.interval for c in self.inputs[role]]

    def one(self, role: str) -> Interval:
        """Return the one number of a role; raises UnknownValue where it is not one."""
        cells = self.inputs[role]
        if len(cells) != 1:
            raise UnknownValue(f"The role '{role}' needs one number and has {len(cells)}.")
        return cells[0].interval

    def exact(self, role: str) -> Fraction:
        """Return the one number of a role as printed, taken as exact."""
        found = self.one(role).value
        if found is None:
            raise UnknownValue(f"The role '{role}' needs a number and has a bound.")
        return found

    def count(self, role: str, *, default: int | None = None) -> int:
        """Return the one whole number of a role; raises UnknownValue where it is not whole."""
        if role not in self.inputs and default is not None:
            return default
        found = self.exact(role)
        if found.denominator != 1 or found < 0:
            raise UnknownValue(f"The role '{role}' needs a whole number, found {short(found)}.")
        return int(found)

    def goal(self) -> Cell:
        """Return the one target."""
        if len(self.target) != 1:
            raise UnknownValue(f"The check needs one target and has {len(self.target)}.")
        return self.target[0]

    def unit(self) -> str:
        """Return the unit of the target: the record's, or that of the column it stands in; empty where none is told."""
        if self.record.get("unit"):
            return str(self.record["unit"])
        places = self.goal().places
        if len(places) != 1:
            return ""
        return str(self.folder.table(places[0].file).told(self.goal().row or {}, places[0].column).get("unit", ""))

    def whole(self) -> Fraction:
        """Return what all cases print as: 1 where the target is a proportion, else 100."""
        return Fraction(1 if self.unit() == "proportion" else 100)

    def with_input(self, role: str, at: int, interval: Interval) -> Case:
        """Return the case with one input replaced; how departures try another number."""
        cells = list(self.inputs[role])
        cells[at] = replace(cells[at], interval=interval, printed=None)
        return replace(self, inputs={**self.inputs, role: tuple(cells)})


Recompute = Callable[[Case], Interval]
Judge = Callable[[Case], Verdict]
Departure = Callable[[Case], str | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of check. It has either `recompute` (the number that the target should be) or `judge` (a verdict).

    `roles` must be given, `optional` may be; `options` are names of inputs that are no cells. `says` is the formula.
    `whole` kinds see all rows of a record at once. `alone` kinds rest on the folder only, on no store and no other
    check. `departures` look for the smallest allowed departure by name.
    """

    name: str
    says: str
    roles: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    target: bool = True
    whole: bool = False
    alone: bool = True
    recompute: Recompute | None = None
    judge: Judge | None = None
    departures: Mapping[str, Departure] = field(default_factory=dict)


@cache
def kinds() -> dict[str, Kind]:
    """Return every kind of check by name, as the files of `kinds` declare them."""
    package = importlib.import_module("analytics.audit.kinds")
    found: dict[str, Kind] = {}
    for module in pkgutil.iter_modules(package.__path__):
        for kind in importlib.import_module(f"{package.__name__}.{module.name}").KINDS:
            found[kind.name] = kind
    return dict(sorted(found.items()))


def kind_of(record: Record) -> Kind:
    """Return the kind that a record names; raises UnknownName with the nearest spelling."""
    name = str(record.get("kind", ""))
    known = kinds()
    if name not in known:
        raise UnknownName(f"There is no kind of check '{name}'.{did_you_mean(name, known)} Kinds: {', '.join(known)}.")
    return known[name]


def alone(record: Record) -> bool:
    """Whether the tables of its folder alone decide a record."""
    return str(record.get("kind", "")) in kinds() and kind_of(record).alone


def case_of(
    record: Record,
    folder: Folder,
    here: Rows,
    *,
    stated: Cell | None,
    reading: str,
    asker: Any = None,  # noqa: ANN401 - the rows of a store, known to the kind `ask` alone
    others: Others | None = None,
) -> Case:
    """Resolve one check into a case. A claim has no target cell: the number that it states stands in its place.

    Raises UnknownName and UnknownValue for roles, files, rows or columns that are not there.
    """
    kind = kind_of(record)
    given = record.get("inputs", {})
    for role in given:
        if role not in (*kind.roles, *kind.optional, *kind.options):
            allowed = [*kind.roles, *kind.optional, *kind.options]
            raise UnknownName(
                f"A check of kind {kind.name} has no input '{role}'.{did_you_mean(role, allowed)} "
                f"It has: {', '.join(allowed) or 'none'}."
            )
    lacking = [role for role in kind.roles if role not in given]
    if lacking:
        raise UnknownName(f"A check of kind {kind.name} needs the input {', '.join(lacking)}.")
    file = str(record.get("file", ""))
    inputs = {
        role: select(folder, value, file, here, reading=reading)
        for role, value in given.items()
        if role not in kind.options and not kind.whole
    }
    if stated is not None:
        target: tuple[Cell, ...] = (stated,)
    elif "target" in record:
        target = select(folder, record["target"], file, here, reading=reading)
    else:
        target = ()
    return Case(record, folder, here, target, inputs, reading, asker, others)


def every_group(case: Case) -> list[tuple[Rows, dict[str, tuple[Cell, ...]]]]:
    """Return rows and inputs of each group of a whole-record kind."""
    given = case.record.get("inputs", {})
    options = kind_of(case.record).options
    file = str(case.record.get("file", ""))
    return [
        (
            rows,
            {
                role: select(case.folder, value, file, rows, reading=case.reading)
                for role, value in given.items()
                if role not in options
            },
        )
        for rows in groups(case.folder, case.record)
    ]


def same_rows(row: Mapping[str, str] | None, wanted: Record) -> bool:
    """Whether a row has the wanted values."""
    return row is not None and all(row.get(column) in as_list(value) for column, value in wanted.items())


def settle(found: Interval, case: Case, *, note: str = "") -> Verdict:
    """Compare a recomputed interval with the target, by the record's relation (equal unless it says otherwise)."""
    goal = case.goal()
    relation = case.record.get("relation", "equals")
    if relation not in RELATIONS:
        raise UnknownValue(f"'{relation}' is not a relation. Allowed: {', '.join(RELATIONS)}.")
    ends = found
    tail = f" {note}" if note else ""
    if relation != "equals":
        return _related(found, goal, relation, Fraction(str(case.record.get("tolerance", 0))), tail)
    said = spoken(found, goal)
    printed = goal.printed
    if (
        printed is not None
        and found.value is not None
        and printed.prints(found.value, exact=goal.exact, reading=case.reading)
    ):
        return answer("reproduced", f"{said}, which prints as {printed.text}; {AS_PRINTED}.{tail}", number=ends)
    if printed is None and found.value is not None and found.exact and found.value == goal.interval.value:
        return answer("reproduced", f"{said}; {AS_PRINTED}.{tail}", number=ends)
    if printed is not None and printed.bound:
        met = found.low < printed.value if printed.bound == "<" else found.high > printed.value
    else:
        met = found.meets(goal.interval)
    if met:
        return answer(
            "consistent", f"{said}, which meets {goal.text or 'the target'} for {ROUNDING}.{tail}", number=ends
        )
    off = found.apart(goal.interval)
    near = found.low if goal.interval.low < found.low else found.high
    nearest = written(near, printed.step) if printed is not None and not printed.bound else short(near)
    why = f"{said}; printed {goal.text}, off by {short(off)}; the nearest value that would agree is {nearest}.{tail}"
    return answer(FAILS, why, off=off, number=ends)


def _related(found: Interval, goal: Cell, relation: str, tolerance: Fraction, tail: str) -> Verdict:
    number = goal.interval.value
    assert number is not None
    tests: dict[str, Callable[[Fraction, Fraction], bool]] = {
        "at_least": lambda low, high: high >= goal.interval.low,
        "at_most": lambda low, high: low <= goal.interval.high,
        "above": lambda low, high: high > number,
        "below": lambda low, high: low < number,
        "about": lambda low, high: low <= number + tolerance and high >= number - tolerance,
    }
    says = {"at_least": "at least", "at_most": "at most", "about": f"within {short(tolerance)} of"}.get(
        relation, relation
    )
    test = tests[relation]
    ends = found
    said = f"{spoken(found, goal)}; stated: {says} {goal.text}"
    if found.value is not None and test(found.value, found.value):
        return answer("reproduced", f"{said}; {AS_PRINTED}.{tail}", number=ends)
    if test(found.low, found.high):
        return answer("consistent", f"{said}; holds for {ROUNDING}.{tail}", number=ends)
    off = max(abs(number - found.high) if found.high < number else abs(found.low - number), Fraction(0))
    return answer(FAILS, f"{said}; off by {short(off)}.{tail}", off=off, number=ends)


def spoken(found: Interval, goal: Cell | None) -> str:
    """Return a recomputed interval in words."""
    del goal
    if found.value is not None and found.exact:
        return f"gives {short(found.value)}"
    ends = f"{short(found.low)} to {short(found.high)}"
    return f"gives {ends}" if found.value is None else f"gives {short(found.value)} ({ends})"


def worst(statuses: list[Status]) -> Status:
    """Return the status of several checks that must all hold."""
    order: tuple[Status, ...] = ("contradicted", FAILS, "conditional", "not_checkable", "consistent", "reproduced")
    return min(statuses, key=order.index) if statuses else "not_checkable"
