"""What score-factor records say of benchmarks, items, runs and judges, each told once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.errors import BadLog
from loaders import psycheme_terms as terms
from loaders.base import Batch, Issue
from loaders.psycheme_options import options_of
from loaders.psycheme_rows import LETTERS, as_text, letter_set, words

SEEDS = 64
"""Seeds of one run that can still be attempts; more are seeds of single requests."""

CAPABILITIES = sorted(set(terms.CAPABILITIES.values()))


@dataclass(slots=True)
class Distinct:
    """Different rows in the order of their first appearance, found again by their hashes, which are kept sorted."""

    rows: pl.DataFrame
    hashes: npt.NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, dtype=np.uint64))
    places: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    def add(self, rows: pl.DataFrame) -> None:
        """Add the rows that are not there yet; `rows` itself may repeat them."""
        hashes = rows.hash_rows().to_numpy()
        unknown = ~self._known(rows, hashes)
        if not unknown.any():
            return
        told = [series.name for series in rows if series.null_count() < rows.height] or rows.columns
        fresh = rows.with_columns(hash=pl.Series(hashes)).filter(unknown).unique(subset=told, maintain_order=True)
        order = fresh["hash"].arg_sort().to_numpy()
        found = fresh["hash"].to_numpy()[order]
        at = np.searchsorted(self.hashes, found)
        self.hashes = np.insert(self.hashes, at, found)
        self.places = np.insert(self.places, at, order.astype(np.int64) + self.rows.height)
        self.rows = pl.concat([self.rows, fresh.drop("hash")])

    def _known(self, rows: pl.DataFrame, hashes: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Return which rows are there already: the hash finds the row, and the row itself is compared."""
        known = np.zeros(rows.height, dtype=np.bool_)
        if not self.hashes.size:
            return known
        at = np.minimum(np.searchsorted(self.hashes, hashes), self.hashes.size - 1)
        hit = self.hashes[at] == hashes
        if hit.any():
            here, there = rows.filter(hit), self.rows[self.places[at[hit]]]
            same = [here[name].eq_missing(there[name]) for name in rows.columns]
            known[hit] = pl.DataFrame(same).select(pl.all_horizontal(pl.all())).to_series().to_numpy()
        return known


