"""Responses and verdicts of score-factor records: words into ours, factors apart from labels, status from credit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import polars as pl

from analytics.errors import BadLog
from analytics.schema import FAILED
from loaders import psycheme_terms as terms
from loaders.base import Issue
from loaders.located import Located
from loaders.records import json_text, plain

LONG = ("items.prompt", "responses.response", "responses.rationale", "verdicts.justification", "verdicts.label")
COUNTS = ("confidence", "input_tokens", "output_tokens", "steps", "seconds")
NUMERIC = frozenset(f"responses.{name}" for name in ("attempt", "credit", "verified", *COUNTS))
"""Targets whose text stays as it is: validation casts them and places what cannot be cast."""

LETTERS = re.compile(r"\s*[A-Z](?:\s*[,;/|]\s*[A-Z])*\s*")
"""One option letter, or several with separators."""

MAYBE_LETTERS = r"^[A-Z,;/|\s\x1c-\x1f]*$"
"""What every text that LETTERS matches fulfils: prose is told apart without looking at each text in Python."""


def respelled(series: pl.Series, meaning: Callable[[str], str | None]) -> pl.Series:
    """Return the texts with each distinct one put through `meaning`."""
    changes = {value: meaning(value) for value in series.drop_nulls().unique()}
    changes = {value: ours for value, ours in changes.items() if ours != value}
    return series.replace(changes) if changes else series


def words(series: pl.Series, table: dict[str, str]) -> pl.Series:
    """Return the texts with the words of `table` put into ours and all others as written."""
    return respelled(series, lambda value: table.get(plain(value), value))


def letter_set(series: pl.Series) -> pl.Series:
    """Return answers that are option letters in one spelling, 'A,C'; all others as written."""
    if series.null_count() == series.len():
        return series
    likely = series.filter(series.str.contains(MAYBE_LETTERS))
    changes = {value: _letters(value) for value in likely.unique()}
    changes = {value: ours for value, ours in changes.items() if ours != value}
    return series.replace(changes) if changes else series


def _letters(value: str) -> str:
    return ",".join(sorted({c for c in value if c.isupper()})) if LETTERS.fullmatch(value) else value


def absent(name: str, height: int) -> pl.Series:
    """Return a column without values."""
    return pl.Series(name, [None], dtype=pl.String).new_from_index(0, height)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame with every descriptive column as text; numbers that are whole lose their point.

    Outer blanks are removed except in prose, and empty text is null.
    """
    columns = []
    for series in frame:
        name = series.name
        if name == "line" or name in NUMERIC or series.null_count() == frame.height:
            columns.append(series)
            continue
        given = one_text(series)
        trimmed = given if name in LONG else given.str.strip_chars()
        columns.append(trimmed.set(trimmed.str.len_bytes() == 0, None))
    return pl.DataFrame(columns)


def one_text(series: pl.Series) -> pl.Series:
    """Return a column as text, lists joined. Raises BadLog for a type that has no form as text."""
    if series.dtype == pl.String:
        return series
    if series.name == "items.options":
        return json_text(series)
    try:
        if isinstance(series.dtype, pl.List):
            return series.list.eval(pl.element().cast(pl.String)).list.join(",")
        if series.dtype == pl.Float64 and bool((series.drop_nulls() % 1 == 0).all()):
            return series.cast(pl.Int64).cast(pl.String)
        return series.cast(pl.String)
    except pl.exceptions.PolarsError as error:
        raise BadLog(
            f"The column {series.name} holds values of the type {series.dtype}; write them as text."
        ) from error


def number(series: pl.Series) -> pl.Series:
    """Return what of a column is a number. Raises BadLog for a column of a type that has no form as a number."""
    try:
        plain_text = series.cast(pl.String) if series.dtype == pl.Categorical else series
        cast = plain_text.cast(pl.Float64, strict=False)
    except pl.exceptions.PolarsError:
        cast = None
    if cast is None or cast.dtype != pl.Float64:  # records cast to records
        raise BadLog(f"The column {series.name} holds values of the type {series.dtype}, where numbers are read.")
    return cast


def responses(frame: pl.DataFrame, located: Located) -> tuple[pl.DataFrame, list[Issue]]:
    """Return one response per record of the keyed frame, and doubts where status and credit do not fit.

    A failed attempt keeps its status and has no credit, whatever the log wrote beside it; an invalid final format
    without a credit has credit 0, as the benchmark rules. A record without status and credit is ok and unjudged,
    or missing where the log keeps answers and it has none.
    """
    credit = _credit(frame["responses.credit"])
    value = number(credit)
    status = _status(frame, value)
    failed = status.is_in(list(FAILED))
    invalid = status == "invalid_format"
    zero = pl.lit("0") if credit.dtype == pl.String else pl.lit(0.0)
    own = pl.when(pl.col("responses.status") != pl.col("status")).then("responses.status")
    rows = frame.with_columns(credit, status, failed.alias("failed"), invalid.alias("invalid")).select(
        "run_id", "item_id", "attempt", "line", "status",
        pl.when("failed").then(None).when(pl.col("invalid") & pl.col("credit").is_null()).then(zero)
        .otherwise("credit").alias("credit"),
        pl.coalesce("responses.status_note", own).alias("status_note"),
        *(pl.col(f"responses.{name}").alias(name) for name in ("response", "rationale", "verified", *COUNTS)),
        letter_set(frame["responses.answer"]).alias("answer"),
        *_factors(frame),
    )  # fmt: skip
    return rows, list(_doubts(located, rows, value, failed=failed, invalid=invalid))


