"""Small integer programs for SciPy's HiGHS, with a deterministic tie-break."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

TIE_BREAK = 1e-7


class NoPlanError(ValueError):
    """The integer program has no solution within its limits."""


@dataclass(frozen=True)
class Row:
    """One linear constraint ``low <= sum(coefficient * variable) <= high``."""

    terms: dict[str, float]
    low: float
    high: float


def solve(
    cost: dict[str, float],
    upper: dict[str, float],
    rows: list[Row],
    *,
    near: dict[str, float],
    seconds: float = 20.0,
    gap: float = 0.02,
) -> dict[str, int]:
    """Minimise a linear cost plus the absolute distance of some variables from their targets.

    Parameters
    ----------
    cost
        Linear cost per variable (missing: zero).
    upper
        Upper bound per variable; every variable is named here, has lower bound 0 and is an integer.
    rows
        Constraints over the named variables.
    near
        Targets: each adds ``|variable - target|`` to the cost.
    seconds
        Time limit; the best solution found until then is taken.
    gap
        Relative optimality gap at which the search stops: targets are wishes, constraints are not.

    Raises
    ------
    NoPlanError
        When no integer solution was found.
    """
    found = _program(cost, upper, rows, near=near, seconds=seconds, gap=gap, whole=True)
    return {name: round(value) for name, value in found.items()}


def _program(
    cost: dict[str, float] | None,
    upper: dict[str, float],
    rows: list[Row],
    *,
    near: dict[str, float],
    seconds: float,
    gap: float,
    whole: bool,
) -> dict[str, float]:
    """Run HiGHS on named variables; without a cost any feasible point will do."""
    names = list(upper)
    index = {name: position for position, name in enumerate(names)}
    distance = [f"|{name}|" for name in near]
    size = len(names) + len(distance)
    objective = np.zeros(size)
    if cost is not None:
        for position, name in enumerate(names):
            objective[position] = cost.get(name, 0.0) + TIE_BREAK * (position + 1)
    objective[len(names) :] = 1.0
    data: list[float] = []
    where: list[tuple[int, int]] = []
    low: list[float] = []
    high: list[float] = []

    def add(terms: list[tuple[int, float]], at_least: float, at_most: float) -> None:
        for column, value in terms:
            where.append((len(low), column))
            data.append(value)
        low.append(at_least)
        high.append(at_most)

    for row in rows:
        add([(index[name], value) for name, value in row.terms.items()], row.low, row.high)
    for offset, (name, target) in enumerate(near.items()):
        column = len(names) + offset
        add([(index[name], 1.0), (column, -1.0)], -np.inf, target)
        add([(index[name], 1.0), (column, 1.0)], target, np.inf)
    matrix = csr_array((data, np.array(where).T), shape=(len(low), size))
    integrality = np.array([int(whole)] * len(names) + [0] * len(distance))
    bounds = Bounds(np.zeros(size), np.array([upper[name] for name in names] + [np.inf] * len(distance)))
    result = milp(
        objective,
        constraints=LinearConstraint(matrix, np.array(low), np.array(high)),
        integrality=integrality,
        bounds=bounds,
        options={"time_limit": seconds, "mip_rel_gap": gap},
    )
    if result.x is None:
        raise NoPlanError(f"no integer solution ({result.message}) for {len(names)} variables, {len(rows)} rows")
    return {name: float(result.x[index[name]]) for name in names}


def solve_near(
    upper: dict[str, float], rows: list[Row], *, near: dict[str, float], reach: int, seconds: float
) -> dict[str, int]:
    """Find any integers that meet the constraints near a continuous optimum: for programs too large for `solve`.

    The continuous program minimises the distance from the targets; the integers then keep within ``reach`` of it.

    Raises
    ------
    NoPlanError
        When no integers were found within reach.
    """
    relaxed = _program({}, upper, rows, near=near, seconds=seconds, gap=0.02, whole=False)
    low = {name: max(0.0, np.floor(value + 1e-6) - reach) for name, value in relaxed.items()}
    high = {name: min(upper[name], np.ceil(value - 1e-6) + reach) for name, value in relaxed.items()}
    boxes = [Row({name: 1.0}, low[name], high[name]) for name in upper if low[name] > 0]
    found = _program(None, high, rows + boxes, near={}, seconds=seconds, gap=0.02, whole=True)
    return {name: round(value) for name, value in found.items()}


def equal(terms: dict[str, float], value: float) -> Row:
    """Return the constraint that a sum equals a value."""
    return Row(terms, value - 1e-6, value + 1e-6)


def apportion(weights: list[float], total: int, *, most: list[int] | None = None) -> list[int]:
    """Split an integer total in proportion to weights by largest remainder, never above ``most``.

    Raises
    ------
    NoPlanError
        When the caps leave no room for the total.
    """
    caps = most if most is not None else [total] * len(weights)
    if sum(caps) < total:
        raise NoPlanError(f"caps {caps} leave no room for {total}")
    mass = sum(weights) or 1.0
    shares = [min(cap, int(total * weight / mass)) for weight, cap in zip(weights, caps, strict=True)]
    while sum(shares) < total:
        gaps = [
            (total * weight / mass - share, -position)
            for position, (weight, share, cap) in enumerate(zip(weights, shares, caps, strict=True))
            if share < cap
        ]
        shares[-max(gaps)[1]] += 1
    return shares
