import itertools
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import cochrans_q
from statsmodels.stats.contingency_tables import mcnemar as sm_mcnemar
from statsmodels.stats.power import NormalIndPower

from analytics.numeric.paired import cochran_q, mcnemar, pair_counts, sign_flip
from analytics.numeric.power import detectable_graded, detectable_paired, detectable_unpaired, items_needed

ANSWERS = hnp.arrays(np.int8, st.tuples(st.integers(1, 5), st.integers(0, 12)), elements=st.integers(-1, 1))


def test_mcnemar_golden():
    """b = 9, c = 1 (inspect_ai#2176's question); HSS Section 4: pairs (63, 33) and (53, 28)."""
    p = mcnemar([9, 63, 53], [1, 33, 28], alternative="two-sided")
    assert round(p[0], 4) == 0.0215
    assert round(p[1], 3) == 0.003
    assert round(p[2], 3) == 0.007


def test_mcnemar_agrees_with_statsmodels():
    rng = np.random.default_rng(1)
    b, c = rng.integers(0, 200, (2, 1000))
    ours = mcnemar(b, c, alternative="two-sided")
    theirs = [sm_mcnemar([[0, x], [y, 0]], exact=True).pvalue for x, y in zip(b, c, strict=True)]
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@given(st.integers(0, 40), st.integers(0, 40))
def test_one_sided_mcnemar_is_the_binomial_tail(b, c):
    n = b + c
    upper = sum(comb(n, x) for x in range(b, n + 1)) / 2**n
    assert mcnemar(b, c, alternative="greater") == pytest.approx(upper)
    assert mcnemar(c, b, alternative="less") == pytest.approx(upper)
    assert mcnemar(b, c, alternative="two-sided") == pytest.approx(mcnemar(c, b, alternative="two-sided"), rel=1e-12)


def test_runs_that_never_differ_have_p_one():
    assert mcnemar(0, 0, alternative="two-sided") == 1
    assert mcnemar([0], [0], alternative="greater").tolist() == [1.0]
    assert mcnemar([], [], alternative="less").shape == (0,)
    with pytest.raises(ValueError, match="b must hold whole counts"):
        mcnemar(1.5, 2, alternative="less")


@given(ANSWERS)
def test_pair_counts_by_hand(correct):
    got = pair_counts(correct)
    for i, j in itertools.product(range(len(correct)), repeat=2):
        pairs = [(x, y) for x, y in zip(correct[i], correct[j], strict=True) if x >= 0 and y >= 0]
        cells = (got.n, got.both, got.first_only, got.second_only, got.neither)
        expected = [len(pairs), *(pairs.count(kind) for kind in ((1, 1), (1, 0), (0, 1), (0, 0)))]
        assert [int(cell[i, j]) for cell in cells] == expected


def test_missing_may_be_nan_and_graded_credit_is_refused():
    correct = np.array([[1, 0, np.nan, 1], [0, 0, 1, 1]])
    got = pair_counts(correct)
    assert (got.n[0, 1], got.first_only[0, 1], got.second_only[0, 1]) == (3, 1, 0)
    with pytest.raises(ValueError, match=r"found 0\.5"):
        pair_counts([[0.5, 1.0]])
    assert pair_counts(np.zeros((2, 0))).n.tolist() == [[0, 0], [0, 0]]


def test_pair_counts_over_many_blocks():
    correct = np.random.default_rng(2).integers(-1, 2, (4, 70_000), dtype=np.int8)
    got = pair_counts(correct)
    assert got.first_only[1, 3] == ((correct[1] == 1) & (correct[3] == 0)).sum()
    complete = np.abs(correct)
    assert pair_counts(complete).second_only[0, 2] == ((complete[0] == 0) & (complete[2] == 1)).sum()


