"""A suggested profile: what the file's names and values tell, each with its reason, and '?' where a person must say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analytics.errors import listing
from loaders.base import shorten
from loaders.mapping_check import OPEN
from loaders.mapping_facts import Facts
from loaders.mapping_look import (
    Look,
    answer_type,
    beyond,
    credit_columns,
    look,
    mixed,
    option_columns,
    plausible,
    scoring_rule,
    tag_columns,
    tag_kinds,
    value_map,
)
from loaders.mapping_profile import FILE, RULES
from loaders.mapping_toml import Raw, to_toml


@dataclass(slots=True)
class Draft:
    """A profile that is being made: its content, the comments above its keys, and the keys that are still open."""

    raw: Raw
    notes: dict[str, list[str]] = field(default_factory=dict)
    questions: dict[str, str] = field(default_factory=dict)

    def note(self, key: str, text: str) -> None:
        """Write a comment above a key."""
        self.notes.setdefault(key, []).append(shorten(text, most=400))

    def ask(self, key: str, question: str) -> str:
        """Note a question above a key and return the sign for an open one."""
        self.questions[key] = question
        self.note(key, f"QUESTION: {question}")
        return OPEN

    def text(self) -> str:
        """Return the profile as TOML."""
        return to_toml(self.raw, self.notes)


def draft(path: Path) -> Draft:
    """Return the suggested profile of a file; raises BadLog when it cannot be opened."""
    return draft_of(look(path))


def draft_of(seen: Look) -> Draft:
    """Return the suggested profile of a file at the place that was looked at."""
    path = seen.opened.path
    made = Draft({"layout": "long", "file": {}, "benchmark": {}, "fields": {}, "constants": {}})
    rows = f"all {seen.rows:,}" if seen.whole else f"the first {seen.rows:,}"
    made.note("", f"Suggested for {path.name} from {rows} records. Answer every '?' below, then save this beside the")
    made.note("", f"file as {path.stem}.scoreproof.toml and build again.")
    wide = bool(seen.runs)
    asked = wide and _asks_layout(seen, made)
    made.raw["layout"] = OPEN if asked else "long"
    _file(seen, made)
    made.raw["benchmark"] = {"name": path.stem, "missing_policy": "zero", "headline": "micro"}
    made.note("benchmark", "name: the file's. missing_policy: zero or exclude. headline: micro or macro.")
    _fields(seen, made, wide=wide)
    _runs(seen, made)
    _answer_type(seen, made)
    _credit(seen, made)
    _tags(seen, made)
    made.raw = {key: value for key, value in made.raw.items() if value or key in ("file", "fields")}
    return made


def _asks_layout(seen: Look, made: Draft) -> bool:
    names = listing([run.run for run in seen.runs], most=6)
    made.ask("layout", f"are {names} runs with columns of their own (wide), or is one row one response (long)?")
    made.note("layout", "For wide, check [[runs]] below: keep only what is a run. For long, drop them.")
    return True


def _file(seen: Look, made: Draft) -> None:
    told = [s.column for s in seen.fields.values() if s.column]
    told += [column for run in seen.runs for column in run.columns.values()]
    columns = [name for name in dict.fromkeys(told) if not name.startswith(("key ", "outer."))][:8]
    file: Raw = {"format": seen.opened.format}
    made.raw["file"] = file
    if columns:
        file["columns"] = columns
        made.note("file.columns", "A file of this format with these columns is read by this profile.")
    else:
        file["names"] = [seen.opened.path.name]
    places = plausible(seen.opened.places)
    if len(places) > 1:
        for place in places:
            made.note("file.records", f"{list(place.steps)}: {place.records:,} records at {place.said()}")
        file["records"] = made.ask("file.records", "where do the records lie? Write one of the lists above.")
    elif seen.records is not None:
        file["records"] = list(seen.records)
    if seen.header_row is not None:
        file["header_row"] = seen.header_row
        made.note("file.header_row", "the first row with more than one filled cell: those above it seem to be a title")
    if len(seen.opened.sheets) > 1:
        file["sheet"] = made.ask("file.sheet", f"which sheet? It has {listing(seen.opened.sheets)}.")


def _fields(seen: Look, made: Draft, *, wide: bool) -> None:
    fields: Raw = {}
    made.raw["fields"] = fields
    for name, found in seen.fields.items():
        if found.column is not None:
            fields[name] = found.column
            made.note(f"fields.{name}", found.reason)
            if found.others:
                made.note(f"fields.{name}", f"or: {listing(found.others)}")
        elif found.question is not None:
            known = "; ".join(f"'{c}' holds {seen.known[c].said()}" for c in found.others if c in seen.known)
            fields[name] = made.ask(f"fields.{name}", f"{found.question} {known}. Drop the line where it is none.")
    letters = option_columns(seen.known)
    if letters and "options" not in fields:
        fields["options"] = letters
        made.note("fields.options", "one column per option, called by its letter")
    if not wide and not {"run", "model"} & set(fields):
        made.raw["constants"] = {
            "run": made.ask(
                "constants.run", f"no column names the system: which is it? '{FILE}' takes the file's name."
            )
        }


def _runs(seen: Look, made: Draft) -> None:
    runs: list[Raw] = []
    for number, run in enumerate(seen.runs, start=1):
        entry: Raw = {"run": run.run}
        made.note(f"runs[{number}].run", run.reason)
        for role, column in run.columns.items():
            if role == OPEN:
                question = (
                    f"'{column}': is it the credit or the answer? Write credit = ... or answer = ... for answer = '?'."
                )
                entry["answer"] = made.ask(f"runs[{number}].answer", question)
            else:
                entry[role] = column
        if run.run.lower().startswith(("human", "annotator", "participant")):
            entry["kind"] = "human"
            made.note(f"runs[{number}].kind", "by its name; drop the line where a model answered")
        runs.append(entry)
    if runs:
        made.raw["runs"] = runs


def _answer_type(seen: Look, made: Draft) -> None:
    fields, constants = made.raw["fields"], made.raw["constants"]
    assert isinstance(fields, dict)
    assert isinstance(constants, dict)
    if "answer_type" in fields:
        return
    kind, why = answer_type(seen)
    key = "constants.answer_type"
    if kind is None:
        constants["answer_type"] = made.ask(key, f"{why}: single_choice, multiple_choice or open?")
    else:
        constants["answer_type"] = kind
        made.note(key, why)
    if "judge" in fields and "judge_kind" not in fields:
        constants["judge_kind"] = made.ask("constants.judge_kind", "what judges: person, model or program?")


def _credit(seen: Look, made: Draft) -> None:
    """Suggest how a credit is read, or by which rule one is given."""
    columns = [seen.known[column] for column in credit_columns(seen)]
    words = value_map(columns)
    if words:
        table: Raw = {}
        for word, worth in words.items():
            key = f"values.credit.{word}"
            table[word] = made.ask(key, f"what is '{word}' worth, from 0 to 1?") if worth is None else float(worth)
        made.raw["values"] = {"credit": table}
    _scale(seen, made, columns)
    if columns or seen.fields["credit"].question:
        return
    rule, why = scoring_rule(seen)
    if rule is None and why:
        made.raw["scoring"] = {
            "rule": made.ask("scoring.rule", f"{why}: {', '.join(RULES)}? Drop it to leave all unjudged.")
        }
    elif rule is not None:
        made.raw["scoring"] = {"rule": rule}
        made.note("scoring", why)


def _scale(seen: Look, made: Draft, columns: Sequence[Facts]) -> None:
    """Ask for the scale of credits that leave 0 to 1: one of the file, or one of each such run beside shares."""
    runs = made.raw.get("runs")
    if isinstance(runs, list) and mixed(columns):
        for place, facts in beyond(runs, seen.known):
            key = f"runs[{place + 1}].scale"
            question = (
                f"the values of '{facts.name}' go from {facts.low:g} to {facts.high:g}, those of others to 1: what is "
                "the lowest and the highest possible here, e.g. { credit = [0, 100] }?"
            )
            runs[place]["scale"] = {"credit": made.ask(key, question)}
        return
    high = max((each.high for each in columns if each.high is not None), default=1.0)
    low = min((each.low for each in columns if each.low is not None), default=0.0)
    if high > 1 or low < 0:
        question = (
            f"its values go from {low:g} to {high:g}: what is the lowest and the highest possible, e.g. [0, 100]?"
        )
        made.raw["scale"] = {"credit": made.ask("scale.credit", question)}


def _tags(seen: Look, made: Draft) -> None:
    found = tag_columns(seen.known)
    kinds = tag_kinds(list(found))
    tags: Raw = {}
    for column, separator in found.items():
        kind = kinds[column]
        tags[kind] = {"column": column} if separator is None else {"column": column, "separator": separator}
        made.note(f"tags.{kind}", f"'{column}' holds several labels in one cell: {seen.known[column].said()}")
        fields = made.raw["fields"]
        assert isinstance(fields, dict)
        for name in [n for n in ("capability", "subcapability") if fields.get(n) == column]:
            question = (
                f"'{column}' holds several labels in one cell; as {name} each combination is one. Keep it, or drop it?"
            )
            fields[name] = made.ask(f"fields.{name}", question)
    if tags:
        made.raw["tags"] = tags
