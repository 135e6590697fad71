"""Columns of a file as fields of ours: constants, value maps, scales, options; no value that the file does not have."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import polars as pl

from analytics.errors import BadLog
from loaders.base import Issue, shorten
from loaders.located import Located
from loaders.mapping_fields import BY_NAME, PROSE
from loaders.mapping_open import as_json_list
from loaders.mapping_profile import FILE, Profile, Run
from loaders.validate import POLARS_TYPE

_ELEMENT = re.compile(r"\[\d+\]$")
"""The end of a column's name that is an element of a list."""


@dataclass(frozen=True, slots=True)
class Picked:
    """One column per field, null where nothing is mapped, and the line of each row; refused rows are left out."""

    frame: pl.DataFrame
    issues: tuple[Issue, ...]


def pick(
    profile: Profile, run: Run | None, frame: pl.DataFrame, lines: pl.Series, *, stem: str, located: Located
) -> Picked:
    """Return the fields of one block, of one run where the file is wide."""
    mapped = dict(profile.fields) | (dict(run.columns) if run is not None else {})
    fixed = dict(profile.constants) | (dict(run.about) if run is not None else {})
    columns = [lines.alias("line")]
    for name, target in BY_NAME.items():
        kind = target.schema().kind
        if name in mapped and name == "options":
            columns.append(_options(frame, mapped[name]))
        elif name in mapped:
            (title,) = mapped[name]
            given = frame[title] if title in frame.columns else _absent(title, frame.height)
            scale = profile.scale_of(run, name)
            columns.append(_value(profile, name, title, given, scale=scale, numeric=kind in ("number", "integer")))
        elif name in fixed:
            stated = fixed[name].replace(FILE, stem)
            text = pl.lit(_listed(stated) if name == "options" else stated)
            columns.append(frame.select(pl.repeat(text, frame.height).alias(name)).to_series())
        else:
            columns.append(_absent(name, frame.height))
    picked = pl.DataFrame([series.alias(name) for series, name in zip(columns, ("line", *BY_NAME), strict=True)])
    issues = _unsplit(frame, mapped.get("options", ()), picked, located)
    kept, refused = _refuse(profile, picked, located)
    return Picked(kept, (*issues, *refused))


def _unsplit(frame: pl.DataFrame, titles: Sequence[str], picked: pl.DataFrame, located: Located) -> list[Issue]:
    """Doubt cells with options that cannot be taken apart; their items are kept without options."""
    if len(titles) != 1 or titles[0] not in frame.columns or isinstance(frame[titles[0]].dtype, pl.List):
        return []
    found = text_of(frame[titles[0]], prose=False)
    message = "The options are {found}, which is neither a list nor parts between lines or bars; they were left out."
    return list(
        located.where(
            found.is_not_null() & picked["options"].is_null(), picked["line"], found, rule="options_not_split",
            severity="doubted", message=message, column="items.options",
        )
    )  # fmt: skip


def _value(
    profile: Profile, name: str, title: str, given: pl.Series, *, scale: tuple[float, float] | None, numeric: bool
) -> pl.Series:
    """Return one column in words of ours: mapped words replaced, blanks cut, a scale brought to 0 to 1.

    What a word is replaced by is on our scale already.
    """
    table = profile.values.get(name)
    changes: dict[str, str] = {}
    if numeric and given.dtype == pl.Boolean and table is None:
        given = given.cast(pl.Float64)
    if not (numeric and given.dtype.is_numeric() and table is None):
        given = text_of(given, prose=name in PROSE)
        given = _unwrapped(given) if numeric and _in_records(profile, title) else given
        changes = _changes(given, table or {})
    scaled = given if scale is None else _scaled(given, *scale)
    if not changes:
        return scaled
    return given.replace(changes).zip_with(given.is_in(list(changes)).fill_null(value=False), scaled)


def _in_records(profile: Profile, title: str) -> bool:
    """Whether a cell may be a list of its record that came as JSON text: that of a table of text is what it says."""
    return profile.format in ("json", "jsonl", "parquet") or _ELEMENT.search(title) is not None


def _unwrapped(given: pl.Series) -> pl.Series:
    """Return numbers with each JSON list of one value as that value, as a list column of one gives it.

    Of numbers alone: in an id or an answer `[5]` may be another word than `5`.
    """
    changes: dict[str, str | None] = {}
    for text in given.drop_nulls().unique():
        found = as_json_list(text)
        if found is not None and len(found) == 1:
            changes[text] = found[0] or None
    return given.replace(changes) if changes else given


def _scaled(given: pl.Series, low: float, high: float) -> pl.Series:
    """Return the numbers of a column on our scale; a text that is no number stays, to be refused with what it is."""
    scaled = (given.cast(pl.Float64, strict=False) - low) / (high - low)
    if given.dtype != pl.String:
        return scaled
    return scaled.cast(pl.String).zip_with(scaled.is_not_null(), given)


