"""Words of SocialReasonBench: axes, grounding tiers, trap types and declared columns of its log.

Source: the paper's section 3.3 (axes), appendix B (traps), appendix D (data unit) and appendix J (tiers).
"""

from __future__ import annotations

from loaders.base import Field

BENCHMARK = "srb"
CORRECT = "A"
"""Stored letter of the correct option, which the benchmark's internal ids fix (appendix B)."""
OPTIONS = 6

INTERACTIONS = ("prosocial", "adversarial", "strategic", "normative")

DIMENSIONS = {
    "intent_recognition": ("intent",),
    "behavior_prediction": ("behavior", "behaviour", "behaviour_prediction"),
    "emotional_empathy": ("empathy", "emotion"),
    "relationship_dynamics": ("relationship",),
    "moral_dilemma": ("moral",),
    "counterfactual_reasoning": ("counterfactual",),
    "causal_antecedent": ("antecedent",),
}
"""Our key and other spellings, a level such as 'L3.7_' taken off before."""

TIERS = {
    "A": ("explicit_ui", "explicit_ui_signal", "explicit_ui_signals"),
    "B": ("flowchart_transition", "flowchart_documented", "flowchart_documented_transitions"),
    "AB": ("mixed", "mix", "mixed_ui_flowchart", "mixed_ui_flowchart_grounding"),
    "C": ("implicit_narrative_state", "narrative_state", "script_branch_derived"),
}
"""Tier and the words of `anchor_type` that mean it; appendix D prints that of C, the others are the titles of J.1."""

TYPES = {
    "correct_option": "correct",
    "visual_trap": "visual_trap",
    "logic_trap": "logic_trap",
    "interpretation_trap": "interpretation_trap",
    "knowledge_trap": "knowledge_trap",
    "attribution_trap": "attribution_trap",
}

FIELDS = (
    Field("benchmarks.benchmark", ("benchmark",), "srb when not given"),
    Field("items.item_id", ("metadata.instance_id", "instance_id")),
    Field("items.capability", ("metadata.coordinate.cognitive",), "reasoning dimension, its level taken off"),
    Field("items.axis", ("metadata.coordinate.interpersonal",), "social interaction"),
    Field("items.tier", ("evaluation_engine.grounding_trace.anchor_type",), "grounding tier A, B, AB or C"),
    Field(
        "items.prompt",
        ("model_input.text_prompt.background", "model_input.text_prompt.question"),
        "background, then question",
    ),
    Field("items.media_path", ("model_input.multimodal_context.video_url",)),
    Field("item_tags.tag", ("model_input.multimodal_context.timestamp_start", "scope")),
    Field("items.options", ("evaluation_engine.options[].text",), "in the order of their ids"),
    Field("items.reference", ("evaluation_engine.options[].type",), "the letter of the correct option"),
    Field("option_types.option", ("evaluation_engine.options[].option_id",), "O_A is A"),
    Field("runs.run_id", ("run",)),
    Field("runs.model", ("model",), "else the run's name"),
    Field("runs.vendor", ("vendor",)),
    Field("runs.access", ("access",)),
    Field("runs.kind", ("kind",), "model when not given"),
    Field("runs.regime", ("regime",), "what was shown, e.g. video or 32_frames"),
    Field("runs.condition", ("condition",), "key=value for a setting that was varied"),
    Field("responses.attempt", ("attempt",), "1 when not given"),
    Field("responses.answer", ("prediction", "option_id"), "a letter as shown, or the id of the option"),
    Field("responses.order_shown", ("order_shown",), "ids of the options in the order shown"),
    Field("responses.response", ("response",)),
    Field("responses.rationale", ("rationale",)),
    Field("responses.status", ("status",), "ok, invalid_format or missing where not given"),
    Field("responses.status_note", ("status_note", "error")),
    Field("responses.confidence", ("confidence",)),
    Field("responses.input_tokens", ("input_tokens",)),
    Field("responses.output_tokens", ("output_tokens",)),
    Field("responses.seconds", ("seconds",)),
)
