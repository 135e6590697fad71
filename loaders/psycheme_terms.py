"""Words of score-factor logs and what they mean here: columns by alias, capabilities, labels, statuses."""

from __future__ import annotations

from loaders.base import Field

BENCHMARK = "psycheme"

SEED = Field("responses.attempt", ("seed", "random_seed"), "numbers the attempts of a run where `attempt` is not given")

FIELDS: tuple[Field, ...] = (
    Field("runs.run_id", ("run_id", "run", "run_name", "run_key"), "without it the model names the run"),
    Field("runs.model", ("model", "model_name", "model_id", "system", "system_name"), "without it the run's name"),
    Field(
        "items.item_id",
        ("item_id", "question_id", "qid", "question_key", "sample_id", "item"),
        "a log without any of these names its items by `question`",
    ),
    Field("benchmarks.benchmark", ("benchmark", "benchmark_version"), "psycheme when not given"),
    Field("benchmarks.title", ("benchmark_title",)),
    Field("benchmarks.version", ("benchmark_release", "dataset_version")),
    Field("benchmarks.note", ("benchmark_note",)),
    Field("items.capability", ("capability", "capability_name", "capability_code", "dimension", "category")),
    Field("items.subcapability", ("subcapability", "subcategory")),
    Field("items.media_type", ("media_type", "modality"), "video when the benchmark is psycheme"),
    Field("items.answer_type", ("answer_type", "question_type", "format"), "inferred from reference and options"),
    Field("items.cluster", ("cluster", "episode", "episode_id", "video_id", "clip_id")),
    Field("items.prompt", ("prompt", "question", "question_text")),
    Field(
        "items.options",
        ("options", "choices", "candidates"),
        "a list, letter: text, a JSON list in text, or one per line or between bars; an empty one keeps its letter",
    ),
    Field(
        "items.reference", ("reference", "reference_answer", "gold", "gold_answer", "correct_answer", "ground_truth")
    ),
    Field("items.media_path", ("media_path", "video_path", "image_path")),
    Field("runs.vendor", ("vendor", "provider", "organization")),
    Field("runs.access", ("access", "model_access", "license_type")),
    Field("runs.kind", ("kind", "run_kind", "responder")),
    Field("runs.regime", ("regime", "input_regime", "input_policy")),
    Field("runs.condition", ("condition", "setting")),
    Field("runs.provenance", ("provenance",)),
    Field("responses.attempt", ("attempt", "epoch", "repeat", "trial")),
    SEED,
    Field(
        "responses.answer",
        ("answer", "final_answer", "predicted_answer", "model_answer", "choice", "pred", "prediction.answer"),
    ),
    Field(
        "responses.response",
        ("response", "raw_response", "output", "completion", "prediction", "prediction.response"),
    ),
    Field("responses.rationale", ("rationale", "reasoning", "model_rationale", "prediction.rationale")),
    Field(
        "responses.credit",
        ("answer_credit", "credit", "raw_credit", "raw", "answer_score", "raw_score", "judge.answer_credit", "correct"),
    ),
    Field(
        "responses.verified",
        ("verified", "verified_credit", "verified_score", "reasoning_verified", "reasoning_verified_credit"),
    ),
    Field(
        "responses.coverage",
        ("coverage", "coverage_label", "rationale_coverage", "informative_rationale", "judge.coverage"),
        "a label, true/false, or a number: then it is the factor",
    ),
    Field(
        "responses.evidence",
        ("evidence", "evidence_label", "evidence_support", "cue_support", "judge.evidence"),
        "a label, or a number: then it is the factor",
    ),
    Field(
        "responses.logic",
        ("logic", "logic_label", "logical_integrity", "logical_consistency", "judge.logic"),
        "a label, or a number: then it is the factor",
    ),
    Field("responses.coverage_factor", ("coverage_factor", "coverage_weight")),
    Field("responses.evidence_factor", ("evidence_factor", "evidence_weight")),
    Field("responses.logic_factor", ("logic_factor", "logic_weight", "logical_factor")),
    Field("responses.confidence", ("confidence",)),
    Field("responses.input_tokens", ("input_tokens", "prompt_tokens")),
    Field("responses.output_tokens", ("output_tokens", "completion_tokens")),
    Field("responses.steps", ("steps", "turns")),
    Field("responses.seconds", ("seconds", "latency_seconds", "latency")),
    Field("responses.status", ("status", "state", "outcome"), "ok, or missing when a log with answers has none"),
    Field("responses.status_note", ("status_note", "error", "error_message")),
    Field("judges.judge_id", ("judge_id", "judge", "judge_name", "judge_model", "judge.model", "judge.name")),
    Field("judges.kind", ("judge_kind", "judge.kind"), "model when not given"),
    Field("judges.vendor", ("judge_vendor", "judge.vendor")),
    Field("judges.version", ("judge_version", "judge.version")),
    Field("verdicts.label", ("verdict", "verdict_text", "judge_verdict", "judge.verdict")),
    Field(
        "verdicts.justification",
        (
            "justification",
            "judge_rationale",
            "judge_explanation",
            "explanation",
            "judge.rationale",
            "judge.explanation",
        ),
    ),
)

