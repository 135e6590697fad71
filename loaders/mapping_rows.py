"""Rows of our tables from picked fields: responses with their status, verdicts of a rule or a log's judge, tags."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import polars as pl

from analytics.schema import FAILED
from loaders.base import Batch, Issue
from loaders.located import Located
from loaders.mapping_columns import split, text_of
from loaders.mapping_fields import JUDGED, TARGETS
from loaders.mapping_profile import Profile
from loaders.mapping_scoring import letters, rule_of
from loaders.psycheme_rows import letter_set

KEYS = ("run_id", "item_id", "attempt")
OWN = tuple(t.column for t in TARGETS if t.table == "responses" and t.column not in (*KEYS, "status", "credit"))
RESULTS = ("answer", "response", "credit", "verified", *JUDGED)
WEIGHED = ("verified", "coverage", "evidence", "logic", "coverage_factor", "evidence_factor", "logic_factor")


def keyed(profile: Profile, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the picked fields with benchmark, run_id, item_id and attempt settled."""
    benchmark = pl.col("benchmark")
    if "name" in profile.benchmark:
        benchmark = benchmark.fill_null(pl.lit(profile.benchmark["name"]))
    setting = pl.when(pl.col("run").is_null()).then(
        pl.concat_str([pl.lit("/") + pl.col("regime"), pl.lit("/") + pl.col("condition")], ignore_nulls=True)
    )
    frame = frame.with_columns(benchmark=benchmark, run_name=pl.coalesce("run", "model"))
    run_id = pl.col("benchmark") + "/" + pl.col("run_name") + setting.fill_null(pl.lit(""))
    attempt = frame["attempt"]
    return frame.with_columns(
        run_id=run_id, item_id="item", attempt=attempt.fill_null("1" if attempt.dtype == pl.String else 1)
    )


def choice(profile: Profile) -> bool:
    """Whether the answers are option letters, as far as the profile says so for the whole file."""
    return profile.constants.get("answer_type") in ("single_choice", "multiple_choice")


def responses(profile: Profile, frame: pl.DataFrame, located: Located) -> tuple[pl.DataFrame, list[Issue]]:
    """Return one response per row of the keyed frame, scored by the profile's rule where it has one.

    A row without any result is missing. An answer that the rule cannot parse has the status invalid_format and
    credit 0; its text is kept as the response. Without a reference there is no credit.
    """
    issues: list[Issue] = []
    results = [name for name in RESULTS if frame[name].null_count() < frame.height]
    told = pl.any_horizontal([pl.col(name).is_not_null() for name in results]) if results else pl.lit(value=False)
    default = pl.when(told).then(pl.lit("ok")).otherwise(pl.lit("missing"))
    frame = frame.with_columns(status=pl.coalesce(pl.col("status").cast(pl.String), default), scored_label=None)
    if profile.scoring is not None:
        frame, issues = _scored(profile, frame, located)
    elif choice(profile):
        frame = frame.with_columns(letter_set(text_of(frame["answer"], prose=False)).alias("answer"))
    return frame.with_columns(frame["status"]), issues


def _scored(profile: Profile, frame: pl.DataFrame, located: Located) -> tuple[pl.DataFrame, list[Issue]]:
    """Return the frame with answer, credit and status as the rule finds them; each distinct case is scored once."""
    assert profile.scoring is not None
    rule = rule_of(profile.scoring)
    usable = ~pl.col("status").is_in([*FAILED, "skipped", "not_applicable"])
    given = pl.when(usable).then(pl.coalesce(pl.col("answer").cast(pl.String), "response"))
    frame = frame.with_columns(given=given)
    cases = frame.select("given", pl.col("reference").cast(pl.String), "options").unique(maintain_order=True)
    rows = []
    for text, reference, options in cases.rows():
        found = None if text is None else rule(text, reference, _list(options))
        rows.append((None, None, None) if found is None else (found.answer, found.credit, found.invalid))
    schema = {"parsed": pl.String, "earned": pl.Float64, "invalid": pl.Boolean}
    known = pl.concat([cases, pl.DataFrame(rows, schema=schema, orient="row")], how="horizontal")
    frame = frame.with_columns(pl.col("reference").cast(pl.String)).join(
        known, on=["given", "reference", "options"], how="left", nulls_equal=True, maintain_order="left"
    )
    issues = list(_unscored(profile, frame, located))
    invalid = pl.col("invalid").fill_null(value=False)
    whole = pl.when(invalid | pl.col("parsed").is_null()).then(pl.coalesce("response", "given")).otherwise("response")
    return frame.with_columns(
        answer="parsed",
        response=whole,
        credit="earned",
        status=pl.when(invalid & (pl.col("status") == "ok")).then(pl.lit("invalid_format")).otherwise("status"),
        scored_label=pl.when(invalid).then(pl.lit("invalid format")),
    ), issues


