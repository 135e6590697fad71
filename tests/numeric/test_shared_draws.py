"""Several tables of features on one set of draws are, bit for bit, what each alone is with the same seed."""

import numpy as np
import pytest

from analytics.numeric.agreement import (
    coefficients,
    first_categories,
    fleiss_kappa,
    fleiss_measure,
    gwet_ac1,
    gwet_measure,
    rating_patterns,
    unanimity,
    unanimity_measure,
    used_categories,
)
from analytics.numeric.alpha import alpha_measure, krippendorff_alpha


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("categories", [3, 6])
def test_coefficients_together_are_the_same_as_one_by_one(clustered, categories):
    stream = np.random.default_rng(3)
    codes = stream.integers(-1, 3, (5, 200)).astype(np.int8)
    given = {"level": 0.9, "resamples": 60, "seed": 4, "clusters": np.arange(200) // 4 if clustered else None}
    every = rating_patterns(codes, categories=categories)
    used = first_categories(every, used_categories(every))
    measures = [
        fleiss_measure(used),
        gwet_measure(every),
        unanimity_measure(used),
        alpha_measure(used, metric="nominal"),
    ]
    together = coefficients(every, measures, **given)
    wide = codes.astype(np.int64)  # the type of the codes changes nothing
    alone = [
        fleiss_kappa(wide, **given),
        gwet_ac1(wide, categories=categories, **given),
        unanimity(wide, **given),
        krippendorff_alpha(wide, metric="nominal", **given),
    ]
    assert [repr(one) for one in together] == [repr(one) for one in alone]  # NaN is not equal to itself
