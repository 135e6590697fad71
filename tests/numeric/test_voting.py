from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import chisquare

from analytics.numeric.panels import subset_curve
from analytics.numeric.positions import position_bias
from analytics.numeric.voting import best_single, oracle, outvoted, plurality, right_ballots, shared_wrong

VOTES = st.tuples(st.integers(1, 6), st.integers(1, 10)).flatmap(
    lambda shape: st.tuples(
        hnp.arrays(np.int8, shape, elements=st.integers(-1, 3)),
        hnp.arrays(np.int8, shape[1], elements=st.integers(-1, 3)),
    )
)
RULES = [{"ties": "share"}, {"ties": "abstain"}, {"ties": "defer", "decider": 0}, {"ties": "random", "seed": 1}]


def by_hand(column, right):
    """Credit under "share", from a plain count of one item's valid ballots."""
    valid = [vote for vote in column.tolist() if vote >= 0]
    if not valid:
        return 0.0
    most = max(valid.count(vote) for vote in valid)
    first = {vote for vote in valid if valid.count(vote) == most}
    return 1 / len(first) if right in first else 0.0


def test_split_votes():
    """DESIGN golden values: votes 2-2 with one right give 0.5, votes 1-1-1 give 1/3."""
    assert plurality(np.array([[0], [0], [1], [1]]), [0], ties="share").credit.tolist() == [0.5]
    assert plurality(np.array([[0], [1], [2]]), [2], ties="share").credit.tolist() == [1 / 3]
    assert plurality(np.array([[0], [1], [2]]), [3], ties="share").credit.tolist() == [0.0]


def test_tie_rules():
    choices = np.array([[0, 0, 2, 0], [0, 1, 1, 1], [1, -1, -1, 2], [1, -1, -1, 3]])
    right = [0, 0, 1, 3]
    share = plurality(choices, right, ties="share")
    assert share.credit.tolist() == [0.5, 0.5, 0.5, 0.25]
    assert share.tie_size.tolist() == [2, 2, 2, 4]
    assert share.winner.tolist() == [-1, -1, -1, -1]
    assert share.tied == 4
    abstain = plurality(choices, right, ties="abstain")
    assert abstain.credit.tolist() == [0, 0, 0, 0]
    defer = plurality(choices, right, ties="defer", decider=3)
    # run 3 decides item 0 (for 1) and item 3 (for 3); it did not vote on the others, which stay open
    assert defer.winner.tolist() == [1, -1, -1, 3]
    assert defer.credit.tolist() == [0, 0, 0, 1]


def test_random_ties_are_seeded_and_fair():
    choices = np.tile(np.array([[0], [1], [2]], dtype=np.int8), 30_000)
    right = np.zeros(30_000, dtype=np.int8)
    vote = plurality(choices, right, ties="random", seed=3)
    assert vote.rate == pytest.approx(1 / 3, abs=0.01)
    np.testing.assert_array_equal(vote.credit, plurality(choices[::-1], right, ties="random", seed=3).credit)
    np.testing.assert_array_equal(np.unique(vote.winner), [0, 1, 2])


def test_published_totals_of_psycheme_timing():
    """PsycheMME: eight models on Timing: plurality 41.5/72, oracle 66/72, best single 48/72.

    A made-up panel with those totals: 41 items won, one two-way tie, 24 lost with someone right, 6 with nobody.
    """
    items = [([0] * 5 + [1] * 3)] * 41 + [([0] * 4 + [1] * 4)] + [([1] * 5 + [0] * 3)] * 24 + [[1] * 8] * 6
    vote = plurality(np.array(items).T, np.zeros(72, int), ties="share")
    assert vote.credit.sum() == 41.5
    assert oracle(np.array(items).T, np.zeros(72, int)).sum() == 66
    assert outvoted(np.array(items).T, np.zeros(72, int)).sum() == 24


