"""Reader of score-factor rows and prediction/judge records: answer credit, coverage, evidence, logic, status.

One record is one response of one run to one item. Records may lie in CSV, TSV, JSON Lines, a JSON list or Parquet;
the columns go by many names, all declared in `psycheme_terms.FIELDS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from analytics.errors import did_you_mean, listing
from analytics.schema import LOG_TABLES
from loaders.base import Batch, Found, Issue, Reader, Source
from loaders.located import Located
from loaders.psycheme_described import Described
from loaders.psycheme_options import PREFIX, together
from loaders.psycheme_rows import absent, one_text, responses, verdicts
from loaders.psycheme_scale import note_largest, off_scale
from loaders.psycheme_terms import BENCHMARK, CAPABILITIES, FIELDS, SEED
from loaders.records import head_names, read_records

_PATHS = {"seed" if field is SEED else field.target: field.paths for field in FIELDS}
_NATIVE = frozenset(LOG_TABLES["responses"].names()) - {"source_id"}


def _has(names: frozenset[str], *targets: str) -> bool:
    return any(path in names for target in targets for path in _PATHS[target])


def claims(path: Path, head: bytes) -> bool:
    """Recognise a file whose columns name a run, an item, an answer credit and a factor of the verified credit."""
    names = head_names(path, head)
    return (
        not names >= _NATIVE  # a table of the native form belongs to its folder
        and _has(names, "runs.run_id", "runs.model")
        and (_has(names, "items.item_id") or "question" in names)
        and _has(names, "responses.credit")
        and (
            _has(names, "responses.coverage", "responses.evidence", "responses.logic")
            or _has(names, "responses.coverage_factor", "responses.evidence_factor", "responses.logic_factor")
            or _has(names, "responses.verified")
        )
    )


def read(source: Source) -> Iterator[Found]:
    """Yield responses block by block, then what they say of benchmarks, items, runs and judges, each once.

    Raises BadLog when the file as a whole cannot be read, or when seeds cannot be attempts.
    """
    located = Located()
    seen = Described()
    unused: set[str] = set()
    largest: dict[str, float] = {}
    for found in read_records(source.path, located):
        if isinstance(found, Issue):
            yield found
            continue
        columns, lines = found
        unused |= {name for name in columns.columns if not _known(name)}
        frame = seen.keyed(_picked(columns, lines))
        seen.note(frame)
        rows, issues = responses(frame, located)
        note_largest(largest, rows)
        yield Batch("responses", rows, primary=True)
        yield from issues
        given = verdicts(frame, rows)
        if given.height:
            yield Batch("verdicts", given)
    yield from seen.batches()
    yield from _unknown_capabilities(seen.odd_capabilities)
    yield from off_scale(largest)
    yield from located.rest()
    if unused:
        message = f"These columns are not known to this format and were not read: {listing(sorted(unused))}."
        yield Issue("unused_columns", "note", message, records=0)


def _known(name: str) -> bool:
    return any(name == path or name.startswith(PREFIX) for paths in _PATHS.values() for path in paths)


def _picked(columns: pl.DataFrame, lines: pl.Series) -> pl.DataFrame:
    """Return one column per declared target, in the type that the log keeps it in, and `line`."""
    columns = together(columns)
    if not any(path in columns.columns for path in _PATHS["items.item_id"]) and "question" in columns.columns:
        columns = columns.rename({"question": "item_id"})
    picked = [lines.alias("line")]
    for target, paths in _PATHS.items():
        given = [columns[path] for path in paths if path in columns.columns]
        if not given:
            picked.append(absent(target, columns.height))
        elif len({series.dtype for series in given}) == 1:
            picked.append(columns.select(pl.coalesce([series.name for series in given]).alias(target)).to_series())
        else:
            texts = pl.DataFrame([one_text(series).alias(str(k)) for k, series in enumerate(given)])
            picked.append(texts.select(pl.coalesce(pl.all()).alias(target)).to_series())
    return pl.DataFrame(picked)


def _unknown_capabilities(odd: dict[str, tuple[int, int]]) -> Iterator[Issue]:
    """Yield one doubt per capability that the benchmark does not have; the first record with it is the place."""
    allowed = sorted(set(CAPABILITIES.values()))
    for word, (line, records) in odd.items():
        near = did_you_mean(word, [*allowed, *(name for name in CAPABILITIES if len(name) > 1)])
        message = (
            f"The capability '{word}' is none of {BENCHMARK}'s and was kept as written; known: {listing(allowed)}, or "
            f"the letters G W N T S A M R.{near}"
        )
        yield Issue("unknown_capability", "doubted", message, line, "items.capability", records=records)


READER = Reader(
    name="psycheme",
    version="1",
    title="score-factor rows or prediction/judge records (CSV, TSV, JSONL, JSON, Parquet)",
    unit="file",
    fields=FIELDS,
    claims=claims,
    read=read,
)