def _unscored(profile: Profile, frame: pl.DataFrame, located: Located) -> Iterator[Issue]:
    """Yield a doubt for each answer that no credit could be given to although it has a reference."""
    odd = frame["given"].is_not_null() & frame["reference"].is_not_null() & frame["earned"].is_null()
    assert profile.scoring is not None
    message = f"The reference {{found}} cannot be read by the rule {profile.scoring.rule}: the answer is left unjudged."
    yield from located.where(
        odd, frame["line"], frame["reference"], rule="reference_not_read", severity="doubted", message=message,
        column="items.reference",
    )  # fmt: skip


def response_batch(frame: pl.DataFrame) -> Batch:
    """Return the responses of a scored frame."""
    own = [name for name in OWN if name in frame.columns]
    return Batch("responses", frame.select(*KEYS, "line", "status", "credit", *own), primary=True)


def verdict_batches(profile: Profile, frame: pl.DataFrame) -> Iterator[Batch]:
    """Yield the verdicts on whole answers: the rule's, and those of the judge that the log names.

    Beside a rule the credit is the rule's: of the log's judge only what it said itself is known.
    """
    credit = frame["credit"].cast(pl.Float64, strict=False).alias("credit_number")
    frame = frame.with_columns(credit)
    met = pl.when(pl.col("credit_number").is_in([0.0, 1.0])).then(pl.col("credit_number") == 1.0)
    same = {"criterion": pl.lit("answer"), "on_judge": pl.lit("")}
    if profile.scoring is not None:
        rows = frame.filter(pl.col("credit_number").is_not_null() & (pl.col("status") != "missing"))
        yield Batch("verdicts", rows.select(
            *KEYS, judge_id=pl.lit(profile.scoring.judge_id), met=met, label="scored_label", status=pl.lit("ok"), **same
        ))  # fmt: skip
    judged = frame.filter(pl.col("judge").is_not_null())
    if judged.height:
        own = () if profile.scoring is not None else ("credit_number",)
        told = pl.any_horizontal([pl.col(name).is_not_null() for name in (*own, *JUDGED[:2])])
        yield Batch("verdicts", judged.select(
            *KEYS, "score", "justification", judge_id="judge", met=met if own else pl.lit(None, pl.Boolean),
            label="verdict",
            status=pl.when(told).then(pl.lit("ok")).otherwise(pl.lit("abstained")), **same,
        ))  # fmt: skip


def tag_batches(profile: Profile, frame: pl.DataFrame, block: pl.DataFrame, lines: pl.Series) -> Iterator[Batch]:
    """Yield the multi-valued labels of the items of one block, each pair of item and label once."""
    places = pl.DataFrame([lines.alias("line")]).with_row_index("row")
    at = frame.select("line", "benchmark", "item_id").join(places, on="line", how="left", maintain_order="left")
    for kind, tag in profile.tags.items():
        if tag.column not in block.columns:
            continue
        cells = block[tag.column]
        if not isinstance(cells.dtype, pl.List):
            texts = text_of(cells, prose=False).to_list()
            found = [None if text is None else split(text, tag.separator) or [text] for text in texts]
            cells = pl.Series("tag", found, dtype=pl.List(pl.String))
        rows = at.with_columns(cells.gather(at["row"]).alias("tag")).explode("tag").drop_nulls(["item_id", "tag"])
        rows = rows.with_columns(pl.col("tag").str.strip_chars()).filter(pl.col("tag") != "")
        rows = rows.select("benchmark", "item_id", "tag", kind=pl.lit(kind)).unique(maintain_order=True)
        yield Batch("item_tags", rows)


