"""A mapping profile: a small TOML file beside a log that says which column holds what.

The file is called `scoreproof.toml` or `NAME.scoreproof.toml`. Every key is checked: an unknown one, one that does not
fit the others, and one whose value is still the open question '?' is an error that names the file and the key.
"""

from __future__ import annotations

import fnmatch
import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analytics.errors import BadLog, listing
from analytics.schema import TABLES
from loaders.mapping_check import Check
from loaders.mapping_fields import BENCHMARK, BY_NAME, JUDGED, PER_RUN

SUFFIX = "scoreproof.toml"
FORMATS = ("csv", "tsv", "json", "jsonl", "parquet", "xlsx")
LAYOUTS = ("long", "wide")
RULES = ("exact_letter", "exact_text", "numeric_tolerance")
FILE = "{file}"
"""In a constant: the name of the log without its ending."""

POSITION = "position"
"""Column that every file has: the line, row or record number as issues name it."""

_TOP = ("file", "layout", "benchmark", "fields", "constants", "values", "scale", "tags", "runs", "scoring")
_FILE = ("format", "columns", "names", "sheet", "header_row", "records")
_BENCHMARK = ("name", "title", "version", "note", "missing_policy", "headline", "raw_means", "verified_means")
_SCORING = ("rule", "tolerance", "relative", "ignore_case")
_RUN_ABOUT = ("run", "model", "vendor", "kind", "regime", "condition")
HEADER_ROWS = 1_000
"""Lowest row in which the columns of a table may be named."""

SCALED = ("credit", "verified", "confidence")
"""Fields that may be written on a scale of their own; ours go from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a wide file: what is said of it, its columns by field, and scales of its own."""

    about: Mapping[str, str]
    columns: Mapping[str, tuple[str, ...]]
    scale: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tag:
    """One multi-valued label: its column, and what separates the values in a cell (None: the cell is a list)."""

    column: str
    separator: str | None


@dataclass(frozen=True, slots=True)
class Scoring:
    """The named rule that turns answer and reference into a credit."""

    rule: str
    tolerance: str | None = None
    relative: bool = False
    ignore_case: bool = False

    @property
    def judge_id(self) -> str:
        """Return the judge that the verdicts are recorded under; a rule with another setting is another judge."""
        if self.rule == "numeric_tolerance":
            return f"scoreproof/numeric_tolerance {'relative' if self.relative else 'absolute'} {self.tolerance}"
        return f"scoreproof/{self.rule}{' ignoring case' if self.ignore_case else ''}"


@dataclass(frozen=True, slots=True)
class Profile:
    """A checked profile; `name` is its file, `digest` tells its content."""

    name: str
    digest: str
    format: str
    columns: tuple[str, ...]
    names: tuple[str, ...]
    sheet: str | None
    header_row: int | None
    records: tuple[str, ...] | None
    layout: str
    benchmark: Mapping[str, str]
    fields: Mapping[str, tuple[str, ...]]
    constants: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    scale: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    tags: Mapping[str, Tag] = field(default_factory=dict)
    runs: tuple[Run, ...] = ()
    scoring: Scoring | None = None

    def names_file(self, path: Path) -> bool:
        """Whether the profile names this file explicitly."""
        return any(fnmatch.fnmatchcase(path.name, pattern) for pattern in self.names)

    def scale_of(self, run: Run | None, name: str) -> tuple[float, float] | None:
        """Return the scale of a field in one run: its own, else that of the whole file, else none."""
        own = None if run is None else run.scale.get(name)
        return own if own is not None else self.scale.get(name)

    def used(self) -> tuple[str, ...]:
        """Return every column that the mapping reads, each once."""
        lists = [*self.fields.values(), *(c for run in self.runs for c in run.columns.values())]
        every = [*(c for columns in lists for c in columns), *(tag.column for tag in self.tags.values())]
        return tuple(dict.fromkeys(every))


