"""VLMEvalKit's result tables: predictions, and the judges' verdicts beside them, in xlsx, csv, tsv or json.

A judge's table repeats the predictions, so it is read in their place; of several judges' tables of one run the first
gives the credit, the others their verdicts. Circular copies of an item (`g_index`) are one response, right when every
copy is. Format: https://github.com/open-compass/VLMEvalKit, vlmeval/dataset.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analytics.errors import BadLog, listing
from loaders.base import HEAD_BYTES, Batch, Field, Found, Issue, Reader, Source, shorten
from loaders.gather import Gather
from loaders.vlm_copies import groups
from loaders.vlm_doubts import doubts
from loaders.vlm_names import PROGRAMS, TABLES, Named, beside, made_from, named
from loaders.vlm_rows import VERDICTS, Asked, answer_of, asked, number, status_of, whole
from loaders.vlm_tables import Row, header, rows

FIELDS = (
    Field("items.item_id", ("g_index", "index"), "whole number or text"),
    Field("items.prompt", ("question",), "followed by `hint` where there is one"),
    Field("items.options", ("A ... Z",), "an empty cell between options stays as empty text"),
    Field("items.reference", ("answer",)),
    Field("items.capability", ("category",), "comma-joined skills are also tags of the kind 'skill'"),
    Field("items.subcapability", ("l2-category", "l2_category")),
    Field("items.media_path", ("image_path",)),
    Field("responses.response", ("prediction",)),
    Field("responses.answer", ("extracted", "res"), "else the first option letter of the prediction"),
    Field("responses.credit", ("hit", "score", "answer_correct", "correct", "match", "eval_gpt")),
    Field("responses.status_note", ("log",)),
    Field("verdicts.score", ("<criterion>_correct", "partial_match"), "beside the credit's own verdict"),
)

KNOWN = {
    "index", "g-index", "question", "hint", "answer", "category", "l2-category", "image-path", "image", "video",
    "prediction", "extracted", "res", "log", "partial-match", *VERDICTS,
}  # fmt: skip


def _judged(columns: frozenset[str]) -> bool:
    return any(column in columns for column in VERDICTS)


def _table(path: Path) -> frozenset[str]:
    with path.open("rb") as file:
        return header(path, file.read(HEAD_BYTES))


def _predictions(columns: frozenset[str]) -> bool:
    return {"index", "prediction"} <= columns and bool(columns & {"question", "answer", *VERDICTS})


def _superseded(path: Path, columns: frozenset[str]) -> bool:
    """Whether a judge's table beside a table of predictions holds the same rows with verdicts."""
    if _judged(columns):
        return False
    return any(_judged(other) and _predictions(other) for other in map(_table, beside(path)))


def claims(path: Path, head: bytes) -> bool:
    """Tell a table by its columns: an index and a prediction beside a question, an answer or a verdict."""
    if path.suffix.lower() not in TABLES or not path.is_file():
        return False
    columns = header(path, head)
    return _predictions(columns) and not _superseded(path, columns)


def companion(path: Path, head: bytes) -> bool:
    """Tell what belongs to a table: aggregates and caches made from it, and the predictions that it repeats."""
    if path.suffix.lower() == ".pkl":
        return any(_predictions(_table(other)) for other in made_from(path))
    if path.suffix.lower() not in TABLES:
        return False
    columns = header(path, head)
    if _predictions(columns):
        return _superseded(path, columns)
    return any(_predictions(_table(other)) for other in made_from(path))


@dataclass(slots=True)
class _File:
    """What the rows of one table share."""

    place: Named
    judge_id: str
    criteria: dict[str, str]
    credit: str | None
    off: frozenset[str]
    rows: Gather
    xlsx: bool
    skills: bool
    clusters: frozenset[str]
    benchmark: str = ""
    seen: set[str] = field(default_factory=set)


