"""Placing planned counts on rows by the rank of a hash, so that adding a run leaves the others alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

SEED = "scoreproof-1"
SQRT3 = 1.7320508075688772


def _digest(parts: tuple[object, ...]) -> bytes:
    return hashlib.sha256("|".join((SEED, *map(str, parts))).encode()).digest()


def unit(*parts: object) -> float:
    """Return a number in (0, 1) that depends on the seed and the parts alone (53 bits of SHA-256)."""
    return ((int.from_bytes(_digest(parts)[:8], "big") >> 11) + 0.5) / 2**53


def spread(*parts: object) -> float:
    """Return a bell-shaped deviate, mean 0 and variance 1, that depends on the seed and the parts alone.

    The sum of four uniforms (Irwin-Hall): additions only, so every machine gets the same bits, which a logarithm
    of the platform's own library would not promise.
    """
    digest = _digest(parts)
    total = sum(int.from_bytes(digest[start : start + 8], "big") >> 11 for start in range(0, 32, 8))
    return float((total / 2**53 - 2.0) * SQRT3)


def ranked(items: Iterable[str], *parts: object) -> list[str]:
    """Return the items in the order of their hashes under the given key."""
    return sorted(items, key=lambda item: (unit(*parts, item), item))


def eased(items: Iterable[str], *, run: str, noise: float, key: str) -> list[str]:
    """Return the items from easiest to hardest for a run: a common difficulty plus noise of the run's own.

    ``noise`` is the standard deviation of the run's own part where the common part has 1. The order is a filling
    rule: which items a run gets right is pinned by no printed figure unless the plan says so.
    """
    return sorted(items, key=lambda item: (spread(key, item) + noise * spread(key, run, item), item))


def deal(labels: dict[str, int], items: Sequence[str], *parts: object) -> dict[str, str]:
    """Give each item one label so that every label is used exactly as often as counted.

    Raises
    ------
    ValueError
        When the counts do not add up to the number of items.
    """
    flat = [label for label, count in labels.items() for _ in range(count)]
    if len(flat) != len(items):
        raise ValueError(f"{len(flat)} labels for {len(items)} items under {parts}")
    return dict(zip(ranked(items, *parts), flat, strict=True))


def pick(options: Sequence[str], weights: Sequence[float], *parts: object) -> str:
    """Return one option by the hash of the parts, in proportion to the weights."""
    point = unit(*parts) * sum(weights)
    for option, weight in zip(options, weights, strict=True):
        point -= weight
        if point < 0:
            return option
    return options[-1]
