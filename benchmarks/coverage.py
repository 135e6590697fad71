"""How often the intervals hold the true value: writes docs/coverage.md.

Run from the repository root: python -m benchmarks.coverage
Coverage is summed over every possible count of right items; the bootstrap's end points come from its resamples.
"""

from functools import cache
from pathlib import Path

import numpy as np
from scipy.stats import binom

from analytics.numeric.bootstrap import mean_interval
from analytics.numeric.intervals import clopper_pearson, wilson

PAGE = Path(__file__).resolve().parents[1] / "docs" / "coverage.md"
SIZES = (10, 30, 100)
RATES = (0.5, 0.9, 0.98)
LEVEL = 0.95
RESAMPLES = 10_000
SEED = 20_260_101


def covered(low: np.ndarray, high: np.ndarray, n: int, p: float) -> tuple[float, float]:
    """Coverage and mean width of the intervals of k = 0 ... n, over the binomial distribution of k."""
    weight = binom.pmf(np.arange(n + 1), n, p)
    # a mean of n items may differ from p by rounding
    holds = (low <= p + 1e-12) & (p - 1e-12 <= high)
    return float(weight[holds].sum()), float((weight * (high - low)).sum())


def exact_coverage(interval, n: int, p: float) -> tuple[float, float]:
    return covered(*interval(np.arange(n + 1), n, level=LEVEL), n, p)


def bootstrap_coverage(n: int, p: float) -> tuple[float, float]:
    """Coverage of the percentile bootstrap of 0/1 credit, which depends on the count alone."""
    right = (np.arange(n)[None, :] < np.arange(n + 1)[:, None]).astype(np.float64)
    interval = mean_interval(right, mean="micro", level=LEVEL, resamples=RESAMPLES, seed=SEED)
    return covered(interval.low, interval.high, n, p)


@cache
def mean_wilson_coverage(n: int) -> float:
    """Exact coverage of Wilson, averaged over true rates spread evenly between 0 and 1."""
    rates = (np.arange(2_000) + 0.5) / 2_000
    return float(np.mean([exact_coverage(wilson, n, p)[0] for p in rates]))


@cache
def table() -> list[tuple[int, float, list[tuple[float, float]]]]:
    """One row per n and p: (coverage, width) of Wilson, Clopper-Pearson and the bootstrap."""
    return [
        (
            n,
            p,
            [
                exact_coverage(wilson, n, p),
                exact_coverage(clopper_pearson, n, p),
                bootstrap_coverage(n, p),
            ],
        )
        for n in SIZES
        for p in RATES
    ]


def page() -> str:
    cells = table()
    means = {n: mean_wilson_coverage(n) for n in SIZES}
    low, high = (
        min(cover[0][0] for *_, cover in cells),
        max(cover[0][0] for *_, cover in cells),
    )
    worst = min(cells, key=lambda cell: cell[2][2][0])
    nine = np.mean([cover[0][0] for *_, cover in cells])
    lines = [
        "# Do the 95 % intervals hold the true value?",
        "",
        "<!-- written by benchmarks/coverage.py; do not edit -->",
        "",
        f"n independent items, true rate p, level {100 * LEVEL:.0f} %. Each cell: the share of benchmarks whose",
        "interval holds p and, in brackets, its mean width in points. Summed over every possible count of right items,",
        f"so nothing but the bootstrap's end points is random ({RESAMPLES:,} resamples, seed {SEED}).",
        "",
        "| n | p | Wilson | Clopper-Pearson | percentile bootstrap |",
        "| ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {n} | {p} | " + " | ".join(f"{100 * c:.1f} % ({100 * w:.1f})" for c, w in cover) + " |"
        for n, p, cover in cells
    ]
    lines += [
        "",
        f"Wilson's mean coverage over these nine cells is {100 * nine:.1f} % ({100 * low:.1f} to {100 * high:.1f} %);",
        "averaged over all true rates from 0 to 1 it is "
        + ", ".join(f"{100 * value:.1f} % at n = {n}" for n, value in means.items())
        + ".",
        "",
        "## What follows for the reader",
        "",
        "- **Wilson is the interval of a rate of independent items.** It holds what it says on average. At one",
        "  particular p it may be a few points above or below, because a count can only take whole values.",
        "- **Clopper-Pearson never covers less than its level** and pays with width. Take it where a promise must",
        "  hold for every p.",
        f"- **The percentile bootstrap is too narrow for few items and rates near 1.** At n = {worst[0]} and",
        f"  p = {worst[1]} it holds p in {100 * worst[2][2][0]:.0f} % of benchmarks only: when every item is right, so",
        "  is each resample, and the interval is a point. A bootstrap interval without width says that there are too",
        "  few errors to resample, not that the rate is certain.",
        "- So take Wilson wherever credit is right or wrong and items are independent, and the bootstrap where nothing",
        "  else fits: partial credit, several attempts, macro means, clusters. With fewer than about 30 items, or",
        "  fewer than about 5 errors, read a bootstrap interval as a lower bound of the uncertainty.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    text = page()
    PAGE.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
