import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as sm_fleiss

from analytics.numeric.agreement import fleiss_kappa, gwet_ac1, rating_patterns, unanimity
from analytics.numeric.alpha import krippendorff_alpha
from analytics.numeric.kappa import cohen_kappa, kappa_intervals

NO_INTERVAL = {"level": 0.95, "resamples": 0, "seed": 0}
BOOT = {"level": 0.95, "resamples": 500, "seed": 1}
SKIPPING = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ]
) - 1  # fmt: skip
"""Krippendorff 2011, section C: four observers, 12 units, some skipped (-1); irrCAC ships it as cac.raw4raters."""
WIKIPEDIA = """0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"""
RATINGS = hnp.arrays(np.int8, st.tuples(st.integers(1, 5), st.integers(0, 14)), elements=st.integers(-1, 3))


def from_counts(rows):
    return np.array([np.repeat(np.arange(len(row)), row) for row in rows]).T.astype(np.int8)


def cross_table(first, second, size):
    both = (first >= 0) & (second >= 0)
    return np.bincount(first[both] * size + second[both], minlength=size * size).reshape(size, size)


def test_cohen_golden():
    """Cohen's kappa of 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, expected 0.5, kappa 0.4."""
    ratings = np.repeat([[1, 1, 0, 0], [1, 0, 1, 0]], [20, 5, 10, 15], axis=1)
    got = cohen_kappa(ratings, weights="unweighted")
    parts = (got.n, got.agreement, got.observed, got.expected, got.kappa)
    np.testing.assert_allclose([part[0, 1] for part in parts], [50, 0.7, 0.7, 0.5, 0.4])
    np.testing.assert_allclose([got.prevalence[0, 1, 1], got.prevalence[1, 0, 1]], [0.5, 0.6])


@pytest.mark.parametrize("weights", ["unweighted", "linear", "quadratic"])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_cohen_agrees_with_statsmodels(weights, missing):
    rng = np.random.default_rng(1)
    scheme = None if weights == "unweighted" else weights
    truth = rng.integers(0, 5, 40_000)
    ratings = np.array([np.where(rng.random(40_000) < 0.6, truth, rng.integers(0, 5, 40_000)) for _ in range(4)])
    ratings[rng.random(ratings.shape) < missing] = -1
    got = cohen_kappa(ratings, weights=weights)
    for i in range(4):
        for j in range(4):
            table = cross_table(ratings[i], ratings[j], 5)
            expected = cohens_kappa(table, wt=scheme, return_results=False)
            assert got.kappa[i, j] == pytest.approx(expected, abs=1e-12)
            assert got.n[i, j] == table.sum()
            assert got.agreement[i, j] == pytest.approx(np.trace(table) / table.sum())
            np.testing.assert_allclose(got.prevalence[i, j], table.sum(axis=1) / table.sum())


def test_many_categories_are_counted_pair_by_pair():
    ratings = np.random.default_rng(2).integers(-1, 90, (3, 400)).astype(np.int16)
    ratings[1, :200] = ratings[0, :200]
    got = cohen_kappa(ratings, weights="unweighted")
    assert got.kappa[0, 1] == pytest.approx(
        cohens_kappa(cross_table(ratings[0].astype(int), ratings[1], 90), return_results=False), abs=1e-12
    )
    assert got.n[0, 2] == got.n[2, 0]


def test_one_category_is_undefined_with_its_reason():
    got = cohen_kappa(np.array([[1, 1, 1], [1, 1, 1]]), weights="unweighted")
    assert np.isnan(got.kappa[0, 1])
    assert got.reason[0, 1] == "one category"
    assert (got.n[0, 1], got.agreement[0, 1]) == (3, 1.0)
    for weights in ("linear", "quadratic"):
        assert cohen_kappa(np.array([[2, 2], [2, 2]]), weights=weights).reason[0, 1] == "one category"
    assert fleiss_kappa([[1, 1, 1], [1, 1, 1]], **NO_INTERVAL).reason == "one category"
    assert krippendorff_alpha([[1, 1, 1], [1, 1, 1]], metric="nominal", **NO_INTERVAL).reason == "one category"
    ac1 = gwet_ac1([[1, 1, 1], [1, 1, 1]], categories=2, **NO_INTERVAL)
    assert (ac1.value, ac1.reason) == (1.0, "")
    # two constant raters who never agree: chance agreement is 0, so kappa is 0 and defined
    assert cohen_kappa(np.array([[0, 0], [1, 1]]), weights="unweighted").kappa[0, 1] == 0


