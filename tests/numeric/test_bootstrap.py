import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import bootstrap as scipy_bootstrap
from scipy.stats import rankdata

from analytics.numeric.bootstrap import (
    difference_interval,
    gap_intervals,
    mean_estimate,
    mean_interval,
    mean_replicates,
)
from analytics.numeric.ranks import rank_intervals, ranks
from analytics.numeric.resampling import percentiles, product, resample_weights, resampled_sums, resampling_units

CREDIT = np.array([0.0, 0.5, 1.0, 1 / 1.44])
SMALL = {"resamples": 400, "seed": 5}


def weights(n, **options):
    return np.concatenate(list(resample_weights(n, **options)))


def credit(runs, items, seed=0):
    return np.random.default_rng(seed).choice(CREDIT, (runs, items))


def test_weights_are_multinomial_counts():
    drawn = weights(40, resamples=20_000, seed=1)
    assert drawn.shape == (20_000, 40)
    assert (drawn.sum(axis=1) == 40).all()
    np.testing.assert_allclose(drawn.mean(axis=0), 1, atol=0.04)
    np.testing.assert_allclose(drawn.var(axis=0), 1 - 1 / 40, atol=0.06)
    assert np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1] == pytest.approx(-1 / 39, abs=0.03)


def test_weights_depend_on_the_seed_alone(monkeypatch):
    strata = np.arange(30) % 3
    before = weights(30, resamples=50, seed=1), weights(30, resamples=50, seed=1, strata=strata)
    assert not np.array_equal(before[0], weights(30, resamples=50, seed=2))
    monkeypatch.setattr("analytics.numeric.resampling._CELLS", 300)
    after = weights(30, resamples=50, seed=1), weights(30, resamples=50, seed=1, strata=strata)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)


def test_products_by_rows_are_the_product():
    rng = np.random.default_rng(1)
    for shape in ((0, 5, 3), (7, 0, 3), (7, 5, 0), (301, 1000, 25), (5, 40, 2)):
        left, right = rng.integers(0, 5, shape[:2]).astype(float), rng.random(shape[1:])
        np.testing.assert_allclose(product(left, right), left @ right, rtol=1e-12)
        np.testing.assert_allclose(product(left[:, 2:], right[2:]), left[:, 2:] @ right[2:], rtol=1e-12)


def test_strata_keep_their_number_of_items_and_clusters_stay_whole():
    strata = np.array(["b", "a", "a", "b", "c", "a"])
    drawn = weights(6, resamples=300, seed=3, strata=strata)
    for label in "abc":
        assert (drawn[:, strata == label].sum(axis=1) == (strata == label).sum()).all()
    clusters = np.array([7, 7, 3, 3, 3, 9])
    drawn = weights(6, resamples=300, seed=3, clusters=clusters)
    for label in (7, 3, 9):
        part = drawn[:, clusters == label]
        assert (part == part[:, :1]).all()
    assert (drawn[:, [0, 2, 5]].sum(axis=1) == 3).all()


def test_clusters_within_strata_and_clusters_that_cross_them():
    nested = resampling_units(6, clusters=[1, 1, 2, 3, 3, 4], strata=list("aaabbb"))
    assert nested.label == "clusters within strata"
    assert nested.pools == (2, 2)
    crossing = resampling_units(4, clusters=[1, 1, 2, 2], strata=list("abab"))
    assert crossing.label == "whole clusters, which cross the strata"
    assert crossing.pools == (2,)
    drawn = weights(6, resamples=200, seed=0, clusters=[1, 1, 2, 3, 3, 4], strata=list("aaabbb"))
    assert (drawn[:, 0] == drawn[:, 1]).all()
    assert (drawn[:, 0] + drawn[:, 2] == 2).all()


def test_the_mean_in_a_resample_is_the_weighted_mean():
    values = credit(4, 30)
    values[1, 3:9] = np.nan
    drawn = weights(30, **SMALL)
    got = mean_replicates(values, mean="micro", **SMALL)
    for run in range(4):
        held = ~np.isnan(values[run])
        expected = drawn[:, held] @ values[run, held] / drawn[:, held].sum(axis=1)
        np.testing.assert_allclose(got[:, run], expected, rtol=1e-12)


