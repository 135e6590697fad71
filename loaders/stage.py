"""Staging: what one source gives is checked against itself and against what is there, then merged.

Two schemas of one DuckDB file: `incoming` holds the rows of the source being read, `log` those of all before it.
A source that fails leaves `log` as it was. Large tables that clash with nothing go around both (see `parts`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import polars as pl

from analytics.errors import BadLog, listing
from analytics.schema import LOG_TABLES, TABLES, Table
from loaders.base import Batch, Issue, Reader, Source
from loaders.disk import LOST, is_full
from loaders.parts import SPLIT, Parts, create, insert, met_again, thaw
from loaders.tally import Tally, shares_lines
from loaders.validate import EXAMPLES, validate

Connection = duckdb.DuckDBPyConnection

FACTS = ("responses", "verdicts", "comparisons", "failure_labels", "figures", "claims")
"""Tables whose rows stand for records: a doubled key is a refused record. In the others equal rows are one row."""

COMPARED = ("prompt", "options", "reference", "capability", "answer_type")
"""Item columns that must agree when two sources describe one item."""


def open_stage(path: str) -> Connection:
    """Create a staging file with the empty tables of both schemas."""
    con = duckdb.connect(path)
    con.execute("SET enable_progress_bar = false")  # it prints to stdout even into a pipe
    con.execute("BEGIN")  # one commit: each of its own would wait for the disk
    for schema, tables in (("log", TABLES), ("incoming", LOG_TABLES)):
        con.execute(f"CREATE SCHEMA {schema}")
        for table in tables.values():
            con.execute(table.ddl().replace("CREATE TABLE ", f"CREATE TABLE {schema}."))
    create(con)
    con.execute("COMMIT")
    return con


def take(
    con: Connection,
    reader: Reader,
    source: Source,
    *,
    source_id: str,
    provenance: str,
    on_rows: Callable[[int], None],
    stem: Path | None = None,
) -> Tally:
    """Read one source into `incoming`, check it, merge it into `log`; return its account.

    On any failure of the reader nothing is merged and the account says why: other sources go on. `stem` is the
    beginning of the names of parts for large tables; without it every row goes through `incoming`.
    """
    tally = Tally()
    parts = Parts(stem)
    con.execute("BEGIN")  # one transaction: rows of each batch committed by itself would be written twice
    for name in LOG_TABLES:
        con.execute(f"DELETE FROM incoming.{name}")
    try:
        for found in reader.read(source):
            if isinstance(found, Issue):
                if found.severity == "refused":
                    tally.seen += found.records
                tally.add(found, counts=True)
                continue
            _insert(con, found, tally, parts, source_id=source_id, provenance=provenance)
            on_rows(tally.seen)
    except (BadLog, OSError, *LOST) as error:
        if is_full(error):
            raise  # not the log's fault: a store without it would be neither the old nor the new one
        failed = ("unreadable", str(error))
    except RecursionError:
        failed = ("too_deep", f"{source.name} holds values nested too deeply to be read. Write them as text.")
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001 - one bad file must not stop the others
        failed = (
            "reader_failed",
            f"The reader {reader.name} failed on {source.name} with {type(error).__name__}: {error}. "
            "Nothing of the file was loaded; please report it with the file.",
        )
    else:
        return _settle(con, reader, tally, parts)
    con.execute("ROLLBACK")
    parts.drop()
    return _failed(tally, *failed)


def _settle(con: Connection, reader: Reader, tally: Tally, parts: Parts) -> Tally:
    """Check what was read and merge it; what is kept as parts needs no more checks."""
    clash = parts.clash(con)
    apart = [] if clash else [name for name, held in parts.held.items() if held.files]
    for name in parts.held:
        if name not in apart:
            parts.pour(con, name)
    con.execute("COMMIT")
    if met_again(con):
        thaw(con)
    con.execute("BEGIN")
    _distinct(con, tally)
    if not _settle_runs(con, reader, tally):
        con.execute("ROLLBACK")
        parts.drop()
        return tally
    _merge(con, tally)
    parts.keep(con)
    con.execute("COMMIT")
    return tally


def _failed(tally: Tally, rule: str, message: str) -> Tally:
    """Return the account of a source of which nothing was kept."""
    tally.seen = max(tally.seen, 1)
    left = tally.kept
    tally.add(Issue(rule, "refused", message, records=left), counts=True)
    return tally


def _insert(con: Connection, batch: Batch, tally: Tally, parts: Parts, *, source_id: str, provenance: str) -> None:
    """Validate one batch and append it to `incoming`, or hold it back while its table may grow large."""
    table = TABLES[batch.table]
    frame = batch.frame
    if not frame.height:
        return  # a literal column would give an empty frame a row
    if batch.primary:
        tally.seen += frame.height
        tally.shared_lines = tally.shared_lines or shares_lines(frame)
    if "source_id" in table.names():
        frame = frame.with_columns(source_id=pl.lit(source_id))
    if "provenance" in table.names():
        given = pl.col("provenance") if "provenance" in frame.columns else pl.lit(None, dtype=pl.String)
        frame = frame.with_columns(provenance=given.fill_null(pl.lit(provenance)))
    valid, issues = validate(batch.table, frame)
    for issue in issues:
        tally.add(issue, counts=batch.primary)
    if valid.height:
        if table.name in SPLIT:
            parts.add(table.name, valid)
        else:
            insert(con, table.name, valid)
        tally.filled.add(table.name)
        if batch.primary:
            tally.primary.add(table.name)


def _filled(tally: Tally) -> list[Table]:
    """Return the tables that the source gave rows of, in schema order."""
    return [table for name, table in LOG_TABLES.items() if name in tally.filled]


def _rows(con: Connection, sql: str) -> list[tuple[object, ...]]:
    return con.execute(sql).fetchall()


def count(con: Connection, sql: str, params: Sequence[object] = ()) -> int:
    """Return the one number of a query; fetchone would leave the result open and block the next call."""
    return int(con.execute(sql, list(params)).fetchall()[0][0])


def _place(table: Table, row: tuple[object, ...]) -> str:
    return ", ".join(f"{key} {value}" for key, value in zip(table.key, row, strict=False))


def _distinct(con: Connection, tally: Tally) -> None:
    """Leave one row per key in `incoming`; say so wherever the others were not the same."""
    for table in _filled(tally):
        keys = ", ".join(table.key)
        line = "max(line)" if "line" in table.names() else "NULL"
        doubled = _rows(
            con,
            f"SELECT {keys}, {line} AS line, count(*) - 1 AS extra FROM incoming.{table.name} "
            f"GROUP BY {keys} HAVING count(*) > 1 ORDER BY {keys}",
        )
        if not doubled:
            continue
        if table.name in FACTS:
            _refuse_doubled(table, doubled, tally)
        else:
            _doubt_different(con, table, doubled, tally)
        con.execute(
            f"DELETE FROM incoming.{table.name} WHERE rowid NOT IN "
            f"(SELECT min(rowid) FROM incoming.{table.name} GROUP BY {keys})"
        )


def _refuse_doubled(table: Table, doubled: Sequence[tuple[object, ...]], tally: Tally) -> None:
    """Refuse the later rows of a doubled key: the first EXAMPLES keys by name, the others in one issue."""
    counts = table.name in tally.primary
    for row in doubled[:EXAMPLES]:
        line, extra = row[-2], int(str(row[-1]))
        message = (
            f"{table.name} has {extra + 1} rows for {_place(table, row)}; the first is kept. "
            "Give attempts their own numbers, or drop the copies."
        )
        place = None if line is None else int(str(line))
        issue = Issue("duplicate_key", "refused", message, line=place, column=table.name, records=extra)
        tally.add(issue, counts=counts)
    rest = sum(int(str(row[-1])) for row in doubled[EXAMPLES:])
    if rest:
        message = f"{rest} more rows of {table.name} repeat a key; the first of each is kept."
        tally.add(Issue("duplicate_key", "refused", message, column=table.name, records=rest), counts=counts)


def _doubt_different(con: Connection, table: Table, doubled: Sequence[tuple[object, ...]], tally: Tally) -> None:
    """Note rows of a described thing that differ from the first with their key; equal ones are one row."""
    keys = ", ".join(table.key)
    rows = count(con, f"SELECT count(*) FROM (SELECT DISTINCT * FROM incoming.{table.name})")
    different = rows - count(con, f"SELECT count(*) FROM (SELECT DISTINCT {keys} FROM incoming.{table.name})")
    if different:
        extra = sum(int(str(row[-1])) for row in doubled)
        message = (
            f"{different} of {extra} repeated rows of {table.name} differ from the first with their key, "
            f"e.g. {_place(table, doubled[0])}; the first is kept."
        )
        tally.add(Issue("conflicting_rows", "doubted", message, column=table.name, records=different), counts=False)


def _settle_runs(con: Connection, reader: Reader, tally: Tally) -> bool:
    """Tell a continued run from the same run again; return False when the source must not be merged."""
    known = [str(row[0]) for row in _rows(con, "SELECT run_id FROM incoming.runs SEMI JOIN log.runs USING (run_id)")]
    if known and reader.whole_run:
        message = (
            f"The run {listing(known)} was already read from another file; this is the same run again. "
            "Nothing of this file was loaded."
        )
        tally.add(Issue("same_run_twice", "refused", message, records=tally.kept), counts=True)
        return False
    for run in known:
        repeated, different = con.execute(OVERLAP, [run]).fetchall()[0]
        if different:
            _rename(con, run, tally, overlap=int(different))
        elif repeated:
            message = f"{repeated} responses of the run {run} stand in another file word for word; they are kept once."
            tally.add(Issue("repeated_responses", "note", message, records=int(repeated)), counts=False)
    return True


OVERLAP = """
SELECT count(*), count(*) FILTER (i.answer IS DISTINCT FROM l.answer OR i.response IS DISTINCT FROM l.response
                                  OR i.credit IS DISTINCT FROM l.credit OR i.status <> l.status)
