"""From criteria to a whole item: met when all are met, not met once one is not, else without a rating."""

import pytest

from tests.answers import asked, row
from tests.raters import judged
from tests.stores import toy_store

FEW = {"resamples": 200}


def test_an_item_is_met_when_all_its_criteria_are_and_unknown_when_one_is_missing(tmp_path):
    store = judged(
        tmp_path,
        criteria=("x", "y"),
        a=[True, True, True, False, True, None, True, True],
        b=[True, True, True, True, True, True, True, "-"],
    )
    assert row(asked(store, "judges", **FEW))["n"] == 6
    whole = row(asked(store, "judges", unit="item", **FEW))
    assert (whole["n"], whole["agreement"]) == (2, 0.5)
    assert (whole["missing_a"], whole["missing_b"], whole["missing_both"]) == (1, 1, 0)


@pytest.mark.parametrize("gap", ["failed", "no row"])
def test_one_unmet_criterion_settles_an_item_as_the_policy_does(tmp_path, gap):
    """Units of two criteria: a is (unmet, none), (none, unmet), (met, none), (met, met); b has every verdict."""
    none = None if gap == "failed" else "-"
    store = judged(
        tmp_path,
        criteria=("x", "y"),
        a=[False, none, none, False, True, none, True, True],
        b=[False, True, True, True, True, True, True, True],
    )
    whole = row(asked(store, "judges", unit="item", **FEW))
    assert (whole["n"], whole["agreement"]) == (3, pytest.approx(2 / 3))
    assert (whole["missing_a"], whole["missing_b"]) == (1, 0)
    if gap == "failed":
        settled = row(asked(store, "leaderboard", judge="a"))
        assert (settled["n"], settled["raw"]) == (3, pytest.approx(1 / 3))


def test_an_item_with_a_metric_between_0_and_1_has_no_rating_on_either_side(tmp_path):
    of = {"i0": (1.0, 0.5), "i1": (0.0, 0.5), "i2": (1.0, 1.0), "i3": (0.0, 1.0)}
    store = toy_store(
        tmp_path,
        items=[{"item_id": item} for item in of],
        runs=[{"run_id": "r"}],
        judges=[{"judge_id": judge} for judge in "ab"],
        responses=[{"run_id": "r", "item_id": item, "credit": exact} for item, (exact, _) in of.items()],
        verdicts=[
            {"run_id": "r", "item_id": item, "judge_id": judge, "criterion": name, "score": score,
             "met": score == 1 if score in (0, 1) else None}
            for judge in "ab"
            for item, scores in of.items()
            for name, score in zip(("exact", "overlap"), scores, strict=True)
        ],
    )  # fmt: skip
    whole = row(asked(store, "judges", unit="item", **FEW))
    assert (whole["n"], whole["missing_both"]) == (2, 2)
