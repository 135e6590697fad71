"""What is worked out from cross-tables is, bit for bit, what the units themselves give."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from analytics.numeric import cross_tables as counted
from analytics.numeric import kappa
from analytics.numeric.agreement import gwet_ac1, gwet_of_table
from analytics.numeric.cross_tables import cross_tables, fits
from analytics.numeric.kappa import WEIGHTS, cohen_kappa, kappa_intervals
from analytics.numeric.resampling import resampled_counts, resampled_sums

CODES = hnp.arrays(
    np.int8, st.tuples(st.integers(0, 5), st.integers(0, 12)), elements=st.integers(-1, 4), fill=st.nothing()
)


def one_by_one(codes, size):
    """Count each unit of each pair on its own."""
    out = np.zeros((len(codes), len(codes), size + 1, size + 1), dtype=np.int64)
    for i, first in enumerate(codes):
        for j, second in enumerate(codes):
            for a, b in zip(first, second, strict=True):
                out[i, j, a if a >= 0 else size, b if b >= 0 else size] += 1
    return out


@given(codes=CODES, block=st.sampled_from([1, 5, 1 << 15]), by_twos=st.booleans())
@settings(deadline=None)
def test_tables_count_every_unit_of_every_pair(codes, block, by_twos):
    size = int(codes.max(initial=0)) + 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counted, "_BLOCK", block)
        patch.setattr(counted, "_BINS", (size + 1) ** (4 if by_twos else 2))
        assert (cross_tables(codes) == one_by_one(codes, size)).all()


def test_tables_that_do_not_fit_are_refused():
    assert fits(25, 6)
    assert not fits(25, 200)
    assert not fits(10_000, 2)
    with pytest.raises(ValueError, match="2 raters with 101 categories"):
        cross_tables(np.array([[0, 100], [3, 4]]))


@pytest.mark.parametrize("weights", WEIGHTS)
@given(codes=CODES.filter(lambda codes: codes.size))
@settings(deadline=None, max_examples=40)
def test_kappas_of_tables_are_those_of_units(weights, codes):
    ours = cohen_kappa(codes, weights=weights, tables=cross_tables(codes))
    units = cohen_kappa(codes, weights=weights)
    for field in fields(units):
        np.testing.assert_array_equal(getattr(ours, field.name), getattr(units, field.name), err_msg=field.name)


@given(codes=CODES.filter(lambda codes: len(codes) >= 2), more=st.integers(0, 2))
@settings(deadline=None, max_examples=60)
def test_ac1_of_a_table_is_that_of_the_units(codes, more):
    categories = max(2, int(codes.max(initial=0)) + 1 + more)
    units = gwet_ac1(codes[:2], categories=categories, level=0.9, resamples=0, seed=1).value
    np.testing.assert_array_equal(gwet_of_table(cross_tables(codes)[0, 1], categories=categories), units)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_intervals_from_tables_are_those_of_units(monkeypatch, weights, missing):
    monkeypatch.setattr(kappa, "_UNITS", 100)
    stream = np.random.default_rng(5)
    truth = stream.integers(0, 4, 400)
    codes = np.where(stream.random((5, 400)) < 0.6, truth, stream.integers(0, 4, (5, 400)))
    codes = np.where(stream.random(codes.shape) < missing, -1, codes).astype(np.int8)
    settings = {"weights": weights, "level": 0.9, "resamples": 150, "seed": 8}
    ours = kappa_intervals(codes, tables=cross_tables(codes), **settings)
    units = kappa_intervals(codes, **settings)
    for name in ("estimate", "low", "high", "undefined"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(units, name), err_msg=name)
    assert (ours.low < ours.high).all()


def test_counts_are_the_sums_of_one_hot_rows():
    times = np.array([5, 0, 70, 925])
    both = {"resamples": 40, "seed": 3}
    counts = resampled_counts(times, **both)
    assert (counts == resampled_sums(np.eye(4), multiplicity=times, **both)).all()
    assert (counts.sum(axis=1) == 1000).all()
