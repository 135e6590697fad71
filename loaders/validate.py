"""Rows against the schema: types, required values, vocabularies and ranges, a whole batch at a time."""

from __future__ import annotations

import functools
import operator
from array import array
from typing import Literal

import polars as pl

from analytics.errors import BadLog, did_you_mean, listing
from analytics.schema import TABLES, Column, Table
from loaders.base import Issue, shorten

POLARS_TYPE: dict[str, pl.DataType | type[pl.DataType]] = {
    "text": pl.String,
    "integer": pl.Int64,
    "number": pl.Float64,
    "boolean": pl.Boolean,
    "texts": pl.List(pl.String),
    "json": pl.String,
}

SHORT = frozenset(
    [
        "benchmark",
        "item_id",
        "run_id",
        "run_a",
        "run_b",
        "judge_id",
        "on_judge",
        "criterion",
        "labeller",
        "tag",
        "kind",
        "model",
        "vendor",
        "access",
        "regime",
        "condition",
        "scope",
        "capability",
        "subcapability",
        "axis",
        "media_type",
        "tier",
        "cluster",
        "family",
        "cause",
    ]
)
LONGEST = 2_000
"""Bytes of a text that names something: it becomes a label, an axis, an address and a key of every table."""

EXAMPLES = 20
"""Refused rows of one rule and column in one batch that get an issue of their own; the rest share one."""


def validate(table_name: str, frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Issue]]:
    """Return the rows that satisfy the schema, all its columns in order, and an issue for each that does not.

    A number that is NaN or infinite becomes null with a doubt (a missing number is not a number). Rows that lack a
    required value, hold a word outside its vocabulary or a number outside its range are refused.
    Raises BadLog for a column that the schema does not have: that is a fault of the reader, not of the log.
    """
    table = TABLES[table_name]
    for name in frame.columns:
        if name not in table.names():
            raise BadLog(
                f"A reader gave {table_name}.{name}, which is not a column.{did_you_mean(name, table.names())}"
            )
    issues: list[Issue] = []
    typed = _typed(table, frame, issues)
    refused = pl.Series("refused", [False]).new_from_index(0, typed.height)
    for column in table.columns:
        for rule, bad, message in _checks(column, typed[column.name]):
            fresh = bad & ~refused
            issues += _issues(table, column, typed, fresh, rule=rule, message=message, severity="refused")
            refused = refused | fresh
    return (typed.filter(~refused) if refused.any() else typed), issues


def _typed(table: Table, frame: pl.DataFrame, issues: list[Issue]) -> pl.DataFrame:
    """Return the frame with every column of the table in its type; what cannot be cast becomes null with an issue."""
    columns = []
    for column in table.columns:
        wanted = POLARS_TYPE[column.kind]
        if column.name not in frame.columns:
            columns.append(pl.Series(column.name, [None], dtype=wanted).new_from_index(0, frame.height))
            continue
        given = frame[column.name]
        cast = _cast(given, wanted)
        fewer = cast.null_count() > given.null_count()
        lost = given.is_not_null() & cast.is_null() if fewer else None
        if column.kind == "integer" and given.dtype.is_float():
            lost = given.is_not_null() & cast.is_null() if lost is None else lost
            broken = (given.is_not_null() & (given != cast)).fill_null(value=False)
            lost, cast = lost | broken, cast.zip_with(~broken, cast.clear(len(cast)))
        if lost is not None and lost.any():
            message = f"allowed: {column.kind}; the value was left out"
            issues += _issues(table, column, frame, lost, rule="wrong_type", message=message, severity="doubted")
        if column.kind == "number" and not cast.is_finite().all():
            odd = cast.is_not_null() & ~cast.is_finite()
            message = "NaN and infinity are no values; it was left out"
            issues += _issues(table, column, frame, odd, rule="not_finite", message=message, severity="doubted")
            cast = (
                cast.to_frame().select(pl.when(pl.col(column.name).is_finite()).then(pl.col(column.name))).to_series()
            )
        columns.append(cast.alias(column.name))
    return pl.DataFrame(columns)


def _cast(given: pl.Series, wanted: pl.DataType | type[pl.DataType]) -> pl.Series:
    """Return the column in the wanted type; null where a value, or its whole type, has no form in it."""
    if given.dtype == wanted:
        return given
    try:
        cast = given.cast(wanted, strict=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # times, nested values: no conversion is defined
        cast = None
    if cast is None or cast.dtype != wanted:  # a record casts to a record
        return pl.Series(given.name, [None], dtype=wanted).new_from_index(0, len(given))
    return cast


def _checks(column: Column, values: pl.Series) -> list[tuple[str, pl.Series, str]]:
    """Return (rule, which rows break it, what is allowed) for one column."""
    checks = []
    if not column.null and values.null_count():
        checks.append(("required", values.is_null(), f"{column.name} is required: {column.meaning.lower()}"))
    if column.name in SHORT and values.null_count() < len(values):
        long = values.str.len_bytes() > LONGEST
        if long.any():
            limit = f"a name of at most {LONGEST:,} bytes is allowed; keep long text in prompt, answer or note"
            checks.append(("too_long", long.fill_null(value=False), limit))
    if column.allowed is not None and values.null_count() < len(values):
        outside = values.is_not_null() & ~values.is_in(list(column.allowed))
        if outside.any():
            word = str(values.filter(outside)[0])
            near = did_you_mean(word, column.allowed)
            checks.append(("unknown_value", outside, f"allowed: {listing(column.allowed)}.{near}"))
    if (column.low is not None or column.high is not None) and values.null_count() < len(values):
        bounds = [values < column.low] if column.low is not None else []
        bounds += [values > column.high] if column.high is not None else []
        outside = functools.reduce(operator.or_, bounds).fill_null(value=False)
        if outside.any():
            lowest = "any" if column.low is None else f"{column.low:g}"
            highest = "any" if column.high is None else f"{column.high:g}"
            checks.append(("out_of_range", outside, f"allowed: from {lowest} to {highest}"))
    return checks


def _issues(
    table: Table,
    column: Column,
    frame: pl.DataFrame,
    which: pl.Series,
    *,
    rule: str,
    message: str,
    severity: Literal["refused", "doubted"],
) -> list[Issue]:
    """Return issues for the rows marked in `which`: the first EXAMPLES each by itself, the others in one."""
    rows = frame.filter(which)
    issues = []
    for row in rows.head(EXAMPLES).iter_rows(named=True):
        found = "nothing" if row.get(column.name) is None else f"'{shorten(str(row[column.name]), most=60)}'"
        place = ", ".join(f"{key} {shorten(str(row[key]), most=40)}" for key in table.key if row.get(key) is not None)
        issues.append(
            Issue(
                rule=rule,
                severity=severity,
                message=f"{table.name}.{column.name} is {found}; {message}",
                line=row.get("line"),
                column=f"{table.name}.{column.name}",
                excerpt=place or None,
            )
        )
    if rows.height > EXAMPLES:
        rest = rows.height - EXAMPLES
        issues.append(
            Issue(
                rule=rule,
                severity=severity,
                message=f"{rest} more rows break the same rule in {table.name}.{column.name}; {message}",
                column=f"{table.name}.{column.name}",
                records=rest,
                lines=_lines(rows.slice(EXAMPLES)),
            )
        )
    return issues


def _lines(rows: pl.DataFrame) -> array[int] | None:
    """Return the places of rows in 8 bytes each, None where one has none."""
    if "line" not in rows.columns or not rows["line"].dtype.is_integer() or rows["line"].null_count():
        return None
    return array("q", rows["line"].cast(pl.Int64).to_numpy().tobytes())
