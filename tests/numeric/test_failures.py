import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from analytics.numeric.failures import agent_repair, same_cause, trap_fall_rates
from analytics.numeric.intervals import wilson
from tests.numeric.published import rows


def test_same_cause_by_hand():
    causes = np.array([[0, 0, -1], [0, 1, 2], [0, 2, -1], [1, 3, -1], [0, 0, -1]])
    got = same_cause(causes, at_least=5)
    np.testing.assert_array_equal(got.share, [0.8, 0.4, np.nan])
    assert (got.median, got.items, got.failing.tolist()) == (pytest.approx(0.6), 2, [5, 5, 1])
    assert (got.pair_share, got.pairs) == (pytest.approx((6 + 1) / 20), 20)
    family = np.array([0, 0, 1, 1])
    by_family = same_cause(np.where(causes >= 0, family[causes], -1), at_least=5)
    np.testing.assert_array_equal(by_family.share, [1.0, 0.6, np.nan])


def test_same_cause_without_failures():
    for causes in (np.full((3, 4), -1), np.zeros((0, 2), int), np.zeros((2, 0), int)):
        got = same_cause(causes, at_least=2)
        assert np.isnan([got.median, got.pair_share]).all()
        assert got.items == 0
    with pytest.raises(ValueError, match="at_least must be 1"):
        same_cause(np.zeros((1, 1), int), at_least=0)


@given(hnp.arrays(np.int8, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(-1, 3)))
def test_same_cause_ignores_the_order_of_runs(causes):
    one, other = same_cause(causes, at_least=2), same_cause(causes[::-1], at_least=2)
    np.testing.assert_array_equal(one.share, other.share)
    known = ~np.isnan(one.share)
    assert (one.share[known] * one.failing[known] >= 1).all()
    assert (one.share[known] <= 1).all()


def test_repair_of_hss_table_7():
    """Object or role: 181 single-call failures, 147 agentic, -19 %, 35 % fixed: 63 or 64 of 181 items."""
    table = {row["cause"]: row for row in rows("hss_table7_agentic_failures")}
    row = table["object_person_role"]
    single, agentic, fixed = int(row["single"]), int(row["agentic"]), 63
    stay = single - fixed
    before = np.array([0] * single + [1] * (agentic - stay))
    after = np.array([1] * fixed + [0] * agentic)
    got = agent_repair(before, after, np.zeros_like(before), np.zeros_like(before), causes=1, level=0.95)
    assert (got.before[0], got.after[0], got.fixed[0], got.new[0]) == (181, 147, 63, 29)
    assert round(100 * got.fixed_share[0]) == int(row["fixed_pct"])
    assert round(100 * got.change[0]) == int(row["delta_pct"])
    np.testing.assert_allclose([got.low, got.high], wilson([63], [181], level=0.95))


def test_repair_leaves_missing_out_and_counts_unlabelled():
    before = np.array([0, 0, 0, 1, np.nan, 0, 1])
    after = np.array([1, 0, 0, 0, 1, np.nan, 1])
    got = agent_repair(before, after, [0, 0, -1, -1, 1, 0, -1], [-1, 1, 1, -1, -1, 0, -1], causes=3, level=0.9)
    assert (got.n, got.left_out) == (5, 2)
    assert got.before.tolist() == [2, 0, 0]
    assert got.after.tolist() == [0, 2, 0]
    assert got.fixed.tolist() == [1, 0, 0]
    assert got.new.tolist() == [0, 0, 0]
    assert (got.unlabelled_before, got.unlabelled_after) == (1, 1)
    np.testing.assert_array_equal(got.fixed_share, [0.5, np.nan, np.nan])
    assert np.isnan(got.low[1])
    with pytest.raises(ValueError, match="not below causes = 1"):
        agent_repair([0], [0], [1], [0], causes=1, level=0.9)
    with pytest.raises(ValueError, match="causes are for 2 items, verdicts for 1"):
        agent_repair([0], [0], [1, 0], [0, 0], causes=2, level=0.9)
    empty = agent_repair([], [], np.zeros(0, int), np.zeros(0, int), causes=2, level=0.9)
    assert empty.n == 0
    assert np.isnan(empty.fixed_share).all()


def test_trap_fall_rates_by_hand():
    kinds = np.array([[-1, 0, 1], [-1, 1, 1], [-1, 0, -1], [-1, 0, 1]])
    chosen = np.array([[1, 1, 2, -1], [0, 0, 0, 2], [0, 0, 0, 0]])
    got = trap_fall_rates(chosen, [0, 0, 0, 0], kinds, types=2, level=0.95)
    assert got.wrong.tolist() == [3, 1, 0]
    assert got.invalid.tolist() == [1, 0, 0]
    assert got.untyped.tolist() == [1, 0, 0]
    assert got.fallen.tolist() == [[1, 1], [0, 1], [0, 0]]
    np.testing.assert_array_equal(got.rate[2], [np.nan, np.nan])
    np.testing.assert_allclose([got.low[0, 0], got.high[0, 0]], wilson(1, 3, level=0.95))
    unknown = trap_fall_rates(chosen, [-1, -1, -1, -1], kinds, types=2, level=0.95)
    assert unknown.wrong.tolist() == [0, 0, 0]
    assert unknown.invalid.tolist() == [0, 0, 0]


def test_trap_rates_add_up_when_every_wrong_option_is_typed():
    rng = np.random.default_rng(1)
    right = rng.integers(0, 6, 80)
    kinds = np.where(np.arange(6) == right[:, None], -1, rng.integers(0, 5, (80, 6)))
    got = trap_fall_rates(rng.integers(-1, 6, (4, 80)), right, kinds, types=5, level=0.9)
    np.testing.assert_allclose(got.rate.sum(axis=1), 1)
    assert (got.untyped == 0).all()


def test_trap_arguments():
    kinds = np.array([[-1, 0]])
    with pytest.raises(ValueError, match="chosen holds the option 2"):
        trap_fall_rates([[2]], [0], kinds, types=1, level=0.9)
    with pytest.raises(ValueError, match="not below types = 0"):
        trap_fall_rates([[1]], [0], kinds, types=0, level=0.9)
    with pytest.raises(ValueError, match="chosen has 2 items"):
        trap_fall_rates([[1, 1]], [0, 0], kinds, types=1, level=0.9)
    none = trap_fall_rates(np.zeros((2, 0), int), [], np.zeros((0, 4), int), types=3, level=0.9)
    assert np.isnan(none.rate).all()
