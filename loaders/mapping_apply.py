"""A profile as a reader: its file becomes the same batches and issues that every reader gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from analytics.errors import BadLog, did_you_mean, listing
from loaders import mapping_rows as rows
from loaders.base import Batch, Field, Found, Issue, Reader, Source
from loaders.located import Located
from loaders.mapping_columns import pick
from loaders.mapping_fields import BY_NAME
from loaders.mapping_lists import lists_of
from loaders.mapping_open import blocks
from loaders.mapping_profile import FILE, POSITION, Profile, Run
from loaders.mapping_scale import Ranges
from loaders.psycheme_described import Distinct, merged

NAME = "mapping"


def reader_of(profile: Profile) -> Reader:
    """Return the reader that a profile describes; its version names the profile's content, so that a build tells."""
    fixed = [*profile.constants.values(), *(word for run in profile.runs for word in run.about.values())]
    return Reader(
        name=NAME,
        version=f"1 {profile.name} {profile.digest}",
        title=f"mapping profile {profile.name}",
        unit="file",
        fields=tuple(
            Field(f"{BY_NAME[name].table}.{BY_NAME[name].column}", columns) for name, columns in profile.fields.items()
        ),
        claims=lambda path, head: False,
        read=lambda source: read(source, profile),
        named_by_path=any(FILE in word for word in fixed),
    )


def profile_named(version: str) -> str:
    """Return the profile that the version of a mapping's reader names."""
    return version.partition(" ")[2].rpartition(" ")[0]


@dataclass(slots=True)
class _Described:
    """What the rows say of items and runs, told once at the end; it grows with items and runs, not with rows."""

    parts: dict[str, Distinct] = field(default_factory=dict)
    ranges: Ranges = field(default_factory=Ranges)

    def add(self, table: str, key: str, found: pl.DataFrame) -> None:
        described = found.drop_nulls(key)
        if table not in self.parts:
            self.parts[table] = Distinct(described.clear())
        self.parts[table].add(described)

    def one(self, table: str, key: tuple[str, ...]) -> tuple[pl.DataFrame, list[Issue]]:
        return merged(table, self.parts[table].rows, key)


def read(source: Source, profile: Profile, *, most: int | None = None) -> Iterator[Found]:
    """Yield responses block by block, then benchmarks, items, runs and judges once; stops after `most` records.

    A record is one row of a long file, or one row and run of a wide one. Raises BadLog when the file cannot be read
    as the profile says, a column that is nowhere in it among the reasons.
    """
    located, described = Located(), _Described()
    seen: dict[str, None] = {}
    left = most
    for found in blocks(
        source.path, source.name, profile.format, located, records=profile.records, sheet=profile.sheet,
        header_row=profile.header_row, lists=lists_of((*profile.used(), *profile.columns)),
    ):  # fmt: skip
        if isinstance(found, Issue):
            yield found
            continue
        block, lines = found
        if left is not None:
            block, lines = block.head(left), lines.head(left)
            left -= block.height
        seen |= dict.fromkeys(block.columns)
        for run in profile.runs or (None,):
            yield from _take(profile, run, block, lines, source=source, located=located, described=described)
        if left == 0:
            break
    yield from located.rest()
    if not seen:
        yield Issue("no_records", "refused", f"{source.name} holds no record that can be read.", records=0)
        return
    _lacking(profile, seen, source.name)
    described.ranges.check(profile)
    yield from described.ranges.doubts(profile)
    yield from _finish(profile, described)
    unused = [name for name in seen if name not in profile.used() and name != POSITION]
    if unused:
        message = f"{profile.name} maps nothing to these columns; they were not read: {listing(unused)}."
        yield Issue("unused_columns", "note", message, records=0)


def _take(
    profile: Profile, run: Run | None, block: pl.DataFrame, lines: pl.Series, *, source: Source, located: Located,
    described: _Described,
) -> Iterator[Found]:  # fmt: skip
    """Yield the rows of one block, for one run where the file is wide, and note what they say of items and runs."""
    if run is not None:
        described.ranges.add(profile, run, block)
    picked = pick(profile, run, block, lines, stem=source.path.stem, located=located)
    yield from picked.issues
    frame = rows.keyed(profile, picked.frame)
    if run is None:
        described.ranges.add_long(profile, frame)
    described.add("benchmarks", "benchmark", rows.benchmarks(profile, frame))
    described.add("items", "item_id", rows.items(profile, frame).drop_nulls("benchmark"))
    described.add("runs", "run_id", rows.runs(profile, frame))
    scored, issues = rows.responses(profile, frame, located)
    yield rows.response_batch(scored)
    yield from issues
    yield from rows.verdict_batches(profile, scored)
    judges = scored.select(pl.col("judge").alias("judge_id"), pl.col("judge_kind").alias("kind")).cast(pl.String)
    described.add("judges", "judge_id", judges)
    yield from rows.tag_batches(profile, frame, block, lines)


def _lacking(profile: Profile, seen: dict[str, None], name: str) -> None:
    """Raise BadLog for a mapped column that no record of the file has."""
    lacking = [column for column in profile.used() if column not in seen]
    if lacking:
        near = _near(lacking[0], seen)
        raise BadLog(
            f"{name} has no column '{lacking[0]}', which {profile.name} maps; it has {listing(seen, most=20)}.{near}"
        )


def _near(lacking: str, seen: dict[str, None]) -> str:
    """Return what a column that is not there may be meant for: a part of a list, or one of a like name."""
    parts = lacking.split(".")
    for last in range(len(parts) - 1, 0, -1):
        outer = ".".join(parts[:last])
        if outer in seen:
            inner = ".".join(parts[last:])
            return f" '{outer}' is no record; where it is a list of records, its first has '{outer}[0].{inner}'."
    return did_you_mean(lacking, seen)


def _finish(profile: Profile, described: _Described) -> Iterator[Found]:
    """Yield what the rows said of benchmarks, items, runs and judges."""
    if not described.parts:
        return
    yield Batch("benchmarks", described.parts["benchmarks"].rows)
    items, issues = described.one("items", ("benchmark", "item_id"))
    yield from issues
    yield Batch("items", rows.finish_items(profile, items))
    runs, issues = described.one("runs", ("run_id",))
    yield from issues
    yield Batch("runs", runs.with_columns(pl.col("kind").fill_null(pl.lit("model")), complete=pl.lit(value=True)))
    judges, issues = described.one("judges", ("judge_id",))
    yield from issues
    yield Batch("judges", judges)
    if profile.scoring is not None:
        rule = pl.DataFrame(
            {"judge_id": [profile.scoring.judge_id], "kind": ["program"], "version": [f"1 of {profile.scoring.rule}"]}
        )
        yield Batch("judges", rule)


def own_source(path: Path) -> Source:
    """Return a file as a source of its own."""
    return Source(path, path.name, str(path))
