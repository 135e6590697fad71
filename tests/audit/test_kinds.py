"""Each kind of check at the edges of rounding, with n of 0 and 1, negative numbers, and bounds."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.audit.kind import STATUSES, kinds
from tests.audit.records import check, claim, folder


def test_kinds_are_found_by_file_and_say_what_they_do():
    assert {"grim", "mean", "ask", "not_checkable", "fisher_holm", "unanimity"} <= set(kinds())
    for kind in kinds().values():
        assert kind.says
        assert (kind.recompute is None) != (kind.judge is None)
        assert not set(kind.roles) & set(kind.optional)


@pytest.mark.parametrize(
    ("number", "k", "n", "status"),
    [
        ("56.94", 41, 72, "reproduced"),
        ("56.9", 41, 72, "reproduced"),
        ("56.95", 41, 72, "contradicted"),
        ("12.5", 1, 8, "reproduced"),
        ("12", 1, 8, "reproduced"),  # half to even
        ("13", 1, 8, "reproduced"),  # half up
        ("100.0", 1, 1, "reproduced"),
        ("0.0", 0, 1, "reproduced"),
        ("0.0", 0, 0, "not_checkable"),
        ("150.0", 3, 2, "contradicted"),
    ],
)
def test_proportion(number, k, n, status):
    assert claim("proportion", number, {"k": k, "n": n}).status == status


def test_proportions_and_percentages_are_told_apart():
    assert claim("proportion", "0.57", {"k": 41, "n": 72}, unit="proportion").status == "reproduced"
    assert claim("proportion", "57", {"k": 41, "n": 72}, unit="proportion").status == "contradicted"
    assert claim("grim", "0.57", {"n": 72}, unit="proportion").status == "consistent"
    assert claim("grim", "0.575", {"n": 7}, unit="proportion").status == "contradicted"


def test_a_count_that_was_worked_out_cannot_reproduce_its_percentage():
    where = folder(
        "name,k,n,p\na,41,72,56.94\n", {"k": 'count", derived = true, note = "', "n": "count", "p": "percent"}
    )
    found = check({"kind": "proportion", "each": "row", "target": "p", "inputs": {"k": "k", "n": "n"}}, where)
    assert found.status == "consistent"
    assert "by construction" in found.why


@pytest.mark.parametrize(
    ("number", "n", "attempts", "status"),
    [
        ("33.3", 3, 1, "consistent"),
        ("33.30", 3, 1, "contradicted"),
        ("50.0", 1, 1, "contradicted"),
        ("100.0", 1, 1, "consistent"),
        ("66.7", 1, 3, "consistent"),
        ("50.0", 0, 1, "not_checkable"),
        ("27.4", 176, 3, "conditional"),  # 145 of 528 is 27.46: cut off, not rounded
        ("21.0", 110, 3, "contradicted"),  # 69 gives 20.91, 70 gives 21.21
        ("101.0", 100, 1, "contradicted"),
    ],
)
def test_grim(number, n, attempts, status):
    assert claim("grim", number, {"n": n, "attempts": attempts}).status == status


@settings(deadline=None)
@given(st.integers(1, 60), st.integers(1, 4), st.integers(0, 2), st.data())
def test_grim_accepts_every_mean_and_names_no_other(n, attempts, places, data):
    k = data.draw(st.integers(0, n * attempts))
    text = f"{float(round(Fraction(100 * k, n * attempts), places)):.{places}f}"
    assert claim("grim", text, {"n": n, "attempts": attempts}).status == "consistent"
    attainable = {
        f"{float(round(Fraction(100 * j, n * attempts), places)):.{places}f}" for j in range(n * attempts + 1)
    }
    other = data.draw(st.integers(0, 100 * 10**places).map(lambda v: f"{v / 10**places:.{places}f}"))
    if claim("grim", other, {"n": n, "attempts": attempts}).status == "contradicted":
        assert other not in attainable


def test_missing_attempts_are_the_fewest_that_do():
    """27.4 % of 176 x 3 (HSS Table 1, Kimi-K3): no 144 or 145 of 528; one task with two attempts gives sixths."""
    found = claim("grim", "27.4", {"n": 176, "attempts": 3}, allows=["missing_attempts"])
    assert found.status == "conditional"
    assert "1 missing attempt (1 with 2 of 3)" in found.why
    lost = claim("grim", "21.0", {"n": 110, "attempts": 3}, allows=["missing_attempts"])
    assert "6 missing attempts (2 items without a usable attempt)" in lost.why


def test_a_departure_that_is_not_allowed_excuses_nothing():
    assert claim("grim", "21.0", {"n": 110, "attempts": 3}).status == "contradicted"
    assert claim("grim", "21.0", {"n": 110, "attempts": 3}, allows=["judge_failed"]).status == "contradicted"


def test_sum_mean_and_difference_at_the_edges():
    assert claim("sum", "100.0", {"parts": ["33.3", "33.3", "33.3"]}).status == "consistent"
    assert claim("sum", "99.9", {"parts": ["33.3", "33.3", "33.3"]}).status == "reproduced"
    assert claim("sum", "99.6", {"parts": ["33.3", "33.3", "33.3"]}).status == "contradicted"
    assert claim("mean", "2.5", {"parts": ["2", "3"]}).status == "reproduced"
    assert claim("mean", "3.0", {"parts": ["2", "3"]}).status == "consistent"  # 2.49 and 3.49 average to 2.99
    assert claim("mean", "3.6", {"parts": ["2", "3"]}).status == "contradicted"
    assert claim("difference", "-1.5", {"left": "44.0", "right": "45.5"}).status == "reproduced"
    assert claim("difference", "1.5", {"left": "44.0", "right": "45.5"}).status == "contradicted"
    assert claim("difference", "-1.4", {"left": "44.0", "right": "45.5"}).status == "consistent"
    assert claim("difference", "-1.3", {"left": "44.0", "right": "45.5"}).status == "contradicted"


def test_difference_of_whole_counts_is_narrower_than_of_percentages():
    inputs = {"left": "36.9", "right": "30.4", "n": 23}
    plain = {"left": "36.9", "right": "30.4"}
    assert claim("difference", "6.4", plain).status == "consistent"
    assert claim("difference", "6.4", inputs).status == "contradicted"  # no whole count of 23 prints as 36.9
    assert claim("difference", "6.4", {**inputs, "left": "34.8"}).status == "contradicted"  # 8 - 7 of 23 is 4.3
    assert claim("difference", "4.3", {**inputs, "left": "34.8"}).status == "reproduced"


def test_how_far_off_and_the_nearest_value_that_agrees():
    found = claim("mean", "2.9", {"parts": ["2.0", "3.0"]})
    assert found.status == "contradicted"
    assert found.off == Fraction("0.3")
    assert "nearest value that would agree is 2.6" in found.why
    assert (found.low, found.high, found.recomputed) == (Fraction("2.45"), Fraction("2.55"), Fraction("2.5"))


def test_weighted_mean_and_one_more_item():
    inputs = {"parts": ["10.0", "20.0"], "weights": [1, 3]}
    assert claim("weighted_mean", "17.5", inputs).status == "reproduced"
    assert claim("weighted_mean", "16.0", inputs).status == "contradicted"
    assert claim("weighted_mean", "16.0", {**inputs, "extra": 1}).status == "consistent"
    assert claim("weighted_mean", "17.5", {"parts": ["1", "2"], "weights": [0, 0]}).status == "not_checkable"
    assert claim("weighted_mean", "17.5", {"parts": ["1", "2"], "weights": [1]}).status == "not_checkable"


@pytest.mark.parametrize(
    ("kind", "number", "inputs", "status"),
    [
        ("ratio", "1.39", {"part": 723, "whole": 522}, "reproduced"),
        ("ratio", "1.39", {"part": 723, "whole": 0}, "not_checkable"),
        ("share", "50", {"part": "1", "whole": "2"}, "reproduced"),
        ("share", "19.9", {"part": 1702, "whole": 8573}, "reproduced"),
        ("relative_change", "-19", {"before": 181, "after": 147}, "reproduced"),
        ("relative_change", "-19", {"before": 0, "after": 147}, "not_checkable"),
        ("relative_change", "25", {"before": 4, "after": 5}, "reproduced"),
        ("at_most", "5.0", {"bound": "5.0"}, "reproduced"),
        ("at_most", "5.1", {"bound": "5.0"}, "consistent"),
        ("at_most", "5.2", {"bound": "5.0"}, "contradicted"),
        ("at_least", "-0.2", {"bound": "0.0"}, "contradicted"),
        ("between", "15.0", {"parts": ["10.0", "20.0"]}, "consistent"),
        ("between", "20.2", {"parts": ["10.0", "20.0"]}, "contradicted"),
        ("contains", "28.9", {"part": 112, "whole": 388}, "reproduced"),
        ("contains", "28.5", {"part": 112, "whole": 388}, "contradicted"),
        ("excludes", "92.2", {"part": 30, "whole": 388}, "reproduced"),
        ("excludes", "92.5", {"part": 30, "whole": 388}, "contradicted"),
        ("minimum", "-1.4", {"parts": ["6.7", "-1.4"]}, "reproduced"),
        ("maximum", "6.7", {"parts": ["6.7", "-1.4"]}, "reproduced"),
        ("max_minus_min", "8.1", {"parts": ["6.7", "-1.4"]}, "reproduced"),
        ("max_minus_min", "-8.1", {"parts": ["6.7", "-1.4"]}, "contradicted"),
        ("max_minus_min", "0.0", {"parts": ["6.7"]}, "reproduced"),
        ("equals", "59.5", {"of": "59.5"}, "reproduced"),
        ("equals", "59.5", {"of": "59.6"}, "contradicted"),  # as many digits: the same numeral
        ("equals", "59.5", {"of": "59.46"}, "reproduced"),
        ("equals", "59.5", {"of": "59.44"}, "contradicted"),
        ("equals", "59.46", {"of": "59.5"}, "consistent"),
        ("mcnemar", "0.003", {"b": 63, "c": 33}, "reproduced"),
        ("mcnemar", "0.0215", {"b": 9, "c": 1}, "reproduced"),
        ("mcnemar", "p < 10^-4", {"b": 112, "c": 30}, "reproduced"),
        ("mcnemar", "<1e-4", {"b": 9, "c": 1}, "contradicted"),
        ("mcnemar", "1.0", {"b": 0, "c": 0}, "not_checkable"),
        ("mcnemar", "1.0", {"b": 1, "c": 0}, "reproduced"),
        ("wilson", "59.6", {"k": 82, "n": 120, "level": 0.95, "end": "low"}, "reproduced"),
        ("wilson", "20.7", {"k": 1, "n": 1, "level": 0.95, "end": "low"}, "reproduced"),
        ("wilson", "100.0", {"k": 1, "n": 1, "level": 0.95, "end": "high"}, "reproduced"),
        ("wilson", "0.0", {"k": 0, "n": 0, "level": 0.95, "end": "low"}, "not_checkable"),
        ("clopper_pearson", "2.5", {"k": 1, "n": 1, "level": 0.95, "end": "low"}, "reproduced"),
        ("leniency", "+1.5", {"own": ["38.0", "37.0"], "others": ["36.0", "36.0"]}, "reproduced"),
        ("residual", "-0.5", {"own": "3", "others": "3.0", "own_all": "1.5", "others_all": "1.0"}, "reproduced"),
        ("attempt_bounds", "6.6", {"all": 4, "any": 67, "n": 522, "attempts": 3}, "consistent"),
        ("attempt_bounds", "4.6", {"all": 4, "any": 67, "n": 522, "attempts": 3}, "contradicted"),
        ("attempt_bounds", "4.6", {"all": 9, "any": 2, "n": 522, "attempts": 3}, "not_checkable"),
    ],
)
def test_numbers_alone(kind, number, inputs, status):
    found = claim(kind, number, inputs)
    assert found.status == status, found.why
    assert found.status in STATUSES


def test_relations():
    least = {"parts": ["0.914", "0.946"]}
    assert claim("minimum", "0.92", least, relation="at_least").status == "contradicted"
    assert claim("minimum", "0.91", least, relation="at_least").status == "reproduced"
    assert claim("minimum", "0.9151", least, relation="above").status == "contradicted"
    assert claim("minimum", "0.9141", least, relation="above").status == "consistent"
    assert claim("minimum", "0.915", least, relation="below").status == "reproduced"
    assert claim("minimum", "0.9", least, relation="about", tolerance="0.02").status == "reproduced"
    assert claim("minimum", "0.9", least, relation="near").status == "not_checkable"


def test_kappa_from_agreement_and_marginals():
    given_ = {"agreement": "97.5", "prevalence_a": "37.7", "prevalence_b": "37.9"}
    assert claim("kappa", "0.947", given_, unit="kappa").status == "reproduced"
    assert claim("kappa", "0.90", given_, unit="kappa").status == "contradicted"
    alike = {"agreement": "100.0", "prevalence_a": 100, "prevalence_b": 100}
    assert "0/0" in claim("kappa", "1.0", alike, unit="kappa").why
    fleiss = {"agreement": "77.8"}
    assert claim("kappa", "0.73", fleiss, unit="kappa", method="fleiss", categories=6).status == "consistent"
    assert claim("kappa", "0.74", fleiss, unit="kappa", method="fleiss", categories=6).status == "contradicted"


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(*[st.booleans()] * 3), min_size=1, max_size=40))
def test_unanimity_of_three_binary_raters_follows_from_the_pairs(items):
    n = len(items)
    pairs = [100 * sum(i[a] == i[b] for i in items) / n for a, b in ((0, 1), (0, 2), (1, 2))]
    share = 100 * sum(len(set(i)) == 1 for i in items) / n
    inputs = {"agreements": [f"{p:.4f}" for p in pairs]}
    assert claim("unanimity", f"{share:.4f}", inputs, raters=3, categories=2).status == "consistent"


def test_unanimity_needs_failed_verdicts():
    """HSS appendix I: 95.2 % with the three pairs 96.2, 97.5 and 96.4; five verdicts missing would explain it."""
    inputs = {"agreements": ["96.2", "97.5", "96.4"]}
    plain = claim("unanimity", "95.2", inputs, raters=3, categories=2, n=2620)
    assert plain.status == "contradicted"
    allowed = claim("unanimity", "95.2", inputs, raters=3, categories=2, n=2620, allows=["judge_failed"])
    assert allowed.status == "conditional"
    assert "5 verdicts missing of 7860" in allowed.why


def test_half_width_bounds_hold_for_every_spread():
    """Every outcome of 6 items x 3 attempts: the half-width of its item means is possible for its mean."""
    z = 1.959963984540054
    for passes in product(range(4), repeat=4):
        p = sum(passes) / 12
        spread = sum((k / 3 - p) ** 2 for k in passes) / 4
        width = 100 * z * math.sqrt(spread / 4)
        inputs = {"p": f"{100 * p:.6f}", "n": 4, "attempts": 3, "level": 0.95, "slack": 0}
        assert claim("half_width", f"{width:.6f}", inputs, unit="points").status == "consistent"
    wide = {"p": "50.0", "n": 100, "attempts": 3, "level": 0.95, "slack": 0}
    assert claim("half_width", "9.8", wide, unit="points").status == "consistent"
    assert claim("half_width", "9.9", wide, unit="points").status == "contradicted"
    assert claim("half_width", "1.0", {**wide, "p": "50.0"}, unit="points").status == "contradicted"


def test_credit():
    best = {"credit": 1, "coverage": 1, "evidence": 1.2, "logic": 1.2, "divisor": 1.44}
    assert claim("credit", "1.0000", best, unit="proportion").status == "reproduced"
    assert claim("credit", "0.6944", {**best, "evidence": 1, "logic": 1}, unit="proportion").status == "reproduced"


def test_what_cannot_be_read_says_so_and_accuses_nobody():
    for found in (
        claim("mean", "2.5", {"part": ["2"]}),
        claim("meen", "2.5", {"parts": ["2"]}),
        claim("mean", "2.5", {"parts": {"file": "no.csv", "column": "x"}}),
        claim("grim", "2.5", {"n": 2.5}),
        claim("wilson", "2.5", {"k": 1, "n": 2, "level": 0.95, "end": "middle"}),
        claim("mean", "2.5"),
    ):
        assert found.status == "not_checkable"
        assert found.why.startswith("missing:")
    assert "Did you mean 'mean'?" in claim("meen", "2.5").why
    assert claim("not_checkable", "5", missing="the rows").why.endswith("missing: the rows.")