def test_the_macro_mean_in_a_resample():
    values, strata = credit(3, 24), np.random.default_rng(4).integers(0, 3, 24)
    values[0, :4] = np.nan
    order = np.argsort(strata, kind="stable")
    drawn = weights(24, strata=strata[order], **SMALL)
    got = mean_replicates(values, mean="macro", strata=strata, **SMALL)
    inside = [strata[order] == label for label in range(3)]
    ordered = values[:, order]
    with np.errstate(invalid="ignore"):
        expected = np.mean(
            [
                (drawn[:, part] @ np.nan_to_num(ordered[:, part]).T)
                / (drawn[:, part] @ (~np.isnan(ordered[:, part])).T)
                for part in inside
            ],
            axis=0,
        )
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_interval_agrees_with_scipy():
    values = credit(6, 200, seed=9)
    ours = mean_interval(values, mean="micro", level=0.95, resamples=20_000, seed=1)
    theirs = scipy_bootstrap(
        (values,), np.mean, axis=1, n_resamples=20_000, method="percentile", batch=500, rng=2
    ).confidence_interval
    np.testing.assert_allclose(ours.low, theirs.low, atol=0.004)
    np.testing.assert_allclose(ours.high, theirs.high, atol=0.004)
    np.testing.assert_allclose(ours.estimate, values.mean(axis=1), rtol=1e-13)


def test_variance_of_the_replicates_is_the_plug_in_variance():
    values = credit(1, 80, seed=3)
    spread = mean_replicates(values, mean="micro", resamples=40_000, seed=1).var()
    assert spread == pytest.approx(values.var() / 80, rel=0.03)
    strata = np.arange(80) % 4
    spread = mean_replicates(values, mean="macro", strata=strata, resamples=40_000, seed=1).var()
    parts = [values[0, strata == label] for label in range(4)]
    assert spread == pytest.approx(sum(part.var() / 20 for part in parts) / 16, rel=0.03)


def test_clustered_items_widen_the_interval():
    episode = np.repeat(np.arange(30), 10)
    values = np.repeat(credit(1, 30, seed=2), 10, axis=1)
    alone = mean_interval(values, mean="micro", level=0.95, resamples=2000, seed=1)
    whole = mean_interval(values, mean="micro", level=0.95, resamples=2000, seed=1, clusters=episode)
    ratio = (whole.high - whole.low) / (alone.high - alone.low)
    assert ratio[0] == pytest.approx(np.sqrt(10), rel=0.15)
    assert whole.method == "percentile bootstrap over clusters, micro mean"


def test_gap_and_retention_take_the_responses_that_have_both():
    raw = np.array([[1.0, 1.0, 0.0, np.nan, 1.0]])
    verified = np.array([[1.0, 0.5, 0.0, 0.2, np.nan]])
    gap, retention = gap_intervals(raw, verified, mean="micro", level=0.9, **SMALL)
    assert gap.estimate[0] == pytest.approx(2 / 3 - 0.5)
    assert retention.estimate[0] == pytest.approx(0.75)
    assert (gap.low >= 0).all()
    assert retention.high[0] <= 1
    # resamples with only the wrong or the unpaired responses have no retention; they are counted, not dropped
    assert retention.undefined[0] > gap.undefined[0] > 0


def test_differences_are_paired_and_over_common_items():
    values = credit(3, 50, seed=1)
    values[2] = values[0]
    interval, n = difference_interval(values, [0, 0], [1, 2], mean="micro", level=0.95, **SMALL)
    assert (interval.estimate[1], interval.low[1], interval.high[1]) == (0, 0, 0)
    replicates = mean_replicates(values, mean="micro", **SMALL)
    low, high = percentiles(replicates[:, [0]] - replicates[:, [1]], (0.025, 0.975))
    np.testing.assert_allclose([interval.low[0], interval.high[0]], [low[0], high[0]], atol=1e-12)
    values[1, :20] = np.nan
    interval, n = difference_interval(values, [0], [1], mean="micro", level=0.95, **SMALL)
    assert n.tolist() == [30]
    assert interval.estimate[0] == pytest.approx(np.nanmean(values[0] - values[1]))


def test_ranks_share_the_best_place():
    np.testing.assert_array_equal(ranks(np.array([0.5, 0.9, 0.9, np.nan, 0.1])), [3, 1, 1, np.nan, 4])
    np.testing.assert_array_equal(ranks(np.array([0.1 + 0.2, 0.3])), [1, 1])


@given(hnp.arrays(float, (3, 6), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0])))
def test_ranks_agree_with_scipy(means):
    np.testing.assert_array_equal(ranks(means), rankdata(-means, method="min", axis=1))


def test_rank_intervals_hold_ranks_that_occur():
    values = credit(5, 60, seed=8)
    values[4] = values[3]
    replicates = mean_replicates(values, mean="micro", resamples=1000, seed=1)
    result = rank_intervals(replicates, mean_estimate(values, mean="micro"), level=0.95)
    assert result.rank[4] == result.rank[3]
    assert (result.low <= result.rank).all()
    assert (result.rank <= result.high).all()
    assert set(np.unique([result.low, result.high])) <= {1.0, 2.0, 3.0, 4.0, 5.0}
    assert result.first_share[4] == result.first_share[3]
    assert result.first_share.sum() >= 1 - 1e-12


