import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact as scipy_fisher
from scipy.stats import hypergeom
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.multitest import multipletests

from analytics.numeric.adjust import benjamini_hochberg, holm
from analytics.numeric.contrasts import fisher_exact, odds_ratio, risk_difference
from tests.numeric.published import rows

cell = st.integers(0, 60)
PERCEPTION = ("intent_recognition", "behavior_prediction", "emotional_empathy")
CAUSAL = ("causal_antecedent", "counterfactual_reasoning")


def srb_family(alternative, *, leave_out=()):
    """Perception (272 items) against causal + counterfactual (145) within each system of SRB Table 3."""
    right = {}
    for row in rows("srb_table3"):
        group = 0 if row["dimension"] in PERCEPTION else 1 if row["dimension"] in CAUSAL else None
        if group is not None:
            part = right.setdefault(row["system"], np.zeros((2, 2), dtype=int))
            part[group] += [int(row["correct"]), int(row["n"])]
    assert {tuple(part[:, 1]) for part in right.values()} == {(272, 145)}
    table = np.array([[a, n - a, c, m - c] for (a, n), (c, m) in right.values()])
    p = dict(zip(right, fisher_exact(*table.T, alternative=alternative), strict=True))
    human = p.pop("Human")
    kept = [system for system in p if system not in leave_out]
    return human, np.array([p[system] for system in kept])


def test_srb_contrast_one_sided_holm_over_eight_systems():
    human, p = srb_family("greater")
    adjusted, m = holm(p)
    assert m == 8
    assert (adjusted <= 0.05).sum() == 6
    assert adjusted[adjusted <= 0.05].max() == pytest.approx(0.045, abs=5e-4)
    assert human == pytest.approx(0.142, abs=5e-4)


def test_srb_contrast_two_sided_and_without_the_gemini_systems():
    _, p = srb_family("two-sided")
    assert (holm(p).p <= 0.05).sum() == 5
    _, p = srb_family("greater", leave_out=("Gemini 3 Pro", "Gemini 3 Flash"))
    adjusted, m = holm(p)
    assert m == 6
    assert (adjusted <= 0.05).sum() == 5


def test_fisher_tea_tasting():
    """Fisher 1935, The Design of Experiments: 3 of 4 cups named rightly; R fisher.test gives 0.2429, 0.4857."""
    assert fisher_exact(3, 1, 1, 3, alternative="greater") == pytest.approx(17 / 70)
    assert fisher_exact(3, 1, 1, 3, alternative="two-sided") == pytest.approx(34 / 70)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_fisher_agrees_with_scipy(alternative):
    rng = np.random.default_rng(3)
    n1, n2 = rng.integers(1, 60, 1500), rng.integers(1, 60, 1500)
    a, c = rng.binomial(n1, rng.random(1500)), rng.binomial(n2, rng.random(1500))
    ours = fisher_exact(a, n1 - a, c, n2 - c, alternative=alternative)
    theirs = [
        scipy_fisher([[w, x], [y, z]], alternative=alternative).pvalue
        for w, x, y, z in zip(a, n1 - a, c, n2 - c, strict=True)
    ]
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-13)


def test_fisher_on_large_totals():
    rng = np.random.default_rng(4)
    n1, n2 = rng.integers(2000, 6000, 40), rng.integers(2000, 6000, 40)
    a, c = rng.binomial(n1, 0.5), rng.binomial(n2, 0.51)
    theirs = [scipy_fisher(t).pvalue for t in np.stack([a, n1 - a, c, n2 - c], 1).reshape(-1, 2, 2)]
    np.testing.assert_allclose(fisher_exact(a, n1 - a, c, n2 - c, alternative="two-sided"), theirs, rtol=1e-8)
    # past the table of log factorials
    tail = fisher_exact(1_000_500, 999_500, 1_000_000, 1_000_000, alternative="greater")
    assert tail == pytest.approx(hypergeom.sf(1_000_499, 4_000_000, 2_000_000, 2_000_500), rel=1e-6)


def test_fisher_with_an_empty_margin():
    empty_row = fisher_exact([0, 5], [0, 5], [3, 0], [4, 0], alternative="two-sided")
    assert np.isnan(empty_row).all()
    nobody_or_everybody = fisher_exact([0, 7], [7, 0], [0, 3], [3, 0], alternative="two-sided")
    assert nobody_or_everybody.tolist() == [1.0, 1.0]
    assert fisher_exact([], [], [], [], alternative="less").shape == (0,)
    adjusted, m = holm(fisher_exact([0, 9], [0, 1], [3, 1], [4, 9], alternative="two-sided"))
    assert m == 1
    assert np.isnan(adjusted[0])
    with pytest.raises(ValueError, match="alternative is 'both'; allowed: two-sided, greater, less"):
        fisher_exact(1, 2, 3, 4, alternative="both")
    with pytest.raises(ValueError, match="b must hold whole counts"):
        fisher_exact(1, 2.5, 3, 4, alternative="less")


