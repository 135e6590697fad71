"""Records of checks: claims in TOML or CSV, identities of a folder and those of the embedded one that it may use."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from analytics.audit.tables import CLAIMS, IDENTITIES, Folder, Record, toml_records
from analytics.errors import BadLog, NoStore, UnknownValue

JSON_FIELDS = ("inputs", "where", "set", "row", "only", "skip", "expect", "first", "second", "reduce", "pool", "each")
LIST_FIELDS = ("allows", "rules_out", "ids")
NUMBER_FIELDS = ("decimals", "n", "raters", "categories", "level")
SEPARATOR = " | "
"""Between file, row and column where a cell of a CSV claim points at a cell of a table."""


def read_claims(path: Path) -> list[Record]:
    """Return the claims of a TOML or CSV file; raises NoStore when it is not there, BadLog when it cannot be read."""
    if not path.is_file():
        raise NoStore(f"There is no file {path} with claims.")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadLog(f"{path.name} is not UTF-8 at byte {error.start}. Save it as UTF-8.") from error
    return parse_claims(text, path.name)


def parse_claims(text: str, name: str) -> list[Record]:
    """Return the claims of a text; the name's ending says whether it is TOML or CSV.

    Raises BadLog for a record without id or kind, or with an id that another has.
    """
    if name.lower().endswith(".csv"):
        records = list(_csv_claims(text, name))
    elif name.lower().endswith(".toml"):
        records = toml_records(text, "claim", name)
    else:
        raise UnknownValue(f"{name}: claims are records in a file that ends in .toml or .csv.")
    seen: set[str] = set()
    for number, record in enumerate(records, start=1):
        lacking = [field for field in ("id", "kind") if not record.get(field)]
        if lacking:
            raise BadLog(f"{name}: claim {number} has no {' and no '.join(lacking)}. Add it.")
        if str(record["id"]) in seen:
            raise BadLog(f"{name}: two claims are called '{record['id']}'. Rename one.")
        seen.add(str(record["id"]))
    return records


def _csv_claims(text: str, name: str) -> Iterator[Record]:
    reader = csv.DictReader(io.StringIO(text))
    if not reader.fieldnames:
        raise BadLog(f"{name} has no header. It needs columns such as id, document, printed, kind and inputs.")
    for row in reader:
        if None in row:
            raise BadLog(f"{name}, line {reader.line_num}: more cells than the header has columns.")
        yield csv_record({key.strip(): value.strip() for key, value in row.items() if value and value.strip()}, name)


def csv_record(row: dict[str, str], name: str) -> Record:
    """Return one record from the filled cells of a CSV row.

    `inputs.ROLE` columns hold a number, numbers joined by ';', or 'file | row | column'; fields that hold a table or
    a list may be written as JSON.
    """
    record: dict[str, Any] = {}
    inputs: dict[str, Any] = {}
    for field, text in row.items():
        if field.startswith("inputs."):
            inputs[field.removeprefix("inputs.")] = _input(text, name, field)
        elif field in JSON_FIELDS and text[:1] in "{[":
            record[field] = _json(text, name, field)
        elif field in LIST_FIELDS:
            record[field] = [part.strip() for part in text.strip("[]").replace('"', "").split(",") if part.strip()]
        elif field in NUMBER_FIELDS:
            record[field] = _number(text, name, field)
        elif text.lower() in ("true", "false"):
            record[field] = text.lower() == "true"
        else:
            record[field] = text
    if inputs:
        record["inputs"] = {**record.get("inputs", {}), **inputs}
    return record


def _json(text: str, name: str, field: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    try:
        return json.loads(text)
    except ValueError as error:
        raise BadLog(f"{name}: {field} is not JSON ({error}): {text[:60]}") from error


def _number(text: str, name: str, field: str) -> int | float:
    try:
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    except ValueError as error:
        raise BadLog(f"{name}: {field} is '{text}', no number.") from error


def _input(text: str, name: str, field: str) -> Any:  # noqa: ANN401 - a selector
    if text[:1] in "{[":
        return _json(text, name, field)
    parts = [part.strip() for part in text.split(";") if part.strip()]
    read = [_one_input(part, field) for part in parts]
    return read[0] if len(read) == 1 else read


def _one_input(text: str, field: str) -> Any:  # noqa: ANN401 - a selector
    if SEPARATOR in text:
        parts = [part.strip() for part in text.split(SEPARATOR)]
        if len(parts) != 3:
            raise BadLog(f"{field}: '{text}' must be file{SEPARATOR}row{SEPARATOR}column.")
        return {"file": parts[0], "row": parts[1], "column": parts[2]}
    if text.lstrip("+-").isdigit() and "." not in text:
        return int(text)
    return {"printed": text} if text[:1] in "+-.<0123456789" else text


def files_of(value: object) -> set[str]:
    """Return every table that a record names, at any depth."""
    if isinstance(value, dict):
        own = {value["file"]} if isinstance(value.get("file"), str) else set()
        return own.union(*(files_of(part) for part in value.values()))
    if isinstance(value, list):
        return set().union(*(files_of(part) for part in value)) if value else set()
    return set()


def identities_of(folder: Folder) -> tuple[list[Record], dict[str, int]]:
    """Return the identities to check: the folder's own, and embedded ones whose tables are all there.

    A table counts as there when the embedded declaration serves it, or when the folder is the embedded one.
    """
    own = folder.toml(IDENTITIES, "identity")
    if folder.base is None:
        return own, {}
    names = {record.get("id") for record in own}
    served = {file for file, table in folder.tables.items() if table.served == "embedded" or _same(folder, file)}
    borrowed, left = _usable(folder.base.toml(IDENTITIES, "identity"), served, set(folder.tables))
    return own + [record for record in borrowed if record.get("id") not in names], left


def claims_of(folder: Folder) -> tuple[list[Record], dict[str, int]]:
    """Return the claims to check: the folder's own, else embedded ones about tables that are all there."""
    if CLAIMS in folder.texts or folder.base is None:
        return (parse_claims(folder.texts[CLAIMS], CLAIMS) if CLAIMS in folder.texts else []), {}
    identities = {str(record["id"]): record for record in folder.base.toml(IDENTITIES, "identity")}
    served = {file for file, table in folder.tables.items() if table.served == "embedded" or _same(folder, file)}
    documents = {folder.tables[file].document for file in served}
    usable, left = [], 0
    for claim in folder.base.toml(CLAIMS, "claim"):
        if claim.get("document") not in documents:
            continue
        needed = files_of(claim).union(*(files_of(identities[name]) for name in claim.get("ids", [])))
        if needed and needed <= served:
            usable.append(claim)
        else:
            left += 1
    return usable, {"embedded claims about tables that are not in the folder, or about none": left} if left else {}