def test_rank_interval_against_order_statistics():
    replicates = np.random.default_rng(1).random((999, 4))
    result = rank_intervals(replicates, replicates.mean(axis=0), level=0.9)
    placed = np.sort(rankdata(-replicates, method="min", axis=1), axis=0)
    np.testing.assert_array_equal(result.low, placed[49])
    np.testing.assert_array_equal(result.high, placed[949])


@given(hnp.arrays(float, (7, 3), elements=st.sampled_from([np.nan, 0.0, 0.25, 1.0, 3.0])))
def test_percentiles_leave_undefined_resamples_out(replicates):
    got = percentiles(replicates, (0.1, 0.9))
    for column in range(3):
        defined = replicates[~np.isnan(replicates[:, column]), column]
        if len(defined) == 0:
            assert np.isnan(got[:, column]).all()
        else:
            np.testing.assert_allclose(got[:, column], np.quantile(defined, [0.1, 0.9]), atol=1e-12)


@pytest.mark.parametrize("fill", [0.0, 1.0])
def test_all_right_and_all_wrong_have_no_width(fill):
    interval = mean_interval(np.full((2, 30), fill), mean="micro", level=0.95, **SMALL)
    assert (interval.low == fill).all()
    assert (interval.high == fill).all()


def test_missing_runs_and_empty_strata_are_undefined():
    values = credit(3, 20)
    values[1] = np.nan
    values[2, :10] = np.nan
    strata = np.repeat([0, 1], 10)
    micro = mean_interval(values, mean="micro", level=0.95, **SMALL)
    macro = mean_interval(values, mean="macro", strata=strata, level=0.95, **SMALL)
    assert np.isnan([micro.estimate[1], micro.low[1], micro.high[1]]).all()
    assert micro.undefined.tolist() == [0, 400, 0]
    assert np.isnan(macro.estimate).tolist() == [False, True, True]
    assert macro.undefined.tolist() == [0, 400, 400]
    nothing = mean_interval(np.zeros((2, 0)), mean="micro", level=0.95, **SMALL)
    assert np.isnan(nothing.estimate).all()
    nothing = mean_interval(np.zeros((2, 0)), mean="macro", strata=[], level=0.95, **SMALL)
    assert np.isnan(nothing.low).all()


def test_bad_arguments_are_named():
    values = credit(2, 5)
    with pytest.raises(ValueError, match="macro mean needs strata"):
        mean_replicates(values, mean="macro", **SMALL)
    with pytest.raises(ValueError, match="micro mean takes none"):
        mean_replicates(values, mean="micro", strata=[0] * 5, **SMALL)
    with pytest.raises(ValueError, match="mean is 'median'; allowed: micro, macro"):
        mean_estimate(values, mean="median")
    with pytest.raises(ValueError, match="resamples must be 1 or more"):
        mean_replicates(values, mean="micro", resamples=0, seed=1)
    with pytest.raises(ValueError, match=r"clusters needs one label per item \(5\)"):
        mean_replicates(values, mean="micro", clusters=[1, 2], **SMALL)
    with pytest.raises(ValueError, match="raw is"):
        gap_intervals(values, values[:1], mean="micro", level=0.9, **SMALL)


def test_sums_over_patterns_have_the_distribution_of_sums_over_units():
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    times = np.array([50, 30, 20])
    patterned = resampled_sums(rows, multiplicity=times, resamples=20_000, seed=1)
    unit = resampled_sums(np.repeat(rows, times, axis=0), resamples=20_000, seed=1)
    np.testing.assert_allclose(patterned.mean(axis=0), unit.mean(axis=0), atol=0.2)
    np.testing.assert_allclose(np.cov(patterned.T), np.cov(unit.T), rtol=0.06)
    clustered = resampled_sums(rows, clusters=[1, 1, 2], resamples=50, seed=1)
    assert set(map(tuple, clustered)) <= {(2.0, 2.0), (1.0, 1.0)}
    assert resampled_sums(np.zeros((0, 2)), multiplicity=[], resamples=3, seed=1).tolist() == [[0, 0]] * 3
    with pytest.raises(ValueError, match="not both"):
        resampled_sums(rows, multiplicity=times, clusters=[1, 1, 2], resamples=3, seed=1)


@settings(max_examples=40, deadline=None)
@given(
    hnp.arrays(float, (3, 8), elements=st.sampled_from([0.0, 0.5, 1.0, np.nan])),
    st.permutations(range(3)),
)
def test_permuting_runs_permutes_the_intervals(values, order):
    options = {"mean": "micro", "level": 0.9, "resamples": 60, "seed": 2}
    straight, turned = mean_interval(values, **options), mean_interval(values[list(order)], **options)
    np.testing.assert_allclose(straight.low[list(order)], turned.low, atol=1e-12)
    np.testing.assert_allclose(straight.high[list(order)], turned.high, atol=1e-12)
    known = ~np.isnan(straight.estimate)
    assert (straight.low[known] >= 0).all()
    assert (straight.high[known] <= 1).all()
