"""Leniency, self-preference, review and preferences on rows that can be worked out by hand."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from analytics.errors import EmptySlice, UnknownValue
from tests.answers import asked, row, rows
from tests.stores import toy_store

FEW = {"resamples": 300}

MET = {
    ("mild", "ours"): [1, 1, 1, 1],
    ("mild", "theirs"): [1, 1, 0, 0],
    ("stern", "ours"): [1, 0, 1, 0],
    ("stern", "theirs"): [1, 0, 0, 0],
    ("third", "ours"): [1, 1, 0, 0],
    ("third", "theirs"): [1, 0, 0, 1],
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return toy_store(
        tmp_path_factory.mktemp("scores"),
        items=[{"item_id": f"i{k}", "answer_type": "open"} for k in range(5)],
        runs=[
            {"run_id": "ours", "model": "Big", "vendor": "Maker"},
            {"run_id": "theirs", "model": "third", "vendor": "Other"},
        ],
        responses=[{"run_id": run, "item_id": f"i{k}", "credit": 1.0} for run in ("ours", "theirs") for k in range(5)],
        judges=[
            {"judge_id": "mild", "kind": "model", "vendor": "maker"},
            {"judge_id": "stern", "kind": "model"},
            {"judge_id": "third", "kind": "model", "vendor": "Other"},
        ],
        verdicts=[
            {"run_id": run, "item_id": f"i{k}", "judge_id": judge, "met": bool(met), "score": 10.0 * met}
            for (judge, run), values in MET.items()
            for k, met in enumerate(values)
        ]
        # the fifth item has no verdict of every judge: it enters no mean
        + [{"run_id": "ours", "item_id": "i4", "judge_id": "stern", "met": True}],
    )


def test_leniency_is_the_mean_difference_from_the_other_judges(store):
    answer = asked(store, "leniency", **FEW)
    means = {key: np.mean(values) for key, values in MET.items()}
    for judge in ("mild", "stern", "third"):
        others = [j for j in ("mild", "stern", "third") if j != judge]
        by_hand = np.mean([means[judge, run] - np.mean([means[j, run] for j in others]) for run in ("ours", "theirs")])
        found = row(answer, judge=judge)
        assert found["leniency"] == pytest.approx(by_hand, abs=1e-12)
        assert found["low"] <= by_hand <= found["high"]
        assert (found["runs"], found["n"], found["reason"]) == (2, 8, "")
    assert answer.left_out["units without a verdict of every judge of the run"] == 1


def test_residuals_add_up_to_nothing_and_vendors_are_matched(store):
    answer = asked(store, "self_preference", **FEW)
    for judge in ("mild", "stern", "third"):
        assert sum(r["residual"] for r in rows(answer, judge=judge)) == pytest.approx(0, abs=1e-12)
    relation = {(r["judge"], r["run"]): r["relation"] for r in answer.table.to_dicts()}
    assert relation == {
        ("mild", "ours"): "same vendor",
        ("mild", "theirs"): "other vendor",
        ("stern", "ours"): "not stated",
        ("stern", "theirs"): "not stated",
        ("third", "ours"): "other vendor",
        ("third", "theirs"): "itself",
    }
    assert row(answer, judge="mild", run="ours")["score"] == 1.0


def test_judges_of_two_runs_rank_them_or_say_why_not(store):
    answer = asked(store, "rank_agreement")
    pair = row(answer, judge_a="mild", judge_b="stern")
    assert (pair["spearman"], pair["kendall"], pair["runs"]) == (pytest.approx(1), pytest.approx(1), 2)
    constant = row(answer, judge_a="mild", judge_b="third")
    assert (constant["spearman"], constant["reason"]) == (None, "constant scores")


def test_scores_on_another_scale_are_refused_with_what_to_do(store):
    with pytest.raises(UnknownValue, match="run from 0 to 10"):
        asked(store, "leniency", on="score")


def test_a_judge_alone_has_no_leniency(tmp_path):
    store = toy_store(
        tmp_path,
        items=[{"item_id": "i0", "answer_type": "open"}],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": "i0", "credit": 1.0}],
        judges=[{"judge_id": "j"}],
        verdicts=[{"run_id": "r", "item_id": "i0", "judge_id": "j", "met": True}],
    )
    with pytest.raises(EmptySlice, match="column score"):
        asked(store, "leniency", on="score")
    alone = row(asked(store, "leniency", **FEW))
    assert (alone["leniency"], alone["low"], alone["mean"], alone["reason"]) == (None, None, 1.0, "one judge")
    assert row(asked(store, "self_preference", **FEW))["reason"] == "one judge"
    assert asked(store, "rank_agreement").table.height == 0
    with pytest.raises(UnknownValue, match="kind 'person'"):
        asked(store, "majority_agreement")


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory):
    endorsed = {"p": [1, 1, 1, 0, None], "q": [1, 0, 1, 1, 1]}
    return toy_store(
        tmp_path_factory.mktemp("review"),
        items=[{"item_id": f"i{k}", "answer_type": "open"} for k in range(5)],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": f"i{k}", "credit": 1.0} for k in range(5)],
        judges=[{"judge_id": "j", "kind": "model"}, {"judge_id": "p", "kind": "person"},
                {"judge_id": "q", "kind": "person"}],
        verdicts=[{"run_id": "r", "item_id": f"i{k}", "judge_id": "j", "met": k < 3} for k in range(5)]
        + [
            {"run_id": "r", "item_id": f"i{k}", "judge_id": who, "on_judge": "j",
             "met": None if yes is None else bool(yes), "status": "abstained" if yes is None else "ok"}
            for who, values in endorsed.items()
            for k, yes in enumerate(values)
        ],
    )  # fmt: skip


def test_an_abstention_is_in_no_count_and_one_reviewer_takes_wilson(reviewed):
    answer = asked(reviewed, "endorsements", **FEW)
    one = row(answer, reviewer="p")
    assert (one["endorsed"], one["n"], one["missing"], one["interval"]) == (3, 4, 1, "Wilson score")
    assert (one["low"], one["high"]) == pytest.approx(proportion_confint(3, 4, method="wilson"), abs=1e-12)
    everyone = row(answer, reviewer="all")
    assert (everyone["endorsed"], everyone["n"], everyone["share"]) == (7, 9, pytest.approx(7 / 9))
    assert "bootstrap over items" in everyone["interval"]
    assert answer.left_out["decisions that did not come out"] == 1


def test_reviewers_are_raters_too_and_reviews_are_no_verdicts_on_responses(reviewed):
    pair = row(asked(reviewed, "judges", raters="reviewers", **FEW))
    assert (pair["rater_a"], pair["rater_b"], pair["n"], pair["agreement"]) == ("p", "q", 4, 0.5)
    assert asked(reviewed, "judges", **FEW).table.height == 0


def compared(folder, comparisons, *, texts=None):
    """Build a store of comparisons (run_a, run_b, judge, label by item)."""
    count = max(len(labels) for *_, labels in comparisons)
    runs = sorted({run for a, b, *_ in comparisons for run in (a, b)})
    judges = sorted({judge for _, _, judge, _ in comparisons})
    return toy_store(
        folder,
        items=[{"item_id": f"i{k}", "answer_type": "open"} for k in range(count)],
        runs=[{"run_id": run, "model": run.split("~")[0]} for run in runs],
        responses=[
            {"run_id": run, "item_id": f"i{k}", "credit": None, "response": (texts or {}).get(run, f"{run} says {k}")}
            for run in runs
            for k in range(count)
        ],
        judges=[{"judge_id": j, "kind": "person" if j.startswith("p") else "model"} for j in judges],
        comparisons=[
            {"benchmark": "toy", "item_id": f"i{k}", "run_a": a, "run_b": b, "judge_id": judge, "attempt": 1,
             "label": label}
            for a, b, judge, labels in comparisons
            for k, label in enumerate(labels)
        ],
    )  # fmt: skip


def test_a_tie_is_half_a_win_and_a_failed_judge_is_no_tie(tmp_path):
    """Pitfall 11: ties count one half; pitfall 1: a failed verdict is in no count."""
    store = compared(tmp_path, [("x", "y", "j", ["A", "B", "B", "tie", "none", None])])
    found = row(asked(store, "preferences", **FEW))
    assert (found["n"], found["failed"], found["ties"], found["neither"]) == (5, 1, 1, 1)
    assert found["win_rate"] == pytest.approx((1 + 1 + 0.5) / 4)
    assert (found["b_share_low"], found["b_share_high"]) == pytest.approx(
        proportion_confint(2, 5, method="wilson"), abs=1e-12
    )


def test_the_way_round_of_a_pair_does_not_matter_for_agreement(tmp_path):
    store = compared(tmp_path, [("x", "y", "j", ["A", "B", "tie", "A"]), ("y", "x", "k", ["B", "A", "tie", "A"])])
    pair = row(asked(store, "judges", raters="preferences", **FEW))
    assert (pair["n"], pair["agreement"]) == (4, 3 / 4)
    with pytest.raises(UnknownValue, match="have no 'met'"):
        asked(store, "judges", raters="preferences", on="met")


def test_one_output_under_two_run_names_is_one_unit(tmp_path):
    store = compared(
        tmp_path,
        [("x", "y", "j", ["A", "B"]), ("x~2", "y~2", "k", ["A", "A"])],
        texts={"x": "one", "x~2": "one", "y": "two", "y~2": "two"},
    )
    assert row(asked(store, "judges", raters="preferences", **FEW))["n"] == 2
    assert set(asked(store, "preferences", **FEW).table["run_a"]) == {"x"}


def test_the_majority_of_people_needs_more_than_half_of_them(tmp_path):
    store = compared(
        tmp_path,
        [
            ("x", "y", "p1", ["A", "A", "A", "B"]),
            ("x", "y", "p2", ["A", "B", "B", "B"]),
            ("x", "y", "p3", ["B", "tie", "A", None]),
            ("x", "y", "j", ["A", "A", "B", None]),
        ],
    )
    found = row(asked(store, "majority_agreement", raters="preferences", **FEW))
    assert (found["agree"], found["n"], found["people"]) == (1, 2, 3)
    assert (found["no_majority"], found["missing"]) == (1, 1)
    assert (found["low"], found["high"]) == pytest.approx(proportion_confint(1, 2, method="wilson"), abs=1e-12)