def _credit(given: pl.Series) -> pl.Series:
    """Return the credit as a number, or as the log's own text where it is not all numbers."""
    if given.dtype != pl.String:
        return number(given).alias("credit")
    truth = {"true": "1", "false": "0", "": None}
    return respelled(given, lambda value: truth.get(value.strip().lower(), value.strip())).alias("credit")


def _status(frame: pl.DataFrame, credit: pl.Series) -> pl.Series:
    """Return the status in our words; where the log has none, what answer and credit tell."""
    status = words(frame["responses.status"], terms.STATUS).alias("status")
    if not status.null_count():
        return status
    answer, response = frame["responses.answer"], frame["responses.response"]
    keeps_answers = min(answer.null_count(), response.null_count()) < frame.height
    silent = answer.is_null() & response.is_null() & credit.is_null() & keeps_answers
    told = pl.when(silent).then(pl.lit("missing")).otherwise(pl.lit("ok"))
    return frame.select(pl.coalesce(status, told).alias("status")).to_series()


def _factors(frame: pl.DataFrame) -> Iterator[pl.Series]:
    """Yield each factor as a label and as a number: what is a number in the log is no label."""
    for name, table in (("coverage", terms.COVERAGE), ("evidence", terms.EVIDENCE), ("logic", terms.LOGIC)):
        label = frame[f"responses.{name}"]
        own = number(frame[f"responses.{name}_factor"])
        if label.null_count() < frame.height:
            label = respelled(label, lambda value: None if plain(value) in terms.NOTHING else value)
            value = number(label)
            own = own.to_frame("own").select(pl.coalesce("own", value)).to_series()
            label = words(label.set(value.is_not_null(), None), table)
        yield label.alias(name)
        yield own.alias(f"{name}_factor")


def _doubts(
    located: Located, rows: pl.DataFrame, credit: pl.Series, *, failed: pl.Series, invalid: pl.Series
) -> Iterator[Issue]:
    """Yield a doubt for each record whose status and credit contradict each other, or that nobody judged."""
    positive = (credit > 0).fill_null(value=False)
    yield from located.where(
        failed & positive,
        rows["line"],
        credit,
        rule="credit_of_failed_attempt",
        severity="doubted",
        message="The attempt failed and yet has the credit {found}; the credit was left out. Check the status.",
        column="responses.credit",
    )
    yield from located.where(
        invalid & positive,
        rows["line"],
        credit,
        rule="credit_of_invalid_format",
        severity="doubted",
        message="An invalid final format has the credit {found}, the benchmark allows 0; kept as logged. Check it.",
        column="responses.credit",
    )
    yield from located.where(
        (rows["status"] == "ok") & rows["credit"].is_null(),
        rows["line"],
        rows["status"],
        rule="no_credit",
        severity="doubted",
        message="The record has the status {found} and no credit; it counts as unjudged, not as wrong.",
        column="responses.credit",
    )


def verdicts(frame: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the judge's verdict on the answer of each record that names a judge.

    `met` is full credit; a judge without verdict and credit abstained. Failed attempts bring no verdict.
    """
    judged = pl.DataFrame(
        [
            rows["run_id"],
            rows["item_id"],
            rows["attempt"],
            frame["judges.judge_id"].alias("judge_id"),
            frame["verdicts.label"].alias("label"),
            frame["verdicts.justification"].alias("justification"),
            number(rows["credit"]).alias("score"),
            rows["status"].alias("response_status"),
        ]
    )
    judged = judged.filter(pl.col("judge_id").is_not_null() & ~pl.col("response_status").is_in(list(FAILED)))
    broken = pl.col("response_status") == "judge_failed"
    silent = pl.col("label").is_null() & pl.col("score").is_null()
    return judged.select(
        "run_id", "item_id", "attempt", "judge_id", "label", "justification", "score",
        criterion=pl.lit("answer"),
        on_judge=pl.lit(""),
        met=pl.when(~broken).then(pl.col("score") >= 1),
        status=pl.when(broken).then(pl.lit("judge_failed")).when(silent).then(pl.lit("abstained")).otherwise(pl.lit("ok")),
    )  # fmt: skip