def read(source: Source) -> Iterator[Found]:
    """Yield the items and responses of one run with a judge's verdicts, or the verdicts alone of a further judge."""
    place = named(source.path)
    table: list[tuple[int, Row]] = []
    for line, row in rows(source.path, source.name):
        fault = row if isinstance(row, Issue) else _fault(row, line)
        if isinstance(row, Issue) or fault is not None:
            yield fault if fault is not None else row  # type: ignore[misc]
        else:
            table.append((line, row))
    if not table:
        raise BadLog(f"{source.name} holds no row with an index and a prediction.")
    log = _shared(source, place, table)
    further = _further(source.path, place)
    copies = 0
    for group in groups(table):
        copies += len(group) - 1
        item_id = whole(group[0][1].get("g-index") or group[0][1]["index"] or "")
        if item_id in log.seen:
            message = f"index {item_id} was there before; its first row is kept. Give each item its own index."
            yield Issue(
                "duplicate_key", "refused", message, group[0][0], "index", shorten(str(group[0][1])), len(group)
            )
            continue
        log.seen.add(item_id)
        _take(log, item_id, group)
    if copies:
        message = f"{copies} circular copies were joined to their items: an item is right when every copy of it is."
        yield Issue("circular_copies", "note", message, column="g_index", records=copies)
    _describe(log, table)
    unused = sorted(
        {key for _, row in table[:1] for key in row if key not in KNOWN and len(key) > 1 and key not in log.criteria}
    )
    if unused:
        yield Issue("unused_columns", "note", f"Columns that were not read: {listing(unused)}.", records=0)
    yield from _verdicts_alone(log) if further else log.rows.batches()
    yield from log.rows.issues()


def _fault(row: Row, line: int) -> Issue | None:
    """Return why a row is refused, or None."""
    if not row.get("index"):
        return Issue(
            "required", "refused", "index is empty. Give the item its index.", line, "index", shorten(str(row))
        )
    for column in VERDICTS:
        text = row.get(column)
        if text is not None and number(text) is None:
            message = f"{column} is '{shorten(text, most=60)}'; allowed: a number or a truth value."
            return Issue("wrong_type", "refused", message, line, column, shorten(str(row)))
    return None


def _shared(source: Source, place: Named, table: Sequence[tuple[int, Row]]) -> _File:
    """Return what the rows share: the judge, the criteria, columns on scales of their own."""
    columns = list(table[0][1])
    credit = next((column for column in VERDICTS if column in columns), None)
    criteria = {
        column: column.removesuffix("-correct").replace("-", "_") for column in columns if _is_criterion(column)
    }
    if credit is not None:
        criteria[credit] = "answer"
    off = frozenset(c for c in criteria if any((number(row.get(c)) or 0) > 1 for _, row in table))
    categories = [row.get("category") or "" for _, row in table]
    images = Counter(row.get("image-path") for _, row in table)
    return _File(
        place=place,
        judge_id=f"vlmevalkit/{place.judge or 'log'}",
        criteria=criteria,
        credit=credit,
        off=off,
        rows=Gather("responses"),
        xlsx=source.path.suffix.lower() == ".xlsx",
        skills=any("," in c for c in categories) and not any(", " in c for c in categories),
        clusters=frozenset(path for path, n in images.items() if path and n > 1),
        benchmark=place.dataset,
    )


def _is_criterion(column: str) -> bool:
    return column in VERDICTS or column.endswith("-correct") or column == "partial-match"


def _further(path: Path, place: Named) -> bool:
    """Whether another judge's table of the same run comes before this one."""
    if place.judge is None:
        return False
    before = [
        other
        for other in path.resolve().parent.glob(f"{place.model}_*")
        if other.suffix in TABLES and other.name < path.name
    ]
    return any(
        other.is_file()
        and named(other).run_id == place.run_id
        and _judged(_table(other))
        and _predictions(_table(other))
        for other in sorted(before)
    )


def _take(log: _File, item_id: str, group: Sequence[tuple[int, Row]]) -> None:
    """Add one item with its response; the rows of a group are its circular copies, the item's own first."""
    line, row = group[0]
    item = asked(row)
    answer, unparsed = answer_of(row, item)
    credits = [_credit(log, each, at) for at, each in group]
    credit = None if any(c is None for c in credits) else min(c for c in credits if c is not None)
    status, note = status_of(row, credit, unparsed=unparsed)
    if log.credit is not None and status == "ok" and credit is None and log.credit not in log.off:
        status, note = "judge_failed", f"{log.credit} is empty or negative"
    own = credits[0] if len(group) > 1 or "g-index" not in row else None  # else a verdict on copies not shown
    for rule, column, message in doubts(row, item, answer=answer, credit=own, xlsx=log.xlsx):
        log.rows.doubt(rule, message, line=line, column=column or log.credit, excerpt=row.get(column or "prediction"))
    rotated = log.place.condition is not None  # its options and their order differ between rotations
    _add_item(log, item_id, item, row, circular=len(group) > 1)
    log.rows.add(
        "responses",
        run_id=log.place.run_id,
        item_id=item_id,
        attempt=1,
        answer=None if rotated else answer,
        response=row.get("prediction"),
        credit=None if status == "judge_failed" else credit,
        status=status,
        status_note=note,
        line=line,
    )
    for copy, (_, each) in enumerate(group):
        for column, criterion in log.criteria.items():
            value = number(each.get(column))
            failed = value is None or value < 0 or status == "judge_failed"
            log.rows.add(
                "verdicts",
                run_id=log.place.run_id,
                item_id=item_id,
                attempt=1,
                judge_id=log.judge_id,
                criterion=criterion if len(group) == 1 else f"{criterion} of copy {copy + 1}",
                on_judge="",
                met=None if failed or column in log.off or value not in (0, 1) else value == 1,
                label=each.get("extracted") if criterion == "answer" else None,
                score=None if failed else value,
                justification=_why(each) if criterion == "answer" else None,
                status="judge_failed" if failed else "ok",
            )


