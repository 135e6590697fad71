"""The fields that a file of any shape can be mapped to, and the names that columns give them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analytics.schema import TABLES, Column

RESPONSE, ITEM, RUN, BENCHMARK, VERDICT = "responses", "items", "runs", "benchmarks", "verdicts"


@dataclass(frozen=True, slots=True)
class Target:
    """One field of ours: where it goes, and the words that name it in other people's columns.

    `words` are whole names, in the form of `worded`. `shared` are words that name another field as often, so that
    they never decide alone.
    """

    name: str
    table: str
    column: str
    words: tuple[str, ...]
    shared: tuple[str, ...] = ()

    @property
    def of_run(self) -> bool:
        """Whether the value differs between the runs of one item."""
        return self.table in (RESPONSE, VERDICT, RUN)

    def schema(self) -> Column:
        """Return the column of the schema that the field fills."""
        return TABLES[self.table].column(self.column)


def worded(name: str) -> str:
    """Return a column name as words: lower case, single blanks, camel case opened."""
    opened = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.sub(r"[\W_]+", " ", opened.lower()).strip()


TARGETS: tuple[Target, ...] = (
    Target("item", RESPONSE, "item_id", (
        "item id", "item", "id", "question id", "qid", "sample id", "example id", "task id", "doc id", "instance id",
        "index", "idx", "uid", "uuid", "key", "no", "nr", "number", "question no", "question number",
    )),
    Target("run", RUN, "run_id", ("run id", "run", "run name", "experiment", "experiment name")),
    Target("model", RUN, "model", (
        "model", "model name", "model id", "system", "system name", "engine", "llm", "participant", "annotator",
    )),
    Target("vendor", RUN, "vendor", ("vendor", "provider", "organization", "organisation", "company")),
    Target("kind", RUN, "kind", ("run kind", "responder", "responder type")),
    Target("regime", RUN, "regime", ("regime", "input regime", "frames", "num frames")),
    Target("condition", RUN, "condition", ("condition", "setting", "prompt style", "effort", "temperature")),
    Target("attempt", RESPONSE, "attempt", ("attempt", "trial", "epoch", "repeat", "repetition", "sample idx")),
    Target("benchmark", BENCHMARK, "benchmark", ("benchmark", "dataset", "benchmark name", "dataset name")),
    Target("prompt", ITEM, "prompt", (
        "prompt", "question", "question text", "query", "instruction", "problem", "input",
    )),
    Target("options", ITEM, "options", ("options", "choices", "candidates", "answer options", "alternatives")),
    Target("reference", ITEM, "reference", (
        "reference", "reference answer", "gold", "gold answer", "gold label", "ground truth", "groundtruth", "gt",
        "correct answer", "correct option", "target", "expected", "expected answer", "solution", "answer key",
    ), ("answer", "label")),
    Target("answer", RESPONSE, "answer", (
        "prediction", "predicted", "pred", "predicted answer", "model answer", "final answer", "parsed answer",
        "extracted answer", "extracted", "choice", "model prediction", "given answer",
    ), ("answer", "label")),
    Target("response", RESPONSE, "response", (
        "response", "output", "completion", "generation", "model output", "model response", "raw response",
        "raw output", "full response",
    )),
    Target("rationale", RESPONSE, "rationale", ("rationale", "reasoning", "explanation", "cot", "chain of thought")),
    Target("credit", RESPONSE, "credit", (
        "correct", "is correct", "credit", "accuracy", "acc", "hit", "passed", "pass", "raw credit", "correctness",
        "answer credit", "exact match", "em",
    ), ("score", "label", "rating", "grade")),
    Target("verified", RESPONSE, "verified", ("verified", "verified credit", "verified score")),
    Target("coverage", RESPONSE, "coverage", ("coverage", "coverage label", "rationale coverage")),
    Target("evidence", RESPONSE, "evidence", ("evidence", "evidence label", "evidence support")),
    Target("logic", RESPONSE, "logic", ("logic", "logic label", "logical integrity")),
    Target("coverage_factor", RESPONSE, "coverage_factor", ("coverage factor", "coverage weight")),
    Target("evidence_factor", RESPONSE, "evidence_factor", ("evidence factor", "evidence weight")),
    Target("logic_factor", RESPONSE, "logic_factor", ("logic factor", "logic weight")),
    Target("status", RESPONSE, "status", ("status", "state", "outcome", "finish reason")),
    Target("status_note", RESPONSE, "status_note", ("error", "error message", "status note", "failure reason")),
    Target("confidence", RESPONSE, "confidence", ("confidence", "probability", "prob")),
    Target("input_tokens", RESPONSE, "input_tokens", ("input tokens", "prompt tokens", "tokens in")),
    Target("output_tokens", RESPONSE, "output_tokens", ("output tokens", "completion tokens", "tokens out", "tokens")),
    Target("steps", RESPONSE, "steps", ("steps", "turns", "calls", "num steps")),
    Target("seconds", RESPONSE, "seconds", ("seconds", "latency", "time s", "duration", "elapsed")),
    Target("capability", ITEM, "capability", (
        "capability", "category", "dimension", "skill", "ability", "domain", "subject", "topic", "task", "task type",
    )),
    Target("subcapability", ITEM, "subcapability", (
        "subcapability", "subcategory", "sub category", "subtask", "sub task", "subdomain", "subtopic", "l2 category",
    )),
    Target("axis", ITEM, "axis", ("axis", "scene", "scenario", "language", "source", "split")),
    Target("media_type", ITEM, "media_type", ("media type", "modality", "media")),
    Target("answer_type", ITEM, "answer_type", ("answer type", "question type", "qtype", "format")),
    Target("tier", ITEM, "tier", ("tier", "difficulty", "level", "hardness")),
    Target("cluster", ITEM, "cluster", (
        "cluster", "video", "video id", "video name", "episode", "episode id", "clip id", "passage id", "image id",
    )),
    Target("media_path", ITEM, "media_path", (
        "media path", "image path", "video path", "image", "audio path", "file name", "filename",
    )),
    Target("chance", ITEM, "chance", ("chance", "chance level", "random baseline")),
    Target("judge", VERDICT, "judge_id", ("judge", "judge model", "judge name", "judge id", "grader", "evaluator")),
    Target("judge_kind", "judges", "kind", ("judge kind", "judge type")),
    Target("score", VERDICT, "score", ("judge score", "raw score", "points"), ("score", "rating", "grade")),
    Target("verdict", VERDICT, "label", ("verdict", "judgement", "judgment", "judge verdict", "grade label")),
    Target("justification", VERDICT, "justification", (
        "justification", "judge rationale", "judge explanation", "judge reasoning", "feedback", "critique",
    )),
)  # fmt: skip

BY_NAME: dict[str, Target] = {target.name: target for target in TARGETS}

PER_RUN: tuple[str, ...] = tuple(t.name for t in TARGETS if t.table in (RESPONSE, VERDICT) and t.name != "item")
"""Fields that each run of a wide file has columns of its own for."""

PROSE = frozenset({"prompt", "response", "rationale", "justification"})
"""Texts that stay as they are; of the others outer blanks are removed."""

JUDGED = ("score", "verdict", "justification")
"""Fields that need a judge beside them."""
