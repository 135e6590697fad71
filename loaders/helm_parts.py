"""What HELM writes into a run folder, as far as it is read: token lists and logs are passed over undecoded."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Any

import msgspec


class Text(msgspec.Struct):
    """Input or output with text; multimedia inputs hold their parts apart."""

    text: str = ""
    messages: list[dict[str, Any]] | None = None
    multimedia_content: dict[str, Any] | None = None


class Reference(msgspec.Struct):
    """A possible output; the tag 'correct' marks a right one."""

    output: Text
    tags: list[str] = []


class Instance(msgspec.Struct):
    """One item, perhaps perturbed."""

    input: Text
    references: list[Reference] = []
    id: str = ""
    split: str | None = None
    sub_split: str | None = None
    perturbation: dict[str, Any] | None = None


class Completion(msgspec.Struct):
    """One completion."""

    text: str = ""
    logprob: float = 0.0
    finish_reason: dict[str, Any] | None = None
    thinking: Text | None = None


class Result(msgspec.Struct):
    """What came back."""

    success: bool = True
    completions: list[Completion] = []
    error: str | None = None
    request_time: float | None = None


class Request(msgspec.Struct):
    """What was sent."""

    prompt: str = ""


class State(msgspec.Struct):
    """One request made for one item, or for one of its references."""

    instance: Instance
    train_trial_index: int = 0
    reference_index: int | None = None
    request_mode: str | None = None
    output_mapping: dict[str, str] | None = None
    request: Request | None = None
    result: Result | None = None
    annotations: dict[str, Any] | None = None

    def key(self) -> tuple[str, str, int]:
        """Return item, perturbation and trial: only the three together are a key."""
        return self.instance.id, name_of(self.instance.perturbation), self.train_trial_index


class States(msgspec.Struct):
    """The file of all requests; each is decoded when its turn comes."""

    request_states: list[msgspec.Raw]


def name_of(perturbation: object) -> str:
    """Return a perturbation with its settings, or empty text for the item as it is."""
    if not perturbation or not isinstance(perturbation, dict):
        return str(perturbation or "")
    rest = {k: v for k, v in sorted(perturbation.items()) if k != "name" and isinstance(v, (str, int, float))}
    told = ",".join(f"{key}={value}" for key, value in rest.items())
    return f"{perturbation.get('name', 'perturbed')}({told})" if told else str(perturbation.get("name", "perturbed"))


def options_of(state: State, *, separate: bool) -> list[str] | None:
    """Return the options shown: those that letters map to, or the references where each was asked by itself."""
    if state.output_mapping:
        letters = sorted(state.output_mapping)
        if letters == list(ascii_uppercase[: len(letters)]):
            return [state.output_mapping[letter] for letter in letters]
    return [reference.output.text for reference in state.instance.references] if separate else None


def reference_of(state: State, options: list[str] | None) -> str | None:
    """Return the right answer: letters of options, or the right texts separated by ' | '."""
    right = [reference.output.text for reference in state.instance.references if "correct" in reference.tags]
    if options is not None:
        letters = [ascii_uppercase[k] for k, text in enumerate(options) if text in right and k < len(ascii_uppercase)]
        return ",".join(letters) or None
    return " | ".join(right) or None


def media_of(text: Text) -> tuple[str, str | None]:
    """Return media type and first path of an input."""
    objects = (text.multimedia_content or {}).get("media_objects")
    kinds, path = [], None
    for each in objects if isinstance(objects, list) else ():
        kind = str(each.get("content_type", "")).split("/")[0] if isinstance(each, dict) else ""
        if kind in ("image", "audio", "video"):
            kinds.append(kind)
            place = each.get("location")
            path = path or (place if isinstance(place, str) and not place.startswith("data:") else None)
    if kinds.count("image") > 1 and set(kinds) == {"image"}:
        return "images", path
    return "+".join(sorted(set(kinds))) or "text", path