def test_skewed_prevalence():
    """95/5 prevalence, 90 % agreement: kappa below zero, AC1 0.8895."""
    ratings = np.repeat([[1, 1, 0], [1, 0, 1]], [90, 5, 5], axis=1)
    got = cohen_kappa(ratings, weights="unweighted")
    assert got.agreement[0, 1] == 0.9
    assert got.kappa[0, 1] == pytest.approx((0.9 - 0.905) / 0.095)
    assert gwet_ac1(ratings, categories=2, **NO_INTERVAL).value == pytest.approx((0.9 - 0.095) / 0.905)


def test_one_judge_missing_on_half():
    rng = np.random.default_rng(3)
    ratings = rng.integers(0, 2, (3, 100))
    ratings[2, 50:] = -1
    got = cohen_kappa(ratings, weights="unweighted")
    assert got.n.tolist() == [[100, 100, 50], [100, 100, 50], [50, 50, 50]]
    half = cohen_kappa(ratings[:, :50], weights="unweighted")
    assert got.kappa[0, 2] == half.kappa[0, 2]
    ratings[0, :50] = -1
    got = cohen_kappa(ratings, weights="unweighted")
    assert got.reason[0, 2] == "no common units"
    assert np.isnan([got.kappa[0, 2], got.agreement[0, 2], got.expected[0, 2]]).all()


def test_no_units_one_judge_and_bad_codes():
    for ratings in (np.zeros((2, 0), int), np.full((2, 4), -1), np.array([[0, 1, 1]])):
        assert cohen_kappa(ratings, weights="linear").n.shape == (len(ratings),) * 2
        for value in (
            fleiss_kappa(ratings, **BOOT),
            gwet_ac1(ratings, categories=2, **BOOT),
            unanimity(ratings, **BOOT),
            krippendorff_alpha(ratings, metric="ordinal", **BOOT),
        ):
            assert np.isnan(value.value)
            assert value.reason == "no common units"
            assert value.n == 0
    assert kappa_intervals(np.array([[0, 1]]), weights="linear", **BOOT).estimate.shape == (0,)
    with pytest.raises(ValueError, match="holds the code -2"):
        cohen_kappa(np.array([[0, -2]]), weights="linear")
    with pytest.raises(ValueError, match="signed integer codes"):
        cohen_kappa(np.array([[0.0, np.nan]]), weights="linear")
    with pytest.raises(ValueError, match="holds the code 2, but categories is 2"):
        gwet_ac1([[0, 2]], categories=2, **BOOT)
    with pytest.raises(ValueError, match="weights is 'cubic'"):
        cohen_kappa(np.array([[0, 1]]), weights="cubic")


def test_fleiss_golden_and_statsmodels():
    """Fleiss 1971's method on the example of 14 raters, 10 subjects, 5 categories: 0.210."""
    rows = [[int(cell) for cell in row.split()] for row in WIKIPEDIA.split("|")]
    got = fleiss_kappa(from_counts(rows), **NO_INTERVAL)
    assert round(got.value, 3) == 0.210
    assert got.value == pytest.approx(sm_fleiss(np.array(rows)), rel=1e-12)
    rng = np.random.default_rng(4)
    for _ in range(50):
        table = rng.multinomial(6, rng.dirichlet([1, 1, 1, 1]), size=30)
        assert fleiss_kappa(from_counts(table), **NO_INTERVAL).value == pytest.approx(sm_fleiss(table), abs=1e-12)