@given(cell, cell, cell, cell)
def test_fisher_symmetries(a, b, c, d):
    two = fisher_exact(a, b, c, d, alternative="two-sided")
    greater = fisher_exact(a, b, c, d, alternative="greater")
    less = fisher_exact(a, b, c, d, alternative="less")
    np.testing.assert_allclose(fisher_exact(c, d, a, b, alternative="two-sided"), two, rtol=1e-9)
    np.testing.assert_allclose(fisher_exact(c, d, a, b, alternative="less"), greater, rtol=1e-9)
    if a + b and c + d:
        assert 0 <= greater <= 1
        assert greater + less >= 1 - 1e-9
        assert min(greater, less) <= two + 1e-9


def test_odds_ratio_agrees_with_statsmodels():
    rng = np.random.default_rng(5)
    tables = rng.integers(1, 90, (300, 4))
    ours = odds_ratio(*tables.T, level=0.9, correction=0.5)
    for at, table in enumerate(tables):
        theirs = Table2x2(table.reshape(2, 2))
        assert ours.estimate[at] == pytest.approx(theirs.oddsratio)
        np.testing.assert_allclose([ours.low[at], ours.high[at]], theirs.oddsratio_confint(alpha=0.1), rtol=1e-9)


def test_odds_ratio_with_zero_cells_and_margins():
    plain = odds_ratio([5, 0, 0, 3, 0], [0, 5, 0, 3, 4], [2, 2, 3, 0, 0], [3, 3, 3, 0, 4],
                       level=0.95, correction=0)  # fmt: skip
    np.testing.assert_array_equal(plain.estimate, [np.inf, 0, np.nan, np.nan, np.nan])
    assert np.isnan(plain.low).all()
    fixed = odds_ratio([5], [0], [2], [3], level=0.95, correction=0.5)
    assert fixed.estimate[0] == pytest.approx(5.5 * 3.5 / (0.5 * 2.5))
    assert fixed.low[0] < fixed.estimate[0] < fixed.high[0] < np.inf
    assert fixed.method == "Woolf, 0.5 added to tables with a zero cell"


def test_risk_difference():
    ours = risk_difference([56, 0], [14, 0], [48, 3], [32, 4], level=0.95)
    assert ours.estimate[0] == pytest.approx(0.2)
    assert ours.low[0] == pytest.approx(0.0524, abs=5e-5)
    assert np.isnan([ours.estimate[1], ours.low[1]]).all()


def test_holm_golden():
    """HomericIntelligence/Scylla PR 288 (a value that was not monotone), and the textbook order of three."""
    np.testing.assert_allclose(holm([0.01, 0.011]).p, [0.02, 0.02])
    np.testing.assert_allclose(holm([0.04, 0.01, 0.03]).p, [0.06, 0.03, 0.06])
    assert holm([]).p.tolist() == []
    assert holm([]).m == 0
    assert holm([0.7, 0.9]).p.tolist() == [1.0, 1.0]


def test_undefined_tests_leave_the_family():
    adjusted, m = holm([0.01, np.nan, 0.04])
    assert m == 2
    np.testing.assert_allclose(adjusted, [0.02, np.nan, 0.04])
    adjusted, m = benjamini_hochberg([np.nan, np.nan])
    assert m == 0
    assert np.isnan(adjusted).all()
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, 1.2])


def test_adjustments_agree_with_statsmodels():
    rng = np.random.default_rng(6)
    for m in (1, 2, 3, 10, 300, 5000):  # few calls: each one of the library's collects garbage
        p = np.round(rng.random(m) ** 3, 2)  # with ties
        for ours, method in ((holm(p).p, "holm"), (benjamini_hochberg(p).p, "fdr_bh")):
            np.testing.assert_allclose(ours, multipletests(p, method=method)[1], rtol=1e-12)


@given(st.lists(st.floats(0, 1), max_size=40))
def test_adjustments_never_lower_a_value_and_keep_order(p):
    for ours in (holm(p).p, benjamini_hochberg(p).p):
        assert (ours >= np.array(p) - 1e-15).all()
        assert (np.diff(ours[np.argsort(p, kind="stable")]) >= 0).all()
    assert (holm(p).p >= benjamini_hochberg(p).p - 1e-15).all()