CAPABILITIES = {
    "g": "grounding",
    "w": "psychological_understanding",
    "n": "need",
    "t": "timing",
    "s": "verbal_response",
    "a": "action",
    "m": "memory",
    "r": "risk",
    "grounding": "grounding",
    "psychological_understanding": "psychological_understanding",
    "psychology": "psychological_understanding",
    "need": "need",
    "needs": "need",
    "timing": "timing",
    "interaction_timing": "timing",
    "verbal_response": "verbal_response",
    "verbal": "verbal_response",
    "speech": "verbal_response",
    "action": "action",
    "memory": "memory",
    "risk": "risk",
}
"""Plain spelling -> key, for the benchmark psycheme only: elsewhere 'A' may mean anything."""

COVERAGE = {
    "present": "present",
    "informative": "present",
    "yes": "present",
    "true": "present",
    "absent": "absent",
    "uninformative": "absent",
    "none": "absent",
    "missing": "absent",
    "no": "absent",
    "false": "absent",
}
EVIDENCE = {
    "supported": "supported",
    "fully_supported": "supported",
    "strong": "supported",
    "weak": "weak",
    "weakly_supported": "weak",
    "partial": "weak",
    "partially_supported": "weak",
    "contradicted": "contradicted",
    "contradictory": "contradicted",
    "contradiction": "contradicted",
}
LOGIC = {
    "sound": "sound",
    "valid": "sound",
    "coherent": "sound",
    "gap": "gap",
    "gaps": "gap",
    "minor_gap": "gap",
    "incomplete": "gap",
    "broken": "broken",
    "incoherent": "broken",
    "inconsistent": "broken",
}
NOTHING = ("null", "nan", "n/a", "na", "not_available")
"""Words that stand for no label."""

STATUS = {
    "ok": "ok",
    "success": "ok",
    "succeeded": "ok",
    "completed": "ok",
    "complete": "ok",
    "valid": "ok",
    "scored": "ok",
    "judged": "ok",
    "missing": "missing",
    "no_response": "missing",
    "no_record": "missing",
    "empty": "missing",
    "invalid_format": "invalid_format",
    "invalid": "invalid_format",
    "format_error": "invalid_format",
    "parse_error": "invalid_format",
    "unparsed": "invalid_format",
    "guessed": "guessed",
    "random_guess": "guessed",
    "error": "error",
    "failed": "error",
    "failure": "error",
    "api_error": "error",
    "timeout": "error",
    "refused": "refused",
    "refusal": "refused",
    "content_filter": "refused",
    "blocked": "refused",
    "truncated": "truncated",
    "length": "truncated",
    "max_tokens": "truncated",
    "judge_failed": "judge_failed",
    "judge_error": "judge_failed",
    "unscored": "judge_failed",
    "skipped": "skipped",
    "skip": "skipped",
    "not_applicable": "not_applicable",
    "n/a": "not_applicable",
}
ANSWER_TYPE = {
    "single_choice": "single_choice",
    "single": "single_choice",
    "choice": "single_choice",
    "mcq": "single_choice",
    "multiple_choice": "multiple_choice",
    "multi_choice": "multiple_choice",
    "multiple": "multiple_choice",
    "multi": "multiple_choice",
    "multiple_select": "multiple_choice",
    "open": "open",
    "open_ended": "open",
    "free_form": "open",
    "text": "open",
}
KIND = {
    "model": "model",
    "human": "human",
    "person": "human",
    "annotator": "human",
    "control": "control",
    "blind": "control",
    "baseline": "control",
}
JUDGE_KIND = {"person": "person", "human": "person", "expert": "person", "model": "model", "program": "program"}