def needs_rows(folder: Folder, claims: Sequence[Record] | None) -> bool:
    """Whether some check asks rows of a store."""
    stated = claims_of(folder)[0] if claims is None else claims
    return any(record.get("kind") == "ask" for record in [*identities_of(folder)[0], *stated])


def _same(folder: Folder, file: str) -> bool:
    """Whether a table that the folder declares itself has the embedded one's keys and columns."""
    if folder.base is None or file not in folder.base.tables:
        return False
    known, own = folder.base.tables[file], folder.tables[file]
    return known.keys == own.keys and set(known.columns) <= set(own.columns)


def _usable(records: Sequence[Record], served: set[str], there: set[str]) -> tuple[list[Record], dict[str, int]]:
    usable, left = [], 0
    for record in records:
        needed = files_of(record)
        if needed <= served:
            usable.append(record)
        elif needed & there:
            left += 1
    said = "embedded identities that need a table which is not in the folder"
    return usable, {said: left} if left else {}


def to_toml(record: Record) -> str:
    """Return a claim as TOML, ready for a file of claims; parsing it gives the record back."""
    lines = ["[[claim]]"] + [f"{name} = {_toml(value)}" for name, value in record.items()]
    text = "\n".join(lines) + "\n"
    assert tomllib.loads(text)["claim"] == [record]
    return text


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(part) for part in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(str(key))} = {_toml(part)}" for key, part in value.items()) + " }"
    # JSON escapes what TOML must escape, but for DEL; its surrogate pairs are no TOML, so no ASCII
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
