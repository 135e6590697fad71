"""What Inspect writes into a log, as far as it is read here, and messages turned into text.

Only the declared fields are decoded: transcripts (`events`, `store`) are passed over without being built in memory.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from loaders.json_text import text_or_none

ATTACHMENT = re.compile(r"attachment://([0-9a-f]{32})")
MEDIA = {"image": "image", "audio": "audio", "video": "video", "document": "document"}
TWO_WAY = {"yes": "Yes", "no": "No", "true": "True", "false": "False"}
"""Targets that are one of two words: the item is a choice between two although the log lists no choices."""


class Role(msgspec.Struct):
    """A message of the transcript, of which only its role is read."""

    role: str = ""


class Sample(msgspec.Struct):
    """One sample at one epoch, from a `samples/` member, from the `samples` of a JSON log, or from a summary."""

    id: Any
    epoch: int = 1
    input: Any = None
    choices: Any = None
    target: Any = None
    messages: list[Role] | None = None
    output: Any = None
    scores: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    model_usage: dict[str, Any] | None = None
    total_time: Any = None
    error: Any = None
    limit: Any = None
    attachments: dict[str, Any] | None = None


class Scored(msgspec.Struct):
    """The part of a sample or of its summary that the scale of the scores is learned from."""

    id: Any
    epoch: int = 1
    scores: dict[str, Any] | None = None
    target: Any = None
    input: Any = None


class Log(msgspec.Struct):
    """The record of the whole run; `samples` only in a JSON log."""

    eval: dict[str, Any]
    version: Any = None
    status: str = "started"
    plan: Any = None
    results: Any = None
    error: Any = None
    samples: list[msgspec.Raw] | None = None


class LogWithSamples(msgspec.Struct):
    """A JSON log with NaN in it, whose samples are plain objects already."""

    eval: dict[str, Any]
    version: Any = None
    status: str = "started"
    plan: Any = None
    results: Any = None
    error: Any = None
    samples: list[Any] | None = None


def resolved(text: str, attachments: Mapping[str, Any] | None) -> str:
    """Return the text with each `attachment://` replaced by what the sample holds under it; an unknown one stays."""
    if not attachments or "attachment://" not in text:
        return text
    return ATTACHMENT.sub(lambda found: str(attachments.get(found.group(1), found.group(0))), text)


def parts(content: object) -> list[dict[str, Any]]:
    """Return the parts of a message's content; plain text is one part."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def text_of(content: object, attachments: Mapping[str, Any] | None) -> str:
    """Return the text of a message's content; a picture or sound is named in brackets, never inlined."""
    lines = []
    for part in parts(content):
        kind = text_or_none(part.get("type"))
        if kind == "text":
            lines.append(resolved(text_or_none(part.get("text")) or "", attachments))
        elif kind in MEDIA:
            lines.append(f"[{kind}]")
        elif kind == "data":
            lines.append(text_or_none(part.get("data")) or "")
    return "\n".join(lines)


def reasoning_of(content: object, attachments: Mapping[str, Any] | None) -> str | None:
    """Return the reasoning that came with an answer, or its summary; None when there is none to read."""
    found = []
    for part in parts(content):
        if part.get("type") == "reasoning":
            text = part.get("reasoning")
            if part.get("redacted") or not text:  # what is redacted is a cipher, its summary is text
                text = part.get("summary")
            if isinstance(text, str) and text.strip():
                found.append(resolved(text, attachments))
    return "\n".join(found) or None


def prompt_of(sample: Sample) -> str | None:
    """Return what the system was asked; several messages each under its role."""
    if isinstance(sample.input, str):
        return resolved(sample.input, sample.attachments)
    messages = [m for m in sample.input if isinstance(m, dict)] if isinstance(sample.input, list) else []
    texts = [text_of(message.get("content"), sample.attachments) for message in messages]
    if len(texts) == 1:
        return texts[0]
    named = [f"[{m.get('role', '')}]\n{text}" for m, text in zip(messages, texts, strict=True)]
    return "\n\n".join(named) or None


def media_of(sample: Sample) -> tuple[str, str | None]:
    """Return the media type of the input, and the path of its first medium when it is a file name."""
    kinds: list[str] = []
    path = None
    for message in sample.input if isinstance(sample.input, list) else ():
        for part in parts(message.get("content") if isinstance(message, dict) else None):
            kind = MEDIA.get(str(part.get("type")))
            if kind is None:
                continue
            kinds.append(kind)
            place = part.get(kind)
            if path is None and isinstance(place, str) and not re.match(r"(data|attachment|https?):", place):
                path = place
    if kinds.count("image") > 1 and set(kinds) == {"image"}:
        return "images", path
    return "+".join(sorted(set(kinds))) or "text", path


def answer_of(sample: Sample) -> tuple[str | None, str | None, str | None]:
    """Return (response, reasoning, why it stopped) of the last output."""
    output = sample.output if isinstance(sample.output, dict) else {}
    choices = output.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    text = text_of(content, sample.attachments) if content is not None else output.get("completion")
    response = resolved(text, sample.attachments) if isinstance(text, str) else None
    stop = choice.get("stop_reason")
    return response, reasoning_of(content, sample.attachments), stop if isinstance(stop, str) else None


def reference_of(target: object, *, choice: bool) -> str | None:
    """Return the target as reference: option letters as 'A,C', several texts separated by ' | '."""
    texts = [str(t).strip() for t in target] if isinstance(target, list) else [str(target or "").strip()]
    texts = [text for text in texts if text]
    if choice and all(re.fullmatch(r"[A-Z](?:,? ?[A-Z])*", text) for text in texts):
        return ",".join(sorted(set(re.findall(r"[A-Z]", "".join(texts))))) or None
    return " | ".join(TWO_WAY.get(text.lower(), text) for text in texts) or None


def answer_type_of(sample: Sample, reference: str | None) -> str:
    """Return how the item is answered: choices, or a target that is a letter or one of two words, make a choice."""
    if isinstance(sample.choices, list) and sample.choices:
        return (
            "multiple_choice"
            if reference and "," in reference and not re.search(r"[^A-Z,]", reference)
            else "single_choice"
        )
    closed = reference is not None and (re.fullmatch(r"[A-Z]", reference) or reference.lower() in TWO_WAY)
    return "single_choice" if closed else "open"
