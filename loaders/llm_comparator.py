"""LLM Comparator files: two models side by side, a score per example, and raters without names.

A score above 0 favours model A, below 0 model B. Raters have a place in the list and no identity, so they are one
judge whose attempts are counted. Format: https://github.com/PAIR-code/llm-comparator, client/lib/types.ts.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analytics.errors import BadLog
from loaders.base import Field, Found, Issue, Reader, Source, shorten
from loaders.gather import Gather
from loaders.json_text import load, number_or_none, text_or_none

SIGNS = tuple(
    re.compile(rb'"%s"\s*:' % key)
    for key in (b"models", b"examples", b"input_text", b"output_text_a", b"output_text_b")
)
TEXTS = ("input_text", "output_text_a", "output_text_b")
OVERALL, RATER = "llm_comparator/score", "llm_comparator/rater"

FIELDS = (
    Field("items.prompt", ("examples[].input_text",), "its digest is the item's id"),
    Field("item_tags.tag", ("examples[].tags[]",), "a lone tag is also the capability"),
    Field("runs.model", ("models[0].name", "models[1].name")),
    Field("responses.response", ("examples[].output_text_a", "examples[].output_text_b")),
    Field("comparisons.score", ("examples[].score", "examples[].individual_rater_scores[].score")),
    Field("comparisons.justification", ("examples[].individual_rater_scores[].rationale",)),
    Field("comparisons.order_shown", ("examples[].individual_rater_scores[].is_flipped",)),
)


def claims(path: Path, head: bytes) -> bool:
    """Tell a comparison file by its models and the two outputs of its examples."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return path.is_file() and start.startswith(b"{") and all(sign.search(head) for sign in SIGNS)


def read(source: Source) -> Iterator[Found]:
    """Yield one comparison per example, and one per rater of it."""
    whole = load(source.path, source.name)
    models = whole.get("models") if isinstance(whole, dict) else None
    examples = whole.get("examples") if isinstance(whole, dict) else None
    if not isinstance(examples, list) or not isinstance(models, list) or len(models) != 2:
        raise BadLog(f"{source.name} must hold `examples` and exactly two `models`. Export it again.")
    names = [text_or_none(model.get("name")) if isinstance(model, dict) else None for model in models]
    first, second = names[0] or "model A", names[1] or "model B"
    if first == second:
        second += " (B)"
    benchmark = f"llm_comparator-{source.path.stem}"
    runs = (f"{benchmark}/{first}", f"{benchmark}/{second}")
    rows, raters = Gather("comparisons"), Gather("none")
    seen: dict[str, int] = {}
    for number, example in enumerate(examples, start=1):
        fault = _fault(example, number)
        if fault is not None:
            yield fault
            continue
        told = hashlib.sha256(example["input_text"].encode("utf-8", "surrogatepass")).hexdigest()[:12]
        seen[told] = seen.get(told, 0) + 1
        item = told if seen[told] == 1 else f"{told}-{seen[told]}"
        key = {"benchmark": benchmark, "item_id": item, "run_a": runs[0], "run_b": runs[1]}
        _add_item(rows, example, key, number)
        score = number_or_none(example.get("score"))
        rows.add("comparisons", **key, judge_id=OVERALL, attempt=1, label=_label(score), score=score)
        _add_raters(rows, raters, example, key, number)
    _describe(rows, whole, benchmark, dict(zip(runs, (first, second), strict=True)))
    yield from rows.batches()
    yield from raters.batches()
    yield from rows.issues()


def _fault(example: object, number: int) -> Issue | None:
    """Return why an example is refused, or None."""
    if not isinstance(example, dict):
        return Issue("not_an_object", "refused", "An example must be an object.", number, None, shorten(str(example)))
    for column in TEXTS:
        if not isinstance(example.get(column), str):
            message = f"{column} must be text and is {type(example.get(column)).__name__}. Export the file again."
            return Issue("wrong_type", "refused", message, number, column, shorten(str(example)))
    score = example.get("score")
    if score is not None and number_or_none(score) is None and not isinstance(score, float):
        message = f"score must be a number or null and is {type(score).__name__}."
        return Issue("wrong_type", "refused", message, number, "score", shorten(str(score)))
    return None


def _label(score: float | None) -> str | None:
    return None if score is None else "tie" if score == 0 else "A" if score > 0 else "B"


def _add_item(rows: Gather, example: dict[str, Any], key: dict[str, str], number: int) -> None:
    tags = [str(tag) for tag in example["tags"]] if isinstance(example.get("tags"), list) else []
    image = text_or_none(example.get("image_path"))
    rows.add(
        "items",
        benchmark=key["benchmark"],
        item_id=key["item_id"],
        capability=tags[0] if len(tags) == 1 else None,
        media_type="image" if image else "text",
        media_path=image,
        answer_type="open",
        prompt=example["input_text"],
        reference_known=True,
    )
    for tag in dict.fromkeys(tags):
        rows.add("item_tags", benchmark=key["benchmark"], item_id=key["item_id"], kind="tag", tag=tag)
    for run, column in zip((key["run_a"], key["run_b"]), ("output_text_a", "output_text_b"), strict=True):
        rows.add(
            "responses",
            run_id=run,
            item_id=key["item_id"],
            attempt=1,
            response=example[column],
            status="ok",
            line=number,
        )


def _add_raters(rows: Gather, raters: Gather, example: dict[str, Any], key: dict[str, str], number: int) -> None:
    """Add the raters' comparisons in the order of A and B.

    Files state scores with flipped ratings already turned back; where only turning them makes their mean the
    example's score, they are turned here and the example is doubted.
    """
    given = example.get("individual_rater_scores")
    ratings = [rating for rating in given if isinstance(rating, dict)] if isinstance(given, list) else []
    scores = [number_or_none(rating.get("score")) for rating in ratings]
    flipped = [rating.get("is_flipped") is True for rating in ratings]
    turned = [-s if f and s is not None else s for s, f in zip(scores, flipped, strict=True)]
    overall = number_or_none(example.get("score"))
    if overall is not None and not _mean_is(scores, overall) and _mean_is(turned, overall):
        message = "Flipped ratings were not turned back in this file (their mean shows it); they are here."
        rows.doubt("flipped_scores", message, line=number, column="is_flipped")
        scores = turned
    for attempt, (rating, score) in enumerate(zip(ratings, scores, strict=True), start=1):
        order = rating.get("is_flipped")
        raters.add(
            "comparisons",
            **key,
            judge_id=RATER,
            attempt=attempt,
            label=_label(score),
            score=score,
            justification=text_or_none(rating.get("rationale")),
            order_shown=("BA" if order else "AB") if isinstance(order, bool) else None,
        )


def _mean_is(scores: list[float | None], wanted: float) -> bool:
    known = [score for score in scores if score is not None]
    return bool(known) and abs(sum(known) / len(known) - wanted) < 1e-6


def _describe(rows: Gather, whole: dict[str, Any], benchmark: str, models: dict[str, str]) -> None:
    metadata = whole.get("metadata")
    place = text_or_none(metadata.get("source_path")) if isinstance(metadata, dict) else None
    rows.add(
        "benchmarks",
        benchmark=benchmark,
        title=place or benchmark,
        missing_policy="exclude",
        raw_means="outputs are compared in pairs, not scored: see the comparisons",
        slice_name="tag",
        headline="micro",
        note="Raters have no names: their agreement by pairs is not defined. The score's scale is the file's own.",
    )
    for run, model in models.items():
        rows.add("runs", run_id=run, benchmark=benchmark, model=model, kind="model", complete=True)
    for judge in (OVERALL, RATER):
        rows.add("judges", judge_id=judge, kind="model")


READER = Reader("llm_comparator", "1", "LLM Comparator file", "file", FIELDS, claims, read)
