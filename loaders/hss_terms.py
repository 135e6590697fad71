"""Words of Humanity's Sixth Sense: domains, subdomains and declared columns of its log.

Source: arXiv:2610.08966v2, section 2.2 (taxonomy) and appendix C.6 (judge output).
"""

from __future__ import annotations

from loaders.base import Field

BENCHMARK = "hss"

DOMAINS = {
    "temporal": ("temporal & causal dynamics", "temporal and causal dynamics", "time"),
    "physical": ("physical & spatial logic", "physical and spatial logic", "space"),
    "social": ("social understanding", "mind"),
    "abstract": ("abstract & contextual inference", "abstract and contextual inference", "context"),
}
"""Our key and other spellings."""

SUBDOMAINS = {
    "hidden_invisible": ("physical", "hidden & invisible"),
    "alien_viewpoint": ("physical", "spatial alien viewpoint"),
    "affordance_feasibility": ("physical", "affordance & feasibility"),
    "spatial_reachability": ("physical", "spatial reachability"),
    "extrapolation": ("temporal", "extrapolation"),
    "retrodiction": ("temporal", "retrodiction"),
    "mechanistic_causality": ("temporal", "mechanistic causality"),
    "social_role_norm_power": ("social", "social role, norm & power dynamics"),
    "theory_of_mind": ("social", "theory of mind"),
    "change_consequence": ("abstract", "change & consequence"),
    "patterns_pareidolia": ("abstract", "patterns & pareidolia"),
}
"""Our key, the domain that it belongs to, and the printed spelling."""

JUDGE_OUTPUT = frozenset({"criteria", "overall_comment", "overall comment"})
CRITERION = frozenset({"id", "met", "justification"})
"""The fields that appendix C.6 prescribes, and no others."""

FIELDS = (
    Field("benchmarks.benchmark", ("benchmark",), "hss when not given"),
    Field("items.item_id", ("task_id", "task")),
    Field("items.capability", ("domain",)),
    Field("items.subcapability", ("subdomain",)),
    Field("items.media_path", ("media", "media.path")),
    Field("items.media_type", ("media_type", "media.type"), "else told by the ending of the media's name"),
    Field("items.prompt", ("question",)),
    Field("items.reference", ("reference", "reference_answer")),
    Field("criteria.criterion", ("rubric[].id", "criterion"), "the number in the rubric where it has no id"),
    Field("criteria.description", ("rubric[].criterion", "rubric[]")),
    Field("runs.run_id", ("run",)),
    Field("runs.model", ("model",), "else the run's name"),
    Field("runs.vendor", ("vendor",)),
    Field("runs.access", ("access",)),
    Field("runs.kind", ("kind",), "model when not given"),
    Field("runs.regime", ("regime",)),
    Field("runs.condition", ("condition",), "key=value for a setting that was varied"),
    Field("runs.settings", ("settings", "effort")),
    Field("responses.attempt", ("attempt",), "1 when not given"),
    Field("responses.answer", ("answer",)),
    Field("responses.rationale", ("rationale",)),
    Field("responses.status", ("status",), "ok, or missing where the answer is empty"),
    Field("responses.status_note", ("status_note", "error")),
    Field("responses.confidence", ("confidence",)),
    Field("responses.input_tokens", ("input_tokens",)),
    Field("responses.output_tokens", ("output_tokens",)),
    Field("responses.steps", ("steps",)),
    Field("responses.seconds", ("seconds",)),
    Field("responses.credit", ("<every criterion met>", "primary"), "`primary` true marks the judge that gives it"),
    Field("failure_labels.cause", ("failure.cause",)),
    Field("failure_labels.family", ("failure.family",)),
    Field("failure_labels.labeller", ("failure.labeller",)),
    Field("failure_labels.note", ("failure.note",)),
    Field("judges.judge_id", ("judge",)),
    Field("judges.kind", ("judge_kind",), "model when not given"),
    Field("judges.vendor", ("judge_vendor",)),
    Field("judges.version", ("judge_version",)),
    Field("verdicts.criterion", ("criteria[].id",)),
    Field("verdicts.met", ("criteria[].met", "met")),
    Field(
        "verdicts.justification",
        ("criteria[].justification", "justification", "overall_comment", "overall comment"),
        "the overall comment follows the justification of the last criterion",
    ),
)