@dataclass(slots=True)
class Described:
    """What the records of one file say of benchmarks, items, runs and judges, gathered until its end.

    Its size grows with the number of different items and runs, not with the number of records.
    """

    parts: dict[str, Distinct] = field(default_factory=dict)
    seeds: dict[str, dict[str, int]] = field(default_factory=dict)
    odd_capabilities: dict[str, tuple[int, int]] = field(default_factory=dict)

    def keyed(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the frame as text with benchmark, run_id, item_id and attempt settled."""
        frame = as_text(frame).with_columns(
            benchmark=pl.col("benchmarks.benchmark").fill_null(pl.lit(terms.BENCHMARK)),
            name=pl.coalesce("runs.run_id", "runs.model"),
        )
        setting = pl.when(pl.col("runs.run_id").is_null()).then(
            pl.concat_str(
                [pl.lit("/") + pl.col("runs.regime"), pl.lit("/") + pl.col("runs.condition")], ignore_nulls=True
            )
        )
        prefix = pl.col("benchmark") + "/"
        own = pl.when(pl.col("name").str.starts_with(prefix)).then(pl.col("name")).otherwise(prefix + pl.col("name"))
        frame = frame.with_columns(run_id=own + setting.fill_null(pl.lit("")), item_id=pl.col("items.item_id"))
        return frame.with_columns(attempt=self._attempts(frame))

    def _attempts(self, frame: pl.DataFrame) -> pl.Series:
        """Return attempts as given, else numbered by the seeds of the run in order of appearance, else 1."""
        if frame["seed"].null_count() == frame.height:
            given = frame["responses.attempt"]
            return given.fill_null("1" if given.dtype == pl.String else 1)
        # as text: an empty column, or one of another block, has a type of its own
        keyed = frame.with_columns(pl.col("run_id", "seed").cast(pl.String))
        for run, seed in keyed.select("run_id", "seed").unique(maintain_order=True).drop_nulls().rows():
            numbers = self.seeds.setdefault(run, {})
            numbers.setdefault(seed, len(numbers) + 1)
            if len(numbers) > SEEDS:
                raise BadLog(
                    f"The run {run} has more than {SEEDS} seeds: they are no attempts. Give an `attempt` column, or "
                    "drop `seed`."
                )
        rows = [(run, seed, n) for run, numbers in self.seeds.items() for seed, n in numbers.items()]
        known = pl.DataFrame(rows, {"run_id": pl.String, "seed": pl.String, "n": pl.Int64}, orient="row")
        joined = keyed.join(known, on=["run_id", "seed"], how="left", maintain_order="left")
        number = pl.coalesce(pl.col("responses.attempt").cast(pl.String), pl.col("n").cast(pl.String), pl.lit("1"))
        return joined.select(number).to_series()

    def note(self, frame: pl.DataFrame) -> None:
        """Gather the descriptions of one block."""
        own = frame["benchmark"] == terms.BENCHMARK
        capability = frame["items.capability"]
        if own.any():
            ours = words(capability, terms.CAPABILITIES)
            capability = capability.zip_with(~own, ours)
            odd = own & ours.is_not_null() & ~ours.is_in(CAPABILITIES)
            found = pl.DataFrame([ours.alias("word"), frame["line"]]).filter(odd).group_by("word", maintain_order=True)
            for value, line, n in found.agg(pl.col("line").first(), pl.len()).rows():
                first, records = self.odd_capabilities.get(value, (line, 0))
                self.odd_capabilities[value] = (first, records + n)
        self._add("items", ("benchmark", "item_id"), _items(frame, capability))
        self._add("runs", ("run_id",), _runs(frame))
        self._add("benchmarks", ("benchmark",), _benchmarks(frame))
        self._add("judges", ("judge_id",), _judges(frame))

    def _add(self, table: str, key: tuple[str, ...], rows: pl.DataFrame) -> None:
        """Add the different rows of one block; rows without a key describe nothing."""
        described = rows.drop_nulls(key)
        if table not in self.parts:
            self.parts[table] = Distinct(described.clear())
        self.parts[table].add(described)

    def batches(self) -> Iterator[Batch | Issue]:
        """Yield each description once, gaps filled from later records, and a doubt where records disagree."""
        keys = {"benchmarks": ("benchmark",), "items": ("benchmark", "item_id"), "runs": ("run_id",)}
        for table, found in self.parts.items():
            key = keys.get(table, ("judge_id",))
            one, issues = merged(table, found.rows, key)
            yield from issues
            if one.height:
                yield Batch(table, FINISH[table](one))


def merged(table: str, rows: pl.DataFrame, key: tuple[str, ...]) -> tuple[pl.DataFrame, list[Issue]]:
    """Return one row per key: of each column the first value that is not null; and where others differ."""
    grouped = rows.group_by(key, maintain_order=True)
    others = [name for name in rows.columns if name not in key]
    one = grouped.agg([pl.col(name).drop_nulls().first() for name in others])
    if one.height == rows.height:
        return one, []
    counts = grouped.agg([pl.col(name).drop_nulls().n_unique() for name in others])
    issues = []
    for name in others:
        if name == "has_verified":
            continue
        clash = counts.filter(pl.col(name) > 1)
        if clash.height:
            example = " / ".join(str(clash[k][0]) for k in key)
            message = (
                f"{table}.{name} is not the same in all records for {clash.height} of {one.height}, e.g. {example}; "
                "the first value is kept."
            )
            issues.append(Issue("conflicting_rows", "doubted", message, None, f"{table}.{name}", records=clash.height))
    return one, issues


def _items(frame: pl.DataFrame, capability: pl.Series) -> pl.DataFrame:
    return frame.select(
        "benchmark",
        "item_id",
        capability.alias("capability"),
        pl.col("items.subcapability").alias("subcapability"),
        pl.col("items.media_type").alias("media_type"),
        words(frame["items.answer_type"], terms.ANSWER_TYPE).alias("answer_type"),
        pl.col("items.cluster").alias("cluster"),
        pl.col("items.prompt").alias("prompt"),
        pl.col("items.options").alias("options"),
        pl.col("items.reference").alias("reference"),
        pl.col("items.media_path").alias("media_path"),
        pl.col("runs.provenance").alias("provenance"),
    )


def _finish_items(rows: pl.DataFrame) -> pl.DataFrame:
    """Return items with options as lists, letters in order, and the answer type told by them where none was given."""
    options = pl.Series("options", [options_of(value) for value in rows["options"]], dtype=pl.List(pl.String))
    letters = pl.col("reference").str.contains(f"^{LETTERS.pattern}$")
    several = letters & (pl.col("reference").str.strip_chars().str.len_chars() > 1)
    inferred = (
        pl.when(several).then(pl.lit("multiple_choice"))
        .when(letters | pl.col("options").is_not_null()).then(pl.lit("single_choice"))
        .otherwise(pl.lit("open"))
    )  # fmt: skip
    rows = rows.with_columns(options).with_columns(answer_type=pl.col("answer_type").fill_null(inferred))
    choice = pl.col("answer_type") != "open"
    known = pl.col("options").list.len()
    return rows.with_columns(
        reference=pl.when(choice).then(letter_set(rows["reference"])).otherwise("reference"),
        media_type=pl.col("media_type").fill_null(
            pl.when(pl.col("benchmark") == terms.BENCHMARK).then(pl.lit("video"))
        ),
        reference_known=pl.lit(value=True),
        chance=pl.when((pl.col("answer_type") == "single_choice") & (known > 1)).then(1 / known),
    )


def _runs(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(
        "run_id",
        "benchmark",
        pl.coalesce("runs.model", "runs.run_id").alias("model"),
        *(pl.col(f"runs.{name}").alias(name) for name in ("vendor", "access", "regime", "condition", "provenance")),
        words(frame["runs.kind"], terms.KIND).alias("kind"),
    )


def _finish_runs(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(pl.col("kind").fill_null(pl.lit("model")), complete=pl.lit(value=True))


def _benchmarks(frame: pl.DataFrame) -> pl.DataFrame:
    labels = ("coverage", "evidence", "logic", "coverage_factor", "evidence_factor", "logic_factor", "verified")
    told = pl.any_horizontal([pl.col(f"responses.{name}").is_not_null() for name in labels])
    return frame.select(
        "benchmark",
        *(pl.col(f"benchmarks.{name}").alias(name) for name in ("title", "version", "note")),
        pl.when(told).then(pl.lit(value=True)).alias("has_verified"),
    )


def _finish_benchmarks(rows: pl.DataFrame) -> pl.DataFrame:
    own = pl.col("benchmark") == terms.BENCHMARK
    title = pl.when(own).then(pl.lit("PsycheMME")).otherwise("benchmark")
    return rows.select(
        "benchmark",
        pl.col("title").fill_null(title),
        "version",
        "note",
        missing_policy=pl.lit("zero"),
        raw_means=pl.lit("answer credit"),
        verified_means=pl.when("has_verified").then(pl.lit("reasoning-verified credit")),
        slice_name=pl.lit("capability"),
        headline=pl.lit("macro"),
        rubric=pl.when("has_verified").then(pl.lit("rationale")),
    )


def _judges(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(
        pl.col("judges.judge_id").alias("judge_id"),
        words(frame["judges.kind"], terms.JUDGE_KIND).alias("kind"),
        pl.col("judges.vendor").alias("vendor"),
        pl.col("judges.version").alias("version"),
    )


def _finish_judges(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(pl.col("kind").fill_null(pl.lit("model")))


FINISH = {
    "items": _finish_items,
    "runs": _finish_runs,
    "benchmarks": _finish_benchmarks,
    "judges": _finish_judges,
}
