import numpy as np
import pytest

from benchmarks import coverage


def test_wilson_covers_what_it_says_on_average():
    cells = [cover[0][0] for *_, cover in coverage.table()]
    assert len(cells) == 9
    assert 0.93 <= np.mean(cells) <= 0.97
    for n in coverage.SIZES:
        assert 0.93 <= coverage.mean_wilson_coverage(n) <= 0.97


def test_clopper_pearson_never_covers_less_and_the_page_is_current():
    assert all(cover[1][0] >= 0.95 for *_, cover in coverage.table())
    assert coverage.PAGE.read_text(encoding="utf-8") == coverage.page()


@pytest.mark.parametrize(("p", "floor"), [(0.95, 0.9), (1.0, 1.0)])
def test_wilson_at_high_rates(p, floor):
    """Rates of public bug reports: 0.95 and 1.0 at every size."""
    for n in coverage.SIZES:
        assert coverage.exact_coverage(coverage.wilson, n, p)[0] >= floor