def test_unequal_numbers_of_ratings_golden():
    """irrCAC 1.0 vignette, cac.raw4raters: Fleiss 0.76117 (pe 0.2387153), AC1 0.77544 (pe 0.1903212), pa 0.8181818."""
    fleiss = fleiss_kappa(SKIPPING, **NO_INTERVAL)
    assert (round(fleiss.observed, 7), round(fleiss.expected, 7)) == (0.8181818, 0.2387153)
    assert round(fleiss.value, 5) == 0.76117
    assert (fleiss.n, fleiss.left_out) == (11, 1)
    ac1 = gwet_ac1(SKIPPING, categories=5, **NO_INTERVAL)
    assert (round(ac1.expected, 7), round(ac1.value, 5)) == (0.1903212, 0.77544)


def test_alpha_golden():
    """Krippendorff 2011, section C: nominal 0.743, ordinal 0.815, interval 0.849."""
    values = {
        m: krippendorff_alpha(SKIPPING, metric=m, **NO_INTERVAL).value for m in ("nominal", "ordinal", "interval")
    }
    assert {metric: round(value, 3) for metric, value in values.items()} == {
        "nominal": 0.743,
        "ordinal": 0.815,
        "interval": 0.849,
    }
    assert round(values["nominal"], 5) == 0.74342


def test_srb_overlap_golden():
    """SRB Table 9: 50 items, 5 annotators, 26 unanimous, pairwise agreement 77.8 %, kappa 0.73.

    Vote patterns with those totals (389 of 500 pairs agree), right letters cycling A to F.
    """
    splits = [(5, 0, 0)] * 26 + [(4, 1, 0)] * 19 + [(3, 1, 1)] * 5
    rows = np.zeros((50, 6), int)
    for item, split in enumerate(splits):
        for step, count in enumerate(split):
            rows[item, (item + step) % 6] += count
    ratings = from_counts(rows)
    assert unanimity(ratings, **NO_INTERVAL).value == 26 / 50
    kappa = fleiss_kappa(ratings, **NO_INTERVAL)
    assert kappa.observed == pytest.approx(0.778)
    assert round(kappa.value, 2) == 0.73


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval"])
def test_alpha_agrees_with_the_krippendorff_package(metric):
    rng = np.random.default_rng(5)
    for _ in range(150):
        ratings = rng.integers(-1, rng.integers(2, 6), (rng.integers(2, 6), 25))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = krippendorff.alpha(np.where(ratings < 0, np.nan, ratings), level_of_measurement=metric)
        got = krippendorff_alpha(ratings, metric=metric, **NO_INTERVAL)
        assert got.value == pytest.approx(expected, abs=1e-10)


def test_alpha_of_credit_levels():
    ratings = np.random.default_rng(6).integers(-1, 3, (3, 60))
    credit = np.array([0.0, 0.5, 1.0])
    got = krippendorff_alpha(ratings, metric="interval", values=credit, **NO_INTERVAL)
    expected = krippendorff.alpha(np.where(ratings < 0, np.nan, credit[ratings]), level_of_measurement="interval")
    assert got.value == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError, match="values belong to the interval metric"):
        krippendorff_alpha(ratings, metric="nominal", values=credit, **NO_INTERVAL)
    with pytest.raises(ValueError, match="finite number for each of the codes 0 to 2"):
        krippendorff_alpha(ratings, metric="interval", values=[0, 1], **NO_INTERVAL)


def test_patterns_fit_one_integer_or_not():
    ratings = np.random.default_rng(7).integers(-1, 30, (4, 200)).astype(np.int16)
    got = rating_patterns(ratings, categories=30)
    counts = np.array([[(ratings[:, unit] == code).sum() for code in range(30)] for unit in range(200)])
    np.testing.assert_array_equal(got.rows[got.of_unit], counts)
    small = rating_patterns(ratings % 5, categories=5)
    np.testing.assert_array_equal(small.rows[small.of_unit][:, 2], ((ratings % 5) == 2).sum(axis=0))
    assert small.times.sum() == 200


