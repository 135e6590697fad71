import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from analytics.numeric.leniency import leniency, rank_agreement
from tests.numeric.published import rows


def hss_scores():
    table = {(row["judge"], row["model"]): float(row["pass_at_1"]) for row in rows("hss_table12_judges")}
    judges = sorted({judge for judge, _ in table})
    models = sorted({model for _, model in table})
    return judges, models, np.array([[table[judge, model] for model in models] for judge in judges])


def test_hss_leniency_and_self_preference():
    """HSS appendix I: +1.1, -2.4, +1.3 points; residuals -0.80, +0.38, +1.09, -0.44 (from unrounded scores)."""
    judges, models, scores = hss_scores()
    got = leniency(scores)
    by_judge = dict(zip(judges, got.leniency, strict=True))
    assert {judge: round(value, 1) for judge, value in by_judge.items()} == {
        "Claude-Opus-5": 1.1,
        "GPT-5.6-terra": -2.4,
        "Gemini-3.6-flash": 1.3,
    }
    printed = {
        ("GPT-5.6-terra", "GPT-6-astra"): -0.80,
        ("Gemini-3.6-flash", "Gemini-3.8-flash"): 0.38,
        ("Claude-Opus-5", "Claude-Fable-5"): 1.09,
        ("Claude-Opus-5", "Claude-Opus-5"): -0.44,
    }
    for (judge, model), value in printed.items():
        # one-decimal scores move a residual by up to about 0.1
        assert got.residual[judges.index(judge), models.index(model)] == pytest.approx(value, abs=0.1)
    assert rank_agreement(scores).spearman.min() == pytest.approx(1.0)


def test_residuals_add_up_and_judges_balance():
    scores = np.random.default_rng(1).random((4, 7))
    got = leniency(scores)
    np.testing.assert_allclose(got.residual.sum(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(got.leniency.sum(), 0, atol=1e-12)
    expected = [scores[j].mean() - np.delete(scores, j, axis=0).mean() for j in range(4)]
    np.testing.assert_allclose(got.leniency, expected)


def test_missing_scores():
    scores = np.array([[1.0, 2.0, np.nan], [2.0, np.nan, 5.0], [3.0, np.nan, np.nan]])
    got = leniency(scores)
    np.testing.assert_allclose(got.leniency, [-1.5, 0.0, 1.5])
    assert got.n.tolist() == [1, 1, 1]
    assert np.isnan(got.difference[0, 1])
    alone = leniency([[1.0, 2.0]])
    assert np.isnan(alone.leniency).all()
    assert alone.n.tolist() == [0]


def test_rank_agreement_against_scipy_and_reasons():
    scores = np.random.default_rng(2).integers(0, 6, (3, 9)).astype(float)
    scores[2, 4:] = np.nan
    got = rank_agreement(scores)
    assert got.spearman[0, 1] == spearmanr(scores[0], scores[1]).statistic
    assert got.kendall[0, 2] == kendalltau(scores[0, :4], scores[2, :4]).statistic
    assert got.n[2, 0] == 4
    odd = rank_agreement(np.array([[1.0, 1.0, np.nan], [1.0, 2.0, np.nan], [np.nan, 3.0, 4.0]]))
    assert odd.reason[0, 1] == "constant scores"
    assert odd.reason[1, 2] == "fewer than two common models"
    assert np.isnan([odd.spearman[0, 1], odd.kendall[2, 1]]).all()
