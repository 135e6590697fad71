"""Speed of the kernels against the library call or the bare array code, in one process, values compared.

Run from the repository root: python -m benchmarks.numeric_bench
"""

import statistics
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import krippendorff
import numpy as np
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as library_mcnemar

from analytics.numeric.alpha import krippendorff_alpha
from analytics.numeric.bootstrap import mean_interval
from analytics.numeric.contrasts import fisher_exact
from analytics.numeric.kappa import cohen_kappa
from analytics.numeric.paired import mcnemar, pair_counts
from analytics.numeric.voting import plurality


def interleaved(ours: Callable[[], Any], floor: Callable[[], Any], *, repeats: int) -> tuple[float, float, Any, Any]:
    """Time both in turns, so that a busy machine hits both; medians and the last results."""
    times: tuple[list[float], list[float]] = ([], [])
    results: list[Any] = [None, None]
    for _ in range(repeats):
        for at, call in enumerate((ours, floor)):
            start = time.perf_counter()
            results[at] = call()
            times[at].append(time.perf_counter() - start)
    return statistics.median(times[0]), statistics.median(times[1]), *results


def row(figure: str, ours_s: float, floor_s: float, *, goal: float, faster: bool) -> dict[str, Any]:
    """`faster`: the ratio is floor / ours and must reach the goal; else ours / floor and must not exceed it."""
    ratio = floor_s / ours_s if faster else ours_s / floor_s
    return {
        "figure": figure,
        "ours_s": ours_s,
        "floor_s": floor_s,
        "ratio": ratio,
        "goal": f"{'>=' if faster else '<='} {goal:g}",
        "ok": ratio >= goal if faster else ratio <= goal,
    }


def fisher() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    n1, n2 = rng.integers(5, 80, (2, 10_000))
    a, c = rng.binomial(n1, 0.6), rng.binomial(n2, 0.5)
    tables = np.stack([a, n1 - a, c, n2 - c], axis=1)

    def loop() -> np.ndarray:
        return np.array([stats.fisher_exact([[w, x], [y, z]]).pvalue for w, x, y, z in tables])

    def ours() -> np.ndarray:
        return fisher_exact(*tables.T, alternative="two-sided")

    ours()
    quick = statistics.median(interleaved(ours, ours, repeats=5)[:2])
    _, slow, mine, theirs = interleaved(ours, loop, repeats=1)
    np.testing.assert_allclose(mine, theirs, rtol=1e-9)
    return row("Fisher two-sided, 10,000 tables, against scipy's loop", quick, slow, goal=100, faster=True)


def bootstrap() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    values = (rng.random((25, 1000)) < np.linspace(0.3, 0.8, 25)[:, None]).astype(np.float64)

    def ours() -> Any:
        return mean_interval(values, mean="micro", level=0.95, resamples=10_000, seed=1)

    def library() -> Any:
        return stats.bootstrap(
            (values,), np.mean, axis=1, n_resamples=10_000, method="percentile", batch=100, rng=1
        ).confidence_interval

    ours_s, floor_s, mine, theirs = interleaved(ours, library, repeats=5)
    # both are random: 10,000 resamples place an end point within about 0.001
    np.testing.assert_allclose([mine.low, mine.high], [theirs.low, theirs.high], atol=0.003)
    return row("bootstrap, 10,000 x 25 x 1,000, against scipy.stats.bootstrap", ours_s, floor_s, goal=5, faster=True)


def pairs() -> dict[str, Any]:
    rng = np.random.default_rng(2)
    correct = (rng.random((25, 1000)) < np.linspace(0.3, 0.8, 25)[:, None]).astype(np.int8)
    first, second = np.triu_indices(25, 1)

    def ours() -> np.ndarray:
        counted = pair_counts(correct)
        return mcnemar(counted.first_only[first, second], counted.second_only[first, second], alternative="two-sided")

    def loop() -> np.ndarray:
        right = correct.astype(bool)
        out = []
        for i, j in zip(first, second, strict=True):
            x, y = right[i], right[j]
            table = [[(x & y).sum(), (x & ~y).sum()], [(~x & y).sum(), (~x & ~y).sum()]]
            out.append(library_mcnemar(table, exact=True).pvalue)
        return np.array(out)

    ours_s, floor_s, mine, theirs = interleaved(ours, loop, repeats=9)
    np.testing.assert_allclose(mine, theirs, rtol=1e-9)
    return row("McNemar exact, 300 pairs, against statsmodels' loop", ours_s, floor_s, goal=30, faster=True)


def panel() -> dict[str, Any]:
    """Agreement and kappa of 25 raters and their plurality over 400,000 items, against the bare kernels."""
    rng = np.random.default_rng(3)
    choices = rng.integers(0, 6, (25, 400_000), dtype=np.int8)
    correct = rng.integers(0, 6, 400_000, dtype=np.int8)

    def ours() -> tuple[Any, Any]:
        return cohen_kappa(choices, weights="unweighted"), plurality(choices, correct, ties="share")

    def bare() -> tuple[np.ndarray, np.ndarray]:
        equal, share = np.zeros((25, 25)), []
        for code in range(6):
            chosen = (choices == code).astype(np.float32)
            equal += chosen @ chosen.T
            share.append((choices == code).mean(1))
        prevalence = np.stack(share)
        chance = prevalence.T @ prevalence
        votes = np.stack([(choices == code).sum(0, dtype=np.int16) for code in range(6)])
        return (equal / choices.shape[1] - chance) / (1 - chance), votes.argmax(0)

    ours_s, floor_s, (kappas, vote), (bare_kappa, bare_winner) = interleaved(ours, bare, repeats=3)
    off = ~np.eye(25, dtype=bool)
    np.testing.assert_allclose(kappas.kappa[off], bare_kappa[off], atol=1e-9)
    decided = vote.tie_size == 1
    np.testing.assert_array_equal(vote.winner[decided], bare_winner[decided])
    return row("kappa + plurality, 25 x 400,000, against bare NumPy", ours_s, floor_s, goal=1.5, faster=False)


def alpha(raters: int, units: int) -> dict[str, Any]:
    rng = np.random.default_rng(4)
    ratings = rng.integers(-1, 4, (raters, units), dtype=np.int8)
    values = np.where(ratings < 0, np.nan, ratings)

    def ours() -> float:
        return krippendorff_alpha(ratings, metric="ordinal", level=0.95, resamples=0, seed=0).value

    def library() -> float:
        return krippendorff.alpha(values, level_of_measurement="ordinal")

    ours_s, floor_s, mine, theirs = interleaved(ours, library, repeats=15)
    np.testing.assert_allclose(mine, theirs, atol=1e-10)
    figure = f"Krippendorff's alpha, {raters} x {units:,}, against krippendorff"
    return row(figure, ours_s, floor_s, goal=1, faster=False)


def rows() -> list[dict[str, Any]]:
    """One dict per figure: figure, ours_s, floor_s, ratio, goal, ok. Raises when values differ."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the libraries' own
        return [fisher(), bootstrap(), pairs(), panel(), alpha(5, 3_780), alpha(25, 20_000)]


def main() -> int:
    results = rows()
    print(f"{'figure':72s} {'ours':>10s} {'floor':>10s} {'ratio':>8s} {'goal':>8s}")
    for result in results:
        print(
            f"{result['figure']:72s} {result['ours_s'] * 1e3:8.2f}ms {result['floor_s'] * 1e3:8.1f}ms "
            f"{result['ratio']:8.2f} {result['goal']:>8s} {'ok' if result['ok'] else 'MISSED'}"
        )
    return 0 if all(result["ok"] for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