def test_bootstrap_interval_of_kappa_has_the_delta_methods_width():
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 3, 400)
    ratings = np.array([np.where(rng.random(400) < 0.8, truth, rng.integers(0, 3, 400)) for _ in range(3)])
    got = kappa_intervals(ratings, weights="unweighted", level=0.95, resamples=4000, seed=1)
    for at, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        theirs = cohens_kappa(cross_table(ratings[i], ratings[j], 3))
        np.testing.assert_allclose([got.low[at], got.high[at]], [theirs.kappa_low, theirs.kappa_upp], atol=0.015)
    single = kappa_intervals(ratings, weights="unweighted", clusters=np.arange(400), level=0.95, resamples=4000, seed=1)
    np.testing.assert_allclose([single.low, single.high], [got.low, got.high], atol=0.012)


def test_clustered_units_widen_the_intervals():
    rng = np.random.default_rng(9)
    ratings = np.repeat(rng.integers(0, 2, (3, 60)) | rng.integers(0, 2, 60), 5, axis=1)
    clusters = np.repeat(np.arange(60), 5)
    for function, extra in ((fleiss_kappa, {}), (gwet_ac1, {"categories": 2}), (unanimity, {}),
                            (krippendorff_alpha, {"metric": "nominal"})):  # fmt: skip
        alone, whole = function(ratings, **extra, **BOOT), function(ratings, clusters=clusters, **extra, **BOOT)
        assert (whole.high - whole.low) / (alone.high - alone.low) == pytest.approx(np.sqrt(5), rel=0.3)
        assert alone.low <= alone.value <= alone.high


def test_undefined_resamples_are_counted():
    ratings = np.array([[1, 1, 1, 1, 0], [1, 1, 1, 1, 0]])
    got = kappa_intervals(ratings, weights="unweighted", **BOOT)
    # a resample misses the only disagreeing category with probability 0.8^5
    assert got.undefined[0] / 500 == pytest.approx(0.8**5, abs=0.07)
    assert (got.low[0], got.high[0]) == (1, 1)
    assert fleiss_kappa(ratings, **BOOT).undefined == pytest.approx(500 * 0.8**5, abs=35)


@settings(deadline=None)
@given(RATINGS, st.sampled_from(["unweighted", "linear", "quadratic"]))
def test_kappa_is_symmetric_bounded_and_ignores_unit_order(ratings, weights):
    got = cohen_kappa(ratings, weights=weights)
    np.testing.assert_array_equal(got.kappa, got.kappa.T)
    assert (np.isnan(got.kappa) == (got.reason != "")).all()
    assert np.nanmax(got.kappa, initial=-9) <= 1
    np.testing.assert_array_equal(cohen_kappa(ratings[:, ::-1], weights=weights).kappa, got.kappa)


@settings(deadline=None, max_examples=60)
@given(RATINGS, st.randoms(use_true_random=False))
def test_coefficients_ignore_the_order_of_raters_and_units(ratings, random):
    raters = random.sample(range(len(ratings)), len(ratings))
    turned = ratings[raters][:, ::-1]
    for function, extra in ((fleiss_kappa, {}), (gwet_ac1, {"categories": 4}), (unanimity, {}),
                            (krippendorff_alpha, {"metric": "ordinal"})):  # fmt: skip
        one, other = function(ratings, **extra, **NO_INTERVAL), function(turned, **extra, **NO_INTERVAL)
        np.testing.assert_allclose(one.value, other.value, atol=1e-12)
        assert np.isnan(one.value) == bool(one.reason)
        assert np.isnan(one.value) or one.value <= 1 + 1e-12


def test_kappa_intervals_share_the_draws_of_units_over_all_pairs():
    rng = np.random.default_rng(11)
    ratings = np.where(rng.random((4, 60)) < 0.1, -1, rng.integers(0, 3, (4, 60)))
    for clusters in (None, np.arange(60) // 3):
        settings = {"weights": "linear", "level": 0.9, "resamples": 300, "seed": 4, "clusters": clusters}
        together = kappa_intervals(ratings, **settings)
        for at, (i, j) in enumerate(zip(*np.triu_indices(4, 1), strict=True)):
            alone = kappa_intervals(ratings[[i, j]], **settings)
            np.testing.assert_allclose([together.low[at], together.high[at]], [alone.low[0], alone.high[0]], atol=1e-12)
            assert together.undefined[at] == alone.undefined[0]