def test_sign_flip_of_zero_one_credit_is_mcnemar():
    rng = np.random.default_rng(3)
    rows = rng.choice([-1.0, 0.0, 1.0, np.nan], (40, 20), p=[0.2, 0.5, 0.2, 0.1])
    for alternative in ("two-sided", "greater", "less"):
        got = sign_flip(rows, alternative=alternative, resamples=10, seed=1)
        assert got.exact.all()
        expected = mcnemar((rows == 1).sum(axis=1), (rows == -1).sum(axis=1), alternative=alternative)
        np.testing.assert_allclose(got.p, expected, rtol=1e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_sign_flip_agrees_with_scipy(alternative):
    rows = np.random.default_rng(4).choice([-1, -0.5, 0, 0.5, 0.7], (5, 11))
    got = sign_flip(rows, alternative=alternative, resamples=10, seed=1)
    for row, p in zip(rows, got.p, strict=True):
        theirs = permutation_test(
            (row,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative=alternative
        ).pvalue
        # scipy's two-sided p is twice the smaller tail; by symmetry of the flips that is ours
        assert p == pytest.approx(min(1, theirs), rel=1e-9)


def test_drawn_sign_flips_approach_mcnemar_and_add_one():
    rows = np.zeros((2, 200))
    rows[0, :30], rows[0, 30:45] = 1, -1
    rows[1, :100] = 1
    got = sign_flip(rows, alternative="two-sided", resamples=20_000, seed=1)
    assert got.exact.tolist() == [False, False]
    assert got.p[0] == pytest.approx(float(mcnemar(30, 15, alternative="two-sided")), abs=0.004)
    assert got.p[1] == 1 / 20_001
    again = sign_flip(rows, alternative="two-sided", resamples=20_000, seed=1)
    np.testing.assert_array_equal(got.p, again.p)


def test_sign_flip_odd_cases():
    rows = np.array([[np.nan, np.nan], [0.0, 0.0], [0.5, np.nan]])
    got = sign_flip(rows, alternative="two-sided", resamples=5, seed=1)
    np.testing.assert_array_equal(got.p, [np.nan, 1, 1])
    assert got.n.tolist() == [0, 2, 1]
    assert np.isnan(got.mean[0])
    assert sign_flip(np.zeros((1, 0)), alternative="less", resamples=5, seed=1).n.tolist() == [0]
    with pytest.raises(ValueError, match="resamples must be 1 or more"):
        sign_flip(rows, alternative="less", resamples=0, seed=1)


def test_cochran_agrees_with_statsmodels_and_leaves_incomplete_items_out():
    rng = np.random.default_rng(5)
    correct = rng.integers(0, 2, (4, 60)).astype(float)
    theirs = cochrans_q(correct.T)
    got = cochran_q(correct)
    assert (got.statistic, got.p, got.df, got.n) == (theirs.statistic, theirs.pvalue, 3, 60)
    correct[1, :7] = np.nan
    got = cochran_q(correct)
    assert (got.n, got.left_out) == (53, 7)
    assert got.statistic == cochrans_q(correct[:, 7:].T).statistic


def test_cochran_golden():
    """Cochran 1950, Table 2: four media for growing 69 diphtheria specimens, Q = 8.05."""
    patterns = [(1, 1, 1, 1)] * 4 + [(1, 1, 0, 1)] * 2 + [(0, 1, 1, 1)] * 3 + [(0, 1, 0, 1)] + [(0, 0, 0, 0)] * 59
    assert round(cochran_q(np.array(patterns).T).statistic, 2) == 8.05


def test_cochran_undefined_says_why():
    assert cochran_q([[1, 0, 1]]).reason == "one run"
    assert cochran_q([[1, 0], [1, 0]]).reason == "runs never differ"
    assert cochran_q([[1, -1], [-1, 0]]).reason == "no common items"
    assert np.isnan(cochran_q(np.ones((3, 4))).p)


def test_detectable_unpaired_agrees_with_statsmodels():
    for n1, n2, base in ((100, 100, 0.5), (272, 145, 0.4), (50, 400, 0.1)):
        rise = float(detectable_unpaired(n1, n2, baseline=base, alpha=0.05, power=0.8, sides="two-sided"))
        effect = NormalIndPower().solve_power(nobs1=n1, alpha=0.05, power=0.8, ratio=n2 / n1)
        assert 2 * (np.arcsin(np.sqrt(base + rise)) - np.arcsin(np.sqrt(base))) == pytest.approx(effect, rel=1e-4)


def test_detectable_paired_has_the_stated_power():
    rng = np.random.default_rng(6)
    n, psi = 800, 0.2
    delta = float(detectable_paired(n, discordant=psi, alpha=0.05, power=0.8, sides="two-sided"))
    draws = rng.multinomial(n, [(psi + delta) / 2, (psi - delta) / 2, 1 - psi], 20_000)
    b, c = draws[:, 0], draws[:, 1]
    assert (np.abs(b - c) / np.sqrt(b + c) > 1.959964).mean() == pytest.approx(0.8, abs=0.02)
    assert items_needed(delta, discordant=psi, alpha=0.05, power=0.8, sides="two-sided") == pytest.approx(n, abs=1)


@settings(deadline=None)
@given(st.integers(0, 5000), st.floats(0.01, 1), st.floats(0.5, 0.99))
def test_detectable_differences_are_possible_and_shrink_with_n(n, psi, power):
    options = {"alpha": 0.05, "power": power, "sides": "one-sided"}
    paired = detectable_paired([n, n + 500], discordant=psi, **options)
    assert np.isnan(paired[0]) or 0 < paired[1] <= paired[0] <= psi
    graded = detectable_graded([n, n + 500], spread=0.4, **options)
    assert np.isnan(graded[0]) == (n == 0)
    assert n == 0 or graded[1] < graded[0]


def test_power_odd_cases():
    options = {"alpha": 0.05, "power": 0.8, "sides": "two-sided"}
    assert np.isnan(detectable_paired([0, 5], discordant=0.2, **options)).all()
    assert np.isnan(detectable_unpaired([0, 2, 9], [5, 2, 9], baseline=0.9, **options)).all()
    assert np.isnan(items_needed([0.0, 0.5], discordant=0.2, **options)).all()
    with pytest.raises(ValueError, match="sides is"):
        detectable_paired(5, discordant=0.2, alpha=0.05, power=0.8, sides="both")
    with pytest.raises(ValueError, match=r"power must be 0\.5 or more"):
        detectable_paired(5, discordant=0.2, alpha=0.05, power=0.2, sides="one-sided")
    with pytest.raises(ValueError, match="discordant must be"):
        items_needed(0.1, discordant=0, **options)
