"""The check form: numbers of a statement in, verdict and claim record out, by the same engine as every claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analytics.audit.check import claim_check
from analytics.audit.kind import Verdict
from analytics.audit.numbers import parse
from analytics.audit.tables import Folder, Record
from analytics.errors import UnknownName, UnknownValue, did_you_mean

NOWHERE = Folder({}, None, "no folder")


@dataclass(frozen=True, slots=True)
class Entry:
    """One field of a form. `kind`: count (exact), printed (rounded as typed), list (printed numbers), choice."""

    name: str
    kind: str
    meaning: str
    initial: str = ""
    optional: bool = False
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """A statement that can be typed: what its printed number is, and which numbers stand behind it."""

    name: str
    title: str
    kind: str
    unit: str
    printed: str
    entries: tuple[Entry, ...]


UNIT = Entry("unit", "choice", "unit of the printed number", "percent", allowed=("percent", "proportion"))

FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form(
            "k_of_n",
            "k of n",
            "proportion",
            "percent",
            "percentage as printed",
            (Entry("k", "count", "cases that count"), Entry("n", "count", "all cases"), UNIT),
        ),
        Form(
            "p_with_n",
            "percentage with n",
            "grim",
            "percent",
            "percentage as printed",
            (
                Entry("n", "count", "items"),
                Entry("attempts", "count", "attempts per item", "1"),
                UNIT,
            ),
        ),
        Form(
            "two_rates",
            "two rates and their difference",
            "difference",
            "points",
            "difference as printed",
            (
                Entry("left", "printed", "rate, as printed"),
                Entry("right", "printed", "rate that is taken off, as printed"),
                Entry("n", "count", "cases of each, where both are whole counts", optional=True),
            ),
        ),
        Form(
            "mean_of",
            "mean of these",
            "mean",
            "percent",
            "mean as printed",
            (Entry("parts", "list", "numbers as printed, separated by spaces or semicolons"),),
        ),
        Form(
            "sum_of",
            "sum of these",
            "sum",
            "percent",
            "sum as printed",
            (Entry("parts", "list", "numbers as printed, separated by spaces or semicolons"),),
        ),
        Form(
            "discordant",
            "McNemar's p of b and c",
            "mcnemar",
            "p",
            "p as printed, such as 0.003 or <1e-4",
            (Entry("b", "count", "right in the first alone"), Entry("c", "count", "right in the second alone")),
        ),
        Form(
            "kappa",
            "kappa of agreement and prevalences",
            "kappa",
            "kappa",
            "kappa as printed",
            (
                Entry("agreement", "printed", "agreement in percent, as printed"),
                Entry("prevalence_a", "printed", "share that the first rater says yes to, in percent"),
                Entry("prevalence_b", "printed", "share that the second rater says yes to, in percent"),
            ),
        ),
        Form(
            "wilson",
            "end of a Wilson interval",
            "wilson",
            "percent",
            "end of the interval as printed",
            (
                Entry("k", "count", "cases that count"),
                Entry("n", "count", "all cases"),
                Entry("level", "number", "confidence level", "0.95"),
                Entry("end", "choice", "which end", "low", allowed=("low", "high")),
                UNIT,
            ),
        ),
    )
}


def form(name: str) -> Form:
    """Return one form; raises UnknownName with the nearest spelling."""
    if name not in FORMS:
        raise UnknownName(f"There is no form '{name}'.{did_you_mean(name, FORMS)} Forms: {', '.join(FORMS)}.")
    return FORMS[name]


def claim_of(
    name: str, printed: str, values: Mapping[str, str], *, claim_id: str, statement: str, document: str, place: str
) -> Record:
    """Return the claim record that typed numbers make, ready for a file of claims.

    Raises UnknownName for a form or field that does not exist, UnknownValue for a text that is no such number.
    """
    chosen = form(name)
    known = {entry.name for entry in chosen.entries}
    for field in values:
        if field not in known:
            raise UnknownName(f"The form {name} has no field '{field}'.{did_you_mean(field, known)}")
    number = parse(printed)
    inputs = {
        entry.name: read
        for entry in chosen.entries
        if (read := _read(entry, values.get(entry.name, entry.initial))) is not None
    }
    asked = str(inputs.pop("unit", chosen.unit))
    unit = "count" if name == "sum_of" and number.decimals == 0 and _whole(inputs["parts"]) else asked
    if unit == "count":
        inputs["parts"] = [{**part, "unit": "count"} for part in inputs["parts"]]
    return {
        "id": claim_id,
        "document": document,
        "place": place,
        "statement": statement,
        "printed": printed.strip(),
        "number": printed.strip(),
        "decimals": number.decimals,
        "unit": unit,
        "kind": chosen.kind,
        "inputs": inputs,
    }


def check_form(
    name: str, printed: str, values: Mapping[str, str], *, claim_id: str, statement: str, document: str, place: str
) -> tuple[Verdict, Record]:
    """Return the verdict on typed numbers, and the claim record; raises as `claim_of`."""
    record = claim_of(name, printed, values, claim_id=claim_id, statement=statement, document=document, place=place)
    return claim_check(record, NOWHERE, asker=None, others=None).verdict, record


def _read(entry: Entry, text: str) -> Any:  # noqa: ANN401 - a number, a printed number, a list or a choice
    """Return a typed field as a selector of the record; None for an optional field that is empty."""
    text = text.strip()
    if not text:
        if entry.optional:
            return None
        raise UnknownValue(f"{entry.name} is empty: {entry.meaning}.")
    if entry.kind == "choice":
        if text not in entry.allowed:
            near = did_you_mean(text, entry.allowed)
            raise UnknownValue(f"'{text}' is not allowed for {entry.name}.{near} Allowed: {', '.join(entry.allowed)}.")
        return text
    if entry.kind == "list":
        parts = text.replace(";", " ").split()
        return [{"printed": parse(part).text, "unit": "percent"} for part in parts]
    number = parse(text)
    if entry.kind == "count":
        if number.value.denominator != 1 or number.value < 0:
            raise UnknownValue(f"{entry.name} is {text}; a whole number, 0 or more, is needed.")
        return int(number.value)
    return float(number.value) if entry.kind == "number" else {"printed": text, "unit": "percent"}


def _whole(parts: list[dict[str, str]]) -> bool:
    return all(parse(part["printed"]).decimals == 0 for part in parts)
