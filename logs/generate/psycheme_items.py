"""The 1,000 PsycheMME items: capability, episode, answer type, reference letter, and the samples of partial runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from logs.generate import psycheme_spec as spec
from logs.generate.place import deal, ranked

BENCHMARK = "psycheme"


@dataclass(frozen=True)
class Item:
    """One item as the rows need it; ``wrong`` lists its wrong letters, the most tempting first."""

    item_id: str
    capability: str
    cluster: str
    reference: str | None
    wrong: tuple[str, ...]

    @property
    def is_open(self) -> bool:
        """Tell whether the item is answered in free text."""
        return self.reference is None


def _episodes(ids: list[str], memory: list[str]) -> dict[str, str]:
    """Share 630 episodes out: 24 hold the 40 items of the Memory intervention, 606 the other 960."""
    out: dict[str, str] = {}
    inside, outside = ranked(memory, "episode"), ranked(sorted(set(ids) - set(memory)), "episode")
    for group, first, count in ((inside, 1, spec.MEMORY_EPISODES), (outside, 25, spec.EPISODES - spec.MEMORY_EPISODES)):
        for position, item in enumerate(group):
            out[item] = f"ep-{first + position % count:03d}"
    return out


def items() -> tuple[list[Item], dict[str, list[str]]]:
    """Return the items in order of their ids, and the item ids of each scope."""
    capability_of: dict[str, str] = {}
    for name, count in spec.CAPABILITIES.items():
        for _ in range(count):
            capability_of[f"psy-{len(capability_of) + 1:04d}"] = name
    by_capability: dict[str, list[str]] = {name: [] for name in spec.CAPABILITIES}
    for item, name in capability_of.items():
        by_capability[name].append(item)
    opened = {i for name, count in spec.OPEN.items() for i in ranked(by_capability[name], "open")[:count]}
    memory = sorted(ranked(by_capability["memory"], "memory_40")[: spec.MEMORY_ITEMS])
    sample = sorted(i for n, count in spec.HUMAN_ITEMS.items() for i in ranked(by_capability[n], "human_300")[:count])
    clusters = _episodes(list(capability_of), memory)
    letters: dict[str, str] = {}
    for name, members in by_capability.items():
        choice = [item for item in members if item not in opened]
        even = {letter: len(choice) // 4 + (k < len(choice) % 4) for k, letter in enumerate(spec.OPTIONS)}
        letters |= deal(even, choice, "reference", name)
    found = [
        Item(
            item_id=item,
            capability=name,
            cluster=clusters[item],
            reference=letters.get(item),
            wrong=tuple(ranked([c for c in spec.OPTIONS if c != letters.get(item)], "distractor", item)),
        )
        for item, name in capability_of.items()
    ]
    return found, {"memory_40": memory, "human_300": sample}


def item_rows(found: list[Item], scopes: dict[str, list[str]]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of `benchmarks`, `items` and `item_tags`."""
    benchmark = {
        "benchmark": BENCHMARK,
        "title": "PsycheMME",
        "version": "reconstructed from the project page",
        "missing_policy": "zero",
        "raw_means": "answer credit",
        "verified_means": "answer credit x rationale coverage x evidence support x logical integrity / 1.44",
        "slice_name": "capability",
        "headline": "macro",
        "rubric": "rationale",
        "note": "Rows re-aggregate to the printed figures; single rows are simulated and prove nothing else.",
    }
    rows = [
        {
            "benchmark": BENCHMARK,
            "item_id": item.item_id,
            "capability": item.capability,
            "media_type": "video",
            "answer_type": "open" if item.is_open else "single_choice",
            "cluster": item.cluster,
            "options": None if item.is_open else list(spec.OPTIONS),
            "reference": item.reference,
            "reference_known": True,
            "chance": None if item.is_open else 1 / len(spec.OPTIONS),
            "provenance": "reconstructed",
        }
        for item in found
    ]
    tags = [
        {"benchmark": BENCHMARK, "item_id": item, "kind": "scope", "tag": scope}
        for scope, members in scopes.items()
        for item in members
    ]
    return {"benchmarks": [benchmark], "items": rows, "item_tags": tags}