FROM incoming.responses i JOIN log.responses l USING (run_id, item_id, attempt) WHERE run_id = ?
"""


def _rename(con: Connection, run: str, tally: Tally, *, overlap: int) -> None:
    """Give a run that collides with one already read the next free name: the same system twice is two runs."""
    for number in range(2, 10_000):
        name = f"{run}~{number}"
        taken = count(
            con,
            "SELECT count(*) FROM incoming.responses i JOIN log.responses l "
            "ON l.run_id = ? AND l.item_id = i.item_id AND l.attempt = i.attempt WHERE i.run_id = ?",
            [name, run],
        )
        if not taken:
            break
    for table, columns in (
        ("runs", ("run_id",)),
        ("responses", ("run_id",)),
        ("verdicts", ("run_id",)),
        ("failure_labels", ("run_id",)),
        ("comparisons", ("run_a", "run_b")),
    ):
        for column in columns:
            con.execute(f"UPDATE incoming.{table} SET {column} = ? WHERE {column} = ?", [name, run])
    message = f"The run {run} has {overlap} responses that another file gave too; these are kept as the run {name}."
    tally.add(Issue("run_again", "note", message, column="runs.run_id", records=overlap), counts=False)


def _compare_items(con: Connection, tally: Tally) -> None:
    """Say where two sources describe one item differently: an issue, never a silent merge."""
    counted = ", ".join(f"count(*) FILTER (i.{c} <> l.{c}), min(item_id) FILTER (i.{c} <> l.{c})" for c in COMPARED)
    rows = _rows(
        con,
        f"SELECT benchmark, {counted} FROM incoming.items i JOIN log.items l USING (benchmark, item_id) "
        "GROUP BY benchmark ORDER BY benchmark",
    )
    for benchmark, *pairs in rows:
        for column, n, item in zip(COMPARED, pairs[::2], pairs[1::2], strict=True):
            if n:
                message = (
                    f"items.{column} differs from what another file says for {n} items, e.g. {item} of {benchmark}; "
                    "the first file's is kept. Check that both are the same benchmark version."
                )
                issue = Issue("item_conflict", "doubted", message, column=f"items.{column}", records=int(str(n)))
                tally.add(issue, counts=False)


def _merge(con: Connection, tally: Tally) -> None:
    """Append `incoming` to `log`; items described twice are compared, gaps are filled, nothing is overwritten."""
    _compare_items(con, tally)
    gaps = ("prompt", "options", "reference", "capability", "subcapability", "axis", "media_type", "tier", "cluster")
    filled = ", ".join(f"{name} = coalesce(l.{name}, i.{name})" for name in gaps)
    filled += ", reference_known = l.reference_known OR i.reference_known"
    lacking = " OR ".join(f"(l.{name} IS NULL AND i.{name} IS NOT NULL)" for name in gaps)
    lacking += " OR (i.reference_known AND NOT l.reference_known)"
    con.execute(
        f"UPDATE log.items l SET {filled} FROM incoming.items i "
        f"WHERE i.benchmark = l.benchmark AND i.item_id = l.item_id AND ({lacking})"
    )
    for table in _filled(tally):
        keys = ", ".join(table.key)
        if table.name in FACTS and table.name != "responses":
            _refuse_known(con, table, keys, tally)
        con.execute(
            f"INSERT INTO log.{table.name} BY NAME "
            f"SELECT * FROM incoming.{table.name} ANTI JOIN log.{table.name} USING ({keys})"
        )


def _refuse_known(con: Connection, table: Table, keys: str, tally: Tally) -> None:
    """Say how many rows of a fact table another file gave already."""
    known = count(con, f"SELECT count(*) FROM incoming.{table.name} SEMI JOIN log.{table.name} USING ({keys})")
    if known:
        message = f"{known} rows of {table.name} repeat a key that another file gave; the first file's are kept."
        issue = Issue("duplicate_key", "refused", message, column=table.name, records=known)
        tally.add(issue, counts=table.name in tally.primary)
