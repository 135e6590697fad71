"""Every question with its options and columns, as text: what `scoreproof ask --list` prints."""

from __future__ import annotations

from analytics.policy import MEANING
from analytics.questions import questions
from analytics.slices import KEYS


def listed() -> str:
    """Return every question with its options and columns."""
    lines = []
    for asked in questions().values():
        lines.append(f"{asked.name}: {asked.asks}")
        for option in asked.options:
            allowed = f" ({', '.join(option.allowed)})" if option.allowed else ""
            lines.append(f"    --set {option.name}={option.initial}  {option.meaning}{allowed}")
        lines += [f"    column {column.name}: {column.meaning}" for column in asked.columns]
        lines.append("")
    lines.append("Keys of --where: " + ", ".join(KEYS))
    lines.append("Policy, with --set: " + "; ".join(f"{name} ({', '.join(rules)})" for name, rules in MEANING.items()))
    return "\n".join(lines) + "\n"