def text_of(series: pl.Series, *, prose: bool) -> pl.Series:
    """Return a column as text; whole numbers lose their point, outer blanks go unless it is prose."""
    if series.dtype == pl.Boolean:
        texts = series.cast(pl.String)
    elif isinstance(series.dtype, pl.List):
        texts = series.list.join(",")
        texts = texts.set(texts == "", None)  # a list of nothing, as an empty cell
    elif series.dtype.is_float():
        whole = (series.is_finite() & (series % 1 == 0) & (series.abs() < 1 << 53)).fill_null(value=False)
        texts = series.cast(pl.Int64, strict=False).cast(pl.String).zip_with(whole, series.cast(pl.String))
    else:
        texts = series.cast(pl.String)
    return texts if prose else texts.str.strip_chars()


def _changes(series: pl.Series, table: Mapping[str, str]) -> dict[str, str]:
    """Return what each text of a column becomes by a value map; a word is found whatever its case."""
    lower = {word.strip().lower(): ours for word, ours in table.items()}
    return {v: lower[v.strip().lower()] for v in series.drop_nulls().unique() if v.strip().lower() in lower}


def _refuse(profile: Profile, frame: pl.DataFrame, located: Located) -> tuple[pl.DataFrame, list[Issue]]:
    """Refuse rows whose credit is a word: what it earns is not said, and nothing is guessed."""
    issues: list[Issue] = []
    keep = pl.repeat(value=True, n=frame.height, eager=True)
    for name in ("credit", "verified"):
        given = frame[name]
        if given.dtype != pl.String:
            continue
        odd = given.is_not_null() & given.cast(pl.Float64, strict=False).is_null() & keep
        message = (
            f"{name} is {{found}}, which is no number; allowed: a number, or a word of [values.{name}] in "
            f"{profile.name}. Add the word there."
        )
        issues += located.where(
            odd, frame["line"], given, rule="unmapped_value", severity="refused", message=message,
            column=f"responses.{name}",
        )  # fmt: skip
        keep = keep & ~odd
    return frame.filter(keep), issues


def _options(frame: pl.DataFrame, titles: Sequence[str]) -> pl.Series:
    """Return the options of each row as a JSON list; null where a row has none."""
    if len(titles) > 1:
        there = [text_of(frame[t], prose=False) if t in frame.columns else _absent(t, frame.height) for t in titles]
        rows = zip(*(series.to_list() for series in there), strict=True)
        # An empty cell after the last option is no option; one between two keeps its letter.
        lists: Iterator[list[str] | None] = (_trimmed(row) for row in rows)
    else:
        given = frame[titles[0]] if titles[0] in frame.columns else _absent(titles[0], frame.height)
        cells = given.to_list() if isinstance(given.dtype, pl.List) else _each(given, _between)
        lists = (None if cell is None else _trimmed(cell) for cell in cells)
    texts = [None if not found else msgspec.json.encode(found).decode() for found in lists]
    return pl.Series("options", texts, dtype=pl.String)


def _listed(text: str) -> str:
    """Return the options that a profile states for every item as a JSON list."""
    found = _between(text)
    if found is None:
        raise BadLog(
            f"The profile's constant 'options' is '{shorten(text)}', which is neither a list nor parts between lines "
            "or bars. Write them as 'first | second | third'."
        )
    return msgspec.json.encode(found).decode()


def _trimmed(row: Sequence[str | None]) -> list[str] | None:
    last = max((k for k, cell in enumerate(row) if cell not in (None, "")), default=-1)
    return ["" if cell is None else cell for cell in row[: last + 1]] or None


def _between(text: str) -> list[str] | None:
    """Return the options of one cell; nothing between two bars is an empty option, which keeps its letter."""
    bare = text.strip()
    if bare.startswith("[") or "\n" in bare or "|" not in bare:
        return split(text)
    found = _trimmed([part.strip() for part in bare.removeprefix("|").split("|")])
    return found if found is not None and len(found) > 1 else None


def _each(series: pl.Series, meaning: Callable[[str], list[str] | None]) -> Iterator[list[str] | None]:
    known: dict[str, list[str] | None] = {}
    for text in series.cast(pl.String).to_list():
        if text is not None and text not in known:
            known[text] = meaning(text)
        yield None if text is None else known[text]


def split(text: str, separator: str | None = None) -> list[str] | None:
    """Return the values of one cell: a JSON or Python list, lines, or parts between a separator (bars when not given).

    None where a cell cannot be taken apart.
    """
    found = as_json_list(text)
    if found is not None:
        return found
    if text.lstrip().startswith("["):
        try:
            read = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            read = None
        if isinstance(read, list):
            return [str(part) for part in read]
    mark = separator or ("\n" if "\n" in text.strip() else "|")
    parts = [part.strip() for part in text.split(mark) if part.strip()]
    return parts if len(parts) > 1 or separator is not None else None


def _absent(name: str, height: int) -> pl.Series:
    return pl.Series(name, [None], dtype=pl.String).new_from_index(0, height)


def typed(series: pl.Series, kind: str) -> pl.Series:
    """Return an absent column in the type of its place, so that blocks of one file fit together."""
    return series.cast(POLARS_TYPE[kind]) if series.null_count() == series.len() else series
