from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import mannwhitneyu, pointbiserialr

from analytics.numeric.items import item_statistics, pass_at_k, pass_hat_k

CREDIT = hnp.arrays(
    float, st.tuples(st.integers(1, 7), st.integers(1, 6)), elements=st.sampled_from([0.0, 0.5, 1.0, np.nan])
)


def test_discrimination_and_inversion_against_scipy():
    credit = np.random.default_rng(1).integers(0, 2, (12, 15)).astype(float)
    got = item_statistics(credit)
    for item in range(15):
        rest = np.delete(credit, item, axis=1).mean(axis=1)
        right = credit[:, item] == 1
        assert got.discrimination[item] == pytest.approx(pointbiserialr(right, rest).statistic)
        u = mannwhitneyu(rest[right], rest[~right]).statistic
        assert got.inversion[item] == pytest.approx(1 - u / (right.sum() * (~right).sum()))
    np.testing.assert_allclose(got.difficulty, credit.mean(axis=0))


def test_an_item_that_good_runs_miss():
    credit = np.array([[1, 1, 1, 0], [1, 1, 1, 0], [1, 0, 0, 1], [0, 0, 0, 1]], float)
    got = item_statistics(credit)
    assert got.inversion[3] == 1
    assert got.discrimination[3] < 0
    assert got.inversion[1] == 0.25  # run 2 missed item 1 and equals runs 0 and 1 elsewhere: two of four pairs tie


def test_nobody_everybody_missing_and_reasons():
    nan = np.nan
    credit = np.array([[0, 1, nan, 1, 1.0], [0, 1, nan, nan, 0.5], [0, nan, nan, 0, 0.5]])
    got = item_statistics(credit)
    assert got.n.tolist() == [3, 2, 0, 2, 3]
    assert got.nobody.tolist() == [True, False, False, False, False]
    assert got.everybody.tolist() == [False, True, False, False, False]
    assert got.reason.tolist()[:3] == ["all runs alike", "all runs alike", "no runs"]
    assert np.isnan(got.discrimination[:3]).all()
    assert np.isnan(got.difficulty[2])
    alone = item_statistics([[1, 0]])
    assert alone.reason.tolist() == ["all runs alike"] * 2
    only = item_statistics([[1.0], [0.0]])
    assert only.reason.tolist() == ["other items do not tell the runs apart"]
    level = item_statistics([[1, 0], [0, 0], [1, 0]])
    assert level.reason.tolist() == ["other items do not tell the runs apart", "all runs alike"]
    assert item_statistics(np.zeros((0, 3))).reason.tolist() == ["no runs"] * 3


@settings(deadline=None)
@given(CREDIT, st.randoms(use_true_random=False))
def test_statistics_are_bounded_and_ignore_the_order_of_runs(credit, random):
    got = item_statistics(credit)
    turned = item_statistics(credit[random.sample(range(len(credit)), len(credit))])
    np.testing.assert_allclose(got.discrimination, turned.discrimination, atol=1e-9)
    np.testing.assert_allclose(got.inversion, turned.inversion, atol=1e-12)
    assert got.reason.tolist() == turned.reason.tolist()
    known = got.reason == ""
    assert (np.isnan(got.discrimination) == ~known).all()
    assert (np.abs(got.discrimination[known]) <= 1).all()
    assert ((got.inversion[known] >= 0) & (got.inversion[known] <= 1)).all()


def test_pass_at_k_golden():
    """openai/human-eval#35: 0 right of 2 with k = 5 is undefined, not 1; 4 attempts, 1 right, k = 2: one half."""
    assert np.isnan(pass_at_k(2, 0, k=5))
    assert pass_at_k(5, 5, k=1) == 1
    assert pass_at_k(4, 1, k=2) == pytest.approx(0.5)
    assert pass_hat_k(4, 3, k=2) == pytest.approx(0.5)
    assert np.isnan(pass_hat_k(1, 1, k=2))
    assert np.isnan(pass_at_k(0, 0, k=1))
    assert pass_at_k([], [], k=1).shape == (0,)


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_k_counts_every_draw(attempts):
    n, c, k = attempts
    draws = list(combinations([1] * c + [0] * (n - c), k))
    assert pass_at_k(n, c, k=k) == pytest.approx(np.mean([any(draw) for draw in draws]))
    assert pass_hat_k(n, c, k=k) == pytest.approx(np.mean([all(draw) for draw in draws]))
    assert pass_hat_k(n, c, k=k) <= pass_at_k(n, c, k=k) + 1e-12


def test_pass_at_k_with_many_attempts_and_bad_counts():
    assert pass_at_k(1000, 17, k=100) == pytest.approx(1 - comb(983, 100) / comb(1000, 100))
    with pytest.raises(ValueError, match="c must not exceed n"):
        pass_at_k(2, 3, k=1)
    with pytest.raises(ValueError, match="k must be 1 or more"):
        pass_at_k(2, 1, k=0)
    with pytest.raises(ValueError, match="c must hold whole counts"):
        pass_at_k(2, 0.5, k=1)
