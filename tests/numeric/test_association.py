import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import chi2_contingency, ncx2
from scipy.stats.contingency import association
from statsmodels.stats.contingency_tables import Table

from analytics.numeric.association import adjusted_residuals, cramers_v

TABLES = hnp.arrays(int, st.tuples(st.integers(1, 4), st.integers(1, 5)), elements=st.integers(0, 30))


def test_agrees_with_scipy_and_statsmodels():
    rng = np.random.default_rng(1)
    for _ in range(200):
        table = rng.integers(1, 50, rng.integers(2, 6, 2))
        ours = cramers_v(table, level=0.95)
        chi = chi2_contingency(table, correction=False)
        assert ours.v == pytest.approx(association(table, method="cramer", correction=False))
        assert (ours.chi_square, ours.p, ours.df) == pytest.approx((chi.statistic, chi.pvalue, chi.dof))
        np.testing.assert_allclose(adjusted_residuals(table), Table(table, shift_zeros=False).standardized_resids)


def test_interval_end_points_solve_the_noncentral_chi_square():
    table = np.array([[40, 12, 9], [11, 35, 20]])
    ours = cramers_v(table, level=0.9)
    for end, share in ((ours.low, 0.95), (ours.high, 0.05)):
        assert ncx2.cdf(ours.chi_square, ours.df, end**2 * table.sum()) == pytest.approx(share, abs=1e-6)
    assert ours.low < ours.v_corrected < ours.v < ours.high


def test_interval_covers_the_population_value():
    rng = np.random.default_rng(2)
    cells = np.array([[0.2, 0.1, 0.1], [0.1, 0.2, 0.3]])
    expected = np.outer(cells.sum(axis=1), cells.sum(axis=0))
    true = np.sqrt(((cells - expected) ** 2 / expected).sum())
    covered, corrected = 0, []
    for _ in range(1000):
        ours = cramers_v(rng.multinomial(150, cells.ravel()).reshape(2, 3), level=0.95)
        covered += ours.low <= true <= ours.high
        corrected.append(ours.v_corrected)
    assert 0.93 <= covered / 1000 <= 0.97
    assert np.mean(corrected) == pytest.approx(true, abs=0.015)


def test_perfect_and_absent_association():
    perfect = cramers_v(np.diag([10, 20, 30]), level=0.95)
    assert perfect.v == pytest.approx(1)
    assert perfect.v_corrected <= 1
    none = cramers_v(np.full((3, 3), 10), level=0.95)
    assert (none.v, none.v_corrected, none.low, none.high, none.p) == (0, 0, 0, 0, 1)


def test_undefined_says_why_and_empty_margins_are_left_out():
    assert cramers_v(np.zeros((2, 3), int), level=0.95).reason == "no counts"
    assert cramers_v([[3, 4], [0, 0]], level=0.95).reason == "one row"
    assert cramers_v([[3, 0], [4, 0]], level=0.95).reason == "one column"
    full = cramers_v([[3, 9], [8, 2]], level=0.95)
    padded = cramers_v([[3, 0, 9], [0, 0, 0], [8, 0, 2]], level=0.95)
    assert full == padded
    residuals = adjusted_residuals([[3, 0, 9], [0, 0, 0], [8, 0, 2]])
    assert np.isnan(residuals[1]).all()
    assert np.isnan(residuals[:, 1]).all()
    np.testing.assert_allclose(residuals[::2, ::2], adjusted_residuals([[3, 9], [8, 2]]))
    with pytest.raises(ValueError, match="counts must be a matrix"):
        cramers_v([1, 2], level=0.95)


@given(TABLES)
def test_bounds_and_transpose(table):
    ours, turned = cramers_v(table, level=0.9), cramers_v(table.T, level=0.9)
    residuals = adjusted_residuals(table)
    np.testing.assert_allclose(residuals, adjusted_residuals(table.T).T, atol=1e-12)
    if ours.reason:
        assert np.isnan(ours.v)
        return
    assert ours.v == pytest.approx(turned.v)
    assert 0 <= ours.v <= 1 + 1e-12
    assert 0 <= ours.low <= ours.high <= 1