def test_unknown_references_leave_and_empty_ballots_stay():
    choices = np.array([[0, -1, 1], [0, -1, 1]])
    vote = plurality(choices, [-1, 0, 1], ties="share")
    np.testing.assert_array_equal(vote.credit, [np.nan, 0, 1])
    assert (vote.n, vote.left_out, vote.rate) == (2, 1, 0.5)
    assert vote.ballots.tolist() == [2, 0, 2]
    assert vote.winner.tolist() == [0, -1, 1]
    single = best_single(choices, [-1, 0, 1])
    assert (single.best, single.n, single.runs.tolist()) == (0.5, 2, [0, 1])
    np.testing.assert_array_equal(oracle(choices, [-1, 0, 1]), [np.nan, 0, 1])


def test_nothing_to_vote_on():
    for shape in ((3, 0), (0, 2), (1, 2)):
        vote = plurality(np.full(shape, -1), np.full(shape[1], -1), ties="share")
        assert np.isnan(vote.rate)
        assert np.isnan(best_single(np.full(shape, -1), np.full(shape[1], -1)).best)
    one = plurality(np.array([[2, 1]]), [2, 2], ties="abstain")
    assert one.credit.tolist() == [1, 0]


def test_many_option_sets_are_counted_too():
    rng = np.random.default_rng(1)
    small = rng.integers(-1, 5, (7, 300))
    names = rng.permutation(30_000)[:5]
    right = rng.integers(-1, 5, 300)
    large = np.where(small >= 0, names[small], -1).astype(np.int16)
    large_right = np.where(right >= 0, names[right], -1)
    for rule in ({"ties": "share"}, {"ties": "defer", "decider": 2}):
        one, other = plurality(small, right, **rule), plurality(large, large_right, **rule)
        np.testing.assert_array_equal(one.credit, other.credit)
        np.testing.assert_array_equal(np.where(one.winner >= 0, names[one.winner], -1), other.winner)
        np.testing.assert_array_equal(one.ballots, other.ballots)
        np.testing.assert_array_equal(one.right_first, other.right_first)


def test_arguments_that_do_not_fit():
    choices = np.array([[0, 1]])
    for options in (
        {"ties": "defer"},
        {"ties": "share", "seed": 1},
        {"ties": "random"},
        {"ties": "random", "decider": 0},
    ):
        with pytest.raises(ValueError, match="decider goes with 'defer'"):
            plurality(choices, [0, 1], **options)
    with pytest.raises(ValueError, match="decider must be a row"):
        plurality(choices, [0, 1], ties="defer", decider=4)
    with pytest.raises(ValueError, match="ties is 'first'"):
        plurality(choices, [0, 1], ties="first")
    with pytest.raises(ValueError, match="one code per item"):
        plurality(choices, [0], ties="share")
    with pytest.raises(ValueError, match="correct must hold integer codes"):
        plurality(choices, [0.5, 1.0], ties="share")


@given(VOTES, st.randoms(use_true_random=False))
def test_votes_by_hand_permutation_and_oracle(votes, random):
    choices, right = votes
    known = right >= 0
    share = plurality(choices, right, ties="share")
    expected = [by_hand(choices[:, item], right[item]) for item in range(choices.shape[1])]
    np.testing.assert_allclose(share.credit[known], np.array(expected)[known])
    best = oracle(choices, right)
    order = random.sample(range(len(choices)), len(choices))
    for rule in RULES:
        vote = plurality(choices, right, **rule)
        assert (vote.credit[known] <= best[known]).all()
        assert np.isnan(vote.credit[~known]).all()
        turned_rule = rule | ({"decider": order.index(0)} if "decider" in rule else {})
        turned = plurality(choices[order], right, **turned_rule)
        np.testing.assert_array_equal(vote.credit, turned.credit)
        np.testing.assert_array_equal(vote.winner, turned.winner)
    if known.any():
        assert best_single(choices, right).best <= best[known].mean() + 1e-12