def items(profile: Profile, frame: pl.DataFrame) -> pl.DataFrame:
    """Return what the rows say of their items; the options still as JSON text."""
    names = [t.name for t in TARGETS if t.table == "items" and t.name != "reference"]
    judged = frame["credit"].is_not_null() if profile.scoring is None else pl.lit(value=False)
    reference = pl.col("reference").cast(pl.String)
    told = pl.when(reference.is_not_null() | judged).then(pl.lit("yes"))
    return frame.select(
        "benchmark", "item_id", reference, *(pl.col(name).cast(pl.String) for name in names), told.alias("known")
    )


def finish_items(profile: Profile, rows: pl.DataFrame) -> pl.DataFrame:
    """Return items with options as lists, references as letters where they are, and whether the reference is known.

    An item without a reference is known where some row has a credit for it. Where the rows do not state what a guess
    earns, it is one over the number of options of a single choice, the empty ones among them, as in the other readers.
    """
    options = [_list(text) for text in rows["options"]]
    reference = rows["reference"]
    if profile.scoring is not None and profile.scoring.rule == "exact_letter":
        pairs = zip(reference.to_list(), options, strict=True)
        reference = pl.Series("reference", [r if r is None else letters(r, o) or r for r, o in pairs], dtype=pl.String)
    elif choice(profile):
        reference = letter_set(reference)
    known = (pl.col("known") == "yes").fill_null(value=False)
    listed = pl.Series("options", options, dtype=pl.List(pl.String))
    single = (rows["answer_type"] == "single_choice") & (listed.list.len() > 0)
    guess = pl.when(single).then(1 / listed.list.len().cast(pl.Float64))
    chance = pl.coalesce("chance", guess.cast(pl.String))  # as text: one that is no number is for the rules to refuse
    return rows.with_columns(reference.alias("reference"), listed, reference_known=known, chance=chance).drop("known")


def runs(profile: Profile, frame: pl.DataFrame) -> pl.DataFrame:
    """Return what the rows say of their runs."""
    parser = None if profile.scoring is None else profile.scoring.judge_id.removeprefix("scoreproof/")
    return frame.select(
        "run_id", "benchmark", pl.coalesce("model", "run_name").alias("model"),
        *(pl.col(name).cast(pl.String) for name in ("vendor", "kind", "regime", "condition")),
        pl.lit(parser, dtype=pl.String).alias("parser"),
    )  # fmt: skip


def benchmarks(profile: Profile, frame: pl.DataFrame) -> pl.DataFrame:
    """Return one row per benchmark that the rows name, with what the profile says of it."""
    about = profile.benchmark
    mapped = {*profile.fields, *profile.constants, *(name for run in profile.runs for name in run.columns)}
    weighed = bool(mapped & set(WEIGHED))
    credit = next((c for run in profile.runs for c in run.columns.get("credit", ())), None)
    credit = profile.fields.get("credit", (credit,))[0]
    rule = None if profile.scoring is None else profile.scoring.judge_id.removeprefix("scoreproof/")
    scored = None if rule is None else f"answer scored by the rule {rule}"
    verified = about.get("verified_means", "credit weighed by coverage, evidence, logic")
    raw = about.get("raw_means") or scored or (f"credit of the log ({credit})" if credit else "not judged")
    capability = profile.fields.get("capability", ("capability",))[0].rpartition(".")[2]
    fixed = {
        "version": about.get("version"),
        "missing_policy": about.get("missing_policy", "zero"),
        "headline": about.get("headline", "micro"),
        "raw_means": raw,
        "verified_means": verified if weighed else None,
        "rubric": "rationale" if weighed else None,
        "slice_name": capability,
        "note": about.get("note"),
    }
    rows = frame.select("benchmark").drop_nulls().unique(maintain_order=True)
    title = pl.lit(about.get("title"), dtype=pl.String).fill_null(pl.col("benchmark"))
    return rows.with_columns(title=title, **{name: pl.lit(value, dtype=pl.String) for name, value in fixed.items()})


def _list(text: str | None) -> list[str] | None:
    return None if text is None else msgspec.json.decode(text, type=list[str])
