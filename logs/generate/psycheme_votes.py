"""The Timing votes of the eight proprietary models: how the right and wrong votes fall on 72 questions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from logs.generate.solver import Row, equal, solve

RUNS, ITEMS, ORACLE = 8, 72, 66
OUTRIGHT, TIES = 41, 1  # 41 questions won outright and one two-way tie: 41.5


def _splits(votes: int, largest: int, parts: int) -> list[tuple[int, ...]]:
    """Return the ways to spread wrong votes over at most ``parts`` wrong letters, largest first."""
    if votes == 0:
        return [()]
    if parts == 0:
        return []
    return [
        (first, *rest)
        for first in range(min(votes, largest), 0, -1)
        for rest in _splits(votes - first, first, parts - 1)
    ]


def patterns() -> list[tuple[int, tuple[int, ...]]]:
    """Return every vote pattern of eight voters over four letters: right votes and the split of the wrong ones."""
    return [(right, split) for right in range(RUNS + 1) for split in _splits(RUNS - right, RUNS, 3)]


def credit(right: int, split: tuple[int, ...]) -> Fraction:
    """Return the plurality credit of a pattern: 1/k when k letters tie for first and the right one is among them."""
    top = max((right, *split))
    if right < top:
        return Fraction(0)
    return Fraction(1, 1 + sum(1 for part in split if part == top))


def solve_votes(correct: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return how many questions follow each pattern so that oracle, plurality and right votes come out."""
    names = {f"{right}:{','.join(map(str, split))}": (right, split) for right, split in patterns()}
    worth = {name: credit(*pattern) for name, pattern in names.items()}
    # wrong votes concentrate on one letter, as 'shared wrong choices can outvote correct minority answers' says
    near = {name: 1.0 for name, (right, split) in names.items() if not split or right + split[0] >= RUNS - 2}
    rows = [
        equal(dict.fromkeys(names, 1.0), ITEMS),
        equal({name: float(right) for name, (right, _) in names.items()}, sum(correct)),
        equal({name: 1.0 for name, (right, _) in names.items() if right}, ORACLE),
        equal({name: 1.0 for name in names if worth[name] == 1}, OUTRIGHT),
        equal({name: 1.0 for name in names if worth[name] == Fraction(1, 2)}, TIES),
        Row({name: 1.0 for name in names if 0 < worth[name] < Fraction(1, 2)}, 0, 0),
    ]
    found = solve({}, dict.fromkeys(names, float(ITEMS)), rows, near=near)
    return [
        {"right": names[name][0], "wrong": list(names[name][1]), "items": count}
        for name, count in found.items()
        if count
    ]


def deal_right(rights: list[int], correct: tuple[int, ...]) -> list[list[bool]]:
    """Deal right votes to runs, hardest question last, so that row and column sums hold (Gale-Ryser).

    Returns one list per question with one truth value per run.

    Raises
    ------
    ValueError
        When no such table exists.
    """
    left = list(correct)
    table = [[False] * len(correct) for _ in rights]
    for item in sorted(range(len(rights)), key=lambda position: -rights[position]):
        order = sorted(range(len(correct)), key=lambda run: (-left[run], (run * 5 + item * 3) % 8))
        for run in order[: rights[item]]:
            table[item][run] = True
            left[run] -= 1
    if any(left):
        raise ValueError(f"right votes {rights} cannot be dealt to {correct}: {left} are left")
    return table
