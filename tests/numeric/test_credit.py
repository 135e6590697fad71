from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from analytics.numeric.credit import (
    attributed_losses,
    credit_distribution,
    credit_stages,
    factor_of,
    ordered_losses,
    verified_credit,
)

BEST = {"best_evidence": 1.2, "best_logic": 1.2}
EVIDENCE = {"supported": 1.2, "weak": 1.0, "contradicted": 0.5}
RESPONSES = st.integers(1, 6).flatmap(
    lambda n: st.tuples(
        hnp.arrays(float, n, elements=st.sampled_from([0.0, 0.5, 1.0])),
        hnp.arrays(float, n, elements=st.floats(0, 1)),
        hnp.arrays(float, n, elements=st.floats(0, 1.2)),
        hnp.arrays(float, n, elements=st.floats(0, 1.2)),
    )
)
DEMO = ([1, 1, 1, 1, 1, 1, 0, 0], np.ones(8), [1.2] * 5 + [1.0, 1.2, 1.2], [1.2] * 5 + [1.0, 1.2, 1.2])


def test_the_eight_item_demo():
    """PsycheMME's credit demo: Raw 75.00 %, Verified 71.18 % = (5 + 1/1.44) / 8."""
    stages = credit_stages(*DEMO, **BEST).mean(axis=1)
    assert stages[0] == 0.75
    assert stages[-1] == pytest.approx((5 + 1 / 1.44) / 8)
    assert round(100 * stages[-1], 2) == 71.18
    assert verified_credit(*DEMO, **BEST).mean() == pytest.approx(0.711805555, abs=1e-9)


def test_a_perfect_response_keeps_its_credit():
    assert verified_credit([0.5, 1.0], 1, 1.2, 1.2, **BEST).tolist() == [0.5, 1.0]


@given(RESPONSES)
def test_losses_add_up_to_the_gap(response):
    stages = credit_stages(*response, **BEST)
    gap = response[0] - verified_credit(*response, **BEST)
    np.testing.assert_allclose(ordered_losses(stages).sum(axis=0), gap, atol=1e-12)
    losses = attributed_losses(*response, **BEST)
    np.testing.assert_allclose(losses.sum(axis=0), gap, atol=1e-12)
    assert (losses >= 0).all()
    assert (np.diff(stages, axis=0) <= 1e-15).all()


@given(RESPONSES)
def test_attribution_is_the_mean_over_the_six_orders(response):
    raw, *factors = response
    relative = [factors[0], factors[1] / 1.2, factors[2] / 1.2]
    expected = np.zeros((3, len(raw)))
    for order in permutations(range(3)):
        left = raw.copy()
        for factor in order:
            expected[factor] += left * (1 - relative[factor]) / 6
            left = left * relative[factor]
    np.testing.assert_allclose(attributed_losses(*response, **BEST), expected, atol=1e-12)


def test_attribution_of_one_factor_alone():
    losses = attributed_losses([1.0], [1.0], [1.0], [1.2], **BEST)
    np.testing.assert_allclose(losses[:, 0], [0, 1 - 1 / 1.2, 0], atol=1e-15)


def test_missing_is_missing_and_no_credit_is_no_credit():
    nan = np.nan
    stages = credit_stages([nan, 1, 1, 0], [1, 1, nan, nan], [1.2, nan, 1.2, nan], [1.2, 1.2, 1.2, nan], **BEST)
    np.testing.assert_array_equal(stages[:, 0], [nan] * 4)
    np.testing.assert_array_equal(stages[:, 1], [1, 1, nan, nan])
    np.testing.assert_array_equal(stages[:, 2], [1, nan, nan, nan])
    np.testing.assert_array_equal(stages[:, 3], [0, 0, 0, 0])
    assert attributed_losses([0, 1], 1, nan, 1, **BEST)[:, 0].tolist() == [0, 0, 0]
    assert np.isnan(attributed_losses([0, 1], 1, nan, 1, **BEST)[:, 1]).all()
    assert verified_credit([], [], [], [], **BEST).shape == (0,)


def test_factors_outside_the_rubric_are_refused():
    with pytest.raises(ValueError, match=r"evidence factors must lie between 0 and 1\.2, found 1\.44"):
        verified_credit(1, 1, 1.44, 1, **BEST)
    with pytest.raises(ValueError, match="raw credit must lie"):
        verified_credit(75, 1, 1, 1, **BEST)
    with pytest.raises(ValueError, match="best logic factor must be above 0"):
        verified_credit(1, 1, 1, 1, best_evidence=1.2, best_logic=0)


def test_labels_become_factors():
    got = factor_of(["supported", None, "weak", "", "contradicted"], EVIDENCE)
    np.testing.assert_array_equal(got, [1.2, np.nan, 1.0, np.nan, 0.5])
    with pytest.raises(ValueError, match="no weight for the label 'strong'; it has: supported, weak, contradicted"):
        factor_of(["strong"], EVIDENCE)
    assert factor_of(np.array([["weak", "weak"]]), EVIDENCE).shape == (1, 2)


def test_distribution_counts_equal_values_once():
    credit = np.array([[1.0, 1 / 1.44, 1 / 1.2 / 1.2, 0.0, np.nan], [np.nan] * 5])
    got = credit_distribution(credit)
    np.testing.assert_allclose(got.values, [0, 1 / 1.44, 1])
    assert got.counts.tolist() == [[1, 2, 1], [0, 0, 0]]
    assert got.n.tolist() == [4, 0]
    assert got.missing.tolist() == [1, 5]
    assert got.shares[0].tolist() == [0.25, 0.5, 0.25]
    assert np.isnan(got.shares[1]).all()
