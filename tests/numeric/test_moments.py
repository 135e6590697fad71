import numpy as np
import pytest

from analytics.numeric.bootstrap import difference_interval, gap_intervals, mean_interval
from analytics.numeric.moments import difference_from_moments, mean_from_moments, ratio_from_moments

rng = np.random.default_rng(6)
STRATA = rng.integers(0, 4, 3000)
RAW = rng.choice([0.0, 0.5, 1.0], (3, 3000), p=[0.2, 0.1, 0.7])
VERIFIED = RAW * rng.choice([1.0, 1 / 1.2, 1 / 1.44], RAW.shape)
BOOT = {"level": 0.95, "resamples": 6000, "seed": 1}


def sums(values):
    """Runs x strata sums of a runs x items matrix."""
    return np.stack([values[:, label == STRATA].sum(axis=1) for label in range(4)], axis=1)


def moments_of(a, b):
    return {"n": sums(np.ones_like(a)), "a": sums(a), "b": sums(b), "aa": sums(a * a), "bb": sums(b * b)}


@pytest.mark.parametrize("mean", ["micro", "macro"])
def test_mean_agrees_with_the_bootstrap(mean):
    strata = STRATA if mean == "macro" else None
    boot = mean_interval(RAW, mean=mean, strata=strata, **BOOT)
    ours = mean_from_moments(sums(np.ones_like(RAW)), sums(RAW), sums(RAW**2), mean=mean, level=0.95)
    np.testing.assert_allclose(ours.estimate, boot.estimate, atol=1e-12)
    np.testing.assert_allclose(ours.low, boot.low, atol=0.0012)
    np.testing.assert_allclose(ours.high, boot.high, atol=0.0012)
    assert ours.resamples is None
    assert ours.method == f"delta method from moments, {mean} mean"


@pytest.mark.parametrize("mean", ["micro", "macro"])
def test_gap_and_retention_agree_with_the_bootstrap(mean):
    strata = STRATA if mean == "macro" else None
    gap, retention = gap_intervals(RAW, VERIFIED, mean=mean, strata=strata, **BOOT)
    m = moments_of(RAW, VERIFIED)
    products = sums(RAW * VERIFIED)
    ours = difference_from_moments(
        m["n"],
        total_a=m["a"],
        total_b=m["b"],
        squares_a=m["aa"],
        squares_b=m["bb"],
        products=products,
        mean=mean,
        level=0.95,
    )
    np.testing.assert_allclose(ours.estimate, gap.estimate, atol=1e-12)
    np.testing.assert_allclose([ours.low, ours.high], [gap.low, gap.high], atol=0.0005)
    ours = ratio_from_moments(
        m["n"],
        denominator=m["a"],
        numerator=m["b"],
        denominator_squares=m["aa"],
        numerator_squares=m["bb"],
        products=products,
        mean=mean,
        level=0.95,
    )
    np.testing.assert_allclose(ours.estimate, retention.estimate, atol=1e-12)
    np.testing.assert_allclose([ours.low, ours.high], [retention.low, retention.high], atol=0.0006)


def test_difference_of_two_runs_is_paired():
    boot, _ = difference_interval(RAW, [0], [1], mean="micro", **BOOT)
    m = moments_of(RAW[:1], RAW[1:2])
    ours = difference_from_moments(
        m["n"],
        total_a=m["a"],
        total_b=m["b"],
        squares_a=m["aa"],
        squares_b=m["bb"],
        products=sums(RAW[:1] * RAW[1:2]),
        mean="micro",
        level=0.95,
    )
    np.testing.assert_allclose([ours.low, ours.high], [boot.low, boot.high], atol=0.0012)


def test_clusters_as_units_of_a_ratio():
    clusters = np.repeat(np.arange(300), 10)
    values = (RAW[0] + np.repeat(rng.random(300), 10)) / 2
    boot = mean_interval(values[None], mean="micro", clusters=clusters, **BOOT)
    totals = np.bincount(clusters, weights=values)
    sizes = np.bincount(clusters)
    ours = ratio_from_moments(
        [300],
        denominator=[sizes.sum()],
        numerator=[totals.sum()],
        denominator_squares=[(sizes**2).sum()],
        numerator_squares=[(totals**2).sum()],
        products=[(totals * sizes).sum()],
        mean="micro",
        level=0.95,
    )
    np.testing.assert_allclose([ours.low, ours.high], [boot.low[0], boot.high[0]], atol=0.002)


def test_odd_cases_are_undefined_without_a_warning():
    ours = mean_from_moments([[0, 0], [5, 0], [4, 4]], [[0, 0], [5, 0], [4, 0]], [[0, 0], [5, 0], [4, 0]],
                             mean="macro", level=0.95)  # fmt: skip
    assert np.isnan(ours.estimate).tolist() == [True, True, False]
    assert (ours.low[2], ours.high[2]) == (0.5, 0.5)
    micro = mean_from_moments([[5, 0]], [[5, 0]], [[5, 0]], mean="micro", level=0.95)
    assert micro.estimate.tolist() == [1.0]
    zero = ratio_from_moments([3], denominator=[0], numerator=[0], denominator_squares=[0],
                              numerator_squares=[0], products=[0], mean="micro", level=0.9)  # fmt: skip
    assert np.isnan([zero.estimate, zero.low]).all()
    with pytest.raises(ValueError, match="strata on their last axis"):
        mean_from_moments(3, 2, 2, mean="micro", level=0.9)
    with pytest.raises(ValueError, match="n must be finite"):
        mean_from_moments([np.nan], [2], [2], mean="micro", level=0.9)
