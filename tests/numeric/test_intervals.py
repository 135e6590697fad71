import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from analytics.numeric.intervals import clopper_pearson, newcombe, wilson
from tests.numeric.published import rows

counts = st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_wilson_gives_the_printed_intervals_of_srb_table_11():
    """SocialReasonBench Table 11 (95 %, per cent, one decimal) from Table 3's counts: 125 of 126 end points.

    The other one: GLM-4.6V-Flash on emotional empathy, 82 of 120, lower end 59.5521. The paper prints 59.5, which
    is what the accuracy as printed (68.33 %) gives: 59.5487. All 126 follow from the two-decimal accuracies.
    """
    printed = {(row["system"], row["dimension"]): row for row in rows("srb_table11_wilson")}
    table = rows("srb_table3")
    assert len(table) == 63
    k = np.array([int(row["correct"]) for row in table])
    n = np.array([int(row["n"]) for row in table])
    low, high = wilson(k, n, level=0.95)
    off = {}
    for row, lower, upper in zip(table, low, high, strict=True):
        key = row["system"], row["dimension"]
        for end, ours in (("wilson_low_pct", lower), ("wilson_high_pct", upper)):
            if abs(100 * ours - float(printed[key][end])) > 0.05 + 1e-9:
                off[*key, end] = 100 * ours
    assert list(off) == [("GLM-4.6V-Flash", "emotional_empathy", "wilson_low_pct")]
    assert off.popitem()[1] == pytest.approx(59.5521, abs=5e-5)
    assert score_interval(0.6833, 120)[0] == pytest.approx(0.595487, abs=5e-7)
    for row in table:
        paper = printed[row["system"], row["dimension"]]
        ends = score_interval(float(row["accuracy_pct"]) / 100, int(row["n"]))
        for end, value in zip(("wilson_low_pct", "wilson_high_pct"), ends, strict=True):
            assert abs(100 * value - float(paper[end])) <= 0.05 + 1e-9


def score_interval(share, n):
    """Both roots of the score equation (p - share)^2 = z^2 p (1 - p) / n."""
    z2 = 1.959963984540054**2
    return np.sort(np.roots([1 + z2 / n, -(2 * share + z2 / n), share**2]).real)


def test_wilson_gives_the_values_of_r():
    """5/10 at 90 %: R prop.test(5, 10, correct = FALSE, conf.level = 0.9), as in tern's test of prop_wilson.

    100/200 at 95 %: R 4.3.3 DescTools BinomCI, as in statsmodels' test_proportion_confint (Clopper-Pearson too).
    """
    np.testing.assert_allclose(wilson(5, 10, level=0.9), [0.2692718, 0.7307282], atol=5e-8)
    np.testing.assert_allclose(wilson(100, 200, level=0.95), [0.4313609, 0.5686391], atol=5e-8)
    np.testing.assert_allclose(clopper_pearson(100, 200, level=0.95), [0.4286584, 0.5713416], atol=5e-8)


def test_closed_ends_are_exact():
    for interval in (wilson, clopper_pearson):
        low, high = interval([0, 38, 0, 1], [1, 38, 10**7, 1], level=0.95)
        assert low[0] == 0.0
        assert low[2] == 0.0
        assert high[1] == 1.0
        assert high[3] == 1.0


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_agrees_with_statsmodels(level):
    rng = np.random.default_rng(1)
    n = rng.integers(1, 2000, 3000)
    k = rng.binomial(n, rng.random(3000))
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "beta")):
        expected = proportion_confint(k, n, alpha=1 - level, method=method)
        np.testing.assert_allclose(ours(k, n, level=level), expected, atol=1e-12)


def test_newcombe_agrees_with_statsmodels_and_its_paper():
    """Newcombe 1998 Table II, method 10: 56/70 - 48/80 gives 0.0524, 0.3339."""
    low, high = newcombe(56, 70, 48, 80, level=0.95)
    assert (round(float(low), 4), round(float(high), 4)) == (0.0524, 0.3339)
    rng = np.random.default_rng(2)
    for _ in range(300):
        n1, n2 = rng.integers(1, 300, 2)
        k1, k2 = rng.integers(0, n1 + 1), rng.integers(0, n2 + 1)
        expected = confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff")
        np.testing.assert_allclose(newcombe(k1, n1, k2, n2, level=0.95), expected, atol=1e-9)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_no_trials_is_no_interval(interval):
    low, high = interval([0, 3], [0, 5], level=0.95)
    assert np.isnan([low[0], high[0]]).all()
    assert not np.isnan([low[1], high[1]]).any()
    assert np.isnan(newcombe(0, 0, 3, 5, level=0.95)).all()
    assert interval([], [], level=0.95)[0].shape == (0,)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_refuses_what_is_no_count(interval):
    with pytest.raises(ValueError, match=r"k must hold whole counts, found 3\.5"):
        interval([3.5], [10], level=0.95)
    with pytest.raises(ValueError, match="whole counts"):
        interval([np.nan], [10], level=0.95)
    with pytest.raises(ValueError, match="k = 11 of n = 10"):
        interval([3, 11], [10, 10], level=0.95)
    with pytest.raises(ValueError, match="zero or more"):
        interval([-1], [10], level=0.95)
    with pytest.raises(ValueError, match="level must lie"):
        interval([1], [10], level=95)


def test_whole_numbers_in_floats_are_counts():
    np.testing.assert_array_equal(wilson([3.0], [10.0], level=0.9), wilson([3], [10], level=0.9))


@given(counts, st.floats(0.01, 0.999))
def test_bounds_symmetry_and_order(pair, level):
    k, n = pair
    for interval in (wilson, clopper_pearson):
        low, high = interval(k, n, level=level)
        if n == 0:
            assert np.isnan(low)
            continue
        assert 0 <= low <= k / n + 1e-12
        assert k / n - 1e-12 <= high <= 1
        mirror_low, mirror_high = interval(n - k, n, level=level)
        np.testing.assert_allclose([mirror_low, mirror_high], [1 - high, 1 - low], atol=1e-9)


@given(st.integers(1, 300), st.floats(0.5, 0.99))
def test_monotone_in_k_and_exact_is_wider_at_the_ends(n, level):
    k = np.arange(n + 1)
    for interval in (wilson, clopper_pearson):
        low, high = interval(k, n, level=level)
        assert (np.diff(low) > -1e-15).all()
        assert (np.diff(high) > -1e-15).all()


@given(counts, counts)
def test_newcombe_turns_with_its_groups(one, two):
    low, high = newcombe(*one, *two, level=0.95)
    if one[1] and two[1]:
        assert -1 <= low <= high <= 1
    mirror = newcombe(*two, *one, level=0.95)
    np.testing.assert_allclose([-high, -low], mirror, atol=1e-12)
