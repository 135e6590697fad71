"""What difference n items can detect, and how many items a difference needs."""

import numpy as np
from numpy.typing import ArrayLike

from analytics.numeric.arrays import FloatArray, normal_quantile, one_of, probability

SIDES = ("two-sided", "one-sided")


def _quantiles(alpha: float, power: float, sides: str) -> tuple[float, float]:
    one_of("sides", sides, SIDES)
    tail = probability("alpha", alpha) / (2 if sides == "two-sided" else 1)
    if not probability("power", power) >= 0.5:
        raise ValueError(f"power must be 0.5 or more to plan for, found {power}")
    return normal_quantile(tail), normal_quantile(1 - power)


def detectable_unpaired(
    n1: ArrayLike, n2: ArrayLike, *, baseline: ArrayLike, alpha: float, power: float, sides: str
) -> FloatArray:
    """Smallest rise over `baseline` that two independent groups of n1 and n2 items detect.

    Parameters
    ----------
    baseline : rate of the second group, in [0, 1].
    alpha, power, sides : error rate of the test, wanted power (0.5 or more), "two-sided" or "one-sided".

    Returns
    -------
    difference of rates (proportion); NaN where even a rate of 1 would not be detected, or a group is empty.

    Normal approximation on the arcsine scale (Cohen 1988, section 6.4); a drop from 1 - baseline is its mirror.
    """
    z_alpha, z_power = _quantiles(alpha, power, sides)
    first, second = np.asarray(n1, dtype=np.float64), np.asarray(n2, dtype=np.float64)
    start = np.asarray(baseline, dtype=np.float64)
    if ((start < 0) | (start > 1)).any():
        raise ValueError("baseline must be a rate between 0 and 1")
    filled = (first > 0) & (second > 0)
    spread = np.sqrt(1 / np.where(filled, first, 1) + 1 / np.where(filled, second, 1))
    angle = np.arcsin(np.sqrt(start)) + (z_alpha + z_power) * spread / 2
    rate = np.sin(np.minimum(angle, np.pi / 2)) ** 2
    return np.where(filled & (angle <= np.pi / 2), rate - start, np.nan)


def detectable_paired(n: ArrayLike, *, discordant: ArrayLike, alpha: float, power: float, sides: str) -> FloatArray:
    """Smallest difference of two runs' rates on the same n items that McNemar's test detects.

    Parameters
    ----------
    discordant : expected share of items that exactly one of the two runs gets right, in (0, 1].

    Returns
    -------
    difference of rates (proportion); NaN where it would exceed `discordant`, which bounds it, or n = 0.

    Solves delta sqrt(n) = z_alpha sqrt(psi) + z_power sqrt(psi - delta^2) for delta.
    Source: Connor 1987, doi:10.2307/2531961.
    """
    z_alpha, z_power = _quantiles(alpha, power, sides)
    size, psi = np.asarray(n, dtype=np.float64), _share(discordant)
    # below z_alpha^2 / psi items not even a difference of psi is significant
    possible = size * psi >= z_alpha**2
    size = np.where(possible, size, 1.0)
    inner = np.maximum(size - z_alpha**2 + z_power**2, 0.0)
    delta = np.sqrt(psi) * (np.sqrt(size) * z_alpha + z_power * np.sqrt(inner)) / (size + z_power**2)
    return np.where(possible & (delta <= psi), delta, np.nan)


def detectable_graded(n: ArrayLike, *, spread: ArrayLike, alpha: float, power: float, sides: str) -> FloatArray:
    """Smallest mean difference of graded credit on the same n items, given the differences' `spread` (sd).

    NaN where n = 0. Normal approximation: Miller 2024, arXiv:2411.00640, section 5.
    """
    z_alpha, z_power = _quantiles(alpha, power, sides)
    size, sd = np.asarray(n, dtype=np.float64), np.asarray(spread, dtype=np.float64)
    return np.where(size > 0, (z_alpha + z_power) * sd / np.sqrt(np.where(size > 0, size, 1)), np.nan)


def items_needed(difference: ArrayLike, *, discordant: ArrayLike, alpha: float, power: float, sides: str) -> FloatArray:
    """Count the common items after which McNemar's test detects `difference`, rounded up.

    NaN where the difference is 0 or exceeds `discordant`. Source: Connor 1987, doi:10.2307/2531961.
    """
    z_alpha, z_power = _quantiles(alpha, power, sides)
    delta, psi = np.abs(np.asarray(difference, dtype=np.float64)), _share(discordant)
    possible = (delta > 0) & (delta <= psi)
    inner = np.sqrt(np.maximum(psi - delta**2, 0.0))
    need = ((z_alpha * np.sqrt(psi) + z_power * inner) / np.where(possible, delta, 1.0)) ** 2
    return np.where(possible, np.ceil(need), np.nan)


def _share(discordant: ArrayLike) -> FloatArray:
    psi = np.asarray(discordant, dtype=np.float64)
    if ((psi <= 0) | (psi > 1)).any():
        raise ValueError("discordant must be a share of items above 0 and at most 1")
    return psi
