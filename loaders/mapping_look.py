"""A look at a file of unknown shape: where its records lie, its columns, and what each of them could be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from loaders.mapping_facts import WORDS, Facts, facts, sample
from loaders.mapping_fields import BY_NAME
from loaders.mapping_open import Opened, open_file
from loaders.mapping_places import Place
from loaders.mapping_profile import POSITION
from loaders.mapping_suggest import Suggestion, suggest
from loaders.mapping_wide import RunGuess, wide_runs


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen of one file at one place of it: its columns, and a suggestion for each field.

    `runs` are the systems that seem to have columns of their own. `rows` records were looked at, `whole` says whether
    they are all. `header_row` is the row that names the columns where that is not the first.
    """

    opened: Opened
    records: tuple[str, ...] | None
    sheet: str | None
    header_row: int | None
    rows: int
    whole: bool
    known: Mapping[str, Facts]
    fields: Mapping[str, Suggestion]
    runs: tuple[RunGuess, ...]


def plausible(found: Sequence[Place]) -> tuple[Place, ...]:
    """Return the places that can be meant: those with fields of their own, or all where none has any."""
    named = [place for place in found if place.own]
    steps = {place.steps for place in named}
    # Values grouped by two keys may be records or fields of records.
    return tuple(place for place in found if not named or place.own or place.steps[:-1] in steps)


def look(path: Path, *, opened: Opened | None = None, place: Place | None = None, sheet: str | None = None) -> Look:
    """Return what a file looks like at one of its places, the first where none is given; raises BadLog."""
    opened = open_file(path, path.name) if opened is None else opened
    if place is None and opened.places:
        place = opened.places[0]
    records = None if place is None else place.steps
    sheet = sheet or (opened.sheets[0] if opened.sheets else None)
    header = opened.header(sheet)
    at = header if header > 1 else None
    frame, whole = sample(path, opened.name, opened.format, records=records, sheet=sheet, header_row=at)
    known = facts(frame)
    runs = tuple(wide_runs({name: told for name, told in known.items() if name != POSITION}))
    return Look(opened, records, sheet, at, frame.height, whole, known, _fields(known, runs), runs)


def as_long(seen: Look) -> Look:
    """Return a look at a file as if no system had columns of its own."""
    return replace(seen, runs=(), fields=_fields(seen.known, ()))


def _fields(known: Mapping[str, Facts], runs: Sequence[RunGuess]) -> dict[str, Suggestion]:
    of_runs = {POSITION, *(column for run in runs for column in run.columns.values())}
    rest = {name: told for name, told in known.items() if name not in of_runs}
    return suggest(rest, elsewhere={role for run in runs for role in run.columns if role in BY_NAME})


def option_columns(known: Mapping[str, Facts]) -> list[str]:
    """Return columns called A, B, C ... (the last part of a path counts), in a row from A; fewer than two are none."""
    by_letter = {name.rpartition(".")[2]: name for name in known if len(name.rpartition(".")[2]) == 1}
    found: list[str] = []
    while (letter := chr(ord("A") + len(found))) in by_letter:
        found.append(by_letter[letter])
    return found if len(found) > 1 else []


def answer_type(seen: Look) -> tuple[str | None, str]:
    """Return how items seem to be answered, and why; None where nothing tells."""
    columns = [seen.fields[name].column for name in ("reference", "answer")]
    columns += [run.columns.get("answer") for run in seen.runs]
    told = [seen.known[c] for c in columns if c]
    if told and all(each.letters for each in told):
        several = any(each.several for each in told)
        kind = "multiple_choice" if several else "single_choice"
        return kind, "answers and references are option letters" + (", several in some" if several else "")
    if seen.fields["options"].column or option_columns(seen.known):
        return "single_choice", "the items have options"
    if told and not any(each.zero_one or each.letters for each in told):
        return "open", "no options, and the answers are no letters"
    return None, "neither options nor answers tell"


def credit_columns(seen: Look) -> list[str]:
    """Return the columns that seem to hold credits: that of the file, or those of the runs."""
    found = [seen.fields["credit"].column, *(run.columns.get("credit") for run in seen.runs)]
    return [column for column in found if column]


def mixed(columns: Sequence[Facts]) -> bool:
    """Whether some columns hold shares, from 0 to 1, and others go beyond: then no one scale can be asked for."""
    spans = [(each.low, each.high) for each in columns if each.low is not None and each.high is not None]
    shares = any(low >= 0 and 0 < high <= 1 for low, high in spans)
    return shares and any(low < 0 or high > 1 for low, high in spans)


def beyond(runs: Sequence[Mapping[str, object]], known: Mapping[str, Facts]) -> list[tuple[int, Facts]]:
    """Return (place of the run, its credit column) for each run whose credit leaves 0 to 1."""
    found = []
    for place, run in enumerate(runs):
        facts = known.get(str(run.get("credit")))
        if facts is not None and ((facts.low or 0) < 0 or (facts.high or 0) > 1):
            found.append((place, facts))
    return found


def value_map(known: Sequence[Facts]) -> dict[str, str | None]:
    """Return the words of credit columns with the credit that each is worth; None where a person must say."""
    words = dict.fromkeys(v for each in known if not each.numeric and not each.boolean for v in each.values)
    return {word: WORDS.get(word.lower()) for word in words if not _is_number(word)}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def scoring_rule(seen: Look) -> tuple[str | None, str]:
    """Return the rule that would score the answers, and why; ('' for why where there is nothing to score)."""
    reference = seen.fields["reference"].column
    answers = [seen.fields[name].column for name in ("answer", "response")]
    answers += [run.columns.get(role) for run in seen.runs for role in ("answer", "response")]
    if reference is None or not any(answers):
        return None, ""
    if seen.known[reference].letters:
        return "exact_letter", "there is no credit, and the references are option letters"
    if seen.known[reference].numeric:
        return None, "there is no credit and the references are numbers (numeric_tolerance needs a tolerance)"
    return None, "there is no credit and the references are texts"


TAG_WORDS = (
    "tags", "tag", "skills", "skill", "labels", "categories", "category", "abilities", "types", "topics"
)  # fmt: skip


def tag_kinds(columns: Sequence[str]) -> dict[str, str]:
    """Return what each column of labels is called as a kind of tag: by the last part of its path, in the singular.

    Columns that would share a kind have their whole path for it: two columns never fill one kind.
    """
    short = {column: _kind(column) for column in columns}
    met = Counter(short.values())
    kinds = {column: kind if met[kind] == 1 else column.lower() for column, kind in short.items()}
    met = Counter(kinds.values())
    return {column: kind if met[kind] == 1 else column for column, kind in kinds.items()}


def _kind(column: str) -> str:
    last = column.rpartition(".")[2].lower().replace(" ", "_")
    return last.rstrip("s") if last in TAG_WORDS else last


def tag_columns(known: Mapping[str, Facts]) -> dict[str, str | None]:
    """Return columns whose cells hold several labels, with what separates them; None where the cell is a list."""
    return {
        name: seen.separator
        for name, seen in known.items()
        if (seen.separator or seen.is_list) and name.rpartition(".")[2].lower().replace("_", " ") in TAG_WORDS
    }