def _why(row: Row) -> str | None:
    """Return the judge's log, unless it only repeats the prediction."""
    log = row.get("log")
    told = (log or "").removeprefix("Match Log: ").removesuffix(". ").strip()
    return None if log is None or told == (row.get("prediction") or "").strip() else log.strip()


def _credit(log: _File, row: Row, line: int) -> float | None:
    if log.credit is None:
        return None
    value = number(row.get(log.credit))
    if log.credit in log.off:
        message = f"{log.credit} goes above 1 in this table: its numbers are verdicts on their own scale, not credits."
        log.rows.doubt("score_off_scale", message, line=line, column=log.credit, excerpt=row.get(log.credit))
        return None
    return value if value is not None and value >= 0 else None


def _add_item(log: _File, item_id: str, item: Asked, row: Row, *, circular: bool) -> None:
    rotated = log.place.condition is not None
    path = row.get("image-path")
    several = path is not None and path.startswith("[")
    category = row.get("category")
    parts = [row.get("question"), row.get("hint")]
    log.rows.add(
        "items",
        benchmark=log.benchmark,
        item_id=item_id,
        capability=category,
        subcapability=row.get("l2-category"),
        media_type="video" if row.get("video") else "images" if several else "image",
        media_path=None if several else path,
        cluster=path if path in log.clusters else None,
        answer_type=item.kind,
        prompt="\n".join(part for part in parts if part) or None,
        options=None if rotated else item.options,
        reference=None if rotated else item.reference,
        reference_known=item.reference is not None or log.credit is not None,
        chance=None if circular else item.chance,
    )
    if log.skills and category:
        for skill in dict.fromkeys(part.strip() for part in category.split(",")):
            log.rows.add("item_tags", benchmark=log.benchmark, item_id=item_id, kind="skill", tag=skill)


def _describe(log: _File, table: Sequence[tuple[int, Row]]) -> None:
    """Add the benchmark, the run and the judge."""
    place = log.place
    note = None
    if place.condition is not None:
        note = (
            "The same scenes turned: options and their order, and with them some answers, differ between the runs, so "
            "letters are not kept and only verdicts are compared by item."
        )
    log.rows.add(
        "benchmarks",
        benchmark=log.benchmark,
        title=place.dataset,
        missing_policy="zero",
        raw_means=f"verdict of the log ({log.credit.replace('-', '_')})" if log.credit else "not judged",
        slice_name="category",
        headline="micro",
        note=note,
    )
    log.rows.add(
        "runs",
        run_id=place.run_id,
        benchmark=log.benchmark,
        model=place.model,
        kind="model",
        condition=place.condition,
        settings=json.dumps({"dated_run": place.dated, "rows": len(table)}, sort_keys=True),
        parser=f"verdict by {place.judge}" if place.judge else "first option letter of the prediction",
        complete=True,
    )
    if log.criteria:
        kind = "program" if place.judge in (None, *PROGRAMS) else "model"
        log.rows.add("judges", judge_id=log.judge_id, kind=kind, version=place.judge)


def _verdicts_alone(log: _File) -> Iterator[Batch]:
    """Yield the verdicts of a further judge; those on the answer stand for the rows read."""
    for batch in log.rows.batches():
        if batch.table == "judges":
            yield batch
        if batch.table == "verdicts":
            answer = batch.frame["criterion"].str.starts_with("answer")
            yield Batch("verdicts", batch.frame.filter(answer), primary=True)
            yield Batch("verdicts", batch.frame.filter(~answer))


READER = Reader(
    "vlmevalkit", "1", "VLMEvalKit result tables", "file", FIELDS, claims, read, named_by_path=True,
    companion=companion, looks_beside=True,
)  # fmt: skip
