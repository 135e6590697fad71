"""Columns that repeat for several systems: 'GPT-4o answer' and 'GPT-4o score', or one column per model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from loaders.mapping_facts import Facts
from loaders.mapping_fields import TARGETS, worded

ROLES = {
    "answer": "answer", "answers": "answer", "prediction": "answer", "predictions": "answer", "pred": "answer",
    "preds": "answer", "choice": "answer", "response": "response", "responses": "response", "output": "response",
    "outputs": "response", "score": "credit", "scores": "credit", "correct": "credit", "is correct": "credit",
    "credit": "credit", "acc": "credit", "accuracy": "credit", "hit": "credit", "rationale": "rationale",
    "reasoning": "rationale", "explanation": "rationale", "confidence": "confidence", "tokens": "output_tokens",
}  # fmt: skip

_ROLE = "|".join(sorted((re.escape(role).replace(r"\ ", "[ _]") for role in ROLES), key=len, reverse=True))
_AFTER = re.compile(rf"(?P<run>.+?)[\s_\-./:|(\[]+(?P<role>{_ROLE})[)\]]?", re.IGNORECASE)
_BEFORE = re.compile(rf"(?P<role>{_ROLE})[\s_\-./:|(\[]+(?P<run>.+?)[)\]]?", re.IGNORECASE)
_FAMILY = re.compile(
    r"(?:.*[/ ])?(?:chat)?(?:gpt|claude|gemini|gemma|llama|qwen|mistral|mixtral|deepseek|phi|internvl|llava|grok|glm|yi"
    r"|command|human|o[134])(?:[\W_\d].*|$)",
    re.IGNORECASE,
)
NO_RUNS = frozenset({"model", "judge", "gold", "final", "raw", "reference", "correct", "true", "total", "ground truth"})
_FIELDS = frozenset(word for target in TARGETS for word in (*target.words, *target.shared))


@dataclass(frozen=True, slots=True)
class RunGuess:
    """One system that seems to have columns of its own: field -> column; the field is '?' where values do not tell."""

    run: str
    columns: Mapping[str, str]
    reason: str


def wide_runs(known: Mapping[str, Facts]) -> list[RunGuess]:
    """Return the systems that have columns of their own, in the order of the columns; fewer than two are none."""
    found: dict[str, dict[str, str]] = {}
    for name in known:
        if worded(name) in _FIELDS or "[0]." in name:  # a field of a record's only element is no system's
            continue
        match = _AFTER.fullmatch(name) or _BEFORE.fullmatch(name)
        if match is None or worded(match.group("run")) in NO_RUNS:
            continue
        role = ROLES[worded(match.group("role"))]
        found.setdefault(match.group("run").strip(), {}).setdefault(role, name)
    if len(found) >= 2:
        return [RunGuess(run, columns, _reason(columns)) for run, columns in found.items()]
    plain = [name for name in known if _FAMILY.fullmatch(name.rpartition(".")[2]) and worded(name) not in _FIELDS]
    if len(plain) < 2:
        letters = [n for n, f in known.items() if f.letters and not f.numeric and not _is_field(n)]
        plain = letters if len(letters) >= 2 else []
    return [_bare(name, known[name]) for name in plain]


def _is_field(name: str) -> bool:
    return worded(name) in _FIELDS or worded(name.rpartition(".")[2]) in _FIELDS or len(name) == 1


def _reason(columns: Mapping[str, str]) -> str:
    return "columns " + " and ".join(f"'{column}'" for column in columns.values())


def _bare(name: str, facts: Facts) -> RunGuess:
    """Return the guess for a column that is called by a system alone; its values tell what it holds, or they do not."""
    run = name.rpartition(".")[2] if "." in name and not name.rpartition(".")[2][:1].isdigit() else name
    if facts.numeric or facts.boolean:
        why = "holds 0 and 1: credits, or answers of two classes" if facts.zero_one else f"holds {facts.said()}"
        return RunGuess(run, {"?": name}, f"column '{name}' {why}")
    return RunGuess(run, {"answer": name}, f"column '{name}' holds {facts.said()}")