@settings(deadline=None, max_examples=60)
@given(VOTES, st.sampled_from(["share", "abstain"]))
def test_subset_curve_against_every_panel(votes, ties):
    choices, right = votes
    got = subset_curve(choices, right, ties=ties, limit=1000, samples=1, seed=0)
    known = right >= 0
    assert got.exact.all()
    if not known.any():
        assert np.isnan(got.plurality).all()
        return
    for at, k in enumerate(got.k):
        panels = [choices[list(panel)] for panel in combinations(range(len(choices)), int(k))]
        rates = [plurality(panel, right, ties=ties).rate for panel in panels]
        assert got.subsets[at] == len(panels)
        np.testing.assert_allclose(
            [got.plurality[at], got.low[at], got.high[at]], [np.mean(rates), min(rates), max(rates)], atol=1e-12
        )
        assert got.oracle[at] == pytest.approx(np.mean([oracle(panel, right)[known].mean() for panel in panels]))
    assert (np.diff(got.oracle) >= -1e-12).all()


def test_drawn_panels_are_seeded_and_near_the_exact_curve():
    rng = np.random.default_rng(2)
    right = rng.integers(0, 4, 150)
    choices = np.where(rng.random((10, 150)) < 0.5, right, rng.integers(-1, 4, (10, 150)))
    exact = subset_curve(choices, right, ties="share", limit=300, samples=1, seed=0)
    drawn = subset_curve(choices, right, ties="share", limit=20, samples=600, seed=5)
    assert exact.exact.all()
    assert drawn.exact.tolist() == [True] + [False] * 7 + [True, True]
    np.testing.assert_allclose(drawn.plurality, exact.plurality, atol=0.006)
    np.testing.assert_array_equal(drawn.oracle, exact.oracle)
    again = subset_curve(choices, right, ties="share", limit=20, samples=600, seed=5)
    np.testing.assert_array_equal(drawn.plurality, again.plurality)
    with pytest.raises(ValueError, match="limit and samples"):
        subset_curve(choices, right, ties="share", limit=0, samples=5, seed=1)


@given(VOTES)
def test_shared_wrong_by_hand(votes):
    choices, right = votes
    got = shared_wrong(choices, right)
    wrong = ~right_ballots(choices, right) & (choices >= 0) & (right >= 0)
    for i in range(len(choices)):
        for j in range(len(choices)):
            both = wrong[i] & wrong[j]
            assert got.both_wrong[i, j] == both.sum()
            assert got.same_wrong[i, j] == (both & (choices[i] == choices[j])).sum()
            assert np.isnan(got.share[i, j]) == (not both.any())


def test_position_bias_against_scipy():
    rng = np.random.default_rng(3)
    reference = rng.integers(0, 4, 500)
    chosen = np.where(rng.random((2, 500)) < 0.5, reference, rng.choice(4, (2, 500), p=[0.7, 0.1, 0.1, 0.1]))
    chosen[0, :40] = -1
    got = position_bias(chosen, reference, positions=4)
    assert got.n.tolist() == [460, 500]
    for run in range(2):
        valid = chosen[run] >= 0
        theirs = chisquare(np.bincount(chosen[run, valid], minlength=4), np.bincount(reference[valid], minlength=4))
        assert (got.chi_square[run], got.p[run]) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))
    assert got.chosen[1, 0] > got.right[1, 0]
    own = position_bias(chosen, np.stack([reference, reference]), positions=4)
    np.testing.assert_array_equal(own.p, got.p)


def test_position_bias_undefined():
    got = position_bias(np.array([[-1, -1], [0, 2], [0, 0]]), [0, 0], positions=3)
    assert got.reason.tolist() == ["no valid choices", "chosen position never right", "one position"]
    assert np.isnan(got.p).all()
    perfect = position_bias(np.array([[0, 1]]), [0, 1], positions=2)
    assert perfect.p.tolist() == [1.0]
    with pytest.raises(ValueError, match="not below positions = 2"):
        position_bias(np.array([[0, 2]]), [0, 1], positions=2)


def test_a_large_panel_is_fast():
    rng = np.random.default_rng(4)
    choices = rng.integers(-1, 6, (25, 400_000), dtype=np.int8)
    right = rng.integers(0, 6, 400_000, dtype=np.int8)
    vote = plurality(choices, right, ties="share")
    sample = rng.integers(0, 400_000, 200)
    np.testing.assert_allclose(vote.credit[sample], [by_hand(choices[:, item], right[item]) for item in sample])