def read_profile(path: Path) -> Profile:
    """Return the profile in a file; raises BadLog with the file and the key when it is none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadLog(f"{path.name} is not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    return parse_profile(text, path.name)


def profile_digest(text: str) -> str:
    """Return what tells the content of a profile from another's."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def parse_profile(text: str, name: str) -> Profile:
    """Return the profile that a TOML text holds; raises BadLog with the key that does not fit and what is allowed."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadLog(f"{name} is no whole TOML: {error}. Mend that place.") from error
    check = Check(name)
    check.keys(raw, _TOP, "")
    check.no_open(raw, "")
    file = check.table(raw, "file", required=True)
    check.keys(file, _FILE, "file")
    layout = check.word(raw.get("layout"), LAYOUTS, "layout")
    runs = tuple(_run(check, entry, number) for number, entry in enumerate(check.tables(raw, "runs"), start=1))
    profile = Profile(
        name=name,
        digest=profile_digest(text),
        format=check.word(file.get("format"), FORMATS, "file.format"),
        columns=check.texts(file.get("columns", []), "file.columns"),
        names=check.texts(file.get("names", []), "file.names"),
        sheet=None if "sheet" not in file else check.text(file["sheet"], "file.sheet"),
        header_row=_header_row(check, file),
        records=None if "records" not in file else check.texts(file["records"], "file.records"),
        layout=layout,
        benchmark=_benchmark(check, raw),
        fields=_fields(check, raw, layout),
        constants=check.words(raw, "constants", tuple(BY_NAME)),
        values=_values(check, raw),
        scale=_scale(check, raw, ""),
        tags=_tags(check, raw),
        runs=runs,
        scoring=_scoring(check, raw),
    )
    _fits(check, profile)
    return profile


def _header_row(check: Check, file: Mapping[str, Any]) -> int | None:
    """Return the row that names the columns of a table, None where the profile does not say."""
    if "header_row" not in file:
        return None
    row = file["header_row"]
    if file.get("format") not in ("csv", "tsv", "xlsx"):
        check.fail("file.header_row", "is given", "only csv, tsv and xlsx have rows that name the columns")
    if type(row) is not int or not 1 <= row <= HEADER_ROWS:
        check.fail("file.header_row", f"is {row!r}", f"write the row's number, from 1 to {HEADER_ROWS:,}")
    return row


def _fields(check: Check, raw: Mapping[str, Any], layout: str) -> dict[str, tuple[str, ...]]:
    given = check.table(raw, "fields", required=True)
    check.keys(given, BY_NAME, "fields")
    for name in given:
        if layout == "wide" and BY_NAME[name].of_run and name != "item":
            check.fail(
                f"fields.{name}", "is said of each run in a wide file", f"write it into [[runs]] as {name} = ..."
            )
    return {name: check.columns(value, f"fields.{name}", many=name == "options") for name, value in given.items()}


def _benchmark(check: Check, raw: Mapping[str, Any]) -> dict[str, str]:
    given = check.words(raw, "benchmark", _BENCHMARK)
    for name in ("missing_policy", "headline"):
        if name in given:
            check.word(given[name], TABLES[BENCHMARK].column(name).allowed or (), f"benchmark.{name}")
    return given


def _run(check: Check, entry: Mapping[str, Any], number: int) -> Run:
    where = f"runs[{number}]"
    check.keys(entry, (*_RUN_ABOUT, *PER_RUN, "scale"), where)
    about = {k: check.text(v, f"{where}.{k}") for k, v in entry.items() if k in _RUN_ABOUT}
    if "run" not in about:
        check.fail(f"{where}.run", "is missing", "name the run")
    given = {k: v for k, v in entry.items() if k not in (*_RUN_ABOUT, "scale")}
    columns = {k: check.columns(v, f"{where}.{k}", many=False) for k, v in given.items()}
    if not columns:
        check.fail(where, "names no column", f"give one of {listing(PER_RUN, most=6)}")
    scale = _scale(check, entry, f"{where}.")
    for name in scale:
        if name not in columns:
            check.fail(f"{where}.scale.{name}", "speaks of a field that nothing is mapped to", "drop it, or map it")
    return Run(about, columns, scale)


def _values(check: Check, raw: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    given = check.table(raw, "values")
    check.keys(given, BY_NAME, "values")
    maps = {}
    for name in given:
        entries = check.table(given, name, where="values.")
        maps[name] = {word: check.scalar(value, f"values.{name}.{word}") for word, value in entries.items()}
    return maps


def _scale(check: Check, raw: Mapping[str, Any], where: str) -> dict[str, tuple[float, float]]:
    given = check.table(raw, "scale", where=where)
    check.keys(given, SCALED, f"{where}scale")
    scales = {}
    for name, ends in given.items():
        numbers = isinstance(ends, list) and len(ends) == 2 and all(type(end) in (int, float) for end in ends)
        if not numbers or not float(ends[0]) < float(ends[1]):
            check.fail(f"{where}scale.{name}", f"is {ends!r}", "write [lowest, highest], e.g. [0, 100]")
        scales[name] = (float(ends[0]), float(ends[1]))
    return scales


def _tags(check: Check, raw: Mapping[str, Any]) -> dict[str, Tag]:
    tags = {}
    given = check.table(raw, "tags")
    for kind in given:
        entry = check.table(given, kind, where="tags.")
        check.keys(entry, ("column", "separator"), f"tags.{kind}")
        (column,) = check.columns(entry.get("column"), f"tags.{kind}.column", many=False)
        separator = entry.get("separator")
        tags[kind] = Tag(column, None if separator is None else check.text(separator, f"tags.{kind}.separator"))
    return tags


def _scoring(check: Check, raw: Mapping[str, Any]) -> Scoring | None:
    if "scoring" not in raw:
        return None
    given = check.table(raw, "scoring")
    check.keys(given, _SCORING, "scoring")
    rule = check.word(given.get("rule"), RULES, "scoring.rule")
    tolerance = given.get("tolerance")
    if (rule == "numeric_tolerance") != (tolerance is not None):
        wanted = "is missing" if tolerance is None else f"does not belong to {rule}"
        check.fail("scoring.tolerance", wanted, "numeric_tolerance needs it, the other rules have none")
    if tolerance is not None and (type(tolerance) not in (int, float) or not 0 <= tolerance < float("inf")):
        check.fail("scoring.tolerance", f"is {tolerance!r}", "write a number from 0")
    flags = {}
    for name, owner in (("relative", "numeric_tolerance"), ("ignore_case", "exact_text")):
        flags[name] = given.get(name, False)
        if type(flags[name]) is not bool or (name in given and rule != owner):
            check.fail(
                f"scoring.{name}", f"is {flags[name]!r} beside {rule}", f"it is true or false, for {owner} alone"
            )
    return Scoring(rule, None if tolerance is None else str(tolerance), **flags)


def _fits(check: Check, profile: Profile) -> None:
    """Check what several keys say together."""
    told = {*profile.fields, *profile.constants}
    doubled = sorted(set(profile.fields) & set(profile.constants))
    if doubled:
        check.fail(f"constants.{doubled[0]}", "is also in [fields]", "keep one of the two")
    if profile.layout == "wide":
        if not profile.runs:
            check.fail("runs", "is empty", "a wide file needs one [[runs]] for each run")
        names = [run.about["run"] for run in profile.runs]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            check.fail("runs", f"has '{twice[0]}' twice", "each run has a name of its own")
    elif profile.runs:
        check.fail("runs", "is given", "layout 'long' takes the run from [fields] or [constants]")
    elif not told & {"run", "model"}:
        check.fail("fields.run", "is missing", "name the column of the run or model, or write constants.run")
    _needed(check, profile, told)
    _results(check, profile)
    for kind, given in (("values", profile.values), ("scale", profile.scale)):
        for name in given:
            if name not in told and not any(name in run.columns for run in profile.runs):
                check.fail(f"{kind}.{name}", "speaks of a field that nothing is mapped to", "drop it, or map the field")


def _needed(check: Check, profile: Profile, told: set[str]) -> None:
    """Check that the profile says which files it is for, and what no file can be read without."""
    if not profile.columns and not profile.names:
        check.fail("file.columns", "is missing", "list columns that tell such a file, or name it in file.names")
    if "item" not in profile.fields:
        check.fail("fields.item", "is missing", f"name the column of the item, or '{POSITION}' for the row's place")
    if "answer_type" not in told:
        check.fail("constants.answer_type", "is missing", "single_choice, multiple_choice or open")
    if "name" not in profile.benchmark and "benchmark" not in told:
        check.fail("benchmark.name", "is missing", "name the benchmark, or map fields.benchmark")
    if profile.format == "json" and profile.records is None:
        check.fail("file.records", "is missing", "say where the records lie, e.g. ['results', '[]'] or ['*']")


def _results(check: Check, profile: Profile) -> None:
    """Check that every run has a result, and that scoring, judges and credits fit each other."""
    told = {*profile.fields, *profile.constants}
    parts = {f"runs[{n}]": {*run.columns, *profile.constants} for n, run in enumerate(profile.runs, start=1)}
    for where, columns in (parts or {"fields": told}).items():
        if not columns & {"answer", "response", "credit", "verified", "status", "score", "verdict"}:
            check.fail(f"{where}.answer", "is missing", "map an answer, a response, a credit or a status")
        if profile.scoring is not None and "credit" in columns:
            check.fail("scoring", f"stands beside {where}.credit", "keep the log's credit or the rule, not both")
        if profile.scoring is not None and not columns & {"answer", "response"}:
            check.fail(f"{where}.answer", "is missing", "a scoring rule needs an answer or a response")
        if "judge" in columns and "judge_kind" not in told:
            check.fail("constants.judge_kind", "is missing", "person, model or program")
        given = [name for name in JUDGED if name in columns]
        if given and "judge" not in columns:
            check.fail(f"{where}.{given[0]}", "needs a judge", "map `judge`, or write constants.judge")
    if profile.scoring is not None and "reference" not in profile.fields:
        check.fail("fields.reference", "is missing", "a scoring rule compares with the reference")
